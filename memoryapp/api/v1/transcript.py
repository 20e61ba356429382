"""Identifies the messages of a transcript: the whole conversation, sent again with each request.

Each message gets a link: a keyed hash of the link before it and of its content. So a link stands
for a message with all messages before it. A client that resends a conversation makes the same
links; one that edits a message, or has a reply generated again, makes a branch. The links of stored
messages are their external ids, which `messages.append` stores once in a conversation. Pure.
"""

import hashlib
import json
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from django.utils.crypto import salted_hmac

from conversations.bounded_json import parse
from conversations.messages import NewMessage
from conversations.models import TRANSCRIPT_LINK_PREFIX, Role
from memoryapp.api.v1.client_templates import announces_result, is_client_context, said_in
from memoryapp.language.shortening import one_line
from memoryapp.language.spans import without_spans
from memoryapp.policy.recalled_context import without_recalled

#: The link before the first message.
ROOT = ""

_THOUGHT_BEGINS = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
#: Roles of the API to ours. System messages are the caller's instructions, and are not stored.
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL, "function": Role.TOOL}


@dataclass(frozen=True)
class ClientMessage:
    """A message as a client sends it."""

    message: NewMessage
    #: Hashes of pictures and other attachments, which are not stored.
    attachments: tuple[str, ...] = field(default=())

    @property
    def by_assistant(self) -> bool:
        return self.message.role == Role.ASSISTANT


@dataclass(frozen=True)
class TranscriptWalk:
    """How far a transcript is known: its first ``known`` messages, the last one with ``link``."""

    known: int
    link: str


def read_messages(messages: Sequence[Any]) -> list[ClientMessage]:
    """Read *messages* in the form of the OpenAI API. Those in another form are ignored here: the
    provider refuses them.
    """
    parsed: list[ClientMessage] = []
    names: dict[str, str] = {}
    after_context = False
    for message in messages:
        if not isinstance(message, Mapping) or message.get("role") not in _ROLES:
            continue
        read = _read_message(message, names)
        # Clients write the answers to what they say themselves, too.
        is_own = after_context and read.by_assistant and not read.message.tool_calls
        says = bool(read.message.content or read.message.tool_calls)
        if says and not is_own:
            parsed.append(read)
        is_context = message["role"] == "user" and is_client_context(_content(message)[0])
        after_context = is_context and not says
    return parsed


def assistant_message(text: str, calls: Iterable[Mapping[str, Any]] = ()) -> ClientMessage:
    """Return an assistant's reply as a client will send it again."""
    return ClientMessage(
        NewMessage(Role.ASSISTANT, text.strip(), tool_calls=[dict(call) for call in calls])
    )


def link(before: str, sent: ClientMessage) -> str:
    """Return the link of *sent* after the link *before*."""
    message = sent.message
    # Another Keepsake in between adds what it recalls, to the last message only.
    text = message.content
    if sent.by_assistant:
        # A model's reasoning; without an end, it is part of the reply.
        text = without_spans(text, _THOUGHT_BEGINS, _THOUGHT_ENDS)
    text = without_recalled(text) if message.role == Role.USER else text
    calls = [[call.get("name"), _parsed(call.get("arguments"))] for call in message.tool_calls]
    # Clients trim texts, and indent the arguments of calls differently.
    shape = [str(message.role), message.author, one_line(text), calls, sent.attachments]
    value = f"{before}\n{json.dumps(shape, sort_keys=True)}"
    return (
        TRANSCRIPT_LINK_PREFIX
        + salted_hmac("keepsake.transcript", value, algorithm="sha256").hexdigest()
    )


def links(sent: Iterable[ClientMessage], before: str = ROOT) -> list[str]:
    """Return the link of each message; the first one follows *before*."""
    return list(accumulate(sent, link, initial=before))[1:]


#: Returns the replies stored after a link: their own links and texts.
Replies = Callable[[str], Iterable[tuple[str, str]]]


