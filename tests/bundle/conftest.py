"""A furnished instance."""

from pathlib import Path

import pytest
from pytest_django import Settings

from instances.models import Instance, User
from tests.bundle.furnishing import furnish


@pytest.fixture(autouse=True)
def erasures_dir(settings: Settings, tmp_path: Path) -> None:
    """A folder of the test for the list of erasures."""
    settings.ERASURES_DIR = str(tmp_path / "erasures")


@pytest.fixture
def furnished(instance: Instance, alice: User) -> Instance:
    """The instance with rows in every table."""
    furnish(instance, alice)
    return instance
