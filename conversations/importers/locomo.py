"""LoCoMo-format JSON: two named speakers, many dated sessions.

A list of samples, or one alone, each ``{"sample_id": …, "conversation": {"speaker_a": …,
"speaker_b": …, "session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": [{"speaker": …,
"dia_id": "D1:1", "text": …, "blip_caption": …}, …], …}}``. The benchmark's own questions and
annotations, which are next to the conversation, are skipped.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_noop

from conversations.importers.json_stream import TooLarge, read_objects
from conversations.importers.reader import ParseContext, ParsedMessage, Reader
from conversations.importers.report import Report
from conversations.messages import NewMessage
from conversations.models import Role
from instances.translatable import translatable

LABEL = gettext_noop("LoCoMo-format JSON")

_SESSION = re.compile(r"session_(\d+)")


def is_sign(path: tuple[str, ...], event: str) -> bool:
    """True if this is how a sample looks."""
    return len(path) == 2 and path[0] == "conversation" and bool(_SESSION.fullmatch(path[1]))


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the turns of each sample in chronological order; raises `BrokenFile`."""
    for number, sample in enumerate(read_objects(reader), start=1):
        place = translatable("sample %(number)s", number=str(number))
        if isinstance(sample, TooLarge):
            context.report.skip(place, sample.reason)
        else:
            default_id = f"{context.name}:{number}"
            yield from _sample(sample, place, default_id, context.zone, context.report)


def parse_date(text: str, zone: ZoneInfo) -> datetime | None:
    """Read a date such as "1:56 pm on 8 May, 2023"; None if it is not one."""
    try:
        return datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y").replace(tzinfo=zone)
    except ValueError:
        return None


def _sample(
    sample: Any, place: str, default_id: str, zone: ZoneInfo, report: Report
) -> Iterator[ParsedMessage]:
    conversation = sample.get("conversation") if isinstance(sample, Mapping) else None
    if not isinstance(conversation, Mapping):
        report.skip(place, translatable("it has no “conversation”"))
        return
    sample_id = str(sample.get("sample_id") or default_id)
    speakers = [conversation.get(key) for key in ("speaker_a", "speaker_b")]
    title = " and ".join(name for name in speakers if isinstance(name, str) and name)
    taken: set[str] = set()
    for number, turns, sent_at in _sessions(
        conversation, translatable("sample %(number)s", number=sample_id), zone, report
    ):
        for index, raw in enumerate(turns, start=1):
            where = translatable(
                "sample %(sample)s, session %(session)s, turn %(turn)s",
                sample=sample_id,
                session=str(number),
                turn=str(index),
            )
            message = _message(raw, f"session_{number}:{index}", sent_at, taken)
            if isinstance(message, str):
                report.skip(where, message)
            else:
                yield ParsedMessage(f"locomo:{sample_id}", message, where, title or sample_id)
    if not taken:
        report.skip(f"sample {sample_id}", translatable("empty conversation"))


def _sessions(
    conversation: Mapping[str, Any], place: str, zone: ZoneInfo, report: Report
) -> Iterator[tuple[int, list[Any], datetime | None]]:
    """Yield (number, turns, date) of each session with turns, in numeric order.

    A session without a date gets that of the session before it, and the first sessions get that of
    the first one with a date.
    """
    sessions: list[tuple[int, list[Any], datetime | None]] = []
    for key, turns in conversation.items():
        matched = _SESSION.fullmatch(key)
        if not matched:
            continue
        number = int(matched[1])
        if not isinstance(turns, list):
            report.skip(f"{place}, session {number}", translatable("it is not a list of messages"))
            continue
        if not turns:
            continue
        text = conversation.get(f"{key}_date_time")
        date = parse_date(text, zone) if isinstance(text, str) else None
        if text and date is None:
            report.skip(
                _session(place, number),
                translatable("its date “%(date)s” cannot be read", date=str(text)),
            )
        sessions.append((number, turns, date))
    sessions.sort(key=lambda session: session[0])
    latest = next((date for _, _, date in sessions if date), None)
    for number, turns, date in sessions:
        latest = date or latest
        yield number, turns, latest


def _session(place: str, number: int) -> str:
    return translatable("%(place)s, session %(number)s", place=place, number=str(number))


def _message(
    raw: Any, default_id: str, sent_at: datetime | None, taken: set[str]
) -> NewMessage | str:
    """Return the message of a turn, or why it is skipped."""
    if not isinstance(raw, Mapping):
        return translatable("it is not an object")
    texts: dict[str, str] = {}
    for key in ("speaker", "text", "blip_caption", "dia_id"):
        value = raw.get(key)
        if value is not None and not isinstance(value, str):
            return translatable("“%(name)s” is not text", name=key)
        texts[key] = value or ""
    if not texts["text"].strip() and not texts["blip_caption"].strip():
        return translatable("it has neither “text” nor “blip_caption”")
    # Two turns with one id are a mistake in the file, and both are kept.
    turn_id = texts["dia_id"] or default_id
    if turn_id in taken:
        turn_id = f"{turn_id} {default_id}"
    taken.add(turn_id)
    return NewMessage(
        role=Role.USER,
        content=texts["text"],
        author=texts["speaker"],
        caption=texts["blip_caption"],
        external_id=turn_id,
        sent_at=sent_at,
    )
