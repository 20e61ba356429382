"""LibreChat's export of one conversation: a tree of messages.

``{"conversationId": …, "title": …, "messages": [{"messageId": …, "parentMessageId": …,
"isCreatedByUser": true, "text": …, "content": […], "createdAt": …}, …]}``. A recursive export has
``messagesTree`` instead, with the answers to each message under its ``children``.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from conversations.importers.content_blocks import RESULTS, ContentBlocks
from conversations.importers.export_fields import (
    mapping_in,
    mappings_in,
    messages_of_branch,
    moment_in,
    parts_in,
    read_conversations,
    records_in,
    text_in,
    titled,
)
from conversations.importers.reader import ParseContext, ParsedMessage, Reader
from conversations.importers.report import Report
from conversations.importers.seen_counter import digest
from conversations.models import Role
from instances.translatable import translatable

LABEL = gettext_noop("LibreChat export")

_KEYS = ("messages", "messagesTree")
#: Levels of nesting: two for each message of a recursive export.
_MAX_LEVELS = 20_000


def is_sign(path: tuple[str, ...], event: str) -> bool:
    """True if this is how a conversation looks."""
    return len(path) == 3 and path[0] in _KEYS and path[2] in ("messageId", "parentMessageId")


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the messages of each conversation's newest branch; raises `BrokenFile`."""
    for record, place in read_conversations(reader, context, list, *_KEYS, most_levels=_MAX_LEVELS):
        yield from _conversation(record, place, context.report)


def _conversation(record: Mapping[str, Any], place: str, report: Report) -> Iterator[ParsedMessage]:
    title = text_in(record, "title")
    place = titled(place, title)
    branch = messages_of_branch(
        _flat(record, report),
        ("messageId", "parentMessageId", "createdAt"),
        None,
        place,
        report,
        is_usable=lambda raw: raw.get("error") is not True,
    )
    sent_at = moment_in(record, "createdAt") or moment_in(record, "exportAt")
    conversation_id = text_in(record, "conversationId") or digest(
        title, *(text_in(message, "messageId") for message in branch[:1])
    )
    count = 0
    for index, raw in enumerate(branch, start=1):
        where = translatable("%(place)s, message %(number)s", place=place, number=str(index))
        role = Role.USER if _is_of_user(raw) else Role.ASSISTANT
        sent_at = moment_in(raw, "createdAt") or sent_at
        message_id = text_in(raw, "messageId") or f"{index}:{digest(text_in(raw, 'text'))}"
        if raw.get("error") is True:
            report.skip(where, translatable("it is an error of the server"))
            continue
        blocks = ContentBlocks(role, message_id, sent_at, report)
        for part in parts_in(raw, "content"):
            _add(blocks, part, report)
        if blocks.says_nothing:
            blocks.add_text(text_in(raw, "text"))
        for file in mappings_in(raw, "files"):
            blocks.add_file(text_in(file, "filename") or "a file")
        for message in blocks.messages():
            count += 1
            yield ParsedMessage(f"librechat:{conversation_id}", message, where, title)
    if not count:
        report.skip(place, translatable("empty conversation"))


def _is_of_user(raw: Mapping[str, Any]) -> bool:
    said = raw.get("isCreatedByUser")
    return said if isinstance(said, bool) else text_in(raw, "sender").lower() == "user"


def _flat(record: Mapping[str, Any], report: Report) -> list[Mapping[str, Any]]:
    """Return the messages of *record* and those under their ``children``, parents first."""
    found: list[Mapping[str, Any]] = []
    lists = (records_in(record, key, report) for key in _KEYS)
    waiting = next(filter(None, lists), [])[::-1]
    while waiting:
        message = waiting.pop()
        found.append(message)
        children = records_in(message, "children", report)
        parent = text_in(message, "messageId")
        for child in reversed(children):
            above = text_in(child, "parentMessageId")
            waiting.append({**child, "parentMessageId": above or parent})
    return found


def _add(blocks: ContentBlocks, part: Any, report: Report) -> None:
    call = mapping_in(part, "tool_call") if isinstance(part, Mapping) else {}
    inner = mapping_in(part, "text") if isinstance(part, Mapping) else {}
    if call:
        called = mapping_in(call, "function") or call
        blocks.add_call(text_in(called, "name"), called.get("args", called.get("arguments", "")))
        if call.get("output") or called.get("output"):
            report.pass_over(RESULTS)
    elif inner:
        blocks.add_text(text_in(inner, "value"))
    else:
        blocks.add_content(part)
