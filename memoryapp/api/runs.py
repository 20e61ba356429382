"""Endpoints of runs: extraction and mining of conversations in the background."""

from datetime import datetime
from typing import Any, Literal

from django.db import transaction
from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from memoryapp.api.auth import instance_named, visible_row
from memoryapp.api.errors import Refusal
from memoryapp.api.fields import InstanceId
from memoryapp.api.operations import reads, writes
from memoryapp.api.paging import PageIn, PageOut, page_of, with_ids
from memoryapp.models import Run
from memoryapp.tasks.dispatch import hand_over_on_commit

router = Router(tags=["Runs"])

State = Literal["queued", "running", "succeeded", "failed"]
Kind = Literal["extraction", "mining"]


class RejectedOut(Schema):
    """A rejected proposal of the model."""

    position: int = Field(description="Of the message it pointed to; 0: to none.")
    reason: str


class RunOut(Schema):
    """One extraction of facts from a conversation, or one filing of it in the palace."""

    id: int
    conversation_id: int
    kind: Kind
    state: State
    attempts: int
    error: str = Field(
        description="Why the last attempt failed; empty when it did not. Of a mining that has "
        "succeeded: why it did without the language model."
    )
    first_position: int | None = Field(description="The first message it read, from 1.")
    last_position: int | None = Field(description="The last message it read.")
    stored: int = Field(description="New memories.")
    updated: int = Field(description="Memories that say something else now.")
    repeated: int = Field(description="Facts that were remembered already.")
    filed: int = Field(description="Turns that a mining has filed.")
    rejected: list[RejectedOut]
    created_at: datetime
    due_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class RunsIn(PageIn):
    """Filters and page of a list of runs."""

    instanceId: InstanceId = None
    kind: Kind | None = None
    state: State | None = None
    conversation_id: int | None = None


class RunsOut(PageOut):
    """One page of runs."""

    items: list[RunOut]


@router.get("/runs", **reads(RunsOut, "List runs"))
def list_runs(request: HttpRequest, params: Query[RunsIn]) -> dict[str, Any]:
    """The runs of an instance, the latest first."""
    rows = Run.objects.filter(instance=instance_named(request, params.instanceId))
    if params.kind:
        rows = rows.filter(kind=params.kind)
    if params.state:
        rows = rows.filter(state=params.state)
    return page_of(with_ids(rows, conversation=params.conversation_id), params, order=["-id"])


@router.get("/runs/{int:run_id}", **reads(RunOut, "Read a run"))
def read_run(request: HttpRequest, run_id: int) -> Run:
    """The progress and the results of a run."""
    return visible_row(request, Run.objects.all(), run_id)


@router.post("/runs/{int:run_id}/retry", **writes(RunOut, "Retry a failed run", 409))
def retry_run(request: HttpRequest, run_id: int) -> Run:
    """Put a failed run back in the queue. It makes no duplicates."""
    run = visible_row(request, Run.objects.all(), run_id)
    with transaction.atomic():
        if not run.retry():
            raise Refusal(
                409,
                "not_failed",
                "Only a failed run can be tried again, and only while no other one waits to do "
                "the same with the conversation.",
            )
        hand_over_on_commit(run)
    return visible_row(request, Run.objects.all(), run_id)
