"""Open WebUI's export: a list of chats, each a tree of messages.

``{"id": …, "title": …, "chat": {"history": {"currentId": …, "messages": {id: {"parentId": …,
"role": …, "content": …, "timestamp": …}}}}, "created_at": …}``. Old chats have a list under
``messages`` instead.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from conversations.importers.content_blocks import (
    REASONING,
    RESULTS,
    SYSTEM_MESSAGES,
    ContentBlocks,
)
from conversations.importers.export_fields import (
    NO_PARENT,
    mapping_in,
    mappings_in,
    messages_of_branch,
    moment_in,
    objects_in,
    parts_in,
    read_conversations,
    records_in,
    text_in,
    titled,
)
from conversations.importers.message_arrays import ROLES
from conversations.importers.reader import ParseContext, ParsedMessage, Reader
from conversations.importers.report import Report
from conversations.importers.seen_counter import digest
from conversations.models import Role
from instances.translatable import translatable

LABEL = gettext_noop("Open WebUI export")

#: The model's reasoning, and results of tools, as they stand in the text of an answer.
_DETAILS = re.compile(r'<details type="(reasoning|tool_calls|code_interpreter)"')
_END = "</details>"


def is_sign(path: tuple[str, ...], event: str) -> bool:
    """True if this is how a chat looks."""
    return (path, event) in (
        (("chat", "history", "messages"), "start_map"),
        (("chat", "messages"), "start_array"),
    )


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the messages of each chat's current branch; raises `BrokenFile`."""
    for record, place in read_conversations(reader, context, Mapping, "chat"):
        yield from _chat(record, place, context.report)


def _chat(record: Mapping[str, Any], place: str, report: Report) -> Iterator[ParsedMessage]:
    chat = mapping_in(record, "chat")
    title = text_in(record, "title") or text_in(chat, "title")
    place = titled(place, title)
    sent_at = moment_in(record, "created_at") or moment_in(chat, "timestamp")
    chat_id = text_in(record, "id") or text_in(chat, "id") or digest(title, str(sent_at))
    history = mapping_in(chat, "history")
    messages = objects_in(history, "messages", report)
    tree = [{**message, "id": key} for key, message in messages.items()]
    # Those without a parent begin the chat.
    for node in tree:
        node["parentId"] = text_in(node, "parentId") or NO_PARENT
    branch = messages_of_branch(
        tree or records_in(chat, "messages", report),
        ("id", "parentId", "timestamp"),
        text_in(history, "currentId") or None,
        place,
        report,
        is_usable=lambda raw: text_in(raw, "role") in ROLES,
    )
    count = 0
    for index, raw in enumerate(branch, start=1):
        where = translatable("%(place)s, message %(number)s", place=place, number=str(index))
        role = ROLES.get(text_in(raw, "role"))
        if role is None or role == Role.SYSTEM:
            report.pass_over(SYSTEM_MESSAGES)
            continue
        sent_at = moment_in(raw, "timestamp") or sent_at
        message_id = text_in(raw, "id") or f"{index}:{digest(text_in(raw, 'content'))}"
        blocks = ContentBlocks(role, message_id, sent_at, report)
        for part in parts_in(raw, "content"):
            blocks.add_content(_said(part, report) if isinstance(part, str) else part)
        for file in mappings_in(raw, "files"):
            named = text_in(file, "name") or text_in(mapping_in(file, "file"), "filename")
            blocks.add_file(named or text_in(file, "type"))
        tool_name = text_in(raw, "name") if role == Role.TOOL else ""
        for message in blocks.messages(tool_name=tool_name):
            count += 1
            yield ParsedMessage(f"open-webui:{chat_id}", message, where, title)
    if not count:
        report.skip(place, translatable("empty conversation"))


def _said(text: str, report: Report) -> str:
    """Return *text* without what the model thought, and without results of tools."""
    own, at = [], 0
    for opened in _DETAILS.finditer(text):
        if opened.start() >= at:
            own.append(text[at : opened.start()])
            closed = text.find(_END, opened.end())
            at = len(text) if closed < 0 else closed + len(_END)
            report.pass_over(REASONING if opened[1] == "reasoning" else RESULTS)
    return "".join([*own, text[at:]]).strip() if own else text
