"""ChatGPT's export: a list of conversations, each a tree of messages.

``{"title": …, "create_time": 1700000000.5, "conversation_id": …, "current_node": id, "mapping":
{id: {"parent": id, "message": {"author": {"role": …}, "content": {"content_type": …, …}, …}}}}``.
The branch that the person saw last is read: from the current node up to the root. What ChatGPT
stores there for itself (system messages, hidden ones, its reasoning, copies of the custom
instructions) is skipped and counted.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_noop

from conversations import bounded_json
from conversations.importers.branches import current_branch
from conversations.importers.content_blocks import SYSTEM_MESSAGES
from conversations.importers.export_fields import (
    EMPTY,
    OTHER_BRANCHES,
    mapping_in,
    mappings_in,
    moment_in,
    nodes_in,
    parts_in,
    read_conversations,
    text_in,
    titled,
)
from conversations.importers.reader import ParseContext, ParsedMessage, Reader
from conversations.importers.report import Report
from conversations.importers.seen_counter import digest
from conversations.messages import NewMessage
from conversations.models import Role
from instances.translatable import translatable, translatable_kind

LABEL = gettext_noop("ChatGPT export")

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL}
#: Types of content that are ChatGPT's own, and why they are skipped.
_SKIPPED_CONTENT = {
    "user_editable_context": translatable_kind(
        "copy of the custom instructions", "copies of the custom instructions"
    ),
    "model_editable_context": translatable_kind(
        "copy of ChatGPT’s own memories", "copies of ChatGPT’s own memories"
    ),
    "thoughts": translatable("the model’s reasoning"),
    "reasoning_recap": translatable("the model’s reasoning"),
}
#: ChatGPT writes marks for its screen into the text, between two private characters:
#: ``\ue200cite\ue202turn0search1\ue201``, ``\ue200entity\ue202["city","Rome"]\ue201``.
_MARKED = re.compile("\ue200([^\ue200\ue201]{0,2000})\ue201")
_MARKS = re.compile("[\ue200-\ue206]")
_POINTERS = {
    "image_asset_pointer": "a picture",
    "audio_asset_pointer": "a recording",
    "real_time_user_audio_video_asset_pointer": "a recording",
    "video_container_asset_pointer": "a video",
}


def is_sign(path: tuple[str, ...], event: str) -> bool:
    """True if this is how a message of the format looks."""
    return len(path) == 4 and path[0] == "mapping" and path[2:] == ("message", "author")


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the messages of each conversation's current branch; raises `BrokenFile`."""
    for record, place in read_conversations(reader, context, Mapping, "mapping"):
        yield from _conversation(record, place, context.report)


def _conversation(record: Mapping[str, Any], place: str, report: Report) -> Iterator[ParsedMessage]:
    title = text_in(record, "title")
    place = titled(place, title)
    nodes = nodes_in(record, "mapping", report)
    raw_messages = {
        key: node["message"]
        for key, node in nodes.items()
        if isinstance(node.get("message"), Mapping)
    }
    branch = _current_branch(record, nodes, raw_messages, place, report)
    conversation_id = text_in(record, "conversation_id") or text_in(record, "id")
    if not conversation_id:
        conversation_id = digest(title, str(record.get("create_time")), *branch[:1])
    sent_at = moment_in(record, "create_time")
    count = 0
    for key in branch:
        raw = raw_messages.get(key)
        if raw is None:
            continue  # The root, which holds nothing.
        message = _message(raw, text_in(raw, "id") or key)
        if isinstance(message, str):
            report.pass_over(message)
            continue
        # A message without a date gets that of the one before it.
        sent_at = moment_in(raw, "create_time") or sent_at
        count += 1
        yield ParsedMessage(
            f"chatgpt:{conversation_id}",
            replace(message, sent_at=sent_at),
            translatable("%(place)s, message %(number)s", place=place, number=str(count)),
            title,
        )
    others = (_message(raw_messages[key], key) for key in raw_messages.keys() - set(branch))
    if aside := sum(isinstance(message, NewMessage) for message in others):
        report.pass_over(OTHER_BRANCHES, aside)
    if not count:
        report.skip(place, translatable("empty conversation"))


