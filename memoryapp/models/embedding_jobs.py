"""Embedding jobs: durable work that makes vectors, shared by screens, commands and workers."""

from datetime import timedelta
from typing import ClassVar, Self, TypeAlias

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from conversations.time_left import seconds_left
from instances.constraints import allow_values
from instances.embedding_choice import EmbeddingChoice
from instances.models import Instance, User
from instances.models.content_keys import ContentKey
from instances.models.fields import TranslatableTextField
from instances.models.leased_jobs import LeasedJob, lease_is_free
from memoryapp.models.embedding_spaces import EmbeddingSpace

#: The default number of texts per call to a provider.
BATCH_SIZE = 64
#: The same for the built-in embedder, which has no limits: all cores are kept busy for longer, and
#: the database is asked less often.
BUILTIN_BATCH_SIZE = 256
#: Seconds after which a worker that holds a job counts as hanging.
MAX_SECONDS = 300.0
#: Seconds without progress after which a job looks stuck.
STALLED_AFTER_SECONDS = 120.0
#: Seconds before a failed provider is called again: the first time, and at most.
RETRY_SECONDS, MAX_RETRY_SECONDS = 60, 600


class EmbeddingJobKind(models.TextChoices):
    """Purpose for which the vectors are made."""

    FILL_IN = "fill_in"
    REEMBED = "reembed"


class EmbeddingJobState(models.TextChoices):
    """How far a job has got."""

    #: Being processed, or waiting for a worker or for `due_at`.
    RUNNING = "running"
    #: The new vectors are complete but find less: a person has to decide.
    HELD = "held"
    #: Complete, and in use.
    DONE = "done"
    CANCELLED = "cancelled"


#: The states of jobs that are not over.
OPEN_STATES = [EmbeddingJobState.RUNNING.value, EmbeddingJobState.HELD.value]


class EmbeddingJobQuerySet(models.QuerySet["EmbeddingJob"]):
    def open(self) -> Self:
        """Jobs that are not finished."""
        return self.filter(state__in=EmbeddingJob.OPEN)

    def due(self) -> Self:
        """Jobs that a worker may claim now."""
        return self.filter(
            lease_is_free(), state=EmbeddingJob.State.RUNNING, due_at__lte=timezone.now()
        )

    def keeping(self) -> Self:
        """Jobs that keep unused vectors, to switch to them or back."""
        return self.filter(kept_until__gt=timezone.now())


