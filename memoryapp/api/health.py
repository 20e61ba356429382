"""How a memory is doing: the figures of the health screen, and what it recommends."""

from datetime import date, datetime
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from memoryapp.api.auth import READ, instance_named
from memoryapp.api.errors import problems
from memoryapp.api.fields import InstanceId
from memoryapp.health.diagnosis import diagnose
from memoryapp.health.recommendations import Remedy, recommend
from memoryapp.models import VectorIndex

router = Router(tags=["Health"])


class HealthIn(Schema):
    """Whose."""

    instanceId: InstanceId = None


class DayOut(Schema):
    """One day of the growth."""

    day: date
    added: int = Field(description="Of the memories that are there now.")
    total: int = Field(description="Those that were there at its end, and are still.")


class RunCountsOut(Schema):
    """Work on conversations that is not over, or has been given up."""

    running: int
    waiting: int
    stuck: int = Field(description="Waiting for longer than half a minute.")
    failed: int = Field(description="Given up, and not made up for by a later one.")


class IndexOut(Schema):
    """An approximate index, and what its own check of itself says."""

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
    """Calls to a provider that failed for one reason, in the last seven days."""

    kind: str
    calls: int
    sources: list[str]
    last_at: datetime
    error: str = Field(description="What was said of the last one.")


class AdviceOut(Schema):
    """What would make it better; the screen shows it before it is done."""

    remedy: Remedy
    count: int = Field(description="How many memories or runs it is about.")
    into: int = Field(description="Of memories that are merged: how many are left then.")


class StepOut(Schema):
    """Memories whose nearest other one is as near as this."""

    from_cosine: float
    to_cosine: float
    count: int


class AlikeOut(Schema):
    """How alike the memories are, of each person apart."""

    compared: int = Field(description="Memories that have been compared; the rest is soon.")
    histogram: list[StepOut]
    memories: int = Field(description="Those that say what another one says.")
    groups: int


class HealthOut(Schema):
    """The figures of one instance."""

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


@router.get(
    "/health", auth=READ, response={200: HealthOut, **problems()}, summary="Read the health"
)
def read_health(request: HttpRequest, params: Query[HealthIn]) -> dict[str, Any]:
    """How the memory of an instance is doing, and what would make it better."""
    instance = instance_named(request, params.instanceId)
    found = diagnose(instance)
    return {
        **vars(found),
        "with_vector": found.with_vector,
        "low_importance": found.unimportant,
        "alike": {
            "compared": found.duplicates.compared,
            "histogram": [
                {"from_cosine": begin, "to_cosine": end, "count": count}
                for begin, end, count in found.duplicates.steps
            ],
            "memories": found.duplicates.memories,
            "groups": len(found.duplicates.groups),
        },
        "recommendations": recommend(instance, found),
    }
