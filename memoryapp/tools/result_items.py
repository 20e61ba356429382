"""Memories and messages as data for programs, with the ids that a model can cite."""

from datetime import date

from pydantic import BaseModel, Field

from memoryapp.models import Memory
from memoryapp.recall import Hit
from memoryapp.recall.entries import Entry
from memoryapp.recall.hit_entries import memory_ref


class ResultItem(BaseModel):
    """One thing remembered."""

    id: str = Field(
        description="m and a number for a memory; for a message the pointer of its drawer in the "
        "palace, or s and a number."
    )
    content: str
    on: date = Field(description="When it was said, or written as it is now.")
    category: str | None = Field(default=None, description="Of a memory.")
    importance: int | None = Field(default=None, description="Of a memory, from 1 to 10.")
    key: str | None = Field(default=None, description="Of a fact that has one value at a time.")
    tags: list[str] = Field(default_factory=list, description="Of a memory.")
    valid_until: date | None = Field(default=None, description="The last day on which it holds.")
    said_by: str | None = Field(default=None, description="Who said it, of a message.")


def memory_item(memory: Memory) -> ResultItem:
    """*memory* as data."""
    return ResultItem(
        id=memory_ref(memory),
        content=memory.content,
        on=memory.updated_at.date(),
        category=memory.category,
        importance=memory.importance,
        key=memory.key or None,
        tags=memory.tags,
        valid_until=memory.valid_until,
    )


def item(hit: Hit, line: Entry) -> ResultItem:
    """*hit*, which a model is shown as *line*, as data."""
    if hit.memory:
        return memory_item(hit.memory)
    said_by = hit.message.role if hit.message else None
    return ResultItem(id=line.ref, content=line.text, on=line.on, said_by=said_by)
