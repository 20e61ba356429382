"""Fixtures for tests of outgoing calls."""

from collections.abc import Iterator

import httpx2
import pytest
from pytest_django import Settings

from instances.outgoing.policy import Mode, OutgoingPolicy
from instances.outgoing.transport import Transport
from tests.outgoing.transport import LOOPBACK, Rules
from tests.provider_fixtures import provider

__all__ = ["provider"]


@pytest.fixture
def nothing_listed(settings: Settings) -> None:
    """Use the default settings, which allow only public addresses."""
    settings.OUTGOING_ALLOW = []


@pytest.fixture
def rules() -> Rules:
    return Rules(OutgoingPolicy(Mode.PUBLIC, LOOPBACK))


@pytest.fixture
def caller(rules: Rules) -> Iterator[httpx2.Client]:
    with httpx2.Client(transport=Transport(rules.allowed_addresses), trust_env=False) as caller:
        yield caller
