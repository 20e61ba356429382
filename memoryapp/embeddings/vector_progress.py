"""How long it takes until search finds everything of an instance by meaning."""

from dataclasses import dataclass

from django.db.models import Count, Min, Q
from django.utils import timezone

from conversations.time_left import seconds_left
from instances.models import Instance
from memoryapp.models import EmbeddingJob, Run

_OPEN_RUNS = (Run.State.QUEUED, Run.State.RUNNING)


@dataclass(frozen=True)
class VectorProgress:
    """The work under way until search finds all messages by meaning."""

    #: The estimated time until it is done; None while it is not known, or while it waits.
    seconds_left: float | None
    #: Why it waits, as a sentence; empty if nothing is wrong.
    problem: str = ""


def vector_progress(instance: Instance) -> VectorProgress | None:
    """Return the progress of *instance*; None if nothing is under way."""
    filing = _filing(instance)
    job = fill_in_under_way(instance)
    if job is None:
        return filing
    if filing is None:
        return VectorProgress(job.seconds_left, job.error)
    # Both use the same embedder, one after the other.
    known = filing.seconds_left is not None and job.seconds_left is not None
    total = (filing.seconds_left or 0) + (job.seconds_left or 0) if known else None
    return VectorProgress(total, job.error)


def fill_in_under_way(instance: Instance) -> EmbeddingJob | None:
    """Return the job that makes missing vectors of *instance*, if one runs or waits."""
    return instance.embedding_jobs.filter(
        kind=EmbeddingJob.Kind.FILL_IN, state=EmbeddingJob.State.RUNNING
    ).first()


def _filing(instance: Instance) -> VectorProgress | None:
    runs = Run.objects.minings().filter(instance=instance)
    since = runs.filter(state__in=_OPEN_RUNS).aggregate(since=Min("created_at"))["since"]
    if since is None:
        return None
    counts = runs.filter(created_at__gte=since).aggregate(
        total=Count("pk"), left=Count("pk", filter=Q(state__in=_OPEN_RUNS))
    )
    done = counts["total"] - counts["left"]
    return VectorProgress(seconds_left(done, counts["total"], since=since, until=timezone.now()))
