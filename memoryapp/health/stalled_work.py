"""Work of an instance, other than reading and filing, that does not get on by itself."""

from dataclasses import dataclass

from django.db.models import Q

from instances.models import Instance
from memoryapp.models import EmbeddingJob, Erasure


@dataclass(frozen=True)
class StalledWork:
    """Numbers of pieces of work that have failed and are tried again, or wait for a person."""

    #: Webhooks that are paused, or whose latest attempts have failed.
    webhooks: int
    #: Erasures that cannot go on at present.
    erasures: int
    #: Changes of the embedding model that have failed so far, or wait for a decision.
    model_changes: int

    @property
    def any(self) -> bool:
        return bool(self.webhooks or self.erasures or self.model_changes)


def stalled_work(instance: Instance) -> StalledWork:
    """Count the stalled work of *instance*, with three queries."""
    failing = Q(failures__gt=0) | Q(paused_at__isnull=False)
    waiting = ~Q(error="") | Q(state=EmbeddingJob.State.HELD)
    return StalledWork(
        webhooks=instance.webhooks.filter(failing, enabled=True).count(),
        erasures=Erasure.objects.filter(instance=instance, finished_at=None)
        .exclude(error="")
        .count(),
        model_changes=instance.embedding_jobs.open()
        .filter(waiting, kind=EmbeddingJob.Kind.REEMBED)
        .count(),
    )
