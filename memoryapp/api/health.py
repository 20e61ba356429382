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
from memoryapp.health.recommendations import Remedy, is_fine, recommend
from memoryapp.health.waiting_work import WaitReason
from memoryapp.models import VectorIndex

router = Router(tags=["Health"])


class HealthIn(Schema):
    """The instance to report on."""

    instance_id: InstanceId = None


class DayOut(Schema):
    """Growth of the memory on one day."""

    day: date
    added: int = Field(
        description="Memories stored on this day that still exist, whatever date an imported "
        "file gives them."
    )
    total: int = Field(description="Memories that existed at the end of this day and still exist.")


class RunCountsOut(Schema):
    """Numbers of runs that are unfinished or have failed."""

    running: int
    waiting: int
    stuck: int = Field(description="Runs that have been waiting for more than 30 seconds.")
    overdue: int = Field(description="Runs that have been waiting for more than an hour.")
    failed: int = Field(description="Failed runs that no later run has made up for.")


class IndexOut(Schema):
    """An approximate vector index and the result of its latest check."""

    of: str = Field(description="What the index contains: `memory`, `drawer` or `document`.")
    state: str
    recall: float | None = Field(
        description="Share of the true top 10 results that the index finds, or null if not "
        "checked yet."
    )
    checks: int
    checked_at: datetime | None

    @staticmethod
    def resolve_checks(index: VectorIndex) -> int:
        return len(index.checks)


class FailureOut(Schema):
    """Failed calls to providers in the last 7 days with the same cause."""

    kind: str
    calls: int
    sources: list[str]
    last_at: datetime
    error: str = Field(description="Error message of the latest failure.")


class AdviceOut(Schema):
    """A recommendation. The web interface shows a preview before it is applied."""

    remedy: Remedy
    count: int = Field(description="Number of memories or runs affected.")
    into: int = Field(
        description="Number of memories that remain after a merge. 0 for other remedies."
    )


class StepOut(Schema):
    """A bin of the histogram: memories by their similarity to the nearest other memory."""

    from_cosine: float
    to_cosine: float
    count: int


class AlikeOut(Schema):
    """Similarity between memories of the same person."""

    compared: int = Field(description="Number of memories compared so far.")
    histogram: list[StepOut]
    memories: int = Field(description="Number of memories that duplicate another one.")
    groups: int


class StalledOut(Schema):
    """Numbers of pieces of work that do not get on by themselves."""

    webhooks: int
    erasures: int
    model_changes: int = Field(description="Changes of the embedding model.")


class HealthOut(Schema):
    """Health metrics of an instance."""

    total: int
    with_vector: int
    without_vector: int = Field(
        description="Memories waiting for a vector. Search finds them by words only."
    )
    embedding_problem: str = Field(
        description="Why vectors cannot be computed at present. Empty if there is no problem."
    )
    expired: int
    stale: int
    never_recalled: int
    low_importance: int = Field(description="Memories with an importance of 3 or less.")
    not_assessed: int = Field(
        description="Memories whose importance is not assessed yet. They are treated as 5."
    )
    by_category: dict[str, int]
    by_importance: dict[int, int]
    growth: list[DayOut] = Field(
        description="Growth over the last 90 days, in the time zone of the instance."
    )
    alike: AlikeOut
    runs: RunCountsOut = Field(description="Runs that extract facts from conversations.")
    filings: RunCountsOut = Field(description="Runs that file messages in the palace.")
    turns: int = Field(description="Number of drawers in the palace.")
    turns_without_vector: int
    indexes: list[IndexOut] = Field(
        description="Approximate vector indexes. Empty if every search is exact."
    )
    failures: list[FailureOut]
    waiting_for: WaitReason = Field(
        description="What keeps waiting conversations from being read: `turn` is the work before "
        "them, `share` other work of the same holder. Empty if none waits."
    )
    stalled: StalledOut = Field(
        description="Other work that has failed and is tried again, or waits for a person."
    )
    kept_waiting: int = Field(
        description="Conversations that are kept from being read, or have waited for more than an "
        "hour."
    )
    held: int = Field(description="Statements that wait for review.")
    summaries_failed: int = Field(description="Summaries that could not be written.")
    contradictions: int = Field(description="Pairs of memories that may contradict each other.")
    near_duplicates: int = Field(
        description="Memories that say nearly the same as another one, and are no duplicates."
    )
    recommendations: list[AdviceOut]
    fine: bool = Field(description="Whether there is nothing to fix.")


@router.get("/health", **reads(HealthOut, "Get health metrics"))
def read_health(request: HttpRequest, params: Query[HealthIn]) -> dict[str, Any]:
    """Return health metrics of an instance and recommendations."""
    instance = instance_named(request, params.instance_id)
    diagnosis = diagnose(instance)
    duplicates, recommendations = diagnosis.duplicates, recommend(instance, diagnosis)
    return {
        **vars(diagnosis),
        "with_vector": diagnosis.with_vector,
        "low_importance": diagnosis.unimportant,
        "kept_waiting": diagnosis.kept_waiting,
        "alike": {
            "compared": duplicates.compared,
            "histogram": [
                {"from_cosine": begin, "to_cosine": end, "count": count}
                for begin, end, count in duplicates.steps
            ],
            "memories": duplicates.memories,
            "groups": len(duplicates.groups),
        },
        "recommendations": recommendations,
        "fine": is_fine(diagnosis, recommendations),
    }
