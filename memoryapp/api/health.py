"""The endpoint of the health screen's metrics and recommendations."""

from datetime import date, datetime
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from memoryapp.api.auth import instance_named
from memoryapp.api.fields import InstanceId
from memoryapp.api.operations import reads
from memoryapp.health.diagnosis import diagnose
from memoryapp.health.recommendations import Remedy, recommend
from memoryapp.models import VectorIndex

router = Router(tags=["Health"])


class HealthIn(Schema):
    """The instance."""

    instanceId: InstanceId = None


class DayOut(Schema):
    """One day of the growth."""

    day: date
    added: int = Field(description="Of the memories that are there now.")
    total: int = Field(description="Those that were there at its end, and are still.")


class RunCountsOut(Schema):
    """Runs that have not ended, or have failed."""

    running: int
    waiting: int
    stuck: int = Field(description="Waiting for longer than half a minute.")
    failed: int = Field(description="Given up, and not made up for by a later one.")


class IndexOut(Schema):
    """An approximate index with the result of its self-check."""

    of: str = Field(description="`memory` or `drawer`.")
    state: str
    recall: float | None = Field(
        description="The share of the true first ten that it finds; null until it is checked."
    )
    checks: int
    checked_at: datetime | None

    @staticmethod
    def resolve_checks(index: VectorIndex) -> int:
        return len(index.checks)


class FailureOut(Schema):
    """Failed calls to providers in the last seven days, by cause."""

    kind: str
    calls: int
    sources: list[str]
    last_at: datetime
    error: str = Field(description="What was said of the last one.")


class AdviceOut(Schema):
    """A recommendation; the screen previews it."""

    remedy: Remedy
    count: int = Field(description="How many memories or runs it is about.")
    into: int = Field(description="Of memories that are merged: how many are left then.")


class StepOut(Schema):
    """A step of the histogram of similarities to the nearest other memory."""

    from_cosine: float
    to_cosine: float
    count: int


class AlikeOut(Schema):
    """Similarity of the memories of each person."""

    compared: int = Field(description="Memories that have been compared; the rest is soon.")
    histogram: list[StepOut]
    memories: int = Field(description="Those that say what another one says.")
    groups: int


class HealthOut(Schema):
    """The metrics of one instance."""

    total: int
    with_vector: int
    without_vector: int = Field(description="They wait for one; search finds them by words.")
    embedding_problem: str = Field(description="Why they wait, in words; empty without a reason.")
    expired: int
    stale: int
    never_recalled: int
    low_importance: int = Field(description="Of importance 3 or less.")
    not_assessed: int = Field(description="Judged by nobody yet: they count as 5.")
    by_category: dict[str, int]
    by_importance: dict[int, int]
    growth: list[DayOut] = Field(description="The last 90 days, in the instance's time zone.")
    alike: AlikeOut
    runs: RunCountsOut = Field(description="Reading conversations for facts.")
    filings: RunCountsOut = Field(description="Filing turns in the palace.")
    turns: int = Field(description="In the palace.")
    turns_without_vector: int
    indexes: list[IndexOut] = Field(description="Empty: every search is exact.")
    failures: list[FailureOut]
    recommendations: list[AdviceOut]


@router.get("/health", **reads(HealthOut, "Read the health"))
def read_health(request: HttpRequest, params: Query[HealthIn]) -> dict[str, Any]:
    """Metrics of an instance's memory, and recommendations."""
    instance = instance_named(request, params.instanceId)
    diagnosis = diagnose(instance)
    duplicates = diagnosis.duplicates
    return {
        **vars(diagnosis),
        "with_vector": diagnosis.with_vector,
        "low_importance": diagnosis.unimportant,
        "alike": {
            "compared": duplicates.compared,
            "histogram": [
                {"from_cosine": begin, "to_cosine": end, "count": count}
                for begin, end, count in duplicates.steps
            ],
            "memories": duplicates.memories,
            "groups": len(duplicates.groups),
        },
        "recommendations": recommend(instance, diagnosis),
    }
