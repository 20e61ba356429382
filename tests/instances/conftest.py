"""Fixtures for tests of instances."""

import pytest
from django.test import Client

from instances.models import User
from tests.instances.people import signed_in


@pytest.fixture
def as_dana(dana: User) -> Client:
    return signed_in(dana)