def _current_branch(
    record: Mapping[str, Any],
    nodes: Mapping[str, Mapping[str, Any]],
    raw_messages: Mapping[str, Mapping[str, Any]],
    place: str,
    report: Report,
) -> list[str]:
    """Return the ids of the nodes from the root to the message that was seen last."""
    parents = {key: text_in(node, "parent") for key, node in nodes.items()}
    branch = current_branch(
        parents,
        text_in(record, "current_node"),
        usable={
            key for key, raw in raw_messages.items() if isinstance(_message(raw, key), NewMessage)
        },
        dates={key: _seconds(raw) or 0.0 for key, raw in raw_messages.items()},
    )
    if branch.problem:
        report.skip(place, branch.problem)
    return branch.ids


def _message(raw: Mapping[str, Any], external_id: str) -> NewMessage | str:
    """Return the message without its date, or why it is skipped."""
    author, content = mapping_in(raw, "author"), mapping_in(raw, "content")
    metadata = mapping_in(raw, "metadata")
    content_type = text_in(content, "content_type")
    if content_type in _SKIPPED_CONTENT:
        return _SKIPPED_CONTENT[content_type]
    if metadata.get("is_visually_hidden_from_conversation") is True:
        return translatable_kind("hidden message", "hidden messages")
    role = _ROLES.get(text_in(author, "role"))
    if role is None:
        return SYSTEM_MESSAGES
    texts, captions = _content(content)
    texts = [text for raw in texts if (text := without_marks(raw)).strip()]
    captions += [
        f"file: {name}"
        for attachment in mappings_in(metadata, "attachments")
        if (name := text_in(attachment, "name"))
    ]
    text = "\n\n".join(texts)
    calls: list[dict[str, Any]] = []
    recipient = text_in(raw, "recipient")
    if role == Role.ASSISTANT and recipient not in ("", "all"):
        calls = [{"name": recipient, "arguments": text}]
        text = ""
    if not (text.strip() or captions or calls):
        return EMPTY
    return NewMessage(
        role=role.value,
        content=text,
        caption="; ".join(dict.fromkeys(captions)),
        external_id=external_id,
        tool_name=text_in(author, "name") if role == Role.TOOL else "",
        tool_calls=calls,
    )


def texts_of(content: Mapping[str, Any]) -> list[str]:
    """Return the texts of a message's *content*."""
    return _content(content)[0]


def without_marks(text: str) -> str:
    """Return *text* without the marks for sources, pictures and the like; named things stay."""
    if _MARKS.search(text) is None:
        return text
    return _MARKS.sub("", _MARKED.sub(_shown, text))


def _shown(marked: re.Match[str]) -> str:
    """Text that a reader sees of a mark: the name of a thing, nothing of a source."""
    kind, _, data = marked[1].replace("\ue202", " ").strip().partition("[")
    if kind.strip() != "entity":
        return ""
    try:
        parts = bounded_json.parse(f"[{data}")
    except (ValueError, RecursionError):
        return ""
    return parts[1] if len(parts) > 1 and isinstance(parts[1], str) else ""


def _content(content: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the texts of a message, and descriptions of its pictures and recordings."""
    texts: list[str] = []
    captions: list[str] = []
    for part in parts_in(content, "parts"):
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping):
            content_type = text_in(part, "content_type")
            if content_type in _POINTERS:
                captions.append(_caption(part, _POINTERS[content_type]))
            elif text := text_in(part, "text"):  # A transcribed recording.
                texts.append(text)
    # Code, its output, and quoted pages.
    texts += [text for key in ("title", "text", "result") if (text := text_in(content, key))]
    return [text for text in texts if text.strip()], captions


def _caption(pointer: Mapping[str, Any], kind: str) -> str:
    prompt = text_in(mapping_in(mapping_in(pointer, "metadata"), "dalle"), "prompt")
    return f"{kind}: {prompt}" if prompt else kind


def _seconds(raw: Mapping[str, Any]) -> float | None:
    value = raw.get("create_time")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
