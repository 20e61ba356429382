"""The transcript for the language model: one dated line for each message. Pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from memoryapp.language.shortening import one_line, without_middle
from memoryapp.language.speakers import head
from memoryapp.policy.recalled_context import without_recalled
from memoryapp.providers.written_calls import is_call

#: Characters of transcript that one call may carry.
MAX_CHARACTERS = 12_000
#: Characters of an earlier message.
MAX_CONTEXT_CHARACTERS = 1_000
#: Characters of a tool call's arguments or of a tool's result.
MAX_TOOL_CHARACTERS = 500
#: Characters of an assistant's message for a slow model.
MAX_BRIEF_CHARACTERS = 160
#: Keepsake's own tools: what they return is in the memory already.
MEMORY_TOOLS = frozenset({"search_memory", "list_memories", "forget_memory"})


@dataclass(frozen=True)
class TranscriptLine:
    """The parts of a message that the transcript shows."""

    position: int
    role: str
    content: str
    sent_at: datetime
    author: str = ""
    caption: str = ""
    tool_name: str = ""
    tool_calls: Sequence[dict[str, Any]] = ()


@dataclass(frozen=True)
class Transcript:
    """The lines of earlier messages, and those of new ones."""

    context: str
    new: str

    def __str__(self) -> str:
        return f"{self.context}\n{self.new}".strip()


def build(
    context: Sequence[TranscriptLine],
    new: Sequence[TranscriptLine],
    *,
    time_zone: str,
    room: int = MAX_CHARACTERS,
    brief: bool = False,
) -> Transcript:
    """Render *context* and *new* in at most *room* characters together; a single new message may
    have `MAX_CHARACTERS`. If *brief*, the assistant's messages are cut, and new ones after the last
    one by a person are left out.

    Only new lines that people wrote are numbered, so that a model can point to no others. New
    messages come first, the context keeps the latest ones, and long ones lose their middle.
    """
    zone = ZoneInfo(time_zone)
    if brief:
        last = max((n for n, line in enumerate(new, 1) if line.role != "assistant"), default=0)
        context, new = list(map(_brief, context)), list(map(_brief, new[:last]))
    lines = [rendered for line in new if (rendered := _render(line, zone, new=True))]
    most = MAX_CHARACTERS if len(lines) == 1 else room
    if sum(len(line) + 1 for line in lines) > most:
        share = most // len(lines) - 1
        lines = [without_middle(line, share) for line in lines]
    room -= sum(len(line) + 1 for line in lines)
    before: list[str] = []
    for line in reversed(context):
        rendered = without_middle(_render(line, zone), MAX_CONTEXT_CHARACTERS)
        if not rendered:
            continue
        room -= len(rendered) + 1
        if room < 0:
            break
        before.insert(0, rendered)
    return Transcript("\n".join(before), "\n".join(lines))


def _brief(line: TranscriptLine) -> TranscriptLine:
    """Return *line* with as much of an assistant's words as an answer to them needs."""
    if line.role != "assistant":
        return line
    return replace(line, content=without_middle(line.content, MAX_BRIEF_CHARACTERS))


def says_something(line: TranscriptLine) -> bool:
    """True if extraction reads *line* at all."""
    return bool(_text(line))


def _render(line: TranscriptLine, zone: ZoneInfo, *, new: bool = False) -> str:
    """One message as a line; empty for what extraction does not read."""
    text = _text(line)
    if not text:
        return ""
    stamp = line.sent_at.astimezone(zone).strftime("%Y-%m-%d %a %H:%M")
    number = f"{line.position} · " if new and line.role != "assistant" else ""
    return f"[{number}{stamp}] {text}"


def _text(line: TranscriptLine) -> str:
    if line.role == "system":
        return ""
    if line.role == "tool":
        if line.tool_name in MEMORY_TOOLS:
            return ""
        result = without_middle(one_line(without_recalled(line.content)), MAX_TOOL_CHARACTERS)
        return f"[Tool result] {one_line(line.tool_name) or 'tool'}: {result}"
    said = "" if line.role == "assistant" and is_call(line.content) else line.content
    text = one_line(without_recalled(said))
    if line.caption:
        text = f"{text} [shared a picture: {one_line(line.caption)}]".strip()
    for call in line.tool_calls:
        arguments = call.get("arguments", "")
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        arguments = without_middle(one_line(arguments), MAX_TOOL_CHARACTERS)
        name = one_line(str(call.get("name") or "tool"))
        text = f"{text} [Tool call] {name}({arguments})".strip()
    if not text:
        return ""
    return f"{head(line.role, line.author)}: {text}"
