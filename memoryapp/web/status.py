"""What the machine is doing for an instance, in a few words."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone

from instances.models import EmbeddingProvider, Instance
from memoryapp.models import Run, Usage
from memoryapp.pipeline.embedding import NOT_SET_UP

#: A run that waits longer than this has no worker to wait for.
PATIENCE = timedelta(seconds=30)


@dataclass(frozen=True)
class Learning:
    """What was learned, and what is going on."""

    learned_today: int
    running: int
    waiting: int
    #: Waiting for so long that there seems to be nobody to do it.
    stuck: int
    failed: int
    #: Why search by meaning does not work at present, in words; empty when it does.
    embedding_problem: str

    @property
    def busy(self) -> bool:
        return bool(self.running or self.waiting)

    @property
    def worker(self) -> str:
        """The worker's part of the status line."""
        if self.running:
            return f"reading {_conversations(self.running)}"
        if self.stuck:
            return f"{_conversations(self.stuck)} waiting, and no worker answers"
        if self.waiting:
            return f"{_conversations(self.waiting)} waiting to be read"
        return "nothing waiting"


def learning(instance: Instance) -> Learning:
    """Look it up, in a fixed number of queries."""
    now = timezone.now()
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    runs = instance.runs.aggregate(
        running=Count("pk", filter=Q(state=Run.State.RUNNING)),
        waiting=Count("pk", filter=Q(state=Run.State.QUEUED)),
        stuck=Count("pk", filter=Q(state=Run.State.QUEUED, due_at__lt=now - PATIENCE)),
    )
    return Learning(
        learned_today=instance.memories.filter(created_at__gte=midnight).count(),
        failed=Run.objects.filter(instance=instance).standing_failures().count(),
        embedding_problem=_embedding_problem(instance),
        **runs,
    )


def _embedding_problem(instance: Instance) -> str:
    if instance.embedding_provider == EmbeddingProvider.BUILTIN:
        return ""
    if not instance.has_embeddings:
        return NOT_SET_UP
    return Usage.objects.embedding_error(instance)


def _conversations(count: int) -> str:
    return "1 conversation" if count == 1 else f"{count:,} conversations"
