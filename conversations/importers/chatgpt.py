"""ChatGPT's export: a list of conversations, each a tree of messages.

``{"title": …, "create_time": 1700000000.5, "conversation_id": …, "current_node": id, "mapping":
{id: {"parent": id, "message": {"author": {"role": …}, "content": {"content_type": …, …}, …}}}}``.
What is read is the branch that the person saw last: from the current node up to the root. What
ChatGPT keeps there for itself (system messages, hidden ones, its reasoning, the copies of custom
instructions) is passed over and counted.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from conversations.importers.branches import follow_branch, newest_leaf
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

LABEL = "ChatGPT export"

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL}
#: Content that is ChatGPT's own, and why it is passed over.
_NOT_SAID = {
    "user_editable_context": "copies of the custom instructions",
    "model_editable_context": "copies of what ChatGPT had saved",
    "thoughts": "the model’s reasoning",
    "reasoning_recap": "the model’s reasoning",
}
_POINTERS = {
    "image_asset_pointer": "a picture",
    "audio_asset_pointer": "a recording",
    "real_time_user_audio_video_asset_pointer": "a recording",
    "video_container_asset_pointer": "a video",
}


def is_sign(path: tuple[str, ...], event: str) -> bool:
    """Whether this is how a conversation of the format looks."""
    return path == ("mapping",) and event == "start_map"


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the messages of each conversation in the order of its current branch.

    Raises:
        BrokenFile: the JSON ends or breaks somewhere. The conversations before it were yielded.

    """
    for number, found in enumerate(read_objects(reader), start=1):
        place = f"conversation {number}"
        if isinstance(found, TooLarge):
            context.report.skip(place, found.reason)
        elif not isinstance(found, Mapping) or not isinstance(found.get("mapping"), Mapping):
            context.report.skip(place, "it has no “mapping”.")
        else:
            yield from _conversation(found, place, context)


def _conversation(
    found: Mapping[str, Any], place: str, context: ParseContext
) -> Iterator[ParsedMessage]:
    report = context.report
    title = found["title"] if isinstance(found.get("title"), str) else ""
    place = f"{place} (“{title[:60]}”)" if title else place
    nodes = {key: node for key, node in found["mapping"].items() if isinstance(node, Mapping)}
    parents = {key: _text(node, "parent") for key, node in nodes.items()}
    messages = {
        key: node["message"]
        for key, node in nodes.items()
        if isinstance(node.get("message"), Mapping)
    }
    leaf = _text(found, "current_node")
    if leaf not in nodes:
        dates = {key: _seconds(message) or 0.0 for key, message in messages.items()}
        leaf = newest_leaf(parents, dates)
        if leaf:
            report.skip(place, "its current message is missing; the newest branch was taken.")
    branch = follow_branch(parents, leaf)
    if branch.problem:
        report.skip(place, branch.problem)

    conversation_id = _text(found, "conversation_id") or _text(found, "id")
    if not conversation_id:
        conversation_id = digest(title, str(found.get("create_time")), *branch.ids[:1])
    sent_at = _date(found.get("create_time"))
    said = 0
    for key in branch.ids:
        message = messages.get(key)
        if message is None:
            continue  # The root, which holds nothing.
        turn = _turn(message, _text(message, "id") or key)
        if isinstance(turn, str):
            report.pass_over(turn)
            continue
        # A message without a date was said when the one before it was.
        sent_at = _date(message.get("create_time")) or sent_at
        said += 1
        yield ParsedMessage(
            f"chatgpt:{conversation_id}",
            NewMessage(**{**turn, "sent_at": sent_at}),
            f"{place}, message {said}",
            title,
        )
    course = set(branch.ids)
    aside = sum(
        isinstance(_turn(message, key), dict)
        for key, message in messages.items()
        if key not in course
    )
    if aside:
        report.pass_over("on other branches: answers made anew, questions edited", aside)
    if not said:
        report.skip(place, "nothing was said in it.")


def _turn(message: Mapping[str, Any], external_id: str) -> dict[str, Any] | str:
    """Return what makes a `NewMessage` of *message*, or why it is passed over."""
    author = message.get("author")
    author = author if isinstance(author, Mapping) else {}
    metadata = message.get("metadata")
    metadata = metadata if isinstance(metadata, Mapping) else {}
    content = message.get("content")
    content = content if isinstance(content, Mapping) else {}
    kind = _text(content, "content_type")
    if kind in _NOT_SAID:
        return _NOT_SAID[kind]
    if metadata.get("is_visually_hidden_from_conversation") is True:
        return "hidden messages"
    role = _ROLES.get(_text(author, "role"))
    if role is None:
        return "system messages"
    words, captions = _content(content)
    captions += [
        f"file: {name}"
        for attachment in _list(metadata, "attachments")
        if isinstance(attachment, Mapping) and (name := _text(attachment, "name"))
    ]
    text = "\n\n".join(words)
    calls: list[dict[str, Any]] = []
    recipient = _text(message, "recipient")
    if role == Role.ASSISTANT and recipient not in ("", "all"):
        calls = [{"name": recipient, "arguments": text}]
        text = ""
    if not (text.strip() or captions or calls):
        return "empty messages"
    return {
        "role": role.value,
        "content": text,
        "caption": "; ".join(dict.fromkeys(captions)),
        "external_id": external_id,
        "tool_name": _text(author, "name") if role == Role.TOOL else "",
        "tool_calls": calls,
    }


def _content(content: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the texts of a message, and its pictures and recordings in words."""
    words: list[str] = []
    captions: list[str] = []
    for part in _list(content, "parts"):
        if isinstance(part, str):
            words.append(part)
        elif isinstance(part, Mapping):
            kind = _text(part, "content_type")
            if kind in _POINTERS:
                captions.append(_described(part, _POINTERS[kind]))
            elif text := _text(part, "text"):  # A recording, written down.
                words.append(text)
    # Code, what it printed, and pages that were quoted.
    words += [text for key in ("title", "text", "result") if (text := _text(content, key))]
    return [text for text in words if text.strip()], captions


def _described(pointer: Mapping[str, Any], what: str) -> str:
    metadata = pointer.get("metadata")
    made = metadata.get("dalle") if isinstance(metadata, Mapping) else None
    prompt = _text(made, "prompt") if isinstance(made, Mapping) else ""
    return f"{what}: {prompt}" if prompt else what


def _text(found: Mapping[str, Any], key: str) -> str:
    value = found.get(key)
    return value if isinstance(value, str) else ""


def _list(found: Mapping[str, Any], key: str) -> list[Any]:
    value = found.get(key)
    return value if isinstance(value, list) else []


def _seconds(found: Mapping[str, Any]) -> float | None:
    value = found.get("create_time")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _date(value: Any) -> datetime | None:
    """Return the date of a Unix time; None when it is none, or far from anything that was said."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return plausible_date(datetime.fromtimestamp(value, UTC))
    except (ValueError, OverflowError, OSError):
        return None
