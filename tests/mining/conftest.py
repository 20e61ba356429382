"""Fixtures and helpers for tests of mining."""

import pytest

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.mining.run import mine
from memoryapp.models import Drawer, Run
from tests.provider_fixtures import provider

__all__ = ["provider"]


@pytest.fixture
def house(instance: Instance) -> Instance:
    """The instance with memory and palace enabled."""
    instance.memory_enabled = instance.palace_enabled = True
    instance.extract_when = "by_hand"
    instance.save()
    return instance


@pytest.fixture
def talk(house: Instance) -> Conversation:
    """A conversation without messages."""
    return Conversation.objects.create(instance=house, title="Kitchen renovation")


def work() -> list[Run]:
    """Carry out mining runs until none is queued; return them in order."""
    done = []
    while run := Run.objects.minings().waiting().order_by("pk").first():
        assert run.claim()
        mine(run)
        run.refresh_from_db()
        done.append(run)
    return done


def palace() -> list[tuple[str, str, str, list[str], str]]:
    """Return the drawers without numbers: wing, conversation, topic, people, text."""
    drawers = Drawer.objects.select_related("message", "closet__room__wing")
    return sorted(
        (
            drawer.closet.room.wing.name,
            str(drawer.closet.room.conversation or ""),
            drawer.closet.name,
            drawer.people,
            drawer.content,
        )
        for drawer in drawers
    )
