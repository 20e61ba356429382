"""JSONL with one message on each line.

Each line is an object with ``content``, and optionally ``role`` (user when missing),
``conversation`` (an id; without, the file is one conversation), ``id``, ``author``,
``created_at`` (ISO 8601), ``title``, ``end_user``, ``tool_name``, ``tool_calls``, ``caption``.
"""

import io
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_noop

from conversations.importers.json_repair import DECODER, repair_encoded_halves, repair_halves
from conversations.importers.reader import ParseContext, ParsedMessage, Reader, plausible_date
from conversations.importers.report import Report
from conversations.importers.seen_counter import SeenCounter, digest
from conversations.messages import NewMessage
from conversations.models import Role
from instances.translatable import translatable

LABEL = gettext_noop("JSONL, one message per line")

_NOT_JSON = translatable("it is not JSON")
_NOT_UTF8 = translatable("it is not UTF-8")
#: Lines that may be bad before the file counts as another format.
_LINES_TO_TRY = 100
MAX_LINE_BYTES = 5 << 20
_NOT_SPACE = re.compile(r"\S")
#: Where an object may begin behind half of another: not as a part of that half.
_OBJECT = re.compile(r'(?<![:,\[])(?<![:,\[] )\{ ?"')
#: Such places that are tried on one line.
_PLACES_TO_TRY = 20
#: Bytes of lines that are parsed before the file counts as another format.
_BYTES_TO_TRY = 2 * MAX_LINE_BYTES


class BadLine(ValueError):
    """A line cannot be used; the text says why."""


def first_objects(reader: Reader) -> Iterator[Mapping[str, Any]]:
    """Yield the objects on the first lines, enough to recognise the format."""
    tried = 0
    for number, line in lines(reader):
        if len(line) <= MAX_LINE_BYTES:
            tried += len(line)
        if tried > _BYTES_TO_TRY:
            break
        for value in values(line):
            if isinstance(value, Mapping):
                yield value
        if number >= _LINES_TO_TRY:
            break


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the messages, line by line.

    Lines without a conversation belong to one with the file's name; dates without an offset are in
    the context's zone. A message without an id gets one from its role, content and date, and from
    the number of equal messages in its conversation so far.
    """
    for _number, place, record in records(reader, context.report):
        try:
            yield _message(record, context.name, place, context.zone, context.seen)
        except BadLine as reason:
            context.report.skip(place, str(reason))


def records(reader: Reader, report: Report) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    """Yield (number, place, object) of each object on the lines."""
    for number, line in lines(reader):
        for place, record in records_on(number, line, report):
            yield number, place, record


def records_on(number: int, line: bytes, report: Report) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (place, object) of each object on a line; the rest is skipped and reported."""
    place = translatable("line %(number)s", number=str(number))
    for value in values(line):
        if isinstance(value, Mapping):
            yield place, value
        elif isinstance(value, BadLine):
            report.skip(place, str(value))
        else:
            report.skip(place, translatable("it is not an object"))


def lines(reader: Reader) -> Iterator[tuple[int, bytes]]:
    """Yield (number, line) of each line that is not blank; of one that is too long, its start."""
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


def values(line: bytes) -> Iterator[Any]:
    """Yield the values on a *line*: usually one. Where several processes write a file, or one has
    died, two objects stand on one line, or half of one alone or before another. `BadLine` stands
    for what is no JSON.
    """
    if len(line) > MAX_LINE_BYTES:
        yield BadLine(translatable("it is longer than %(most)s MB", most=MAX_LINE_BYTES >> 20))
        return
    text = repair_halves(line).decode(errors="surrogateescape").strip()
    is_utf8 = _is_utf8(text)
    at = tried = 0
    is_broken = False
    while at < len(text):
        try:
            value, end = DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            value, end = None, at
        is_whole = end == len(text) or isinstance(value, list | dict)
        if is_whole and (is_utf8 or _is_utf8(text[at:end])):
            yield value
            is_broken = False
            following = _NOT_SPACE.search(text, end)
            at = following.start() if following else len(text)
            continue
        if not is_broken:
            yield BadLine(_NOT_JSON if is_utf8 else _NOT_UTF8)
        is_broken = True
        tried += 1
        found = _OBJECT.search(text, at + 1) if tried < _PLACES_TO_TRY else None
        at = found.start() if found else len(text)


