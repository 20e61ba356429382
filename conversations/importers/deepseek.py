"""DeepSeek's export: a list of conversations, each a tree of messages in fragments.

``{"id": …, "title": …, "mapping": {id: {"parent": id, "message": {"inserted_at": …, "files": […],
"fragments": [{"type": "REQUEST", "content": …}]}}}}``. The newest branch is read; what the model
thought, and what its tools found, is skipped and counted.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from conversations.importers.content_blocks import REASONING, RESULTS, ContentBlocks
from conversations.importers.export_fields import (
    EMPTY,
    mapping_in,
    mappings_in,
    messages_of_branch,
    moment_in,
    nodes_in,
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

LABEL = gettext_noop("DeepSeek export")

_ROLES = {"REQUEST": Role.USER, "RESPONSE": Role.ASSISTANT}
_THOUGHT = "THINK"


def is_sign(path: tuple[str, ...], event: str) -> bool:
    """True if this is how a message of the format looks."""
    return len(path) == 4 and path[0] == "mapping" and path[2:] == ("message", "fragments")


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the messages of each conversation's newest branch; raises `BrokenFile`."""
    for record, place in read_conversations(reader, context, Mapping, "mapping"):
        yield from _conversation(record, place, context.report)


def _conversation(record: Mapping[str, Any], place: str, report: Report) -> Iterator[ParsedMessage]:
    title = text_in(record, "title")
    place = titled(place, title)
    conversation_id = text_in(record, "id") or digest(title, str(record.get("inserted_at")))
    nodes = nodes_in(record, "mapping", report)
    messages = [
        {
            **mapping_in(node, "message"),
            "id": key,
            "parent": "" if _is_root(nodes, parent := text_in(node, "parent")) else parent,
        }
        for key, node in nodes.items()
        if isinstance(node.get("message"), Mapping)
    ]
    branch = messages_of_branch(
        messages,
        ("id", "parent", "inserted_at"),
        None,
        place,
        report,
        is_usable=lambda raw: _role(raw) is not None,
    )
    sent_at = moment_in(record, "inserted_at")
    count = 0
    for index, raw in enumerate(branch, start=1):
        where = translatable("%(place)s, message %(number)s", place=place, number=str(index))
        role = _role(raw)
        if role is None:
            report.pass_over(EMPTY)
            continue
        sent_at = moment_in(raw, "inserted_at") or sent_at
        blocks = ContentBlocks(role, text_in(raw, "id"), sent_at, report)
        for fragment in records_in(raw, "fragments", report):
            if text_in(fragment, "type") in _ROLES:
                blocks.add_text(text_in(fragment, "content"))
            else:
                thought = text_in(fragment, "type") == _THOUGHT
                report.pass_over(REASONING if thought else RESULTS)
        for file in mappings_in(raw, "files"):
            blocks.add_file(text_in(file, "file_name") or "a file")
        for message in blocks.messages():
            count += 1
            yield ParsedMessage(f"deepseek:{conversation_id}", message, where, title)
    if not count:
        report.skip(place, translatable("empty conversation"))


def _is_root(nodes: Mapping[str, Mapping[str, Any]], key: str) -> bool:
    return key in nodes and not isinstance(nodes[key].get("message"), Mapping)


def _role(raw: Mapping[str, Any]) -> Role | None:
    """The role of a message's author; None for a message without a request or a response."""
    said = (_ROLES.get(text_in(fragment, "type")) for fragment in mappings_in(raw, "fragments"))
    return next((role for role in said if role), None)
