"""Keepsake as a server for Anthropic's clients, with the scripted provider as Anthropic."""

from collections.abc import Iterator

import pytest
from anthropic import Anthropic

from instances.models import Instance, Provider, Secret, SecretName
from tests.api.v1.anthropic_provider.exchange import KEY
from tests.scripted_provider import ScriptedProvider


@pytest.fixture
def assisted(assisted: Instance, provider: ScriptedProvider) -> Instance:
    """The instance, with Anthropic as its provider."""
    assisted.provider = Provider.ANTHROPIC
    assisted.chat_model = "claude-sonnet-5"
    assisted.save()
    key = Secret(instance=assisted, name=SecretName.CHAT_API_KEY)
    key.seal(KEY, assisted.chat_address)
    key.save()
    provider.api_key = KEY
    return assisted


@pytest.fixture
def claude(address: str, secret: str) -> Iterator[Anthropic]:
    """Anthropic's client with another address."""
    base_url = address.removesuffix("/v1")
    with Anthropic(base_url=base_url, api_key=secret, max_retries=0) as client:
        yield client
