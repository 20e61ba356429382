"""Runs: reading conversations for facts and filing their turns, in the background."""

from datetime import datetime
from typing import Any, Literal

from django.db import transaction
from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from instances.ids import parse_pk
from memoryapp.api.auth import (
    READ,
    WRITE,
    instance_named,
    visible_row,
)
from memoryapp.api.errors import Refusal, problems
from memoryapp.api.fields import InstanceId
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.models import Run
from memoryapp.tasks.dispatch import hand_over_on_commit

router = Router(tags=["Runs"])

State = Literal["queued", "running", "succeeded", "failed"]
Kind = Literal["extraction", "mining"]


class RejectedOut(Schema):
    """A proposal of the model that was not kept."""

    position: int = Field(description="Of the message it pointed to; 0: to none.")
    reason: str


class RunOut(Schema):
    """One reading of a conversation for facts, or one filing of its turns in the palace."""

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
    """Which runs, and which page of them."""

    instanceId: InstanceId = None
    kind: Kind | None = None
    state: State | None = None
    conversation_id: int | None = None


class RunsOut(PageOut):
    """One page of runs."""

    items: list[RunOut]


@router.get("/runs", auth=READ, response={200: RunsOut, **problems()}, summary="List runs")
def list_runs(request: HttpRequest, params: Query[RunsIn]) -> dict[str, Any]:
    """The runs of an instance, the latest first."""
    rows = Run.objects.filter(instance=instance_named(request, params.instanceId))
    if params.kind:
        rows = rows.filter(kind=params.kind)
    if params.state:
        rows = rows.filter(state=params.state)
    if params.conversation_id is not None:
        rows = rows.filter(conversation=parse_pk(params.conversation_id) or 0)
    return page_of(rows, params, order=["-id"])


@router.get(
    "/runs/{int:run_id}", auth=READ, response={200: RunOut, **problems()}, summary="Read a run"
)
def read_run(request: HttpRequest, run_id: int) -> Run:
    """How far a run has come, and what it brought."""
    return visible_row(request, Run.objects.all(), run_id)


@router.post(
    "/runs/{int:run_id}/retry",
    auth=WRITE,
    response={200: RunOut, **problems(409)},
    summary="Retry a failed run",
)
def retry_run(request: HttpRequest, run_id: int) -> Run:
    """Put a failed run back in the queue. Reading it again makes no duplicates."""
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
