"""How a model is told of memories: by an id that it can cite, in a line, or as data."""

from collections.abc import Iterable
from datetime import date

from pydantic import BaseModel, Field

from conversations.models import Message
from memoryapp.models import Memory
from memoryapp.recall import Hit
from memoryapp.recall.context import Entry


class Item(BaseModel):
    """One thing remembered."""

    id: str = Field(description="m and a number for a memory, s and a number for a message.")
    content: str
    on: date = Field(description="When it was said, or written as it is now.")
    category: str | None = Field(default=None, description="Of a memory.")
    importance: int | None = Field(default=None, description="Of a memory, from 1 to 10.")
    key: str | None = Field(default=None, description="Of a fact that has one value at a time.")
    tags: list[str] = Field(default_factory=list, description="Of a memory.")
    valid_until: date | None = Field(default=None, description="The last day on which it holds.")
    said_by: str | None = Field(default=None, description="Who said it, of a message.")


def memory_ref(memory: Memory) -> str:
    """The id by which a model can cite *memory*."""
    return f"m{memory.pk}"


def memory_entry(memory: Memory) -> Entry:
    """The line that tells of *memory*."""
    kind = f"{memory.category} {memory.key}".strip()
    on = memory.updated_at.date()
    return Entry(memory_ref(memory), memory.content, on, kind, memory.valid_until)


def memory_item(memory: Memory) -> Item:
    """*memory* as data."""
    return Item(
        id=memory_ref(memory),
        content=memory.content,
        on=memory.updated_at.date(),
        category=memory.category,
        importance=memory.importance,
        key=memory.key or None,
        tags=memory.tags,
        valid_until=memory.valid_until,
    )


def ref(hit: Hit) -> str:
    """The id by which a model can cite *hit*: m for memories, s for what was said."""
    return memory_ref(hit.memory) if hit.memory else f"s{_message(hit).pk}"


def entry(hit: Hit) -> Entry:
    """The line that tells of *hit*."""
    if hit.memory:
        return memory_entry(hit.memory)
    message = _message(hit)
    return Entry(ref(hit), message.content, message.sent_at.date(), f"said by {message.role}")


def item(hit: Hit) -> Item:
    """*hit* as data."""
    if hit.memory:
        return memory_item(hit.memory)
    message = _message(hit)
    return Item(
        id=ref(hit), content=message.content, on=message.sent_at.date(), said_by=message.role
    )


def counted(count: int, what: str, plural: str = "") -> str:
    """Write how many there are: 1 memory, 2 memories."""
    return f"{count} {what if count == 1 else plural or what + 's'}"


def shown(hits: Iterable[Hit], refs: Iterable[str]) -> list[Hit]:
    """Those of *hits* that found room among *refs*."""
    there = set(refs)
    return [hit for hit in hits if ref(hit) in there]


def _message(hit: Hit) -> Message:
    assert hit.message is not None  # noqa: S101 - a hit is one or the other
    return hit.message
