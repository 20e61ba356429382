"""Ana, who is to be erased, and Ben, who stays."""

from pathlib import Path

import pytest
from pytest_django import Settings

from conversations.models import Conversation
from instances.models import Instance, User
from memoryapp.models import Erasure
from memoryapp.people.erasure import work_on
from tests.people.factories import create_person


@pytest.fixture(autouse=True)
def erasures_dir(settings: Settings, tmp_path: Path) -> Path:
    """The folder of the list of erasures."""
    settings.ERASURES_DIR = str(tmp_path / "erasures")
    return tmp_path / "erasures"


@pytest.fixture
def ana(instance: Instance, alice: User) -> Conversation:
    return create_person(instance, "ana@example.org", author=alice)


@pytest.fixture
def ben(instance: Instance, alice: User) -> Conversation:
    return create_person(instance, "ben", author=alice)


def work_off(erasure: Erasure) -> Erasure:
    """Do as a worker does."""
    work_on(erasure)
    erasure.refresh_from_db()
    return erasure
