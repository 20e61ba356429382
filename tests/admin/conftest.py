"""The admin's tables, and instances with a row of every kind."""

from typing import Any

import pytest
from django.test import Client

from instances.models import Instance, User
from tests.web.access_instances import create_rows


@pytest.fixture
def as_dana(dana: User) -> Client:
    client = Client()
    client.force_login(dana)
    return client


@pytest.fixture
def shared(instance: Instance, alice: User) -> dict[str, Any]:
    """A row of each kind in Alice's shared instance."""
    instance.slug, instance.name = "heliotrope", "Heliotrope"
    instance.save()
    return create_rows(instance, alice)


@pytest.fixture
def secluded(private: Instance, alice: User) -> dict[str, Any]:
    """A row of each kind in Alice's private instance."""
    private.slug, private.name = "heliotrope", "Heliotrope"
    private.save()
    return create_rows(private, alice)
