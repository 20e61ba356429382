"""Fixtures for tests of the palace."""

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.models import Instance


@pytest.fixture
def talk(instance: Instance) -> Conversation:
    """A conversation about a kitchen with four turns and other messages."""
    talk = Conversation.objects.create(instance=instance, title="Kitchen renovation")
    append(
        talk,
        [
            NewMessage("system", "Be brief."),
            NewMessage("user", "The new stove arrives on Monday.", author="Mara"),
            NewMessage("tool", "Sunny.", tool_name="weather"),
            NewMessage("assistant", "Will the fitter come as well?"),
            NewMessage("user", "Only on Thursday.", author="Mara"),
            NewMessage("assistant", "Then keep the camping cooker."),
        ],
        finished=False,
    )
    return Conversation.objects.select_related("instance").get(pk=talk.pk)


def turns_of(talk: Conversation) -> list[Message]:
    """Messages of people and the assistant."""
    return list(talk.messages.filter(role__in=["user", "assistant"]).order_by("position"))
