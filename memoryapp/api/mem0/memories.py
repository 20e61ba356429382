"""Memories that a program knows by their ids: read, changed, their history; and deleting."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from ninja import Query, Schema
from pydantic import ConfigDict, Field

from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.fields import Day
from memoryapp.api.mem0 import filters
from memoryapp.api.mem0.add import Timestamp
from memoryapp.api.mem0.auth import (
    DELETE,
    READ,
    WRITE,
    router,
)
from memoryapp.api.mem0.entity_scope import LABELS, Owners
from memoryapp.api.mem0.ids import known_as, memory_named
from memoryapp.api.mem0.schemas import deleted, history, written
from memoryapp.api.mem0.search import meant, nothing_unknown
from memoryapp.api.memories import MAX_DELETED_AT_ONCE, correct
from memoryapp.models import Memory
from memoryapp.pipeline import MAX_CONTENT
from memoryapp.pipeline.deletion import forget


@router.get("/v1/memories/{memory_id}/", auth=READ, url_name="memory", summary="Get")
def get(request: HttpRequest, memory_id: str) -> dict[str, Any]:
    """One memory."""
    return written(memory_named(request, memory_id))


@router.get("/v1/memories/{memory_id}/history/", auth=READ, url_name="history", summary="History")
def get_history(request: HttpRequest, memory_id: str) -> list[dict[str, Any]]:
    """All that it has said, the first wording first."""
    return list(history(memory_named(request, memory_id)))


class ChangesIn(Schema):
    """What is to be different; what is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    text: str | None = Field(None, min_length=1, max_length=MAX_CONTENT)
    metadata: dict[str, Any] | None = Field(None, description="In the place of what is attached.")
    timestamp: Timestamp | None = None
    expiration_date: Day | None = Field(None, description="The last day it holds; null: it stays.")


@router.put("/v1/memories/{memory_id}/", auth=WRITE, url_name="memory", summary="Update")
def update(request: HttpRequest, memory_id: str, body: ChangesIn) -> dict[str, Any]:
    """Change what the body names. What it said before is kept in its history."""
    return written(_changed(request, memory_id, body))


def _changed(request: HttpRequest, memory_id: str, body: ChangesIn) -> Memory:
    wanted: dict[str, Any] = {}
    if body.text is not None:
        wanted["content"] = body.text
    if body.metadata is not None:
        # Its owners are not what is attached to it, though they are kept there.
        kept = memory_named(request, memory_id).metadata
        owners = {name: kept[name] for name in LABELS if name in kept}
        wanted["metadata"] = body.metadata | owners
    if "expiration_date" in body.model_fields_set:
        wanted["valid_until"] = body.expiration_date
    memory = correct(request, lambda: memory_named(request, memory_id), wanted)
    if body.timestamp is not None:
        Memory.objects.filter(pk=memory.pk).update(created_at=body.timestamp)
    return memory_named(request, memory_id)


@router.delete("/v1/memories/{memory_id}/", auth=DELETE, url_name="memory", summary="Delete")
def delete(request: HttpRequest, memory_id: str, delete_linked: bool = False) -> dict[str, Any]:
    """Delete it at once and for good. What it said before goes with it in any case."""
    memory = memory_named(request, memory_id)
    if not _forget(request, Memory.objects.filter(pk=memory.pk)):
        raise Http404
    return {"message": "The memory is deleted."}


class DeleteQuery(Owners):
    """Whose memories, in an address."""

    filters: str | None = None


@router.delete("/v1/memories/", auth=DELETE, url_name="memories_v1", summary="Delete all")
def delete_all(request: HttpRequest, asked: Query[DeleteQuery]) -> dict[str, Any]:
    """Delete all that is meant, at once and for good; `*` for an id means whatever it is."""
    nothing_unknown(request, DeleteQuery)
    parts = [{name: value} for name, value in asked.dict(exclude={"filters"}).items() if value]
    if asked.filters:
        parts.append(filters.from_address(asked.filters))
    memories = meant(instance_named(request, None), {"AND": parts} if parts else {})
    return deleted(_forget(request, memories))


class OneChangeIn(ChangesIn):
    """A change of one of several memories."""

    memory_id: str


class SeveralChangesIn(Schema):
    """Changes of several memories."""

    model_config = ConfigDict(extra="forbid")

    memories: list[OneChangeIn] = Field(min_length=1, max_length=MAX_DELETED_AT_ONCE)


@router.put("/v1/batch/", auth=WRITE, url_name="batch", summary="Update several")
def update_several(request: HttpRequest, body: SeveralChangesIn) -> dict[str, Any]:
    """Change several, one after the other, if all of them are there."""
    for change in body.memories:
        memory_named(request, change.memory_id)
    for change in body.memories:
        _changed(request, change.memory_id, change)
    return {"message": "The memories are changed."}


class OneIn(Schema):
    """One of several memories."""

    model_config = ConfigDict(extra="forbid")

    memory_id: str


class SeveralIn(Schema):
    """Several memories."""

    model_config = ConfigDict(extra="forbid")

    memories: list[OneIn] = Field(min_length=1, max_length=MAX_DELETED_AT_ONCE)


@router.delete("/v1/batch/", auth=DELETE, url_name="batch", summary="Delete several")
def delete_several(request: HttpRequest, body: SeveralIn) -> dict[str, Any]:
    """Delete several at once; those that are gone already are passed over."""
    memories = Memory.objects.in_instance(instance_named(request, None))
    chosen = memories.none()
    for one in body.memories:
        chosen = chosen | memories.filter(known_as(one.memory_id))
    return deleted(_forget(request, chosen))


def _forget(request: HttpRequest, memories: QuerySet[Memory]) -> int:
    caller = caller_of(request)
    return forget(instance_named(request, None), memories, by=caller.actor)
