"""What would make an instance's memory better: each remedy, what it is about, and why.

A remedy does nothing by itself. A person looks at what it would do, leaves out what they like, and
says so; see `memoryapp.health.remedies`.
"""

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
    """What can be done, by its name in addresses."""

    #: Have done again what was given up.
    RUNS = "runs"
    #: Make the vectors that are missing.
    VECTORS = "vectors"
    #: Put together what says the same.
    MERGE = "merge"
    #: Delete what has passed its last day.
    EXPIRED = "expired"
    #: Delete what is of little weight and was never needed.
    UNUSED = "unused"
    #: Say that what has gone stale still holds.
    STALE = "stale"


@dataclass(frozen=True)
class Recommendation:
    """A remedy, and how many things it is about."""

    remedy: Remedy
    count: int
    #: Of what is put together: how many are left then.
    into: int = 0


def recommend(instance: Instance, found: Diagnosis) -> list[Recommendation]:
    """What to do about *found*, the most pressing first."""
    counts = {
        Remedy.RUNS: found.runs.failed + found.filings.failed,
        Remedy.VECTORS: found.without_vector,
        Remedy.MERGE: found.duplicates.memories,
        Remedy.EXPIRED: found.expired,
        Remedy.UNUSED: memories_for(Remedy.UNUSED, instance).count(),
        # What has expired is stale as well, and cannot be made current by saying so.
        Remedy.STALE: memories_for(Remedy.STALE, instance).count() if found.stale else 0,
    }
    into = {Remedy.MERGE: len(found.duplicates.groups)}
    return [
        Recommendation(remedy, count, into.get(remedy, 0))
        for remedy, count in counts.items()
        if count
    ]


def memories_for(remedy: Remedy, instance: Instance) -> MemoryQuerySet:
    """The memories that *remedy* is about, those first that have lain longest."""
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
    """What was given up, the latest first."""
    return Run.objects.filter(instance=instance).standing_failures().order_by("-pk")
