"""Reads files of memories: JSONL with one on each line, JSON with a list of them, or CSV with one
in each row.

Keepsake exports JSONL and CSV. Only a text is required; `columns` understands how other programs
call it, and the rest. Files of some systems are known: `converters` converts their records, and
`assistants` finds the memories in exports of ChatGPT and Claude. A list of sentences as text has
one on each line.
"""

import io
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_noop

from conversations.importers import formats, jsonl
from conversations.importers.json_stream import TooLarge, find_signature, read_objects
from conversations.importers.jsonl import BadLine, date_in, decoded, text_in
from conversations.importers.reader import BrokenFile, Reader, Stream, UnknownFormat
from conversations.importers.report import Report
from conversations.importers.zip_archives import Archive, opened
from conversations.sanitizer import sanitize
from instances.tiers import Tier
from instances.translatable import translatable
from memoryapp.imports import assistants, converters, openmemory, tables
from memoryapp.imports.columns import (
    CONTENT,
    SAMPLE_RECORDS,
    TELLING,
    ColumnMapping,
    tells_memory,
)
from memoryapp.imports.converters import GraphFact
from memoryapp.imports.written_memories import item_of
from memoryapp.language.shortening import one_line
from memoryapp.models import Category
from memoryapp.models.end_dates import split_end
from memoryapp.pipeline import MAX_CONTENT, MAX_TAGS, Candidate
from memoryapp.policy.keyed_facts import MAX_VALUE, normalised
from memoryapp.policy.labels import KINDS, MAX_LABELS, is_label

JSONL, JSON = gettext_noop("Memories as JSONL"), gettext_noop("Memories as JSON")
CSV = gettext_noop("Memories as CSV")
#: Those whose columns may have any names.
MAPPED = (JSONL, JSON, CSV)
KEEPSAKE, KEEPSAKE_CSV = gettext_noop("Keepsake export"), gettext_noop("Keepsake export as CSV")
#: Those of a Keepsake, which say how much each memory was trusted there.
EXPORTS = (KEEPSAKE, KEEPSAKE_CSV)
MEM0 = gettext_noop("Memories from mem0")
MEM0_LINES = gettext_noop("Memories from mem0 as JSONL")
OPENMEMORY = gettext_noop("Backup from OpenMemory")
OPENMEMORY_LINES = gettext_noop("Memories from OpenMemory as JSONL")
TEXT = gettext_noop("Memories as text, one per line")
GRAPH = gettext_noop("Knowledge graph from the MCP memory server")

#: Keys of the lists that hold the memories of mem0 and the relations of its graph.
_MEM0_LISTS = ("results", "memories", "relations")
#: Keys of the lists that hold memories in JSON of other programs.
_LISTS = ("memories", "results", "facts", "items", "records", "data", "notes")
#: Bytes and objects at the beginning of JSON that tell its form.
_START_BYTES, _FIRST_OBJECTS = 1 << 20, 20
#: The form of files of conversations, which are not read here.
_MESSAGES = "Messages"

#: Bytes of a line of text that can be a memory.
MAX_LINE_BYTES = 4 * MAX_CONTENT

#: Fields that only memories have, and that only messages have.
_MEMORY_FIELDS = frozenset(
    "category importance tags key value valid_until tier confidence assessed updated_at "
    "labels sources".split()
)
_MESSAGE_FIELDS = frozenset(
    "role author conversation conversation_id title caption tool_name tool_calls".split()
)
#: Those that only messages have in files of other programs.
_FOREIGN_MESSAGE_FIELDS = _MESSAGE_FIELDS - {"title"} | {"sender", "speaker", "from"}
#: Columns that a refusal names, and characters of each name.
_MAX_NAMES, _MAX_NAME = 20, 40
#: Fields that only an export of Keepsake has together.
_EXPORT_FIELDS = frozenset("content tier origin recall_count".split())


@dataclass(frozen=True)
class ImportedMemory:
    """A memory in a file, with its place."""

    #: 1, 2, 3 … within the file; some may be missing.
    number: int
    #: The place in words.
    place: str
    candidate: Candidate
    #: What it adds to the graph, if it becomes a memory of its own.
    graph: GraphFact | None = None


