"""Endpoints of statements that wait for review. They are for managers who are signed in: a program
or a model that reads or approves them would defeat the review.
"""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from instances.models import User
from memoryapp.api.auth import caller_of, instance_named, visible_row
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import InstanceId, TierName
from memoryapp.api.operations import reads, writes
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.api.rest.memory_changes import unfit
from memoryapp.api.schemas import MemoryDetailOut
from memoryapp.disclosure import excerpt_of
from memoryapp.models import Drawer, HeldStatement, Memory
from memoryapp.pipeline import Rejected
from memoryapp.trust.review import DecidedAlready, approve, approve_sharing, reject

router = Router(tags=["Memories"])

#: Characters of a note that is to be shared.
MAX_BEGINNING = 4_000


class HeldOut(Schema):
    """A statement that waits for review."""

    id: int
    content: str
    user_id: str
    tier: TierName
    reason: HeldStatement.Reason
    contradicts: list[int]
    conversation_id: int | None
    message_id: int | None
    note_id: int | None = Field(None, alias="drawer_id", description="A note that is to be shared.")
    via: str
    created_at: datetime

    @staticmethod
    def resolve_content(held: HeldStatement) -> str:
        """Text of the statement; of what is to be shared as it is, the title or the beginning."""
        row = held.to_share
        if row is None:
            return held.content
        if isinstance(row, Drawer):
            return excerpt_of(held.instance, row, MAX_BEGINNING)
        return str(row)

    @staticmethod
    def resolve_user_id(held: HeldStatement) -> str:
        """The end user, under the name of the API."""
        return held.end_user


class ReviewIn(PageIn):
    """The instance and pagination of the queue."""

    instance_id: InstanceId = None


class ReviewOut(PageOut):
    """One page of the queue."""

    items: list[HeldOut]


@router.get("/review", **reads(ReviewOut, "List statements that wait for review"))
def list_review(request: HttpRequest, params: Query[ReviewIn]) -> dict[str, Any]:
    """List what waits for review, newest first. Only for managers who are signed in."""
    instance = instance_named(request, params.instance_id, manages=True)
    refuse_programs(request)
    rows = HeldStatement.objects.waiting().filter(instance=instance)
    rows = rows.select_related("instance", "conversation", "drawer").defer("drawer__search")
    return page_of(rows, params, order=["-id"])


@router.post(
    "/review/{int:held_id}/approve",
    **writes({200: MemoryDetailOut, 204: None}, "Approve a statement", 409),
)
def approve_held(request: HttpRequest, held_id: int) -> Memory | Status[None]:
    """Make a memory of a held statement, or share the conversation or note that it is about, with
    no content in the response. Only for managers who are signed in.
    """
    held = _held(request, held_id)
    try:
        if held.to_share:
            approve_sharing(held, by=caller_of(request).actor)
            return Status(204, None)
        outcome = approve(held, by=caller_of(request).actor)
    except DecidedAlready as error:
        raise ApiError(409, "conflict", "Another person has decided about it meanwhile.") from error
    except Rejected as error:
        raise unfit(error) from error
    return visible_row(request, Memory.objects.defer("search"), outcome.memory.pk)


@router.post("/review/{int:held_id}/reject", **writes({204: None}, "Reject a statement"))
def reject_held(request: HttpRequest, held_id: int) -> Status[None]:
    """Delete the text of a held statement, which is not held again. Only for managers who are
    signed in.
    """
    held = _held(request, held_id)
    reject(held.instance, [held.pk], by=caller_of(request).actor)
    return Status(204, None)


def _held(request: HttpRequest, held_id: int) -> HeldStatement:
    rows = HeldStatement.objects.waiting().select_related("instance")
    held = visible_row(request, rows, held_id, manages=True)
    refuse_programs(request)
    return held


def refuse_programs(request: HttpRequest) -> User:
    """Return the person who calls; raise `ApiError` for a key."""
    user = caller_of(request).user
    if user is None:
        raise ApiError(403, "role_required", "Only people who are signed in can do this.")
    return user
