"""What a memory said before, and having it say so again."""

from datetime import date, datetime
from typing import Any

from django.http import Http404, HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from instances.ids import parse_pk
from memoryapp.api.auth import READ, WRITE, caller_of
from memoryapp.api.errors import problems
from memoryapp.api.memories import memory_named
from memoryapp.api.memory_create import unfit
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.api.schemas import MemoryDetailOut
from memoryapp.models import Category, Memory, MemoryRevision
from memoryapp.pipeline import Rejected, restore

router = Router(tags=["Memories"])


class RevisionOut(Schema):
    """What a memory said until something changed it."""

    id: int
    content: str
    category: Category
    importance: int
    tags: list[str]
    key: str
    value: str
    valid_until: date | None
    origin: str
    confidence: int | None
    valid_from: datetime
    replaced_at: datetime
    reason: str = Field(
        description="`heard`: it never was the memory’s text, but another value of the same key "
        "that was believed less."
    )


class RevisionsOut(PageOut):
    """One page of revisions."""

    items: list[RevisionOut]


@router.get(
    "/memories/{int:memory_id}/revisions",
    auth=READ,
    response={200: RevisionsOut, **problems()},
    summary="List what a memory said before",
)
def list_revisions(request: HttpRequest, memory_id: int, page: Query[PageIn]) -> dict[str, Any]:
    """The revisions of a memory, the latest first."""
    return page_of(memory_named(request, memory_id).revisions.all(), page, order=["-id"])


@router.post(
    "/memories/{int:memory_id}/revisions/{int:revision_id}/restore",
    auth=WRITE,
    response={200: MemoryDetailOut, **problems(409)},
    summary="Restore a revision",
)
def restore_revision(request: HttpRequest, memory_id: int, revision_id: int) -> Memory:
    """Have the memory say again what it said then. What it says now becomes a revision."""
    caller = caller_of(request)
    memory = memory_named(request, memory_id)
    if parse_pk(revision_id) is None:
        raise Http404
    revision = memory.revisions.filter(pk=revision_id).first()
    if revision is None:
        raise Http404
    try:
        restore(revision, by=caller.actor)
    except (Memory.DoesNotExist, MemoryRevision.DoesNotExist):
        raise Http404 from None
    except Rejected as error:
        raise unfit(error) from error
    return memory_named(request, memory_id)
