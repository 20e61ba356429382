"""Fixture for filed messages."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.models import Drawer, Palace, Wing

Filed = Callable[..., Drawer]


@pytest.fixture
def filed(instance: Instance) -> Filed:
    """Append a message and file it: ``filed("We moved.")``."""

    def file(content: str, *, into: Instance | None = None) -> Drawer:
        where = into or instance
        talk, _ = Conversation.objects.get_or_create(instance=where, title="Talk")
        message = append(talk, [NewMessage("user", content)]).added[0]
        Palace.objects.get_or_create(instance=where)
        wing, _ = Wing.objects.get_or_create(instance=where, slug="talk", name="Talk", number=1)
        room, _ = wing.rooms.get_or_create(instance=where, conversation=talk, number=1)
        closet, _ = room.closets.get_or_create(instance=where, name="All", slug="all")
        return closet.drawers.create(
            instance=where, message=message, wing_number=1, room_number=1, number=message.position
        )

    return file


def at(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, 12, tzinfo=UTC)
