"""From the model's answer to validated items: the good ones are kept whatever the bad ones are."""

import math
from dataclasses import dataclass
from datetime import date
from typing import Any

from memoryapp.providers.json_extraction import list_in

CATEGORIES = frozenset({"general", "preference", "fact", "event", "relationship", "decision"})
#: Who may have said it, beside the conversation itself.
SOURCES = frozenset({"conversation", "tool_call", "auto_discovery", "user_explicit"})
MAX_CONTENT = 2_000
#: A longer value is no value, but a text: the sentence says it anyway.
MAX_VALUE = 500


class UnusableAnswer(ValueError):
    """Nothing in the answer can be read as a list of memories."""


@dataclass(frozen=True)
class ExtractedFact:
    """One memory that the model proposes. ``position`` is a new message's."""

    position: int
    content: str
    category: str
    importance: int
    tags: tuple[str, ...]
    valid_until: date | None
    #: Of a fact that has one value at a time: both, or neither.
    key: str
    value: str
    source: str
    confidence: int | None


@dataclass(frozen=True)
class Dropped:
    """An item that was not usable, by the message it points to (or 0), and why."""

    position: int
    reason: str


def parse(answer: str, *, positions: frozenset[int]) -> tuple[list[ExtractedFact], list[Dropped]]:
    """Read the model's *answer*; raises `UnusableAnswer` when there is no list in it.

    ``positions`` are the new messages that people wrote: only they may yield memories.
    """
    items: list[ExtractedFact] = []
    dropped: list[Dropped] = []
    for raw in _items(answer):
        parsed = _item(raw, positions)
        if isinstance(parsed, ExtractedFact):
            items.append(parsed)
        else:
            dropped.append(parsed)
    return items, dropped


def _items(answer: str) -> list[Any]:
    found = list_in(answer, "memories", part="content")
    if found is None:
        raise UnusableAnswer("The language model’s answer holds no list of memories.")
    return found


def _item(raw: Any, positions: frozenset[int]) -> ExtractedFact | Dropped:
    if not isinstance(raw, dict):
        return Dropped(0, "not an object")
    position = _whole(raw.get("message"))
    if position is None and len(positions) == 1:
        # Not said, but there is only one that can be meant.
        (position,) = positions
    if position is None or position not in positions:
        return Dropped(0, "names no new message")
    content = raw.get("content")
    if not isinstance(content, str) or not content.strip():
        return Dropped(position, "has no text")
    content = " ".join(content.split())
    if len(content) > MAX_CONTENT:
        return Dropped(position, f"is longer than {MAX_CONTENT:,} characters")
    category = str(raw.get("category", "")).strip().lower()
    importance = _whole(raw.get("importance"))
    confidence = _whole(raw.get("confidence"))
    tags = raw.get("tags")
    source = str(raw.get("source", "")).strip().lower()
    key, value = _fact(raw.get("key"), raw.get("value"))
    return ExtractedFact(
        position=position,
        content=content,
        category=category if category in CATEGORIES else "general",
        importance=5 if importance is None else min(10, max(1, importance)),
        tags=tuple(str(tag) for tag in tags if tag) if isinstance(tags, list) else (),
        valid_until=_day(raw.get("valid_until")),
        key=key,
        value=value,
        source=source if source in SOURCES else "conversation",
        confidence=None if confidence is None else min(100, max(0, confidence)),
    )


def _fact(key: Any, value: Any) -> tuple[str, str]:
    """The key and its value; neither, where one is missing or is no short text: then the sentence
    is kept by itself.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(key, str) or not isinstance(value, str):
        return "", ""
    value = " ".join(value.split())
    if not value or len(value) > MAX_VALUE or not any(c.isalnum() for c in key):
        return "", ""
    return key.strip(), value


def _whole(value: Any) -> int | None:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return round(value)


def _day(value: Any) -> date | None:
    """The date in *value*; a date that cannot be read makes a memory without an end, which is
    better than no memory.
    """
    try:
        return date.fromisoformat(value[:10]) if isinstance(value, str) else None
    except ValueError:
        return None
