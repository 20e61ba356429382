"""The endpoint of the activity log: who or what changed the memory, and when."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from memoryapp.api.auth import instance_named
from memoryapp.api.fields import InstanceId, Moment
from memoryapp.api.operations import reads
from memoryapp.api.paging import PageIn, PageOut, page_of, with_ids
from memoryapp.models import Activity

router = Router(tags=["Activity"])


class ActivityOut(Schema):
    """An entry of the activity log."""

    id: int
    at: datetime
    action: str = Field(examples=["created"])
    by: str | None = Field(description="Username of the person who did it, or null.")
    via: str = Field(
        description="What did it, if no person: a part of Keepsake, or `api` and the beginning of "
        "a key."
    )
    memory_id: int | None = Field(description="ID of the memory, even if it is gone, or null.")
    conversation_id: int | None
    count: int = Field(description="Number of memories, messages or other rows.")
    about: str = Field(description="Name of what it is about, or empty.")

    @staticmethod
    def resolve_by(entry: Activity) -> str | None:
        return entry.by.get_username() if entry.by else None


class ActivityListIn(PageIn):
    """Filters and pagination of the activity log."""

    instance_id: InstanceId = None
    action: Activity.Action | None = None
    memory_id: int | None = Field(None, description="Only what was done to this memory.")
    conversation_id: int | None = Field(None, description="Only what came of this conversation.")
    since: Moment | None = None
    until: Moment | None = Field(None, description="The first moment after the period.")


class ActivityListOut(PageOut):
    """One page of the activity log."""

    items: list[ActivityOut]


@router.get("/activity", **reads(ActivityListOut, "List activity"))
def list_activity(request: HttpRequest, params: Query[ActivityListIn]) -> dict[str, Any]:
    """List the activity of an instance, the latest entries first. What goes on all day has one
    entry, whose `count` and `at` change.
    """
    rows = Activity.objects.filter(instance=instance_named(request, params.instance_id))
    if params.action:
        rows = rows.filter(action=params.action)
    if params.since:
        rows = rows.filter(at__gte=params.since)
    if params.until:
        rows = rows.filter(at__lt=params.until)
    rows = with_ids(rows, memory_id=params.memory_id, conversation=params.conversation_id)
    return page_of(rows.select_related("by"), params, order=["-id"])
