"""Schemas of memories, messages and notes in responses."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Annotated, Any

from django.db.models import prefetch_related_objects
from ninja import Schema
from pydantic import Field

from conversations.models import Message
from instances.models import Instance
from memoryapp.api.fields import TierName
from memoryapp.disclosure import disclosed
from memoryapp.models import Category, Memory
from memoryapp.recall import Hit

#: Whether a search result passes the floor of relevance.
Relevant = Annotated[
    bool | None,
    Field(description="Whether the result is relevant to the query; null without a search."),
]


class SourceOut(Schema):
    """A source of a memory."""

    conversation_id: int
    message_id: int | None
    action: str
    created_at: datetime


class MemoryOut(Schema):
    """A memory with its sources."""

    id: int
    content: str
    category: Category
    importance: int
    tags: list[str]
    user_id: str = Field(alias="end_user")
    key: str = Field(
        description="Key of a fact that has one value at a time, such as home_city. Empty for "
        "other facts."
    )
    value: str
    valid_until: datetime | date | None = Field(
        alias="end",
        description="Last day on which the memory is valid, or the moment at which it ends; null "
        "if it does not expire.",
    )
    origin: str
    tier: TierName
    confidence: int | None
    verified_at: datetime | None = Field(
        description="When a fact with a key was last confirmed, or null."
    )
    pinned: bool = Field(description="Whether the assistant is always told the memory.")
    shared_by: str | None = Field(
        description="The person from whose memory it was shared with a group, or null."
    )
    external_id: str = Field(
        description="ID in the program or the file that it comes from, or empty."
    )
    metadata: dict[str, Any] = Field(
        description="Metadata attached by the clients that stated the memory."
    )
    sources: list[SourceOut] = Field(
        alias="said_in", description="The messages that state it, by their IDs."
    )
    created_at: datetime
    updated_at: datetime


class MemoryDetailOut(MemoryOut):
    """A memory with its recall statistics."""

    recall_count: int
    last_recalled_at: datetime | None
    labels: list[str] = Field(
        alias="stated_by",
        description="Agents, apps and runs that stated it, such as `agent:coach`.",
    )


class MemoryHitOut(MemoryOut):
    """A memory. Search results also have a score."""

    score: float | None = Field(None, description="Relevance score. Higher is better.")
    ranks: dict[str, int] | None = Field(
        None, description="Rank in each list that contains the result, starting at 1."
    )
    parts: dict[str, float] | None = Field(
        None,
        description="Components of the score: the contribution of each list, and the deductions "
        "for `expired` and `stale`.",
    )
    similarity: float | None = Field(
        None, description="Cosine similarity to the query, or null if not compared."
    )
    relevant: Relevant = None


#: Characters of a message or note that a search has found.
MAX_FOUND_CHARACTERS = 5_000
TRUNCATED: bool = Field(
    False,
    description="Whether `content` is only the beginning, of a text of more than "
    f"{MAX_FOUND_CHARACTERS:,} characters. `GET /api/messages/{{id}}` or, for notes, "
    "`GET /api/palace/drawers/{id}` returns all of it.",
)


class MessageHitOut(Schema):
    """A message found by a search that is not the source of any memory in the results."""

    id: int
    conversation_id: int
    role: str
    author: str
    content: str
    truncated: bool = TRUNCATED
    sent_at: datetime
    score: float
    ranks: dict[str, int]
    parts: dict[str, float]
    relevant: Relevant = None


class NoteHitOut(Schema):
    """A note in the palace found by a search."""

    id: int
    pointer: str = Field(
        description="Pointer by which the note can be cited.", examples=["§ W-001/R-02/D-003"]
    )
    content: str
    truncated: bool = TRUNCATED
    noted_at: datetime
    score: float
    ranks: dict[str, int]
    parts: dict[str, float]
    relevant: Relevant = None


_MEMORY_FIELDS = [field.alias or name for name, field in MemoryOut.model_fields.items()]
_MESSAGE_FIELDS = ["id", "conversation_id", "role", "author", "sent_at"]


def with_sources(memories: Iterable[Memory]) -> list[Memory]:
    """Load what a `MemoryOut` names of each of *memories*, in one query."""
    loaded = list(memories)
    prefetch_related_objects(loaded, "sources")
    return loaded


def memory_hit(hit: Hit, memory: Memory) -> dict[str, Any]:
    """Return the fields of a `MemoryHitOut`; *memory* is one of `with_sources`."""
    fields = {name: getattr(memory, name) for name in _MEMORY_FIELDS}
    return fields | score_fields(hit) | {"similarity": hit.similarity}


def message_hit(instance: Instance, hit: Hit, message: Message) -> dict[str, Any]:
    """Return the fields of a `MessageHitOut`."""
    fields = {name: getattr(message, name) for name in _MESSAGE_FIELDS}
    shown = disclosed(instance, message, most=MAX_FOUND_CHARACTERS)
    return fields | {"content": shown.content, "truncated": shown.is_cut} | score_fields(hit)


def note_hit(instance: Instance, hit: Hit) -> dict[str, Any]:
    """Return the fields of a `NoteHitOut`."""
    note = hit.filed
    shown = disclosed(instance, note, most=MAX_FOUND_CHARACTERS)
    fields = {"id": note.pk, "pointer": str(note), "noted_at": note.said_at}
    return fields | {"content": shown.content, "truncated": shown.is_cut} | score_fields(hit)


def score_fields(hit: Hit | None) -> dict[str, Any]:
    """Return the score of *hit*, with its ranks and parts; None without a search."""
    scores = {name: getattr(hit, name, None) for name in ("score", "ranks", "parts")}
    return scores | {"relevant": hit.is_relevant if hit else None}
