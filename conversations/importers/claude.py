"""Claude's export: a list of conversations, each a list of messages.

``{"uuid": …, "name": …, "chat_messages": [{"uuid": …, "sender": "human", "text": …, "content":
[{"type": "text", "text": …}, …], "attachments": [{"file_name": …, "extracted_content": …}],
"created_at": "2024-05-01T10:00:00Z"}, …]}``. If messages name their parents, the branch that the
person saw last is read.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_noop

from conversations.importers.content_blocks import ContentBlocks
from conversations.importers.export_fields import (
    mappings_in,
    messages_of_branch,
    moment_in,
    read_conversations,
    records_in,
    text_in,
    titled,
)
from conversations.importers.reader import ParseContext, ParsedMessage, Reader
from conversations.importers.report import Report
from conversations.importers.seen_counter import digest
from conversations.messages import NewMessage
from conversations.models import Role
from instances.translatable import translatable

LABEL = gettext_noop("Claude export")

_ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT}


def is_sign(path: tuple[str, ...], event: str) -> bool:
    """True if this is how a conversation of the format looks."""
    return path == ("chat_messages",) and event == "start_array"


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the messages of each conversation in their order; raises `BrokenFile`."""
    for record, place in read_conversations(reader, context, list, "chat_messages"):
        yield from _conversation(record, place, context)


def _conversation(
    record: Mapping[str, Any], place: str, context: ParseContext
) -> Iterator[ParsedMessage]:
    title = text_in(record, "name")
    place = titled(place, title)
    conversation_id = text_in(record, "uuid") or digest(title, str(record.get("created_at")))
    sent_at = moment_in(record, "created_at")
    count = 0
    branch = messages_of_branch(
        records_in(record, "chat_messages", context.report),
        ("uuid", "parent_message_uuid", "created_at"),
        text_in(record, "current_leaf_message_uuid") or None,
        place,
        context.report,
        is_usable=lambda raw: text_in(raw, "sender") in _ROLES,
    )
    for index, raw in enumerate(branch, start=1):
        sent_at = moment_in(raw, "created_at") or sent_at
        where = translatable("%(place)s, message %(number)s", place=place, number=str(index))
        role = _ROLES.get(text_in(raw, "sender"))
        if role is None:
            context.report.skip(where, translatable("its sender is neither human nor assistant"))
            continue
        message_id = text_in(raw, "uuid") or f"{index}:{digest(text_in(raw, 'text'))}"
        for message in _messages(raw, role, message_id, sent_at, context.report):
            count += 1
            yield ParsedMessage(f"claude:{conversation_id}", message, where, title)
    if not count:
        context.report.skip(place, translatable("empty conversation"))


def _messages(
    raw: Mapping[str, Any], role: Role, message_id: str, sent_at: datetime | None, report: Report
) -> list[NewMessage]:
    """Return the messages in *raw*, without empty ones."""
    blocks = ContentBlocks(role, message_id, sent_at, report)
    for file in mappings_in(raw, "files"):
        blocks.add_file(text_in(file, "file_name"))
    blocks.add_content(raw.get("content"))
    # The plain text repeats the blocks; it counts only without any.
    if blocks.says_nothing:
        blocks.add_text(text_in(raw, "text"))
    for attachment in mappings_in(raw, "attachments"):
        name = text_in(attachment, "file_name") or "a file"
        extracted = text_in(attachment, "extracted_content")
        if extracted.strip():
            blocks.add_text(f"[{name}]\n{extracted}")
        else:
            blocks.add_file(name)
    return blocks.messages()
