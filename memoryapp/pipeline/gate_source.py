"""The messages that a model has read, as the gate takes them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from zoneinfo import ZoneInfo

from conversations.models import Message, Role
from instances.tiers import Tier
from memoryapp.policy.evidence import TieredLine
from memoryapp.policy.gate import SaidLine
from memoryapp.policy.quotation import own_words, quoted_words
from memoryapp.policy.recalled_context import without_recalled


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


def tiered_lines(messages: Iterable[Message], lines: Iterable[SaidLine]) -> list[TieredLine]:
    """Return what the authors of *messages* say, whose *lines* are given, and what they quote."""
    return [
        part
        for message, line in zip(messages, lines, strict=True)
        for part in _parts(message, line)
    ]


def _parts(message: Message, line: SaidLine) -> Iterator[TieredLine]:
    if message.role not in (Role.USER, Role.ASSISTANT):
        yield TieredLine(line, message.tier, message.position)
        return
    own = replace(line, text=own_words(line.text, line.speaker))
    yield TieredLine(own, message.tier, message.position)
    quoted = replace(line, text=quoted_words(line.text, line.speaker))
    yield TieredLine(quoted, min(message.tier, Tier.DOCUMENT), message.position)
