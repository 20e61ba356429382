"""Memories and messages as data for programs, with the ids that a model can cite."""

from datetime import date, datetime

from pydantic import BaseModel, Field

from memoryapp.models import Memory
from memoryapp.recall import Hit
from memoryapp.recall.entries import Entry
from memoryapp.recall.hit_entries import memory_ref


class ResultItem(BaseModel):
    """A memory or a message."""

    id: str = Field(
        description="ID: m and a number for a memory; for a message the pointer of its drawer in "
        "the palace, or s and a number."
    )
    content: str
    on: date = Field(description="Date of the message, or on which the memory was last stated.")
    category: str | None = Field(default=None, description="Category, if it is a memory.")
    importance: int | None = Field(
        default=None,
        description="Importance from 1 (trivial) to 10 (essential), if it is a memory.",
    )
    key: str | None = Field(
        default=None, description="Key, if it is a fact that has one value at a time."
    )
    tags: list[str] = Field(default_factory=list, description="Tags, if it is a memory.")
    valid_until: date | datetime | None = Field(
        default=None,
        description="Last day on which it is valid, or the moment at which it ends; null if it "
        "does not expire.",
    )
    provenance: str | None = Field(
        default=None, description="Where it comes from, in words, if it is a memory."
    )
    said_by: str | None = Field(default=None, description="Role of the author, if it is a message.")


def memory_item(memory: Memory) -> ResultItem:
    """*memory* as data."""
    return ResultItem(
        id=memory_ref(memory),
        content=memory.content,
        on=memory.said_at.date(),
        category=memory.category,
        importance=memory.importance,
        key=memory.key or None,
        tags=memory.tags,
        valid_until=memory.end,
        provenance=memory.provenance,
    )


def item(hit: Hit, line: Entry) -> ResultItem:
    """*hit*, which a model is shown as *line*, as data."""
    if hit.memory:
        return memory_item(hit.memory)
    said_by = hit.message.role if hit.message else None
    return ResultItem(id=line.ref, content=line.text, on=line.on, said_by=said_by)
