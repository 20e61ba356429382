"""Sessions of Claude Code: JSONL with one event on each line.

``{"type": "user", "uuid": …, "parentUuid": …, "sessionId": …, "timestamp": …, "cwd": …, "message":
{"role": "user", "content": …}}``. An answer is written in several events, a ``summary`` is the
title of a session. What the program notes for itself, results of tools, and the conversations of
subagents are skipped and counted.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from django.utils.translation import gettext_noop

from conversations.importers import jsonl
from conversations.importers.content_blocks import NOTES, PROGRAM_MESSAGES, ContentBlocks
from conversations.importers.export_fields import mapping_in, moment_in, text_in
from conversations.importers.reader import ParseContext, ParsedMessage, Reader
from conversations.importers.seen_counter import digest
from conversations.models import Role
from instances.translatable import translatable_kind

LABEL = gettext_noop("Claude Code session")

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
#: Text that the program puts into a message of the user.
_INJECTED = re.compile(
    r"<(system-reminder|command-message|local-command-stdout|local-command-stderr|"
    r"local-command-caveat|ide_opened_file|ide_selection|bash-stdout|bash-stderr)>"
)
_COMMAND = re.compile(r"<command-name>([^<]{1,200})</command-name>")
_ARGUMENTS = re.compile(r"<command-args>([^<]{1,2000})</command-args>")


def is_record(record: Mapping[str, Any]) -> bool:
    """True if this is how a line looks that tells the format."""
    return (
        text_in(record, "type") in _ROLES
        and bool(text_in(record, "sessionId"))
        and "content" in mapping_in(record, "message")
    )


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the messages of the person and of the assistant, line by line."""
    report = context.report
    title = ""
    for _number, place, record in jsonl.records(reader, report):
        kind = text_in(record, "type")
        if kind == "summary":
            # Those at the beginning belong to this session or to one that it continues.
            title = title or text_in(record, "summary")
        elif kind not in _ROLES:
            report.pass_over(NOTES)
        elif record.get("isSidechain") is True:
            report.pass_over(
                translatable_kind(
                    "message between the assistant and a subagent",
                    "messages between the assistant and its subagents",
                )
            )
        elif record.get("isMeta") is True or record.get("isApiErrorMessage") is True:
            report.pass_over(PROGRAM_MESSAGES)
        elif record.get("isCompactSummary") is True:
            report.pass_over(
                translatable_kind(
                    "summary of what was said before", "summaries of what was said before"
                )
            )
        else:
            folder = PurePath(text_in(record, "cwd").replace("\\", "/")).name
            yield from _messages(record, place, title or folder, context)


def _messages(
    record: Mapping[str, Any], place: str, title: str, context: ParseContext
) -> Iterator[ParsedMessage]:
    message = mapping_in(record, "message")
    role = _ROLES[text_in(record, "type")]
    content = message.get("content")
    session = text_in(record, "sessionId") or context.name
    message_id = text_in(record, "uuid") or digest(role.value, repr(content))
    sent_at = moment_in(record, "timestamp")
    blocks = ContentBlocks(role, message_id, sent_at, context.report, with_results=False)
    only_results = isinstance(content, list) and all(
        isinstance(block, Mapping) and block.get("type") in ("tool_result", "thinking")
        for block in content
    )
    for block in content if isinstance(content, list) else [content]:
        text = block if isinstance(block, str) else ""
        if isinstance(block, Mapping) and block.get("type") == "text":
            text = text_in(block, "text")
        if role == Role.USER and text and (text := _said(text)) == "":
            context.report.pass_over(PROGRAM_MESSAGES)
        elif text:
            blocks.add_text(text)
        else:
            blocks.add_content(block)
    for each in blocks.messages(counts_empty=not only_results):
        yield ParsedMessage(f"claude-code:{session}", each, place, title)


def _said(text: str) -> str:
    """Return what the person wrote of *text*: without what the program added, and of a command that
    they called its name and arguments.
    """
    beginning = text[:4000]
    if command := _COMMAND.search(beginning):
        arguments = _ARGUMENTS.search(beginning)
        return f"{command[1]} {arguments[1] if arguments else ''}".strip()
    own, at = [], 0
    for opened in _INJECTED.finditer(text):
        if opened.start() >= at:
            own.append(text[at : opened.start()])
            end = f"</{opened[1]}>"
            closed = text.find(end, opened.end())
            at = len(text) if closed < 0 else closed + len(end)
    return "".join([*own, text[at:]]).strip() if own else text
