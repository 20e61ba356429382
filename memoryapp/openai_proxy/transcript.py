"""What clients of OpenAI's API send again with each turn: the whole conversation so far.

Each message gets a link: a keyed hash of the link before it and of what was said. So a link stands
for a message with all that led to it. Whoever resends a conversation makes the same links; whoever
edits a message, or has a reply made anew, makes a branch. The links of stored messages are their
external ids, which `turns.append` stores once in a conversation.
"""

import hashlib
import json
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.crypto import salted_hmac

from conversations.bounded_json import parse
from conversations.messages import NewMessage
from conversations.models import TRANSCRIPT_LINK_PREFIX, Role

#: What stands before the first message.
ROOT = ""

_THOUGHT_BEGINS = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
#: Roles of the API to ours. System messages are the caller's instructions: nobody said them.
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL, "function": Role.TOOL}


@dataclass(frozen=True)
class ClientMessage:
    """One message of a transcript."""

    turn: NewMessage
    #: Hashes of pictures and the like, which are not stored.
    other: tuple[str, ...] = field(default=())

    @property
    def by_assistant(self) -> bool:
        return self.turn.role == Role.ASSISTANT


@dataclass(frozen=True)
class TranscriptWalk:
    """How far a transcript is known: its first ``known`` messages, the last one with ``link``."""

    known: int
    link: str


def read_messages(messages: Sequence[Any]) -> list[ClientMessage]:
    """Read what was said from *messages*, in the form of the OpenAI API; whatever has another
    shape is the provider's to refuse.
    """
    found: list[ClientMessage] = []
    names: dict[str, str] = {}
    for message in messages:
        if not isinstance(message, Mapping) or message.get("role") not in _ROLES:
            continue
        each = _said(message, names)
        if each.turn.content or each.turn.tool_calls:
            found.append(each)
    return found


def assistant_message(text: str, calls: Iterable[Mapping[str, Any]] = ()) -> ClientMessage:
    """What an assistant said, as a client will send it again."""
    return ClientMessage(
        NewMessage(Role.ASSISTANT, text.strip(), tool_calls=[dict(call) for call in calls])
    )


def link(before: str, said: ClientMessage) -> str:
    """Return the link of *said* after the link *before*."""
    turn = said.turn
    text = _without_thoughts(turn.content) if said.by_assistant else turn.content
    calls = [[call.get("name"), _plain(call.get("arguments"))] for call in turn.tool_calls]
    # Clients trim texts, and indent the arguments of calls anew.
    shape = [str(turn.role), turn.author, " ".join(text.split()), calls, said.other]
    value = f"{before}\n{json.dumps(shape, sort_keys=True)}"
    return (
        TRANSCRIPT_LINK_PREFIX
        + salted_hmac("keepsake.transcript", value, algorithm="sha256").hexdigest()
    )


def links(said: Sequence[ClientMessage], before: str = ROOT) -> list[str]:
    """Return the link of each of *said*, the first of which follows *before*."""
    made: list[str] = []
    for each in said:
        before = link(before, each)
        made.append(before)
    return made


#: Gives the replies stored after a link: their own links and texts.
Replies = Callable[[str], Iterable[tuple[str, str]]]


def walk(
    said: Sequence[ClientMessage], known: Container[str], replies: Replies, *, start: str = ROOT
) -> TranscriptWalk:
    """Follow *said* from the link *start* for as long as its messages are *known*.

    A client that hung up in the middle of a reply has only its beginning, and goes on from there:
    that beginning is the reply.
    """
    at = start
    for number, each in enumerate(said):
        next_link: str | None = link(at, each)
        if next_link not in known:
            next_link = _cut_short(each, replies(at)) if each.by_assistant else None
        if next_link is None:
            return TranscriptWalk(number, at)
        at = next_link
    return TranscriptWalk(len(said), at)


def _cut_short(said: ClientMessage, replies: Iterable[tuple[str, str]]) -> str | None:
    beginning = " ".join(said.turn.content.split())
    if not beginning or said.turn.tool_calls:
        return None
    return next((at for at, text in replies if " ".join(text.split()).startswith(beginning)), None)


def _said(message: Mapping[str, Any], names: dict[str, str]) -> ClientMessage:
    """Read one message; *names* tells whose result a tool's message is, and learns of calls."""
    role = _ROLES[message["role"]]
    text, other = _content(message.get("content"))
    author = _text(message.get("name"))
    if role == Role.TOOL:
        tool = author or names.get(_text(message.get("tool_call_id")), "")
        return ClientMessage(NewMessage(role, text, tool_name=tool), other)
    calls = _calls(message) if role == Role.ASSISTANT else []
    names.update({call["id"]: call["name"] for call in calls if call["id"]})
    text = text or (_text(message.get("refusal")) if role == Role.ASSISTANT else "")
    return ClientMessage(NewMessage(role, text, author=author, tool_calls=calls), other)


def _content(content: Any) -> tuple[str, tuple[str, ...]]:
    """The text of a message, in which pictures and the like are a word, and the hashes of those."""
    if isinstance(content, str):
        return content, ()
    texts: list[str] = []
    other: list[str] = []
    for part in content if isinstance(content, list) else ():
        if not isinstance(part, Mapping):
            continue
        kind = _text(part.get("type"))
        if text := _text(part.get("text")) or _text(part.get("refusal")):
            texts.append(text)
        elif kind not in ("text", "refusal"):
            # "image_url", "input_audio", "file"
            texts.append(f"[{kind.removeprefix('input_').removesuffix('_url') or 'attachment'}]")
            shown = json.dumps(part, sort_keys=True, default=str)
            other.append(hashlib.sha256(shown.encode("utf-8", "replace")).hexdigest())
    return "\n".join(texts), tuple(other)


def _calls(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    calls = message.get("tool_calls")
    made = list(calls) if isinstance(calls, list) else []
    if isinstance(message.get("function_call"), Mapping):  # as it was before there were tools
        made.append({"function": message["function_call"]})
    found: list[dict[str, Any]] = []
    for call in made:
        what = call.get("function") or call.get("custom") if isinstance(call, Mapping) else None
        if not isinstance(what, Mapping):
            continue
        arguments = what.get("arguments", what.get("input", ""))
        found.append(
            {"id": _text(call.get("id")), "name": _text(what.get("name")), "arguments": arguments}
        )
    return found


def _without_thoughts(text: str) -> str:
    """Remove a model's thoughts. A thought without an end is part of the reply."""
    kept: list[str] = []
    at = 0
    while (begin := _THOUGHT_BEGINS.search(text, at)) and (
        end := _THOUGHT_ENDS.search(text, begin.end())
    ):
        kept.append(text[at : begin.start()])
        at = end.end()
    return "".join([*kept, text[at:]])


def _plain(arguments: Any) -> Any:
    """The arguments of a call, however they are written."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return parse(arguments)
    except ValueError:
        return arguments


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
