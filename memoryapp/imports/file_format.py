"""Files of memories: JSONL with one memory a line, or CSV with one a row; what Keepsake exports is
either. ``content`` must be there, all else may be missing. And the files of other systems, which
`foreign` puts into the same words.
"""

import contextlib
import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from conversations.importers import jsonl
from conversations.importers.json_stream import TooLarge, find_signature, read_objects
from conversations.importers.jsonl import BadLine
from conversations.importers.reader import (
    BrokenFile,
    Reader,
    Stream,
    plausible_date,
)
from conversations.importers.report import Report
from conversations.importers.zip_archives import MAGIC, Archive
from conversations.sanitizer import sanitize
from memoryapp.imports import converters, openmemory
from memoryapp.models import Category
from memoryapp.pipeline import MAX_CONTENT, MAX_TAGS, Candidate
from memoryapp.policy.keyed_facts import MAX_VALUE, normalised

JSONL, CSV = "Memories as JSONL", "Memories as CSV"
MEM0, MEM0_LINES = "Memories of mem0", "Memories of mem0 as JSONL"
OPENMEMORY, OPENMEMORY_LINES = "Backup of OpenMemory", "Memories of OpenMemory as JSONL"
GRAPH = "Knowledge graph of the MCP memory server"

#: Where mem0 has its memories when there is more around them, and those of its graph.
_LISTS = ("results", "memories", "relations")
#: The form of conversations, which are not read here.
_MESSAGES = "Messages"

#: What only a memory has, and what only a message.
_OF_A_MEMORY = frozenset(
    "category importance tags key value valid_until confidence assessed updated_at sources".split()
)
_OF_A_MESSAGE = frozenset(
    "role author conversation conversation_id title caption tool_name tool_calls".split()
)
#: Cells that the export prefixes with an apostrophe, so that no spreadsheet runs them as a formula
#: or command. Some spreadsheets trim leading spaces; some treat full-width characters as plain.
GUARDED = re.compile(r"'*(?:[\t\r\n]|\s*[=+\-@|＝＋－＠])")


@dataclass(frozen=True)
class ImportedMemory:
    """A memory in a file, where it stands, and when it was first remembered, if that is known."""

    #: 1, 2, 3 … within the file; some may be missing.
    number: int
    #: The same, for people.
    place: str
    candidate: Candidate
    created_at: datetime | None
    updated_at: datetime | None


def recognise(stream: Stream, *, wanted: bool) -> str:
    """Return in which form *stream* holds memories, or nothing when it holds none.

    A line that says no more than a sentence may be a message as well: then it is what whoever
    uploaded it was after, that is a memory if ``wanted``.
    """
    start = Reader(stream).read(64 * 1024).lstrip()
    if start.startswith(MAGIC):
        return OPENMEMORY if openmemory.member_of(Archive(stream)) else ""
    if not start.startswith((b"{", b"[")):
        header = start.partition(b"\n")[0].decode(errors="replace")
        names = {name.strip().strip('"').lower() for name in header.split(",")}
        if "content" in names and not names & _OF_A_MESSAGE:
            return CSV
    sign = _lists_memories if start.startswith(b"[") else _has_a_list_of_them
    if find_signature(Reader(stream), {MEM0: sign}):
        return MEM0
    for found in jsonl.first_objects(Reader(stream)):
        if form := _form_of(set(found), wanted=wanted):
            return "" if form == _MESSAGES else form
    return ""


def _lists_memories(path: tuple[str, ...], event: str) -> bool:
    """Whether a list of objects is mem0's."""
    return path == ("memory",) and event == "string"


def _has_a_list_of_them(path: tuple[str, ...], event: str) -> bool:
    """Whether an object is what mem0 puts around such a list."""
    return path in (("results",), ("memories",)) and event == "start_array"


def _form_of(keys: set[str], *, wanted: bool) -> str:
    """The form that a line with these keys is in, or nothing when it does not tell."""
    if keys >= {"type", "name", "observations"} or keys >= {"type", "from", "to"}:
        return GRAPH
    if "content" not in keys:
        return MEM0_LINES if "memory" in keys else ""
    if keys >= {"state", "app", "categories"}:
        return OPENMEMORY_LINES
    memory = not keys & _OF_A_MESSAGE and (wanted or bool(keys & _OF_A_MEMORY))
    return JSONL if memory else _MESSAGES


def read(form: str, stream: Stream, report: Report, zone: ZoneInfo) -> Iterator[ImportedMemory]:
    """Yield the memories of a file in the *form* that `recognise` found; what is none is left out,
    with its place and the reason. Dates without an offset are in *zone*.

    Raises:
        BrokenFile: it cannot be read any further.

    """

    def on_read(bytes_read: int, bytes_total: int = 0) -> None:
        report.bytes_read, report.bytes_total = bytes_read, bytes_total

    translated = _translated(form, stream, on_read, report)
    for number, (place, fields) in enumerate(translated, 1):
        try:
            yield _found(number, place, fields, zone)
        except BadLine as reason:
            report.skip(place, str(reason))


Records = Iterator[tuple[str, Any]]