def recognise(stream: Stream, *, wanted: bool) -> str:
    """Return the form of the memories in *stream*, empty if it holds none.

    A line with nothing but a text can be a message as well, and an export of an assistant can hold
    conversations beside memories: it counts as memories if they are ``wanted``, that is if the
    person expects them.
    """
    source = opened(stream)
    is_archive = isinstance(source, Archive)
    if isinstance(source, Archive) and openmemory.member_of(source):
        return OPENMEMORY
    start = Reader(stream).read(64 * 1024).lstrip()
    is_json = start.startswith((b"{", b"["))
    if (is_archive or is_json) and (form := assistants.form_of(source)):
        return form if wanted or not formats.holds_conversations(source) else ""
    if is_archive:
        return ""
    heading = None if is_json else tables.heading_of(Reader(stream))
    form = _form_of_table(set(heading.names) if heading else set())
    form = form or _form_of_json(stream, start, wanted=wanted)
    if form or not wanted or is_json or not _is_text(start):
        return "" if form == _MESSAGES else form
    # A table whose texts are not found is refused with a reason.
    return CSV if heading else TEXT


def _form_of_table(names: set[str]) -> str:
    """Return the form of a table whose columns have these names, empty if they do not tell."""
    if names >= _EXPORT_FIELDS:
        return KEEPSAKE_CSV
    if CONTENT in names and not names & _MESSAGE_FIELDS:
        return CSV
    return CSV if tells_memory(names) and not names & _FOREIGN_MESSAGE_FIELDS else ""


def _form_of_json(stream: Stream, start: bytes, *, wanted: bool) -> str:
    """Return the form of a file of JSON that begins with *start*, empty if it does not tell."""
    is_list = start.startswith(b"[")
    sign = _lists_memories if is_list else _wraps_memories
    if find_signature(Reader(stream), {MEM0: sign}):
        return JSON if _are_foreign(_first_listed(stream)) else MEM0
    records = _first_listed(stream) if is_list else jsonl.first_objects(Reader(stream))
    for record in records:
        if form := _form_of(set(record), wanted=wanted):
            return form if form == _MESSAGES or not is_list else JSON
    if not is_list and not start.startswith(b"{"):
        return ""
    if any(_form_of(set(record), wanted=wanted) == JSONL for record in _first_listed(stream)):
        return JSON
    return _guessed_form(stream) if wanted else ""


def _first_listed(stream: Stream) -> list[Mapping[str, Any]]:
    """Return the first objects of the lists of a file of JSON."""
    start = Reader(io.BytesIO(Reader(stream).read(_START_BYTES) or b""))
    records: list[Mapping[str, Any]] = []
    with suppress(BrokenFile):  # Its end is cut off, as a rule.
        for record in islice(read_objects(start, _LISTS), _FIRST_OBJECTS):
            records += [record] if isinstance(record, Mapping) else []
    return records


def _are_foreign(records: Iterable[Mapping[str, Any]]) -> bool:
    """True if these records have fields that those of mem0 lack."""
    return any(not TELLING.isdisjoint(record) for record in records)


def _guessed_form(stream: Stream) -> str:
    """Return the form of JSON that is expected to hold memories, though no name tells; empty if it
    holds conversations, or no texts.
    """
    if formats.holds_conversations(stream):
        return ""
    for form in (JSON, JSONL):
        with suppress(BrokenFile, UnknownFormat):
            mapping = mapping_of(form, stream)
            names = {column.name.casefold() for column in mapping.columns}
            if mapping.has_text and not names & _FOREIGN_MESSAGE_FIELDS:
                return form
    return ""


def _is_text(start: bytes) -> bool:
    """True if a file that begins with *start* can be a list that a person has pasted."""
    # The last character may be cut.
    text = start.decode(errors="ignore")
    is_utf8 = len(text.encode()) >= len(start) - 3
    control = any(unicodedata.category(c) == "Cc" and not c.isspace() for c in text)
    return bool(text) and is_utf8 and not control


def _lists_memories(path: tuple[str, ...], event: str) -> bool:
    """True if a list of objects is one of mem0."""
    return path == ("memory",) and event == "string"


def _wraps_memories(path: tuple[str, ...], event: str) -> bool:
    """True if an object is one in which mem0 returns such a list."""
    return path in (("results",), ("memories",)) and event == "start_array"


def _form_of(keys: set[str], *, wanted: bool) -> str:
    """Return the form of a line with these keys, empty if they do not tell."""
    if keys >= {"type", "name", "observations"} or keys >= {"type", "from", "to"}:
        return GRAPH
    if CONTENT not in keys:
        if "memory" in keys and TELLING.isdisjoint(keys):
            return MEM0_LINES
        tells = tells_memory(keys) and not keys & _FOREIGN_MESSAGE_FIELDS
        return JSONL if tells else ""
    if keys >= _EXPORT_FIELDS:
        return KEEPSAKE
    if keys >= {"state", "app", "categories"}:
        return OPENMEMORY_LINES
    memory = not keys & _MESSAGE_FIELDS and (wanted or bool(keys & _MEMORY_FIELDS))
    return JSONL if memory else _MESSAGES


