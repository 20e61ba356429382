"""The admin's tables, and instances with a row of every kind."""

import pytest
from django.test import Client

from instances.models import User
from tests.web.access_instances import secluded, shared

__all__ = ["secluded", "shared"]


@pytest.fixture
def as_dana(dana: User) -> Client:
    client = Client()
    client.force_login(dana)
    return client
