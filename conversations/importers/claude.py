"""Claude's export: a list of conversations, each a list of messages.

``{"uuid": …, "name": …, "chat_messages": [{"uuid": …, "sender": "human", "text": …, "content":
[{"type": "text", "text": …}, …], "attachments": [{"file_name": …, "extracted_content": …}],
"created_at": "2024-05-01T10:00:00Z"}, …]}``. Where messages name their parents, the branch that the
person saw last is read.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from conversations.importers.branches import follow_branch
from conversations.importers.json_stream import TooLarge, read_objects
from conversations.importers.reader import (
    ParseContext,
    ParsedMessage,
    Reader,
    plausible_date,
)
from conversations.importers.seen_counter import digest
from conversations.messages import NewMessage
from conversations.models import Role

LABEL = "Claude export"

_ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT}


def is_sign(path: tuple[str, ...], event: str) -> bool:
    """Whether this is how a conversation of the format looks."""
    return path == ("chat_messages",) and event == "start_array"


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the messages of each conversation in their order.

    Raises:
        BrokenFile: the JSON ends or breaks somewhere. The conversations before it were yielded.

    """
    for number, found in enumerate(read_objects(reader), start=1):
        place = f"conversation {number}"
        if isinstance(found, TooLarge):
            context.report.skip(place, found.reason)
        elif not isinstance(found, Mapping) or not isinstance(found.get("chat_messages"), list):
            context.report.skip(place, "it has no “chat_messages”.")
        else:
            yield from _conversation(found, place, context)


def _conversation(
    found: Mapping[str, Any], place: str, context: ParseContext
) -> Iterator[ParsedMessage]:
    title = _text(found, "name")
    place = f"{place} (“{title[:60]}”)" if title else place
    conversation_id = _text(found, "uuid") or digest(title, str(found.get("created_at")))
    sent_at = _date(found.get("created_at"))
    said = 0
    for index, message in enumerate(_course(found, place, context), start=1):
        sent_at = _date(message.get("created_at")) or sent_at
        where = f"{place}, message {index}"
        role = _ROLES.get(_text(message, "sender"))
        if role is None:
            context.report.skip(where, "its sender is neither human nor assistant.")
            continue
        message_id = _text(message, "uuid") or f"{index}:{digest(_text(message, 'text'))}"
        turns = _turns(message, role, message_id, sent_at, context)
        if not turns:
            context.report.pass_over("empty messages")
        for turn in turns:
            said += 1
            yield ParsedMessage(f"claude:{conversation_id}", turn, where, title)
    if not said:
        context.report.skip(place, "nothing was said in it.")


def _course(found: Mapping[str, Any], place: str, context: ParseContext) -> list[Mapping[str, Any]]:
    """Return the messages; of a tree, those of the branch that was seen last."""
    messages = [m for m in found["chat_messages"] if isinstance(m, Mapping)]
    by_id = {_text(message, "uuid"): message for message in messages}
    named = [message for message in messages if _text(message, "parent_message_uuid") in by_id]
    # Without parents, or with those of some only, the order of the file is all there is.
    if not messages or "" in by_id or len(by_id) != len(messages) or len(named) < len(messages) - 1:
        return messages
    parents = {
        key: parent if (parent := _text(message, "parent_message_uuid")) in by_id else ""
        for key, message in by_id.items()
    }
    leaf = _text(found, "current_leaf_message_uuid")
    branch = follow_branch(parents, leaf if leaf in by_id else _text(messages[-1], "uuid"))
    if branch.problem:
        context.report.skip(place, branch.problem)
        return messages
    if aside := len(messages) - len(branch.ids):
        context.report.pass_over("on other branches: answers made anew, questions edited", aside)
    return [by_id[key] for key in branch.ids]


def _turns(
    message: Mapping[str, Any],
    role: Role,
    message_id: str,
    sent_at: datetime | None,
    context: ParseContext,
) -> list[NewMessage]:
    """Return the turns of one message: the result of a tool stands between what was said before
    it and after it.
    """
    turns: list[NewMessage] = []
    words: list[str] = []
    calls: list[dict[str, Any]] = []
    captions = [
        f"file: {name}"
        for file in _mappings(message, "files")
        if (name := _text(file, "file_name"))
    ]

    def close(as_role: Role, content: str, *, tool_name: str = "") -> None:
        nonlocal calls, captions
        if content.strip() or calls or captions:
            external_id = f"{message_id}:{len(turns)}" if turns else message_id
            turns.append(
                NewMessage(
                    role=as_role.value,
                    content=content,
                    caption="; ".join(captions),
                    external_id=external_id,
                    tool_name=tool_name,
                    tool_calls=calls,
                    sent_at=sent_at,
                )
            )
        calls, captions = [], []

    blocks = _mappings(message, "content")
    for block in blocks:
        kind = _text(block, "type")
        if kind == "tool_use":
            arguments = json.dumps(block.get("input"), ensure_ascii=False)
            calls.append({"name": _text(block, "name") or "tool", "arguments": arguments})
        elif kind == "tool_result":
            close(role, "\n\n".join(words))
            words = []
            close(Role.TOOL, _result(block), tool_name=_text(block, "name") or "tool")
        elif kind == "thinking":
            context.report.pass_over("the model’s reasoning")
        elif text := _text(block, "text"):
            words.append(text)
    # Where there are blocks, the plain text repeats them.
    if not any(text.strip() for text in words) and not turns and not calls:
        words = [_text(message, "text")]
    for attachment in _mappings(message, "attachments"):
        name = _text(attachment, "file_name") or "a file"
        extracted = _text(attachment, "extracted_content")
        if extracted.strip():
            words.append(f"[{name}]\n{extracted}")
        else:
            captions.append(f"file: {name}")
    close(role, "\n\n".join(text for text in words if text.strip()))
    return turns


def _result(block: Mapping[str, Any]) -> str:
    content = block.get("content")
    if isinstance(content, str):
        return content
    return "\n\n".join(
        text for part in _mappings(block, "content") if (text := _text(part, "text"))
    )


def _text(found: Mapping[str, Any], key: str) -> str:
    value = found.get(key)
    return value if isinstance(value, str) else ""


def _mappings(found: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    value = found.get(key)
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _date(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        date = datetime.fromisoformat(value)
        return plausible_date((date if date.tzinfo else date.replace(tzinfo=UTC)).astimezone(UTC))
    except (ValueError, OverflowError):
        return None