def _translated(
    form: str, stream: Stream, on_read: Callable[..., None], report: Report
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (place, fields) of all that may be a memory, in the words of Keepsake's own files."""
    for place, record in _records(form, stream, on_read, report):
        try:
            yield from ((place, fields) for fields in _TRANSLATE[form](record))
        except BadLine as reason:
            report.skip(place, str(reason))


def _records(form: str, stream: Stream, on_read: Callable[..., None], report: Report) -> Records:
    if form == OPENMEMORY:
        lines = openmemory.lines(stream, on_read)
        yield from _parsed(((number, line, user) for number, line, user in lines), report)
    elif form == CSV:
        yield from _rows(Reader(stream, on_read), report)
    elif form == MEM0:
        yield from _objects(Reader(stream, on_read), report)
    else:
        found = jsonl.lines(Reader(stream, on_read))
        yield from _parsed(((number, line, None) for number, line in found), report)


def _parsed(lines: Iterator[tuple[int, bytes, str | None]], report: Report) -> Records:
    """The objects that *lines* are; with whose they are, where the file says that."""
    for number, line, end_user in lines:
        try:
            record = jsonl.parse_line(line)
        except BadLine as reason:
            report.skip(f"line {number}", str(reason))
            continue
        yield f"line {number}", record if end_user is None else (record, end_user)


def _objects(reader: Reader, report: Report) -> Records:
    for number, record in enumerate(read_objects(reader, _LISTS), 1):
        if isinstance(record, TooLarge):
            report.skip(f"memory {number}", record.reason)
        else:
            yield f"memory {number}", record


def _rows(reader: Reader, report: Report) -> Records:
    text = io.TextIOWrapper(io.BufferedReader(reader), encoding="utf-8", newline="")
    rows = csv.reader(text)
    try:
        names = [name.strip().lower() for name in next(rows, [])]
        for row in rows:
            reader.next_piece()
            place = f"line {rows.line_num}"
            if len(row) > len(names):
                report.skip(place, "it has more cells than the first line.")
            elif any(row):
                yield place, _cells(dict(zip(names, row, strict=False)))
    except UnicodeDecodeError:
        raise BrokenFile(f"The file is not UTF-8 behind line {rows.line_num:,}.") from None
    except csv.Error as error:
        raise BrokenFile(f"The file is no CSV behind line {rows.line_num:,}: {error}.") from None


def _cells(row: dict[str, str]) -> dict[str, Any]:
    cells: dict[str, Any] = {
        name: cell[1:] if cell.startswith("'") and GUARDED.match(cell) else cell
        for name, cell in row.items()
        if cell
    }
    cells["tags"] = [tag.strip() for tag in cells.get("tags", "").split(",") if tag.strip()]
    for name in ("importance", "confidence", "assessed", "metadata"):
        if name in cells:
            # What is no number stays a text, which is told to be wrong later on.
            written = cells[name].strip()
            with contextlib.suppress(ValueError):
                cells[name] = json.loads(written if name == "metadata" else written.lower())
    return cells


def _found(number: int, place: str, fields: Mapping[str, Any], zone: ZoneInfo) -> ImportedMemory:
    content = " ".join(sanitize(_text(fields, "content")).split())
    if not content:
        raise BadLine("“content” is missing or empty.")
    if len(content) > MAX_CONTENT:
        raise BadLine(f"“content” has more than {MAX_CONTENT:,} characters.")
    category = _text(fields, "category").strip().lower() or Category.GENERAL.value
    if category not in Category.values:
        raise BadLine(f"its category is none of {', '.join(Category.values)}.")
    tags = fields.get("tags") or []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise BadLine("“tags” is not a list of words.")
    if len(tags) > MAX_TAGS:
        raise BadLine(f"it has more than {MAX_TAGS} tags.")
    end_user = sanitize(_text(fields, "end_user"))
    if len(end_user) > 200:
        raise BadLine("“end_user” has more than 200 characters.")
    key, value = normalised(sanitize(_text(fields, "key"))), _text(fields, "value").strip()
    if bool(key) != bool(value):
        raise BadLine("“key” and “value” belong together: it has one without the other.")
    if len(value) > MAX_VALUE:
        raise BadLine(f"“value” has more than {MAX_VALUE} characters.")
    importance = _number(fields, "importance", 1, 10)
    return ImportedMemory(
        number,
        place,
        Candidate(
            content,
            category=category,
            # Nobody has judged it: a number stands there all the same.
            importance=None if fields.get("assessed") is False else importance,
            tags=tags,
            valid_until=_day(fields),
            key=key,
            value=value,
            end_user=end_user,
            confidence=_number(fields, "confidence", 0, 100),
            metadata=_object(fields, "metadata"),
            external_id=_text(fields, "external_id"),
        ),
        _moment(fields, "created_at", zone),
        _moment(fields, "updated_at", zone),
    )


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadLine(f"“{name}” is not text.")
    return value


def _object(fields: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = fields.get(name) or {}
    if not isinstance(value, dict):
        raise BadLine(f"“{name}” is not an object.")
    return value


def _number(fields: Mapping[str, Any], name: str, least: int, most: int) -> int | None:
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadLine(f"“{name}” is not a whole number from {least} to {most}.")
    return value


def _day(fields: Mapping[str, Any]) -> date | None:
    text = _text(fields, "valid_until").strip()
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise BadLine("“valid_until” is not a date such as 2031-02-03.") from None


def _moment(fields: Mapping[str, Any], name: str, zone: ZoneInfo) -> datetime | None:
    text = _text(fields, name).strip()
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        moment = (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadLine(f"“{name}” is not a date in ISO 8601.") from None
    if plausible_date(moment) is None:
        raise BadLine(f"“{name}” lies outside the years 1900 to 2200.")
    return moment


#: By form, what its records say in the words of Keepsake's own files.
_TRANSLATE: dict[str, Callable[[Any], Iterable[Mapping[str, Any]]]] = {
    JSONL: lambda record: [record],
    CSV: lambda record: [record],
    MEM0: lambda record: [converters.from_mem0(record)],
    MEM0_LINES: lambda record: [converters.from_mem0(record)],
    OPENMEMORY: lambda record: [converters.from_openmemory(*record)],
    OPENMEMORY_LINES: lambda record: [converters.from_openmemory(record, "")],
    GRAPH: converters.from_graph,
}
