"""JSONL: one message a line.

Each line is an object with ``content``, and if known: ``role`` (user when missing),
``conversation`` (an id; without, the file is one conversation), ``id``, ``author``,
``created_at`` (ISO 8601), ``title``, ``end_user``, ``tool_name``, ``tool_calls``, ``caption``.
"""

import contextlib
import io
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from conversations.importers.reader import (
    ParseContext,
    ParsedMessage,
    Reader,
    plausible_date,
)
from conversations.importers.seen_counter import SeenCounter, digest
from conversations.messages import NewMessage
from conversations.models import Role

LABEL = "JSONL, one message a line"

#: Lines that may be bad before the file is taken for something else.
_LINES_TO_TRY = 100
MAX_LINE_BYTES = 5 << 20
#: Bytes of lines that are parsed before the file counts as another format.
_BYTES_TO_TRY = 2 * MAX_LINE_BYTES


class BadLine(ValueError):
    """A line is no message; the text says why."""


def recognise(reader: Reader) -> bool:
    """Whether this is the format: whether one of the first lines is an object with a content."""
    return any("content" in found for found in first_objects(reader))


def first_objects(reader: Reader) -> Iterator[Mapping[str, Any]]:
    """Yield the objects among the first lines, enough to recognise the format."""
    tried = 0
    for number, line in lines(reader):
        if len(line) <= MAX_LINE_BYTES:
            tried += len(line)
        if tried > _BYTES_TO_TRY:
            break
        with contextlib.suppress(BadLine):
            yield parse_line(line)
        if number >= _LINES_TO_TRY:
            break


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the messages, line by line.

    The file's name stands for a conversation where a line names none; dates without an offset are
    in the context's zone. A message without an id gets one from its role, content and date, and
    from how many times the same has stood in its conversation so far.
    """
    for number, line in lines(reader):
        place = f"line {number}"
        try:
            yield _said(parse_line(line), context.name, place, context.zone, context.tally)
        except BadLine as reason:
            context.report.skip(place, str(reason))


def lines(reader: Reader) -> Iterator[tuple[int, bytes]]:
    """Yield (number, line) of the lines that are not blank; of one that is too long, its start."""
    buffered = io.BufferedReader(reader, 64 * 1024)
    number = 0
    while line := buffered.readline(MAX_LINE_BYTES + 1):
        number += 1
        reader.next_piece()
        rest = line
        while not rest.endswith(b"\n") and len(rest) > MAX_LINE_BYTES:
            reader.next_piece()
            rest = buffered.readline(MAX_LINE_BYTES + 1)
        if line.strip():
            yield number, line


def parse_line(line: bytes) -> Mapping[str, Any]:
    """Return the object that *line* is; raises `BadLine`."""
    if len(line) > MAX_LINE_BYTES:
        raise BadLine(f"it is longer than {MAX_LINE_BYTES >> 20} MB.")
    try:
        found = json.loads(line.decode())
    except UnicodeDecodeError:
        raise BadLine("it is not UTF-8.") from None
    except (ValueError, RecursionError):
        raise BadLine("it is not JSON.") from None
    if not isinstance(found, dict):
        raise BadLine("it is not an object.")
    return found


def _said(
    found: Mapping[str, Any], name: str, place: str, zone: ZoneInfo, tally: SeenCounter
) -> ParsedMessage:
    role = _text(found, "role").strip().lower() or Role.USER.value
    if role not in Role.values:
        raise BadLine(f"its role is none of {', '.join(Role.values)}.")
    content = _text(found, "content")
    caption = _text(found, "caption")
    tool_calls = _tool_calls(found.get("tool_calls"))
    if not (content.strip() or caption.strip() or tool_calls):
        raise BadLine("“content” is missing or empty.")
    created_at = _text(found, "created_at").strip()
    sent_at = _date(created_at, zone) if created_at else None
    end_user = _text(found, "end_user")
    conversation_id = _text(found, "conversation", number=True)
    if conversation_id:
        conversation = f"jsonl:{conversation_id}"
    else:
        # Nothing else keeps two people's words apart.
        conversation = f"file:{name}:{end_user}" if end_user else f"file:{name}"
    external_id = _text(found, "id", number=True)
    if not external_id:
        times = tally.count("message", conversation, role, content, created_at)
        external_id = f"{digest(role, content, created_at)}:{times}"
    return ParsedMessage(
        conversation=conversation,
        turn=NewMessage(
            role=role,
            content=content,
            author=_text(found, "author"),
            caption=caption,
            external_id=external_id,
            tool_name=_text(found, "tool_name"),
            tool_calls=tool_calls,
            sent_at=sent_at,
        ),
        place=place,
        title=_text(found, "title") or ("" if conversation_id else name),
        end_user=end_user,
    )


def _text(found: Mapping[str, Any], key: str, *, number: bool = False) -> str:
    """Return what stands under *key*, or an empty string; with ``number``, a whole number too."""
    value = found.get(key)
    if value is None:
        return ""
    if number and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise BadLine(f"“{key}” is not text.")
    return value


def _date(text: str, zone: ZoneInfo) -> datetime:
    try:
        date = datetime.fromisoformat(text)
        if date.tzinfo is None:
            date = date.replace(tzinfo=zone)
        date = date.astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadLine("“created_at” is not a date in ISO 8601.") from None
    if plausible_date(date) is None:
        raise BadLine("“created_at” lies outside the years 1900 to 2200.")
    return date


def _tool_calls(value: Any) -> list[dict[str, Any]]:
    """Return calls as ``{"name": …, "arguments": …}``, from that form and from OpenAI's."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise BadLine("“tool_calls” is not a list.")
    calls: list[dict[str, Any]] = []
    for call in value:
        inner = call.get("function", call) if isinstance(call, dict) else None
        if not isinstance(inner, dict) or not isinstance(inner.get("name"), str):
            raise BadLine("a tool call has no name.")
        arguments = inner.get("arguments", "")
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        calls.append({"name": inner["name"], "arguments": arguments})
    return calls