def decoded(line: bytes) -> str:
    """Return the text of a *line*, with U+FFFD for halves of characters. Raises `BadLine`."""
    try:
        return repair_encoded_halves(line).decode()
    except UnicodeDecodeError:
        raise BadLine(_NOT_UTF8) from None


def _is_utf8(text: str) -> bool:
    """True if all bytes of *text* could be decoded."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _message(
    record: Mapping[str, Any], name: str, place: str, zone: ZoneInfo, seen: SeenCounter
) -> ParsedMessage:
    role = text_in(record, "role").strip().lower() or Role.USER.value
    if role not in Role.values:
        raise BadLine(translatable("its role is none of %(roles)s", roles=", ".join(Role.values)))
    content = text_in(record, "content")
    caption = text_in(record, "caption")
    tool_calls = _tool_calls(record.get("tool_calls"))
    if not (content.strip() or caption.strip() or tool_calls):
        raise BadLine(translatable("“content” is missing or empty"))
    sent_at = date_in(record, "created_at", zone)
    end_user = text_in(record, "end_user")
    conversation_id = text_in(record, "conversation", number=True)
    if conversation_id:
        conversation = f"jsonl:{conversation_id}"
    else:
        # Only the end user keeps the messages of two people apart.
        conversation = f"file:{name}:{end_user}" if end_user else f"file:{name}"
    external_id = text_in(record, "id", number=True)
    if not external_id:
        created_at = text_in(record, "created_at").strip()
        times = seen.count("message", conversation, role, content, created_at)
        external_id = f"{digest(role, content, created_at)}:{times}"
    return ParsedMessage(
        conversation=conversation,
        message=NewMessage(
            role=role,
            content=content,
            author=text_in(record, "author"),
            caption=caption,
            external_id=external_id,
            tool_name=text_in(record, "tool_name"),
            tool_calls=tool_calls,
            sent_at=sent_at,
        ),
        place=place,
        title=text_in(record, "title") or ("" if conversation_id else name),
        end_user=end_user,
    )


def text_in(record: Mapping[str, Any], key: str, *, number: bool = False) -> str:
    """Return the text under *key*, with ``number`` also of a whole number. Raises `BadLine`."""
    value = record.get(key)
    if value is None:
        return ""
    if number and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise BadLine(translatable("“%(name)s” is not text", name=key))
    return value


def date_in(record: Mapping[str, Any], key: str, zone: ZoneInfo) -> datetime | None:
    """Return the date under *key*, by default in *zone*; None without one. Raises `BadLine`."""
    text = text_in(record, key).strip()
    if not text:
        return None
    try:
        date = datetime.fromisoformat(text)
        date = (date if date.tzinfo else date.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadLine(translatable("“%(name)s” is not a date in ISO 8601", name=key)) from None
    if plausible_date(date) is None:
        raise BadLine(translatable("“%(name)s” lies outside the years 1900 to 2200", name=key))
    return date


def _tool_calls(value: Any) -> list[dict[str, Any]]:
    """Return calls as ``{"name": …, "arguments": …}``, from that form and from OpenAI's."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise BadLine(translatable("“tool_calls” is not a list"))
    calls: list[dict[str, Any]] = []
    for call in value:
        inner = call.get("function", call) if isinstance(call, dict) else None
        if not isinstance(inner, dict) or not isinstance(inner.get("name"), str):
            raise BadLine(translatable("a tool call has no name"))
        arguments = inner.get("arguments", "")
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        calls.append({"name": inner["name"], "arguments": arguments})
    return calls