class EmbeddingJob(LeasedJob):
    """Makes missing vectors, of the instance's present model or of one to switch to."""

    Kind: TypeAlias = EmbeddingJobKind

    State: TypeAlias = EmbeddingJobState

    OPEN: ClassVar = OPEN_STATES

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="embedding_jobs")
    #: None if it was created automatically.
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    kind = models.CharField(max_length=10, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    #: For a re-embedding: the `EmbeddingChoice` to switch to, and the former one.
    target = models.JSONField(null=True, blank=True)
    former = models.JSONField(null=True, blank=True)
    #: The space of the vectors; None until their length is known.
    space = ContentKey(
        EmbeddingSpace, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    #: The space of the former vectors, once the instance has switched.
    former_space = ContentKey(
        EmbeddingSpace, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    #: True if the instance switches only if the new vectors find about as much.
    compares = models.BooleanField(default=True)
    #: The result of the comparison: see `memoryapp.embeddings.comparison_verdict`.
    verdict = models.JSONField(null=True, blank=True)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    #: Ids of memories whose text the model refuses, though it accepts others.
    refused = ArrayField(models.BigIntegerField(), default=list, blank=True)
    #: The same for drawers.
    refused_drawers = ArrayField(models.BigIntegerField(), default=list, blank=True)
    #: And for stored documents.
    refused_documents = ArrayField(models.BigIntegerField(), default=list, blank=True)
    #: Texts per call, and texts per minute; 0: as fast as the provider answers.
    batch = models.PositiveSmallIntegerField(default=BATCH_SIZE)
    rate = models.PositiveIntegerField(default=0)
    #: Not to be continued before.
    due_at = models.DateTimeField(default=timezone.now)
    #: Why it waits, as a sentence; empty if nothing is wrong.
    error = TranslatableTextField(blank=True)
    #: Failures since its last progress.
    failures = models.PositiveSmallIntegerField(default=0)
    #: Until when unused vectors are kept: the former ones after a switch, the new ones while a
    #: person has to decide.
    kept_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = EmbeddingJobQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        constraints: ClassVar = [
            allow_values("state", EmbeddingJobState, "embedding_job_state"),
            models.CheckConstraint(
                condition=Q(kind=EmbeddingJobKind.FILL_IN.value, target__isnull=True)
                | Q(kind=EmbeddingJobKind.REEMBED.value, target__isnull=False),
                name="embedding_job_target",
            ),
            models.UniqueConstraint(
                fields=["instance", "kind"],
                condition=Q(state__in=OPEN_STATES),
                name="embedding_job_one_open",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.instance_id}: {self.state}, {self.done} of {self.total}"

    @property
    def choice(self) -> EmbeddingChoice:
        """The model that makes the vectors."""
        return EmbeddingChoice.stored(self.target) if self.target else self.instance.embeddings

    @property
    def former_choice(self) -> EmbeddingChoice | None:
        """The model of the former vectors."""
        return EmbeddingChoice.stored(self.former) if self.former else None

    @property
    def is_open(self) -> bool:
        return self.state in self.OPEN

    @property
    def is_running(self) -> bool:
        return self.state == self.State.RUNNING

    @property
    def is_held(self) -> bool:
        return self.state == self.State.HELD

    @property
    def is_reembedding(self) -> bool:
        return self.kind == self.Kind.REEMBED

    @property
    def can_go_back(self) -> bool:
        """True if the former vectors still exist."""
        keeps = self.kept_until is not None and self.kept_until > timezone.now()
        return keeps and self.state == self.State.DONE

    @property
    def percent(self) -> int:
        return min(100, 100 * self.done // self.total) if self.total else 0

    @property
    def is_stuck(self) -> bool:
        """True if it should be running, but no worker processes it."""
        since = self.heartbeat_at or self.created_at
        waited = timezone.now() - max(since, self.due_at)
        return self.is_running and waited > timedelta(
            seconds=STALLED_AFTER_SECONDS if self.heartbeat_at else 60
        )

    @property
    def per_minute(self) -> int:
        """Vectors per minute so far, including waits."""
        if not self.done or self.heartbeat_at is None:
            return 0
        seconds = max(1.0, (self.heartbeat_at - self.created_at).total_seconds())
        return round(60 * self.done / seconds)

    @property
    def seconds_left(self) -> float | None:
        """The estimated time until it is done; None if unknown, or while it waits."""
        if self.error or not self.is_running or self.is_stuck:
            return None
        return seconds_left(self.done, self.total, since=self.created_at, until=self.heartbeat_at)

    @property
    def agreement(self) -> int:
        """The overlap of the two models' lists, in per cent."""
        return round(100 * self.verdict["agreement"]) if self.verdict else 0

    # Claiming and releasing.

    def claim(self) -> bool:
        """Claim it for the calling worker; False if it is not due, or another worker has it."""
        return self.claim_among(EmbeddingJob.objects.due(), heartbeat_at=timezone.now())

    def heartbeat(self, *, more: int = 0) -> bool:
        """Renew the lease, with *more* vectors made; False if another worker has taken over."""
        progress = {"done": F("done") + more, "error": "", "failures": 0} if more else {}
        held = self.renew(heartbeat_at=timezone.now(), **progress)
        if held:
            self.done += more
            if more:
                self.error, self.failures = "", 0
        return held

    def postpone(self, seconds: float | None = None, *, error: str = "") -> None:
        """Postpone it by *seconds*; by default, longer with each *error* in a row."""
        self.error = error
        self.failures += bool(error)
        if seconds is None:
            seconds = min(RETRY_SECONDS * 2 ** (self.failures - 1), MAX_RETRY_SECONDS)
        self.due_at = timezone.now() + timedelta(seconds=seconds)
        self.still_mine().update(error=self.error, failures=self.failures, due_at=self.due_at)
