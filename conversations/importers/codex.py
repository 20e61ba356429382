"""Sessions of Codex: JSONL with one item on each line.

``{"timestamp": …, "type": "session_meta", "payload": {"id": …, "cwd": …}}``, then ``response_item``
lines, whose payloads are those of OpenAI's Responses API: ``{"type": "message", "role": "user",
"content": [{"type": "input_text", "text": …}]}``. Older sessions have the payloads themselves on
their lines. The other lines repeat these for the screen. Results of tools are skipped and counted.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from django.utils.translation import gettext_noop

from conversations.importers import jsonl
from conversations.importers.content_blocks import (
    NOTES,
    PROGRAM_MESSAGES,
    REASONING,
    RESULTS,
    SYSTEM_MESSAGES,
    ContentBlocks,
)
from conversations.importers.export_fields import (
    mapping_in,
    mappings_in,
    moment_in,
    parts_in,
    text_in,
)
from conversations.importers.reader import ParseContext, ParsedMessage, Reader
from conversations.importers.seen_counter import digest
from conversations.messages import NewMessage
from conversations.models import Role

LABEL = gettext_noop("Codex session")

_LINES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
#: How texts begin that the program puts into the user's messages.
_INJECTED = (
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<permissions instructions>",
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
)
#: Where the call of a tool has its arguments.
_ARGUMENTS = ("arguments", "input", "action")


def is_record(record: Mapping[str, Any]) -> bool:
    """True if this is how a line looks that tells the format."""
    if text_in(record, "type") in _LINES:
        return isinstance(record.get("payload"), Mapping)
    parts = mappings_in(record, "content")
    return text_in(record, "type") == "message" and any(
        text_in(part, "type") in ("input_text", "output_text") for part in parts
    )


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the messages of the person and of the assistant, line by line."""
    report = context.report
    session, title, begun = context.name, context.name, None
    for number, place, record in jsonl.records(reader, report):
        kind, payload = text_in(record, "type"), mapping_in(record, "payload")
        about = payload if kind == "session_meta" else record
        if kind == "session_meta" or (not kind and number == 1):
            session = text_in(about, "id") or session
            folder = PurePath(text_in(about, "cwd").replace("\\", "/")).name
            title, begun = folder or title, moment_in(about, "timestamp")
        elif kind in _LINES and kind != "response_item":
            report.pass_over(NOTES)
        else:
            item = payload if kind == "response_item" else record
            date = moment_in(record, "timestamp") or begun
            conversation = f"codex:{session}"
            if message := _message(item, conversation, context):
                yield ParsedMessage(conversation, replace(message, sent_at=date), place, title)


def _message(
    item: Mapping[str, Any], conversation: str, context: ParseContext
) -> NewMessage | None:
    """Return the message of an *item*; None if it is skipped, which is counted."""
    report, kind = context.report, text_in(item, "type")
    role = _ROLES.get(text_in(item, "role")) if kind == "message" else Role.ASSISTANT
    if role is None:
        report.pass_over(SYSTEM_MESSAGES)
        return None
    said = digest(kind, role.value, repr([item.get(key) for key in ("content", *_ARGUMENTS)]))
    times = context.seen.count("message", conversation, said)
    blocks = ContentBlocks(role, f"{said}:{times}", None, report)
    match kind:
        case "message":
            parts = [part for part in parts_in(item, "content") if not _is_injected(role, part)]
            blocks.add_content(parts)
            if not parts:
                report.pass_over(PROGRAM_MESSAGES)
                return None
        case "reasoning":
            report.pass_over(REASONING)
            return None
        case _ if kind.endswith("_call"):
            arguments: Any = next((item[key] for key in _ARGUMENTS if item.get(key)), {})
            blocks.add_call(text_in(item, "name") or kind.removesuffix("_call"), arguments)
        case _ if kind.endswith("_output"):
            report.pass_over(RESULTS)
            return None
        case _:
            report.pass_over(NOTES)
            return None
    messages = blocks.messages()
    return messages[0] if messages else None


def _is_injected(role: Role, part: Any) -> bool:
    text = text_in(part, "text") if isinstance(part, Mapping) else part
    return role == Role.USER and isinstance(text, str) and text.lstrip().startswith(_INJECTED)
