import pytest
from pytest_django import Settings

from tests.provider_fixtures import provider

__all__ = ["provider"]


@pytest.fixture
def nothing_listed(settings: Settings) -> None:
    """As a server is without any setting: only public addresses."""
    settings.OUTGOING_ALLOW = []
