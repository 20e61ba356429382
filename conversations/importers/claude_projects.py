"""Claude's projects: their instructions and documents.

A list of ``{"uuid": …, "name": …, "prompt_template": …, "docs": [{"uuid": …, "filename": …,
"content": …, "created_at": …}, …]}``, or a file for each. A project becomes a conversation that
holds each text as the result of a tool: searched like any other, and less believed than what people
say.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from conversations.importers.export_fields import (
    list_in,
    moment_in,
    text_in,
    titled,
)
from conversations.importers.json_stream import TooLarge, read_objects
from conversations.importers.reader import ParseContext, ParsedMessage, Reader
from conversations.importers.report import Report
from conversations.importers.seen_counter import digest
from conversations.messages import NewMessage
from conversations.models import Role
from instances.translatable import translatable

LABEL = gettext_noop("Projects from a Claude export")


def is_sign(path: tuple[str, ...], event: str) -> bool:
    """True if this is how a project looks."""
    return path == ("prompt_template",)


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the instructions and the documents of each project; raises `BrokenFile`."""
    report = context.report
    for number, record in enumerate(read_objects(reader), start=1):
        place = translatable("project %(number)s", number=str(number))
        if isinstance(record, TooLarge):
            report.skip(place, record.reason)
        elif not isinstance(record, Mapping):
            report.skip(place, translatable("it is not an object"))
        elif record.get("is_starter_project") is True:
            report.skip(place, translatable("it is Claude’s own example"))
        else:
            yield from _project(record, titled(place, text_in(record, "name")), report)


def _project(record: Mapping[str, Any], place: str, report: Report) -> Iterator[ParsedMessage]:
    name = text_in(record, "name")
    begun = moment_in(record, "created_at")
    project_id = text_in(record, "uuid") or digest(name, str(record.get("created_at")))
    count = 0
    for kind in ("description", "prompt_template"):
        if (text := text_in(record, kind)).strip():
            count += 1
            message = NewMessage(
                role=Role.TOOL.value,
                content=text,
                tool_name="project instructions" if kind == "prompt_template" else "project",
                # Another text is another message.
                external_id=f"{kind}:{digest(text)}",
                sent_at=begun,
            )
            yield ParsedMessage(f"claude-project:{project_id}", message, place, name)
    for number, document in enumerate(list_in(record, "docs"), start=1):
        where = translatable("%(place)s, document %(number)s", place=place, number=str(number))
        if not isinstance(document, Mapping):
            report.skip(where, translatable("it is not an object"))
            continue
        text, file = text_in(document, "content"), text_in(document, "filename")
        if not text.strip():
            report.skip(where, translatable("its text is not in the export"))
            continue
        count += 1
        message = NewMessage(
            role=Role.TOOL.value,
            content=f"[{file}]\n{text}" if file else text,
            tool_name="project document",
            external_id=f"{text_in(document, 'uuid')}:{digest(file, text)}",
            sent_at=moment_in(document, "created_at") or begun,
        )
        yield ParsedMessage(f"claude-project:{project_id}", message, where, name)
    if not count:
        report.skip(place, translatable("it has neither instructions nor documents"))