def mapping_of(form: str, stream: Stream, chosen: Mapping[str, str] | None = None) -> ColumnMapping:
    """Return the columns of a file in the *form* that `recognise` returned, with the fields that a
    person has *chosen* for them; none if its records are those of a known system.
    """
    records: list[Mapping[str, Any]] = []
    if form in MAPPED:
        with suppress(BrokenFile):  # Reading it reports the damage.
            sample = _records(form, stream, lambda *_: None, Report())
            for _place, record in islice(sample, SAMPLE_RECORDS):
                if isinstance(record, Mapping):
                    records.append(record)
    return ColumnMapping(records, chosen)


def read(
    form: str,
    stream: Stream,
    report: Report,
    zone: ZoneInfo,
    mapping: ColumnMapping | None = None,
) -> Iterator[ImportedMemory]:
    """Yield the memories of a file in the *form* that `recognise` returned, by the *mapping* of its
    columns; other records are skipped and reported. Dates without an offset are in *zone*. Raises
    `BrokenFile`, and `UnknownFormat` if no column holds texts.
    """

    def on_read(bytes_read: int, bytes_total: int = 0) -> None:
        report.bytes_read, report.bytes_total = bytes_read, bytes_total

    mapping = mapping or mapping_of(form, stream)
    if mapping.columns and not mapping.has_text:
        found = [column.name[:_MAX_NAME] for column in mapping.columns[:_MAX_NAMES]]
        raise UnknownFormat(
            translatable(
                "No column of this file holds texts. It has: %(found)s. Call the column of the "
                "memories “content”.",
                found=", ".join(found),
            )
        )
    converted = _converted(form, stream, on_read, report, mapping)
    for number, (place, fields) in enumerate(converted, 1):
        try:
            yield _memory(number, place, fields, zone)
        except BadLine as reason:
            report.skip(place, str(reason))


Records = Iterator[tuple[str, Any]]


