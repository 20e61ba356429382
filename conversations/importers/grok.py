"""Grok's export: ``prod-grok-backend.json``.

``{"conversations": [{"conversation": {"id": …, "title": …}, "responses": [{"response": {"_id": …,
"sender": "human", "message": …, "create_time": {"$date": {"$numberLong": …}}}}, …]}], "projects":
[…], …}``.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from conversations.importers.content_blocks import REASONING, ContentBlocks
from conversations.importers.export_fields import (
    list_in,
    mapping_in,
    messages_of_branch,
    moment_in,
    records_in,
    text_in,
    titled,
)
from conversations.importers.json_stream import TooLarge, read_objects
from conversations.importers.message_arrays import ROLES
from conversations.importers.reader import ParseContext, ParsedMessage, Reader
from conversations.importers.report import Report
from conversations.importers.seen_counter import digest
from instances.translatable import translatable, translatable_kind

LABEL = gettext_noop("Grok export")

#: The lists of the file.
_LISTS = ("conversations", "projects", "tasks", "media_posts", "assets", "workspaces")


def is_sign(path: tuple[str, ...], event: str) -> bool:
    """True if this is how a conversation looks."""
    return path == ("conversations", "", "responses") and event == "start_array"


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the messages of each conversation; raises `BrokenFile`."""
    report = context.report
    number = 0
    for record in read_objects(reader, _LISTS):
        if not isinstance(record, TooLarge) and not (
            isinstance(record, Mapping) and isinstance(record.get("responses"), list)
        ):
            report.pass_over(
                translatable_kind(
                    "record that is no conversation", "records that are no conversations"
                )
            )
            continue
        number += 1
        place = translatable("conversation %(number)s", number=str(number))
        if isinstance(record, TooLarge):
            report.skip(place, record.reason)
        else:
            yield from _conversation(record, place, report)


def _conversation(record: Mapping[str, Any], place: str, report: Report) -> Iterator[ParsedMessage]:
    about = mapping_in(record, "conversation")
    title = text_in(about, "title")
    place = titled(place, title)
    sent_at = moment_in(about, "create_time")
    conversation_id = text_in(about, "id") or text_in(about, "_id") or digest(title, str(sent_at))
    records = records_in(record, "responses", report)
    responses = [mapping_in(item, "response") or item for item in records]
    branch = messages_of_branch(
        responses,
        ("_id", "parent_response_id", "create_time"),
        text_in(about, "leaf_response_id") or None,
        place,
        report,
        is_usable=lambda raw: text_in(raw, "sender").lower() in ROLES,
    )
    count = 0
    for index, raw in enumerate(branch, start=1):
        where = translatable("%(place)s, message %(number)s", place=place, number=str(index))
        role = ROLES.get(text_in(raw, "sender").lower())
        if role is None:
            report.skip(where, translatable("its sender is neither human nor assistant"))
            continue
        sent_at = moment_in(raw, "create_time") or sent_at
        message_id = text_in(raw, "_id") or f"{index}:{digest(text_in(raw, 'message'))}"
        blocks = ContentBlocks(role, message_id, sent_at, report)
        blocks.add_text(text_in(raw, "message"))
        for file in list_in(raw, "file_attachments"):
            blocks.add_file(text_in(file, "file_name") if isinstance(file, Mapping) else "a file")
        if text_in(raw, "thinking_trace").strip():
            report.pass_over(REASONING)
        for message in blocks.messages():
            count += 1
            yield ParsedMessage(f"grok:{conversation_id}", message, where, title)
    if not count:
        report.skip(place, translatable("empty conversation"))
