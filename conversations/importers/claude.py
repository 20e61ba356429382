"""Claude's export: a list of conversations, each a list of messages.

``{"uuid": …, "name": …, "chat_messages": [{"uuid": …, "sender": "human", "text": …, "content":
[{"type": "text", "text": …}, …], "attachments": [{"file_name": …, "extracted_content": …}],
"created_at": "2024-05-01T10:00:00Z"}, …]}``. If messages name their parents, the branch that the
person saw last is read.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext_noop

from conversations.importers.branches import follow_branch
from conversations.importers.export_fields import (
    OTHER_BRANCHES,
    mappings_in,
    read_conversations,
    text_in,
    titled,
)
from conversations.importers.reader import ParseContext, ParsedMessage, Reader, plausible_date
from conversations.importers.report import Report
from conversations.importers.seen_counter import digest
from conversations.messages import NewMessage
from conversations.models import Role
from instances.translatable import translatable

LABEL = gettext_noop("Claude export")

_ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT}


def is_sign(path: tuple[str, ...], event: str) -> bool:
    """Whether this is how a conversation of the format looks."""
    return path == ("chat_messages",) and event == "start_array"


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the messages of each conversation in their order; raises `BrokenFile`."""
    for record, place in read_conversations(reader, context, "chat_messages", list):
        yield from _conversation(record, place, context)


def _conversation(
    record: Mapping[str, Any], place: str, context: ParseContext
) -> Iterator[ParsedMessage]:
    title = text_in(record, "name")
    place = titled(place, title)
    conversation_id = text_in(record, "uuid") or digest(title, str(record.get("created_at")))
    sent_at = _date(record.get("created_at"))
    count = 0
    for index, raw in enumerate(_current_branch(record, place, context), start=1):
        sent_at = _date(raw.get("created_at")) or sent_at
        where = translatable("%(place)s, message %(number)s", place=place, number=str(index))
        role = _ROLES.get(text_in(raw, "sender"))
        if role is None:
            context.report.skip(where, translatable("its sender is neither human nor assistant"))
            continue
        message_id = text_in(raw, "uuid") or f"{index}:{digest(text_in(raw, 'text'))}"
        messages = _Blocks(role, message_id, sent_at, context.report).read(raw)
        if not messages:
            context.report.pass_over(translatable("empty messages"))
        for message in messages:
            count += 1
            yield ParsedMessage(f"claude:{conversation_id}", message, where, title)
    if not count:
        context.report.skip(place, translatable("empty conversation"))


def _current_branch(
    record: Mapping[str, Any], place: str, context: ParseContext
) -> list[Mapping[str, Any]]:
    """Return the messages; of a tree, those of the branch that was seen last."""
    messages = mappings_in(record, "chat_messages")
    by_id = {text_in(message, "uuid"): message for message in messages}
    named = [message for message in messages if text_in(message, "parent_message_uuid") in by_id]
    # Without parents, or with only some of them, the order of the file has to do.
    if not messages or "" in by_id or len(by_id) != len(messages) or len(named) < len(messages) - 1:
        return messages
    parents = {
        key: parent if (parent := text_in(message, "parent_message_uuid")) in by_id else ""
        for key, message in by_id.items()
    }
    leaf = text_in(record, "current_leaf_message_uuid")
    branch = follow_branch(parents, leaf if leaf in by_id else text_in(messages[-1], "uuid"))
    if branch.problem:
        context.report.skip(place, branch.problem)
        return messages
    if aside := len(messages) - len(branch.ids):
        context.report.pass_over(OTHER_BRANCHES, aside)
    return [by_id[key] for key in branch.ids]


class _Blocks:
    """Turns the content blocks of one message into messages: a tool's result is a message of its
    own, between the texts before it and after it.
    """

    def __init__(
        self, role: Role, message_id: str, sent_at: datetime | None, report: Report
    ) -> None:
        self._role = role
        self._id = message_id
        self._sent_at = sent_at
        self._report = report
        self._messages: list[NewMessage] = []
        self._texts: list[str] = []
        self._calls: list[dict[str, Any]] = []
        self._captions: list[str] = []

    def read(self, raw: Mapping[str, Any]) -> list[NewMessage]:
        """Return the messages in *raw*, without empty ones."""
        files = (text_in(file, "file_name") for file in mappings_in(raw, "files"))
        self._captions = [f"file: {name}" for name in files if name]
        for block in mappings_in(raw, "content"):
            self._add_block(block)
        # The plain text repeats the blocks; it counts only without any.
        has_text = any(text.strip() for text in self._texts)
        if not has_text and not self._messages and not self._calls:
            self._texts = [text_in(raw, "text")]
        for attachment in mappings_in(raw, "attachments"):
            name = text_in(attachment, "file_name") or "a file"
            extracted = text_in(attachment, "extracted_content")
            if extracted.strip():
                self._texts.append(f"[{name}]\n{extracted}")
            else:
                self._captions.append(f"file: {name}")
        self._add(self._role, "\n\n".join(text for text in self._texts if text.strip()))
        return self._messages

    def _add_block(self, block: Mapping[str, Any]) -> None:
        match text_in(block, "type"):
            case "tool_use":
                arguments = json.dumps(block.get("input"), ensure_ascii=False)
                name = text_in(block, "name") or "tool"
                self._calls.append({"name": name, "arguments": arguments})
            case "tool_result":
                self._add(self._role, "\n\n".join(self._texts))
                self._texts = []
                self._add(Role.TOOL, _result(block), tool_name=text_in(block, "name") or "tool")
            case "thinking":
                self._report.pass_over(translatable("the model’s reasoning"))
            case _:
                if text := text_in(block, "text"):
                    self._texts.append(text)

    def _add(self, role: Role, content: str, *, tool_name: str = "") -> None:
        if content.strip() or self._calls or self._captions:
            number = len(self._messages)
            self._messages.append(
                NewMessage(
                    role=role.value,
                    content=content,
                    caption="; ".join(self._captions),
                    external_id=f"{self._id}:{number}" if number else self._id,
                    tool_name=tool_name,
                    tool_calls=self._calls,
                    sent_at=self._sent_at,
                )
            )
        self._calls, self._captions = [], []


def _result(block: Mapping[str, Any]) -> str:
    content = block.get("content")
    if isinstance(content, str):
        return content
    return "\n\n".join(
        text for part in mappings_in(block, "content") if (text := text_in(part, "text"))
    )


def _date(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        date = datetime.fromisoformat(value)
        return plausible_date((date if date.tzinfo else date.replace(tzinfo=UTC)).astimezone(UTC))
    except (ValueError, OverflowError):
        return None
