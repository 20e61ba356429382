"""Servers that are offered with one click, and the models of a server that is named."""

import re
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client

from instances.models import AllowedAddress, EmbeddingProvider, Instance, Provider, User
from memoryapp.providers import server_info
from tests.instances.cards import HTMX, save, settings_page
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.django_db

TAGS = {"models": [{"name": "gemma3:4b"}, {"name": "qwen2.5:1.5b"}]}


@pytest.fixture
def ollama() -> Iterator[ScriptedProvider]:
    """A server with Ollama's list of models, at Ollama's port as far as the search knows."""
    with ScriptedProvider() as server:
        server.answer_with("/api/tags", TAGS)
        with patch.object(server_info, "OLLAMA_PORT", server.port):
            yield server


@pytest.fixture
def superadmin(alice: User, as_alice: Client) -> Client:
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    return as_alice


@pytest.mark.parametrize("address", ["/instances/desk/settings", "/welcome/desk"])
def test_ollama_on_this_machine_is_offered(
    address: str, superadmin: Client, instance: Instance, ollama: ScriptedProvider
) -> None:
    page = superadmin.get(address).content.decode()
    assert "Ollama runs on this machine" in page
    assert '<button class="btn" name="language-model-fast_model" value="gemma3:4b">' in page


def test_one_click_connects_it(
    superadmin: Client, instance: Instance, ollama: ScriptedProvider
) -> None:
    save(superadmin, "language-model", None, provider="ollama", base_url="", fast_model="gemma3:4b")
    instance.refresh_from_db()
    assert (instance.provider, instance.fast_model) == ("ollama", "gemma3:4b")
    assert "Ollama runs" not in settings_page(superadmin)


def test_machine_is_not_searched_for_who_may_not_allow_it(
    as_alice: Client, instance: Instance, ollama: ScriptedProvider, settings: Any
) -> None:
    settings.OUTGOING_ALLOW = []
    assert "Ollama runs" not in settings_page(as_alice)
    assert not ollama.requests


def test_listed_ollama_is_offered_to_every_manager(
    as_alice: Client, alice: User, instance: Instance, ollama: ScriptedProvider, settings: Any
) -> None:
    settings.OUTGOING_ALLOW = []
    AllowedAddress.objects.allow(f"localhost:{ollama.port}", by=alice, note="")
    page = settings_page(as_alice)
    assert f"Ollama runs at http://localhost:{ollama.port}/v1" in page


def test_models_of_the_server_in_the_form_are_offered(
    as_alice: Client, instance: Instance, ollama: ScriptedProvider
) -> None:
    ollama.answer_with("/v1/models", {"data": [{"id": "tiny"}, {"id": "large"}]})
    form = {"language-model-provider": "custom", "language-model-base_url": ollama.base_url}
    answer = as_alice.post("/instances/desk/models", form, headers=HTMX).content.decode()
    assert re.findall(r'<option value="(.*?)">', answer) == ["large", "tiny"]
    form["language-model-base_url"] = "http://169.254.169.254/v1"
    assert not as_alice.post("/instances/desk/models", form, headers=HTMX).content.strip()


def test_embeddings_come_from_the_same_ollama(as_alice: Client, instance: Instance) -> None:
    address = "http://ollama.test:11434/v1"
    Instance.objects.update(provider=Provider.OLLAMA, base_url=address)
    save(as_alice, "embeddings", None, embedding_provider="ollama", embedding_base_url="")
    instance.refresh_from_db()
    assert instance.embedding_provider == EmbeddingProvider.OLLAMA
    assert instance.embedding_base_url == address
