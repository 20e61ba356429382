"""Messages as programs send them to a model: ``[{"role": "user", "content": …}, …]``.

A file is one such list, a list of them, or one or several objects with such a list under
``messages``; each can also stand on a line of its own, as in OpenAI's files for fine-tuning. The
content of a message is a text, or a list of texts, pictures and other parts.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from django.utils.translation import gettext_noop

from conversations import bounded_json
from conversations.importers import jsonl
from conversations.importers.content_blocks import ContentBlocks
from conversations.importers.export_fields import (
    list_in,
    mapping_in,
    mappings_in,
    moment_in,
    text_in,
)
from conversations.importers.json_stream import TooLarge, read_objects
from conversations.importers.reader import ParseContext, ParsedMessage, Reader
from conversations.importers.seen_counter import digest
from conversations.messages import NewMessage
from conversations.models import Role
from instances.translatable import translatable

LABEL = gettext_noop("Lists of messages with roles")

#: The roles by the names that programs give them.
ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
#: Where a conversation may have its id, and its title.
_IDS, _TITLES = ("conversation_id", "conversation", "id"), ("title", "name")
#: Where a message may have its date.
_DATES = ("created_at", "timestamp", "create_time")


def is_sign(path: tuple[str, ...], event: str) -> bool:
    """True if this is how a conversation looks: an object, or a list."""
    return path in (("messages", "", "role"), ("", "role")) and event == "string"


def is_sign_in_list(path: tuple[str, ...], event: str) -> bool:
    """True if this is how a conversation looks, or a message of a list."""
    return is_sign(path, event) or (path == ("role",) and event == "string")


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the messages of each conversation in their order; raises `BrokenFile`."""
    by_line = _has_lines(reader)
    reader = reader.again()
    single: _Conversation | None = None
    for number, (place, record) in enumerate(
        _lines(reader, context) if by_line else _objects(reader, context), start=1
    ):
        messages = list_in(record, "messages") if isinstance(record, Mapping) else record
        if isinstance(messages, list) and messages:
            fields = record if isinstance(record, Mapping) else {}
            title = f"{context.name}, {number}" if by_line or number > 1 else context.name
            conversation = _Conversation(fields, messages, title, context)
            for index, raw in enumerate(messages, start=1):
                yield from conversation.read(
                    raw,
                    translatable("%(place)s, message %(number)s", place=place, number=str(index)),
                )
            if conversation.is_empty:
                context.report.skip(place, translatable("empty conversation"))
        elif isinstance(record, Mapping) and "role" in record:
            single = single or _Conversation({}, [], context.name, context)
            yield from single.read(record, place)
        else:
            context.report.skip(place, translatable("it is neither a message nor a list of them"))


def _has_lines(reader: Reader) -> bool:
    """True if the first line is complete JSON, or is cut and the next one is complete."""
    first, second = ([line for _number, line in islice(jsonl.lines(reader), 2)] + [b""] * 2)[:2]
    if first.rstrip().endswith((b"[", b"{", b",", b":")):
        return False
    return any(isinstance(next(_values(line), None), list | dict) for line in (first, second))


def _values(line: bytes) -> Iterator[Any]:
    """Yield the lists and objects on *line*; `BadLine` in place of others."""
    bad = jsonl.BadLine(translatable("it is not JSON, or is too large"))
    try:
        bounded_json.check(line.decode(errors="replace"))
    except ValueError:
        yield bad
        return
    for value in jsonl.values(line):
        yield value if isinstance(value, list | dict) else bad


def _lines(reader: Reader, context: ParseContext) -> Iterator[tuple[str, Any]]:
    for number, line in jsonl.lines(reader):
        place = translatable("line %(number)s", number=str(number))
        for record in _values(line):
            if isinstance(record, jsonl.BadLine):
                context.report.skip(place, str(record))
            elif isinstance(record, list) and any(_is_conversation(item) for item in record):
                # A whole file on one line: a list of conversations.
                yield from ((place, item) for item in record)
            else:
                yield place, record


def _is_conversation(item: Any) -> bool:
    return isinstance(item, list) or (isinstance(item, Mapping) and "messages" in item)


def _objects(reader: Reader, context: ParseContext) -> Iterator[tuple[str, Any]]:
    for number, record in enumerate(read_objects(reader), start=1):
        place = translatable("item %(number)s", number=str(number))
        if isinstance(record, TooLarge):
            context.report.skip(place, record.reason)
        else:
            yield place, record


#: Calls whose names are kept for their results, and characters of a name or an id.
_MAX_CALLS, _MAX_ID = 10_000, 200


class _Conversation:
    """Reads the messages of one conversation.

    Without ids, a message is known by its text and the number of equal ones before it, and a
    conversation by the file's name, what the user says first and the number of those that begin
    alike.
    """

    def __init__(
        self, fields: Mapping[str, Any], messages: list[Any], title: str, context: ParseContext
    ) -> None:
        """Take the *fields* of its object, and its *messages* as far as they are known."""
        self._context = context
        self._title = next((text for key in _TITLES if (text := text_in(fields, key))), title)
        self._date = next(
            filter(None, (moment_in(fields, key, context.zone) for key in _DATES)), None
        )
        own_id = next((text for key in _IDS if (text := text_in(fields, key))), "")
        if not own_id:
            said = (raw for raw in messages if isinstance(raw, Mapping))
            spoken = (raw for raw in said if ROLES.get(text_in(raw, "role")) != Role.SYSTEM)
            begin = digest(context.name, repr(next(spoken, {}).get("content")))
            own_id = f"{begin}:{context.seen.count('list', begin)}"
        self._external_id = f"messages:{own_id}"
        self._call_names: dict[str, str] = {}
        self.is_empty = True

    def read(self, raw: Any, place: str) -> Iterator[ParsedMessage]:
        """Yield what becomes of the message *raw*."""
        for message in self._messages(raw, place):
            self.is_empty = False
            yield ParsedMessage(self._external_id, message, place, self._title)

    def _messages(self, raw: Any, place: str) -> list[NewMessage]:
        report = self._context.report
        if not isinstance(raw, Mapping):
            report.skip(place, translatable("it is not an object"))
            return []
        name = text_in(raw, "role").strip().lower()
        role = ROLES.get(name)
        if role is None:
            known = ", ".join(ROLES)
            report.skip(place, translatable("its role is none of %(roles)s", roles=known))
            return []
        self._date = next(
            filter(None, (moment_in(raw, key, self._context.zone) for key in _DATES)), self._date
        )
        said = digest(name, repr(raw.get("content")), repr(raw.get("tool_calls")))
        message_id = text_in(raw, "id")
        if not message_id:
            times = self._context.seen.count("message", self._external_id, said)
            message_id = f"{said}:{times}"
        blocks = ContentBlocks(role, message_id, self._date, report)
        blocks.add_content(raw.get("content"))
        calls = [*mappings_in(raw, "tool_calls"), *filter(None, [mapping_in(raw, "function_call")])]
        for call in calls:
            called = mapping_in(call, "function") or call
            if len(self._call_names) < _MAX_CALLS:
                self._call_names[text_in(call, "id")[:_MAX_ID]] = text_in(called, "name")[:_MAX_ID]
            blocks.add_call(text_in(called, "name"), called.get("arguments"))
        tool_name = ""
        if role == Role.TOOL:
            named = self._call_names.get(text_in(raw, "tool_call_id")[:_MAX_ID], "")
            tool_name = text_in(raw, "name") or named or "tool"
        return blocks.messages(tool_name=tool_name)
