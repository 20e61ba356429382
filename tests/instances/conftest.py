"""What tests of instances need."""

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings) -> None:
    """Hash passwords fast: a safe hash takes longer than most of these tests."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