def walk(
    sent: Sequence[ClientMessage], known: Container[str], replies: Replies, *, start: str = ROOT
) -> TranscriptWalk:
    """Follow *sent* from the link *start* as long as its messages are *known*.

    A client that disconnected during a reply has only its beginning, and continues from there: the
    beginning stands for the reply.
    """
    at = start
    for number, each in enumerate(sent):
        next_link: str | None = link(at, each)
        if next_link not in known:
            next_link = _cut_short(each, replies(at)) if each.by_assistant else None
        if next_link is None:
            return TranscriptWalk(number, at)
        at = next_link
    return TranscriptWalk(len(sent), at)


def _cut_short(sent: ClientMessage, replies: Iterable[tuple[str, str]]) -> str | None:
    """Return the link of the reply that begins with the text of *sent*."""
    beginning = one_line(sent.message.content)
    if not beginning or sent.message.tool_calls:
        return None
    return next((at for at, text in replies if one_line(text).startswith(beginning)), None)


def _read_message(message: Mapping[str, Any], names: dict[str, str]) -> ClientMessage:
    """Read one message; *names* maps the ids of calls to tools, and is updated."""
    role = _ROLES[message["role"]]
    text, attachments = _content(message, said_in if role == Role.USER else str)
    author = _text(message.get("name"))
    if role == Role.TOOL:
        tool = author or names.get(_text(message.get("tool_call_id")), "")
        return ClientMessage(NewMessage(role, text, tool_name=tool), attachments)
    calls = _calls(message) if role == Role.ASSISTANT else []
    names.update({call["id"]: call["name"] for call in calls if call["id"]})
    text = text or (_text(message.get("refusal")) if role == Role.ASSISTANT else "")
    message_ = NewMessage(role, text, author=author, tool_calls=calls)
    return ClientMessage(message_, attachments)


def _content(
    message: Mapping[str, Any], read: Callable[[str], str] = str
) -> tuple[str, tuple[str, ...]]:
    """Return the text of a message, with a word for each attachment, and their hashes; of each part
    of the text what *read* finds in it.
    """
    content = message.get("content")
    if isinstance(content, str):
        return read(content), ()
    texts: list[str] = []
    attachments: list[str] = []
    heading = ""
    for part in content if isinstance(content, list) else ():
        if not isinstance(part, Mapping):
            continue
        kind = _text(part.get("type"))
        if text := _text(part.get("text")) or _text(part.get("refusal")):
            if announces_result(text) and message.get("role") == "user":
                heading = f"{text}\n"
            else:
                texts.append(read(f"{heading}{text}"))
                heading = ""
        elif kind not in ("text", "refusal"):
            # "image_url", "input_audio", "file"
            texts.append(f"[{kind.removeprefix('input_').removesuffix('_url') or 'attachment'}]")
            content_json = json.dumps(part, sort_keys=True, default=str)
            digest = hashlib.sha256(content_json.encode("utf-8", "replace")).hexdigest()
            attachments.append(digest)
    return "\n".join(filter(None, texts)), tuple(attachments)


def _calls(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    calls = message.get("tool_calls")
    raw_calls = list(calls) if isinstance(calls, list) else []
    if isinstance(message.get("function_call"), Mapping):  # the API before tools
        raw_calls.append({"function": message["function_call"]})
    parsed: list[dict[str, Any]] = []
    for call in raw_calls:
        tool = call.get("function") or call.get("custom") if isinstance(call, Mapping) else None
        if not isinstance(tool, Mapping):
            continue
        arguments = tool.get("arguments", tool.get("input", ""))
        parsed.append(
            {"id": _text(call.get("id")), "name": _text(tool.get("name")), "arguments": arguments}
        )
    return parsed


def _parsed(arguments: Any) -> Any:
    """Return the arguments of a call without the way they are written."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return parse(arguments)
    except ValueError:
        return arguments


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