def _converted(
    form: str,
    stream: Stream,
    on_read: Callable[..., None],
    report: Report,
    mapping: ColumnMapping,
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (place, fields) of each record, with the fields of Keepsake's own files."""
    convert: Callable[[Any], Iterable[Mapping[str, Any]]]
    if form == GRAPH:
        convert = converters.GraphConverter()
    elif form in MAPPED:
        convert = partial(_mapped, mapping)
    else:
        convert = _CONVERTERS[form]
    for place, record in _records(form, stream, on_read, report):
        try:
            yield from ((place, fields) for fields in convert(record))
        except BadLine as reason:
            report.skip(place, str(reason))


def _mapped(mapping: ColumnMapping, record: Any) -> Iterator[Mapping[str, Any]]:
    if not isinstance(record, Mapping):
        raise BadLine(translatable("it is not an object"))
    yield mapping(record)


def _records(form: str, stream: Stream, on_read: Callable[..., None], report: Report) -> Records:
    if form == OPENMEMORY:
        yield from _with_people(openmemory.lines(stream, on_read), report)
    elif form in (CSV, KEEPSAKE_CSV):
        parse = tables.unguarded if form == CSV else tables.parse_cells
        for place, cells in tables.rows(Reader(stream, on_read), report):
            yield place, parse(cells)
    elif form in assistants.FORMS:
        yield from assistants.read(form, stream, report, on_read)
    elif form == TEXT:
        yield from _items(Reader(stream, on_read), report)
    elif form in (MEM0, JSON):
        lists = _MEM0_LISTS if form == MEM0 else _LISTS
        yield from _objects(Reader(stream, on_read), lists, report)
    else:
        for _number, place, record in jsonl.records(Reader(stream, on_read), report):
            yield place, record


def _with_people(lines: Iterator[tuple[int, bytes, str | None]], report: Report) -> Records:
    """Parse *lines*; records are paired with their end user where the file says it."""
    for number, line, end_user in lines:
        for place, record in jsonl.records_on(number, line, report):
            yield place, record if end_user is None else (record, end_user)


def _objects(reader: Reader, lists: Sequence[str], report: Report) -> Records:
    for number, record in enumerate(read_objects(reader, lists), 1):
        place = translatable("memory %(number)s", number=str(number))
        if isinstance(record, TooLarge):
            report.skip(place, record.reason)
        else:
            yield place, record


def _items(reader: Reader, report: Report) -> Records:
    for number, line in jsonl.lines(reader):
        place = translatable("line %(number)s", number=str(number))
        try:
            item = item_of(decoded(line)) if len(line) <= MAX_LINE_BYTES else None
        except BadLine as reason:
            report.skip(place, str(reason))
            continue
        if item is None:
            report.skip(place, translatable("it holds no words, or is too long"))
        else:
            yield place, {"content": item.text, "created_at": item.day or None}


def _memory(number: int, place: str, fields: Mapping[str, Any], zone: ZoneInfo) -> ImportedMemory:
    content = one_line(sanitize(text_in(fields, "content")))
    if not content:
        raise BadLine(translatable("“content” is missing or empty"))
    if len(content) > MAX_CONTENT:
        raise BadLine(translatable("“content” has more than %(most)s characters", most=MAX_CONTENT))
    category = text_in(fields, "category").strip().lower() or None
    if category and category not in Category.values:
        raise BadLine(
            translatable(
                "its category is none of %(categories)s", categories=", ".join(Category.values)
            )
        )
    tags = fields.get("tags") or []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise BadLine(translatable("“tags” is not a list of words"))
    if len(tags) > MAX_TAGS:
        raise BadLine(translatable("it has more than %(most)s tags", most=MAX_TAGS))
    end_user = sanitize(text_in(fields, "end_user"))
    if len(end_user) > 200:
        raise BadLine(translatable("“end_user” has more than 200 characters"))
    key, value = normalised(sanitize(text_in(fields, "key"))), text_in(fields, "value").strip()
    if bool(key) != bool(value):
        raise BadLine(
            translatable("“key” and “value” belong together: it has one without the other")
        )
    if len(value) > MAX_VALUE:
        raise BadLine(translatable("“value” has more than %(most)s characters", most=MAX_VALUE))
    importance = _number(fields, "importance", 1, 10)
    created_at = date_in(fields, "created_at", zone)
    valid_until, expires_at = _end(fields, zone)
    # Only a converter can have put it there.
    graph = fact if isinstance(fact := fields.get("graph"), GraphFact) else None
    return ImportedMemory(
        number,
        place,
        Candidate(
            content,
            category=category,
            # The export writes a number even if the importance was never assessed.
            importance=None if fields.get("assessed") is False else importance,
            tags=tags,
            valid_until=valid_until,
            expires_at=expires_at,
            key=key,
            value=value,
            end_user=end_user,
            tier=Tier.named(text_in(fields, "tier").strip().lower()) or Tier.DOCUMENT,
            confidence=_number(fields, "confidence", 0, 100),
            metadata=_object(fields, "metadata"),
            labels=_labels(fields),
            external_id=text_in(fields, "external_id"),
            pinned=fields.get("pinned") is True,
            said_at=created_at,
            created_at=created_at,
            # Without the one, the other says nothing.
            updated_at=date_in(fields, "updated_at", zone) if created_at else None,
        ),
        graph,
    )


def _labels(fields: Mapping[str, Any]) -> list[str]:
    labels = fields.get("labels") or []
    if not isinstance(labels, list):
        raise BadLine(translatable("“labels” is not a list"))
    texts = [sanitize(text) for text in labels if isinstance(text, str)]
    if len(texts) < len(labels) or not all(map(is_label, texts)):
        kinds = ", ".join(KINDS)
        raise BadLine(
            translatable(
                "a label is no text such as agent:coach, with one of %(kinds)s", kinds=kinds
            )
        )
    if len(texts) > MAX_LABELS:
        raise BadLine(translatable("it has more than %(most)s labels", most=MAX_LABELS))
    return texts


def _object(fields: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = fields.get(name) or {}
    if not isinstance(value, dict):
        raise BadLine(translatable("“%(name)s” is not an object", name=name))
    return value


def _number(fields: Mapping[str, Any], name: str, least: int, most: int) -> int | None:
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadLine(
            translatable(
                "“%(name)s” is not a whole number from %(least)s to %(most)s",
                name=name,
                least=least,
                most=most,
            )
        )
    return value


def _end(fields: Mapping[str, Any], zone: ZoneInfo) -> tuple[date | None, datetime | None]:
    text = text_in(fields, "valid_until").strip()
    try:
        if len(text) <= len("2031-02-03"):
            return (date.fromisoformat(text) if text else None), None
        moment = datetime.fromisoformat(text)
        return split_end(moment if moment.tzinfo else moment.replace(tzinfo=zone))
    except ValueError:
        raise BadLine(translatable("“valid_until” is not a date such as 2031-02-03")) from None


#: By form, the function that converts a record to the fields of Keepsake's own files.
_CONVERTERS: dict[str, Callable[[Any], Iterable[Mapping[str, Any]]]] = {
    TEXT: lambda record: [record],
    assistants.CHATGPT: lambda record: [record],
    assistants.CLAUDE: lambda record: [record],
    KEEPSAKE: lambda record: [record],
    KEEPSAKE_CSV: lambda record: [record],
    MEM0: lambda record: [converters.from_mem0(record)],
    MEM0_LINES: lambda record: [converters.from_mem0(record)],
    OPENMEMORY: lambda record: [converters.from_openmemory(*record)],
    OPENMEMORY_LINES: lambda record: [converters.from_openmemory(record, "")],
}
