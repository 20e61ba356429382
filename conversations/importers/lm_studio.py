"""A conversation of LM Studio: messages, each with its versions.

``{"name": …, "createdAt": 1700000000000, "messages": [{"currentlySelected": 0, "versions":
[{"role": "user", "content": [{"type": "text", "text": …}]}, …]}, …]}``. An answer has its content
in ``steps``. There are no ids and no dates of messages.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from conversations.importers.content_blocks import NOTES, REASONING, SYSTEM_MESSAGES, ContentBlocks
from conversations.importers.export_fields import (
    OTHER_BRANCHES,
    list_in,
    mapping_in,
    moment_in,
    parts_in,
    read_conversations,
    records_in,
    text_in,
    titled,
)
from conversations.importers.message_arrays import ROLES
from conversations.importers.reader import ParseContext, ParsedMessage, Reader
from conversations.importers.seen_counter import digest
from conversations.models import Role
from instances.translatable import translatable

LABEL = gettext_noop("LM Studio conversation")


def is_sign(path: tuple[str, ...], event: str) -> bool:
    """True if this is how a conversation looks."""
    return path == ("messages", "", "versions") and event == "start_array"


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the selected version of each message; raises `BrokenFile`."""
    for record, place in read_conversations(reader, context, list, "messages"):
        yield from _conversation(record, place, context)


def _conversation(
    record: Mapping[str, Any], place: str, context: ParseContext
) -> Iterator[ParsedMessage]:
    report = context.report
    title = text_in(record, "name") or context.name
    place = titled(place, title)
    begun = moment_in(record, "createdAt")
    conversation = f"lm-studio:{record.get('createdAt') if begun else digest(context.name)}"
    if text_in(record, "systemPrompt").strip():
        report.pass_over(SYSTEM_MESSAGES)
    count = 0
    for index, raw in enumerate(list_in(record, "messages"), start=1):
        where = translatable("%(place)s, message %(number)s", place=place, number=str(index))
        version = _selected(raw) if isinstance(raw, Mapping) else None
        role = ROLES.get(text_in(version, "role")) if version else None
        if version is None or role is None:
            report.skip(where, translatable("it has no version with a role"))
            continue
        if len(list_in(raw, "versions")) > 1:
            report.pass_over(OTHER_BRANCHES, len(list_in(raw, "versions")) - 1)
        if role == Role.SYSTEM:
            report.pass_over(SYSTEM_MESSAGES)
            continue
        parts = [*parts_in(version, "content")]
        for step in records_in(version, "steps", report):
            if text_in(mapping_in(step, "style"), "type") == "thinking":
                report.pass_over(REASONING)
            elif isinstance(step.get("content"), list | str):
                parts += parts_in(step, "content")
            else:
                report.pass_over(NOTES)
        said = digest(role.value, repr(parts))
        times = context.seen.count("message", conversation, said)
        blocks = ContentBlocks(role, f"{said}:{times}", begun, report)
        blocks.add_content(parts)
        for message in blocks.messages():
            count += 1
            yield ParsedMessage(conversation, message, where, title)
    if not count:
        report.skip(place, translatable("empty conversation"))


def _selected(raw: Mapping[str, Any]) -> Mapping[str, Any] | None:
    versions, chosen = list_in(raw, "versions"), raw.get("currentlySelected", 0)
    if not isinstance(chosen, int) or not 0 <= chosen < len(versions):
        chosen = len(versions) - 1
    version = versions[chosen] if versions else None
    return version if isinstance(version, Mapping) else None
