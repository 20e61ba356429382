"""Endpoints of statements that wait for review. They are for managers who are signed in: a program
or a model that reads or approves them would defeat the review.
"""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status

from instances.models import User
from memoryapp.api.auth import caller_of, instance_named, visible_row
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import InstanceId, TierName
from memoryapp.api.operations import reads, writes
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.api.rest.memory_changes import unfit
from memoryapp.api.schemas import MemoryDetailOut
from memoryapp.models import HeldStatement, Memory
from memoryapp.pipeline import Rejected
from memoryapp.trust.review import DecidedAlready, approve, reject

router = Router(tags=["Memories"])


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
    via: str
    created_at: datetime

    @staticmethod
    def resolve_user_id(held: HeldStatement) -> str:
        """The end user, under the name of the API."""
        return held.end_user


class ReviewIn(PageIn):
    """The instance and pagination of the queue."""

    instanceId: InstanceId = None


class ReviewOut(PageOut):
    """One page of the queue."""

    items: list[HeldOut]


@router.get("/review", **reads(ReviewOut, "List statements that wait for review"))
def list_review(request: HttpRequest, params: Query[ReviewIn]) -> dict[str, Any]:
    """List what waits for review, newest first. Only for managers who are signed in."""
    instance = instance_named(request, params.instanceId, manages=True)
    refuse_programs(request)
    rows = HeldStatement.objects.waiting().filter(instance=instance)
    return page_of(rows, params, order=["-id"])


@router.post("/review/{int:held_id}/approve", **writes(MemoryDetailOut, "Approve a statement", 409))
def approve_held(request: HttpRequest, held_id: int) -> Memory:
    """Make a memory of a held statement. Only for managers who are signed in."""
    held = _held(request, held_id)
    try:
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
