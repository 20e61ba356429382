"""Endpoints of runs: extraction and mining of conversations in the background."""

import time
from datetime import datetime
from typing import Any, Literal

from django.db import transaction
from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from memoryapp.api.auth import caller_of, instance_named, visible_row
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import InstanceId
from memoryapp.api.key_requests import require_person
from memoryapp.api.operations import reads_own, writes_own
from memoryapp.api.paging import PageIn, PageOut, page_of, with_ids
from memoryapp.models import Run
from memoryapp.tasks.dispatch import hand_over_on_commit

router = Router(tags=["Runs"])

#: Seconds between two looks at a run that a request waits for.
_POLL_SECONDS = 0.2

State = Literal["queued", "running", "succeeded", "failed"]
Kind = Literal["extraction", "mining"]


class RejectedOut(Schema):
    """A fact proposed by the model that was rejected."""

    position: int = Field(
        description="Position of the message that the proposal refers to. 0: none."
    )
    reason: str


class RunOut(Schema):
    """An extraction of facts from a conversation, or a filing of its messages in the palace."""

    id: int
    conversation_id: int
    kind: Kind
    state: State
    attempts: int
    error: str = Field(
        description="Why the last attempt failed. Empty if it did not fail. For a successful "
        "mining: why it did not use the language model."
    )
    first_position: int | None = Field(
        description="Position of the first message of the run, starting at 1."
    )
    last_position: int | None = Field(description="Position of the last message of the run.")
    stored: int = Field(description="Number of memories created.")
    updated: int = Field(description="Number of memories updated.")
    repeated: int = Field(description="Number of facts that were already known.")
    filed: int = Field(description="Number of messages filed by a mining.")
    rejected: list[RejectedOut]
    created_at: datetime
    due_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class RunsIn(PageIn):
    """Filters and pagination of a list of runs."""

    instance_id: InstanceId = None
    kind: Kind | None = None
    state: State | None = None
    conversation_id: int | None = None


class RunsOut(PageOut):
    """One page of runs."""

    items: list[RunOut]


@router.get("/runs", **reads_own(RunsOut, "List runs"))
def list_runs(request: HttpRequest, params: Query[RunsIn]) -> dict[str, Any]:
    """List the runs of an instance, newest first."""
    rows = Run.objects.filter(instance=instance_named(request, params.instance_id))
    if person := caller_of(request).person:
        rows = rows.filter(conversation__end_user=person)
    if params.kind:
        rows = rows.filter(kind=params.kind)
    if params.state:
        rows = rows.filter(state=params.state)
    return page_of(with_ids(rows, conversation=params.conversation_id), params, order=["-id"])


@router.get("/runs/{int:run_id}", **reads_own(RunOut, "Get a run"))
def read_run(request: HttpRequest, run_id: int) -> Run:
    """Return the progress and results of a run."""
    return visible_row(request, Run.objects.all(), run_id)


@router.post("/runs/{int:run_id}/retry", **writes_own(RunOut, "Retry a failed run", 409))
def retry_run(request: HttpRequest, run_id: int) -> Run:
    """Queue a failed run again. It does not create duplicates."""
    run = visible_row(request, Run.objects.select_related("conversation"), run_id)
    require_person(request, run.conversation.end_user)
    with transaction.atomic():
        if not run.retry():
            raise ApiError(
                409,
                "not_failed",
                "Only a failed run can be retried, and only while no other run of the same "
                "kind is queued for the conversation.",
            )
        hand_over_on_commit(run)
    return visible_row(request, Run.objects.all(), run_id)


def finished(run: Run, seconds: float) -> Run:
    """Wait for the end of *run*, for so many *seconds* at most; return it as it is then."""
    end = time.monotonic() + seconds
    while not run.is_over and (left := end - time.monotonic()) > 0:
        time.sleep(min(_POLL_SECONDS, left))
        run.refresh_from_db()
    return run
