"""The messages that a model has read, as the gate takes them."""

from collections.abc import Iterable
from zoneinfo import ZoneInfo

from conversations.models import Message
from memoryapp.policy.gate import SaidLine
from memoryapp.text.recalled_context import without_recalled


def said_lines(messages: Iterable[Message], time_zone: str) -> list[SaidLine]:
    """Return the line of each message, without what recall inserted, and dated in *time_zone*."""
    zone = ZoneInfo(time_zone)
    return [
        SaidLine(
            f"{without_recalled(message.content)}\n{message.caption}".strip(),
            speaker=message.author,
            role=message.role,
            said_on=message.sent_at.astimezone(zone).date(),
        )
        for message in messages
    ]
