"""Recommendations for the memory of an instance: what to do, and with which memories.

A recommendation does nothing by itself. A person reviews what it would do, can leave things out,
and confirms it: see `memoryapp.web.health.recommendations`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils import timezone

from instances.models import Instance
from memoryapp.embeddings.missing_vectors import MEMORIES
from memoryapp.health.diagnosis import Diagnosis
from memoryapp.models import Memory, Run
from memoryapp.models.memory import MemoryQuerySet
from memoryapp.models.runs import RunQuerySet
from memoryapp.providers.configured import space_of


class Remedy(StrEnum):
    """Action that a recommendation proposes, by its name in URLs."""

    #: Retry failed runs.
    RUNS = "runs"
    #: Make missing vectors.
    VECTORS = "vectors"
    #: Merge duplicates.
    MERGE = "merge"
    #: Delete memories that are past their last day.
    EXPIRED = "expired"
    #: Delete unimportant memories that were never recalled.
    UNUSED = "unused"
    #: Confirm stale memories.
    STALE = "stale"


@dataclass(frozen=True)
class Recommendation:
    """A remedy, and the number of memories or runs that it concerns."""

    remedy: Remedy
    count: int
    #: For a merge: how many memories are left.
    into: int = 0


def recommend(instance: Instance, diagnosis: Diagnosis) -> list[Recommendation]:
    """Recommendations after a *diagnosis*, the most urgent first."""
    counts = {
        Remedy.RUNS: diagnosis.runs.failed + diagnosis.filings.failed,
        Remedy.VECTORS: diagnosis.without_vector,
        Remedy.MERGE: diagnosis.duplicates.memories,
        Remedy.EXPIRED: diagnosis.expired,
        Remedy.UNUSED: memories_for(Remedy.UNUSED, instance).count(),
        # Expired memories are stale as well, but cannot be confirmed.
        Remedy.STALE: memories_for(Remedy.STALE, instance).count() if diagnosis.stale else 0,
    }
    into = {Remedy.MERGE: len(diagnosis.duplicates.groups)}
    return [
        Recommendation(remedy, count, into.get(remedy, 0))
        for remedy, count in counts.items()
        if count
    ]


def is_fine(diagnosis: Diagnosis, recommendations: Sequence[Recommendation]) -> bool:
    """True if there is nothing to fix after a *diagnosis* with these *recommendations*: the one
    answer for every screen that says that all is well, and for the API.
    """
    troubles = (
        recommendations,
        diagnosis.contradictions,
        diagnosis.near_duplicates,
        diagnosis.held,
        diagnosis.summaries_failed,
        diagnosis.stalled.any,
        diagnosis.servers,
        diagnosis.embedding_problem,
        diagnosis.kept_waiting,
    )
    return not any(troubles)


def memories_for(remedy: Remedy, instance: Instance) -> MemoryQuerySet:
    """The memories that *remedy* concerns, the oldest first."""
    memories = Memory.objects.in_instance(instance).order_by("created_at", "pk")
    match remedy:
        case Remedy.VECTORS:
            waiting = MEMORIES.without_vector(instance, space_of(instance.embeddings))
            return memories.filter(pk__in=waiting.values("pk"))
        case Remedy.EXPIRED:
            return memories.expired(timezone.localdate()).order_by("valid_until", "pk")
        case Remedy.UNUSED:
            return memories.current(timezone.localdate()).unused(timezone.now())
        case Remedy.STALE:
            return memories.stale().filter(valid_until=None)
        case _:
            return memories.none()


def failed_runs(instance: Instance) -> RunQuerySet:
    """Failed runs, the latest first."""
    return Run.objects.filter(instance=instance).unresolved_failures().order_by("-pk")
