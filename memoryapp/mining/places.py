"""Where turns belong when no language model says so."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from conversations.models import Conversation, Message
from memoryapp.models.names import one_line, slug
from memoryapp.palace import Placed
from memoryapp.palace.words import heard


def by_conversation(conversation: Conversation, turns: Sequence[Message]) -> list[Placed]:
    """File *turns* under the title of their conversation, or the day on which it began."""
    wing = wing_of(conversation)
    return [Placed(turn.pk, wing) for turn in turns]


def wing_of(conversation: Conversation) -> str:
    """The wing of *conversation* as a whole."""
    title = one_line(heard(conversation.instance, conversation.title))
    if slug(title):
        return title
    zone = ZoneInfo(conversation.instance.time_zone)
    return f"Conversation of {conversation.created_at.astimezone(zone):%Y-%m-%d}"
