"""Endpoints of refused proposals: list and dismiss. Keeping one is left to people on the screen."""

from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from memoryapp.api.auth import instance_named, visible_row
from memoryapp.api.fields import InstanceId
from memoryapp.api.operations import deletes, reads
from memoryapp.api.paging import PageIn, PageOut, page_of, with_ids
from memoryapp.models import RefusedProposal

router = Router(tags=["Runs"])

Reason = Literal[
    "question",
    "command",
    "name",
    "number",
    "date",
    "unsupported",
    "subject",
    "negation",
    "end_date",
]


class RefusedOut(Schema):
    """A fact that a model proposed, and that the conversation does not say."""

    id: int
    conversation_id: int
    message_id: int
    run_id: int | None
    user_id: str = Field(alias="end_user")
    content: str
    reason: Reason
    words: str = Field(description="The reason in words that follow “it”.")
    created_at: datetime


class RefusedIn(PageIn):
    """Filters and pagination of a list of refused proposals."""

    instance_id: InstanceId = None
    conversation_id: int | None = None


class RefusedListOut(PageOut):
    """One page of refused proposals."""

    items: list[RefusedOut]


@router.get("/refused", **reads(RefusedListOut, "List refused proposals"))
def list_refused(request: HttpRequest, params: Query[RefusedIn]) -> dict[str, Any]:
    """List what models proposed to remember and the gate refused, newest first."""
    rows = RefusedProposal.objects.filter(instance=instance_named(request, params.instance_id))
    return page_of(with_ids(rows, conversation=params.conversation_id), params, order=["-id"])


@router.delete("/refused/{int:refused_id}", **deletes({204: None}, "Dismiss a refused proposal"))
def dismiss_refused(request: HttpRequest, refused_id: int) -> Status[None]:
    """Delete a refused proposal. It is stored nowhere else."""
    visible_row(request, RefusedProposal.objects.all(), refused_id).delete()
    return Status(204, None)
