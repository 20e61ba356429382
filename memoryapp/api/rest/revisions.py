"""Endpoints of revisions, the earlier texts of a memory: list and restore."""

from datetime import date, datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema
from pydantic import Field

from instances.ids import parse_pk
from memoryapp.api.auth import caller_of
from memoryapp.api.conditional import set_entity_tag
from memoryapp.api.fields import TierName
from memoryapp.api.operations import reads_own, writes_own
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.api.response_headers import with_headers
from memoryapp.api.rest.memories import memory_named
from memoryapp.api.rest.memory_changes import unfit
from memoryapp.api.schemas import MemoryDetailOut
from memoryapp.models import Category, Memory, MemoryRevision
from memoryapp.pipeline import Rejected, restore

router = Router(tags=["Memories"])


class RevisionOut(Schema):
    """An earlier version of a memory."""

    id: int
    content: str
    category: Category
    importance: int
    tags: list[str]
    key: str
    value: str
    valid_until: datetime | date | None = Field(alias="end")
    origin: str
    tier: TierName
    confidence: int | None
    valid_from: datetime
    replaced_at: datetime
    reason: str = Field(
        description="Why the memory was changed. `heard`: this was never the text of the memory, "
        "but another statement that could not change it."
    )


class RevisionsOut(PageOut):
    """One page of revisions."""

    items: list[RevisionOut]


@router.get(
    "/memories/{memory:memory_id}/revisions",
    **reads_own(RevisionsOut, "List revisions of a memory"),
)
def list_revisions(request: HttpRequest, memory_id: int, page: Query[PageIn]) -> dict[str, Any]:
    """List the revisions of a memory, newest first."""
    return page_of(memory_named(request, memory_id).revisions.all(), page, order=["-id"])


@router.post(
    "/memories/{memory:memory_id}/revisions/{int:revision_id}/restore",
    **writes_own(MemoryDetailOut, "Restore a revision", 409),
    openapi_extra=with_headers({200: ["ETag"]}),
)
def restore_revision(
    request: HttpRequest, response: HttpResponse, memory_id: int, revision_id: int
) -> Memory:
    """Restore the text and fields of a revision. The current version becomes a revision."""
    memory = memory_named(request, memory_id)
    revision = get_object_or_404(memory.revisions, pk=parse_pk(revision_id))
    try:
        restore(revision, by=caller_of(request).actor, tier=caller_of(request).tier)
    except (Memory.DoesNotExist, MemoryRevision.DoesNotExist):
        raise Http404 from None
    except Rejected as error:
        raise unfit(error) from error
    return set_entity_tag(response, memory_named(request, memory_id))
