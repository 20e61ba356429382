"""Endpoints of single memories by their ids: read, change, history, delete."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from ninja import Query
from pydantic import Field

from conversations.sanitizer import sanitize
from memoryapp.api.auth import instance_named
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import Day
from memoryapp.api.mem0 import filters
from memoryapp.api.mem0.auth import DELETE_OWN, READ_OWN, WRITE_OWN, router
from memoryapp.api.mem0.bodies import Body
from memoryapp.api.mem0.entity_scope import Owners
from memoryapp.api.mem0.ids import known_as, memories_of, memory_named
from memoryapp.api.mem0.label_removal import remove_matching
from memoryapp.api.mem0.schemas import deleted, history, memory_fields
from memoryapp.api.mem0.timestamps import Timestamp
from memoryapp.api.rest.memories import MAX_DELETED_AT_ONCE
from memoryapp.api.rest.memory_changes import correct
from memoryapp.api.rest.removal import remove
from memoryapp.models import Memory
from memoryapp.pipeline import MAX_CONTENT


@router.get("/v1/memories/{memory_id}/", auth=READ_OWN, url_name="memory", summary="Get")
def get(request: HttpRequest, memory_id: str) -> dict[str, Any]:
    """Return a memory."""
    return memory_fields(memory_named(request, memory_id))


@router.get(
    "/v1/memories/{memory_id}/history/", auth=READ_OWN, url_name="history", summary="History"
)
def get_history(request: HttpRequest, memory_id: str) -> list[dict[str, Any]]:
    """List all versions of a memory, oldest first."""
    return list(history(memory_named(request, memory_id)))


class ChangesIn(Body):
    """Changes to a memory. Omitted fields remain unchanged."""

    text: str | None = Field(None, min_length=1, max_length=MAX_CONTENT)
    metadata: dict[str, Any] | None = Field(None, description="Replaces the existing metadata.")
    timestamp: Timestamp | None = None
    expiration_date: Day | None = Field(
        None, description="Last day on which the memory is valid, or null if it does not expire."
    )


@router.put("/v1/memories/{memory_id}/", auth=WRITE_OWN, url_name="memory", summary="Update")
def update(request: HttpRequest, memory_id: str, body: ChangesIn) -> dict[str, Any]:
    """Update the given fields. The previous version is kept in the history."""
    return memory_fields(_change(request, memory_id, body))


def _change(request: HttpRequest, memory_id: str, body: ChangesIn) -> Memory:
    changes: dict[str, Any] = {}
    if body.text is not None:
        changes["content"] = body.text
    if body.metadata is not None:
        changes["metadata"] = body.metadata
    if "expiration_date" in body.model_fields_set:
        changes |= {"valid_until": body.expiration_date, "expires_at": None}
    memory = correct(request, lambda: memory_named(request, memory_id), changes).memory
    if body.timestamp is not None:
        memory.row().update(created_at=body.timestamp)
    return memory_named(request, memory_id)


@router.delete("/v1/memories/{memory_id}/", auth=DELETE_OWN, url_name="memory", summary="Delete")
def delete(request: HttpRequest, memory_id: str, delete_linked: bool = False) -> dict[str, Any]:
    """Delete a memory with its history: for good if the key may forget, else into the bin."""
    memory = memory_named(request, memory_id)
    if not _forget(request, memory.row()):
        raise Http404
    return {"message": "Memory deleted."}


#: Parameters of clients that do not narrow what is deleted.
_IGNORED = frozenset("async_mode enable_graph org_id project_id source top_k version".split())


class DeleteQuery(Owners):
    """Owners and filters in a query string."""

    filters: str | None = None


@router.delete("/v1/memories/", auth=DELETE_OWN, url_name="memories_v1", summary="Delete all")
def delete_all(request: HttpRequest, params: Query[DeleteQuery]) -> dict[str, Any]:
    """Delete all memories that match: for good if the key may forget, else into the bin. `*`
    matches any ID. A memory that other agents, apps or runs have stated as well only loses the
    labels that are named.
    """
    _refuse_unknown_parameters(request)
    parts = [{name: value} for name, value in params.dict(exclude={"filters"}).items() if value]
    if params.filters:
        parts.append(filters.parse_query_value(params.filters))
    return deleted(remove_matching(request, {"AND": parts} if parts else {}))


def _refuse_unknown_parameters(request: HttpRequest) -> None:
    """Raise `ApiError` for parameters that would be ignored: they may narrow what is deleted."""
    for name in request.GET.keys() - DeleteQuery.model_fields.keys() - _IGNORED:
        raise ApiError(400, "invalid", f"“{sanitize(name)[:50]}” is not a known parameter.")


class OneChangeIn(ChangesIn):
    """Changes to one of several memories."""

    memory_id: str


class SeveralChangesIn(Body):
    """Changes to several memories."""

    memories: list[OneChangeIn] = Field(min_length=1, max_length=MAX_DELETED_AT_ONCE)


@router.put("/v1/batch/", auth=WRITE_OWN, url_name="batch", summary="Update several")
def update_several(request: HttpRequest, body: SeveralChangesIn) -> dict[str, Any]:
    """Update several memories one after the other, if all of them exist."""
    for change in body.memories:
        memory_named(request, change.memory_id)
    for change in body.memories:
        _change(request, change.memory_id, change)
    return {"message": "Memories updated."}


class OneIn(Body):
    """One of several memories."""

    memory_id: str


class SeveralIn(Body):
    """Several memories."""

    memories: list[OneIn] = Field(min_length=1, max_length=MAX_DELETED_AT_ONCE)


@router.delete("/v1/batch/", auth=DELETE_OWN, url_name="batch", summary="Delete several")
def delete_several(request: HttpRequest, body: SeveralIn) -> dict[str, Any]:
    """Delete several memories at once. Those that do not exist are ignored."""
    memories = memories_of(request)
    chosen = memories.none()
    for each in body.memories:
        chosen = chosen | memories.filter(known_as(each.memory_id))
    return deleted(_forget(request, chosen))


def _forget(request: HttpRequest, memories: QuerySet[Memory]) -> int:
    return remove(request, instance_named(request, None), memories)
