"""Schemas of memories, messages and notes in responses."""

from datetime import date, datetime
from typing import Any

from ninja import Schema
from pydantic import Field

from conversations.models import Message
from memoryapp.models import Category, Memory
from memoryapp.recall import Hit


class MemoryOut(Schema):
    """A memory."""

    id: int
    content: str
    category: Category
    importance: int
    tags: list[str]
    user_id: str = Field(alias="end_user")
    key: str = Field(description="Of a fact that has one value at a time, such as home_city.")
    value: str
    valid_until: date | None
    origin: str
    confidence: int | None
    verified_at: datetime | None = Field(description="When a fact with a key was last confirmed.")
    created_at: datetime
    updated_at: datetime


class SourceOut(Schema):
    """Where a memory comes from."""

    conversation_id: int
    message_id: int | None
    action: str
    created_at: datetime


class MemoryDetailOut(MemoryOut):
    """A memory with its sources and how often it was recalled."""

    recall_count: int
    last_recalled_at: datetime | None
    external_id: str = Field(description="Its id in the system that it was brought from.")
    metadata: dict[str, Any] = Field(description="What the program that brought it attached.")
    sources: list[SourceOut]


class MemoryHitOut(MemoryOut):
    """A memory; a search result also has its score."""

    score: float | None = Field(
        None, description="What it is worth as an answer; the higher, the better."
    )
    ranks: dict[str, int] | None = Field(None, description="List to rank, from 1.")
    parts: dict[str, float] | None = Field(
        None,
        description="What makes up the score: each list’s share, and what `expired` or `stale` "
        "take away.",
    )
    similarity: float | None = Field(None, description="Cosine to the question, if compared.")


class MessageHitOut(Schema):
    """A message that a search found, from which no memory was learned."""

    id: int
    conversation_id: int
    role: str
    author: str
    content: str
    sent_at: datetime
    score: float
    ranks: dict[str, int]
    parts: dict[str, float]


class NoteHitOut(Schema):
    """A note in the palace that a search found."""

    id: int
    pointer: str = Field(
        description="The name by which it can be cited.", examples=["§ W-001/R-02/D-003"]
    )
    content: str
    noted_at: datetime
    score: float
    ranks: dict[str, int]
    parts: dict[str, float]


_MEMORY_FIELDS = [field.alias or name for name, field in MemoryOut.model_fields.items()]
_MESSAGE_FIELDS = ["id", "conversation_id", "role", "author", "content", "sent_at"]


def memory_hit(hit: Hit, memory: Memory) -> dict[str, Any]:
    """Return the fields of a `MemoryHitOut`."""
    fields = {name: getattr(memory, name) for name in _MEMORY_FIELDS}
    return fields | score_fields(hit) | {"similarity": hit.similarity}


def message_hit(hit: Hit, message: Message) -> dict[str, Any]:
    """Return the fields of a `MessageHitOut`."""
    return {name: getattr(message, name) for name in _MESSAGE_FIELDS} | score_fields(hit)


def note_hit(hit: Hit) -> dict[str, Any]:
    """Return the fields of a `NoteHitOut`."""
    note = hit.filed
    fields = {"id": note.pk, "pointer": str(note), "content": note.note, "noted_at": note.said_at}
    return fields | score_fields(hit)


def score_fields(hit: Hit | None) -> dict[str, Any]:
    """Return the score of *hit*, with its ranks and parts; None without a search."""
    return {name: getattr(hit, name, None) for name in ("score", "ranks", "parts")}
