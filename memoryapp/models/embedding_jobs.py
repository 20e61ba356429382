"""Vectors that are to be made: a durable piece of work that screen, command and workers share."""

from datetime import timedelta
from typing import ClassVar, Self, TypeAlias

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from instances.embedding_choice import EmbeddingChoice
from instances.models import Instance, User
from memoryapp.models.embedding_spaces import EmbeddingSpace
from memoryapp.models.leases import lease_end

#: Texts that go to a provider in one call, unless somebody says otherwise.
BATCH_SIZE = 64
#: Seconds for which a worker may hold a job before it counts as hanging.
MAX_SECONDS = 300.0
#: Seconds without progress after which a job looks stuck.
STALLED_AFTER_SECONDS = 120.0
#: Seconds for which a provider that has failed is left alone, the first time and at most.
RETRY_SECONDS, MAX_RETRY_SECONDS = 60, 600


class EmbeddingJobKind(models.TextChoices):
    """What the vectors are made for."""

    FILL_IN = "fill_in"
    REEMBED = "reembed"


class EmbeddingJobState(models.TextChoices):
    """How far a job has got."""

    #: At work, or waiting for a worker, or until `due_at`.
    RUNNING = "running"
    #: The new vectors are all there and find less: somebody has to say what to do.
    HELD = "held"
    #: All are there; the instance searches them.
    DONE = "done"
    CANCELLED = "cancelled"


#: The states of jobs that are not over.
OPEN_STATES = [EmbeddingJobState.RUNNING.value, EmbeddingJobState.HELD.value]


class EmbeddingJobQuerySet(models.QuerySet["EmbeddingJob"]):
    def open(self) -> Self:
        """Those that are not over."""
        return self.filter(state__in=EmbeddingJob.OPEN)

    def due(self) -> Self:
        """Those that a worker may take up now."""
        now = timezone.now()
        free = Q(lease_until=None) | Q(lease_until__lt=now)
        return self.filter(free, state=EmbeddingJob.State.RUNNING, due_at__lte=now)

    def keeping(self) -> Self:
        """Those that keep vectors which no search uses: to go over to them, or back."""
        return self.filter(kept_until__gt=timezone.now())


class EmbeddingJob(models.Model):
    """Either fills in the vectors that are missing in the space that its instance searches, or
    makes those of another space beside them and then lets the instance go over to it.
    """

    Kind: TypeAlias = EmbeddingJobKind

    State: TypeAlias = EmbeddingJobState

    OPEN: ClassVar = OPEN_STATES

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="embedding_jobs")
    #: Who wanted it; None: the machine found vectors missing.
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    kind = models.CharField(max_length=10, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    #: Of a re-embedding: the `EmbeddingChoice` to go over to, and the one before.
    target = models.JSONField(null=True, blank=True)
    former = models.JSONField(null=True, blank=True)
    #: Where the vectors go; None until the model has told how long they are.
    space = models.ForeignKey(
        EmbeddingSpace, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    #: Where the vectors from before are, once the instance has gone over.
    former_space = models.ForeignKey(
        EmbeddingSpace, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    #: Whether the instance goes over only when the new vectors find about as much.
    compares = models.BooleanField(default=True)
    #: What the comparison found: see `memoryapp.embeddings.comparison_verdict.Verdict`.
    verdict = models.JSONField(null=True, blank=True)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    #: Ids of memories whose text the model refuses, though it takes others.
    refused = ArrayField(models.BigIntegerField(), default=list, blank=True)
    #: Ids of drawers likewise.
    refused_drawers = ArrayField(models.BigIntegerField(), default=list, blank=True)
    #: Texts a call, and texts a minute; 0: as fast as the provider answers.
    batch = models.PositiveSmallIntegerField(default=BATCH_SIZE)
    rate = models.PositiveIntegerField(default=0)
    #: Not to be gone on with before.
    due_at = models.DateTimeField(default=timezone.now)
    #: Why it waits, in words; empty while all goes well.
    error = models.TextField(blank=True)
    #: How often it has failed since it last got on.
    failures = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    #: How often a worker has taken it up; tells whether it still holds it.
    claims = models.PositiveIntegerField(default=0)
    #: Until when vectors that no search uses are kept: the former ones once the instance has gone
    #: over, the new ones while somebody has to decide.
    kept_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = EmbeddingJobQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(state__in=EmbeddingJobState.values), name="embedding_job_state"
            ),
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
        """Who makes the vectors."""
        return EmbeddingChoice.stored(self.target) if self.target else self.instance.embeddings

    @property
    def former_choice(self) -> EmbeddingChoice | None:
        """Who made the vectors from before."""
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
        """Whether the vectors from before are still there."""
        kept = self.kept_until is not None and self.kept_until > timezone.now()
        return kept and self.state == self.State.DONE

    @property
    def percent(self) -> int:
        return min(100, 100 * self.done // self.total) if self.total else 0

    @property
    def is_stuck(self) -> bool:
        """Whether it should be at work, and nobody is."""
        since = self.heartbeat_at or self.created_at
        waited = timezone.now() - max(since, self.due_at)
        return self.is_running and waited > timedelta(
            seconds=STALLED_AFTER_SECONDS if self.heartbeat_at else 60
        )

    @property
    def per_minute(self) -> int:
        """How many vectors a minute it has made, waits included."""
        if not self.done or self.heartbeat_at is None:
            return 0
        seconds = max(1.0, (self.heartbeat_at - self.created_at).total_seconds())
        return round(60 * self.done / seconds)

    @property
    def minutes_left(self) -> int | None:
        """How much longer it will take; None while nobody can tell."""
        speed = self.per_minute
        return -(-max(0, self.total - self.done) // speed) if speed else None

    @property
    def agreement(self) -> int:
        """How much the two models' lists had in common, in per cent."""
        return round(100 * self.verdict["agreement"]) if self.verdict else 0

    # A worker's hold on it.

    def claim(self) -> bool:
        """Take it for the calling worker; False when it is not due, or somebody else has it."""
        now = timezone.now()
        # The conditional update decides between two workers.
        claimed = (
            EmbeddingJob.objects.due()
            .filter(pk=self.pk)
            .update(
                claims=F("claims") + 1,
                lease_until=lease_end(),
                heartbeat_at=now,
            )
        )
        if claimed:
            self.refresh_from_db()
        return bool(claimed)

    def still_mine(self) -> "EmbeddingJobQuerySet":
        """Narrow to this job, but only while it runs, and the worker that claimed it holds it."""
        return EmbeddingJob.objects.filter(pk=self.pk, state=self.State.RUNNING, claims=self.claims)

    def heartbeat(self, *, more: int = 0) -> bool:
        """Show a sign of life, with *more* vectors made; False when it was taken away."""
        got_on = {"done": F("done") + more, "error": "", "failures": 0} if more else {}
        held = self.still_mine().update(
            heartbeat_at=timezone.now(), lease_until=lease_end(), **got_on
        )
        if held:
            self.done += more
            if more:
                self.error, self.failures = "", 0
        return bool(held)

    def release(self) -> None:
        """Let another worker go on."""
        self.still_mine().update(lease_until=None)

    def postpone(self, seconds: float | None = None, *, error: str = "") -> None:
        """Let it rest for *seconds*; after an *error* without any, the longer the more there were
        in a row.
        """
        self.error = error
        self.failures += bool(error)
        if seconds is None:
            seconds = min(RETRY_SECONDS * 2 ** (self.failures - 1), MAX_RETRY_SECONDS)
        self.due_at = timezone.now() + timedelta(seconds=seconds)
        self.still_mine().update(error=self.error, failures=self.failures, due_at=self.due_at)
