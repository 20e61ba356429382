"""Runs: background work on a conversation, and its result."""

import contextlib
import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Self, TypeAlias

from django.db import IntegrityError, models, transaction
from django.db.models import Case, Count, Exists, OuterRef, Q, When
from django.utils import timezone

from conversations.models import Conversation, ConversationOrigin
from instances.constraints import allow_values
from instances.models import Instance
from instances.models.content_keys import ContentKey
from instances.models.fields import TranslatableJSONField, TranslatableTextField
from instances.models.leased_jobs import LeasedJob, not_sent_lately
from memoryapp.providers.errors import ProviderError
from memoryapp.telemetry.logs import request_id

#: A run that has been due for longer than this is kept from being carried out by something.
WAITING_TOO_LONG = timedelta(seconds=30)
#: A run that has been due for longer than this is something to look into, whatever the reason.
OVERDUE = timedelta(hours=1)

#: Seconds before the second attempt; doubles with each further one.
FIRST_BACKOFF_SECONDS = 10.0

#: The order of an instance's runs: new messages before imported ones, reading before filing, and
#: the latest first. A run that waits for another one (see `before_filing`) comes after it: only a
#: few are sent at a time, and if all of these waited, what they wait for would never be sent.
PRESSING_FIRST = (
    Case(When(conversation__origin=ConversationOrigin.IMPORT, then=1), default=0),
    Case(When(kind="mining", then=1), default=0),
    "-created_at",
    "-pk",
)


class RunKind(models.TextChoices):
    """Work that a run does with a conversation."""

    EXTRACTION = "extraction", "reading for facts"
    MINING = "mining", "filing turns"


class RunState(models.TextChoices):
    """How far a run has got."""

    #: Waiting for a worker, not before `due_at`.
    QUEUED = "queued", "waiting"
    #: Claimed by a worker until `lease_until`.
    RUNNING = "running", "being read"
    SUCCEEDED = "succeeded", "read"
    #: Given up after `MAX_ATTEMPTS`, or at once if trying again cannot help.
    FAILED = "failed", "failed"


@dataclass(frozen=True)
class RunCounts:
    """Numbers of runs by state, as every screen and the API give them."""

    running: int = 0
    waiting: int = 0
    #: Waiting, and due for longer than `WAITING_TOO_LONG`.
    stuck: int = 0
    #: Waiting, and due for longer than `OVERDUE`.
    overdue: int = 0
    #: Failed, without a later run that made up for it.
    failed: int = 0

    @property
    def are_any(self) -> bool:
        """True if a run works, waits or has failed."""
        return bool(self.running or self.waiting or self.failed)


class RunQuerySet(models.QuerySet["Run"]):
    def open(self) -> Self:
        """Runs that are not over."""
        return self.filter(state__in=[Run.State.QUEUED, Run.State.RUNNING])

    def counts(self) -> RunCounts:
        """Count these runs by state, with two queries."""
        waiting, now = Q(state=Run.State.QUEUED), timezone.now()
        return RunCounts(
            **self.open().aggregate(
                running=Count("pk", filter=Q(state=Run.State.RUNNING)),
                waiting=Count("pk", filter=waiting),
                stuck=Count("pk", filter=waiting & Q(due_at__lt=now - WAITING_TOO_LONG)),
                overdue=Count("pk", filter=waiting & Q(due_at__lt=now - OVERDUE)),
            ),
            failed=self.unresolved_failures().count(),
        )

    def extractions(self) -> Self:
        """Runs that extract facts."""
        return self.filter(kind=Run.Kind.EXTRACTION)

    def minings(self) -> Self:
        """Runs that file messages in the palace."""
        return self.filter(kind=Run.Kind.MINING)

    def waiting(self) -> Self:
        """Queued, and due."""
        return self.filter(state=Run.State.QUEUED, due_at__lte=timezone.now())

    def unsent(self) -> Self:
        """Waiting, and either never sent to the broker, or sent so long ago that it may be lost.
        Not while another run of this kind processes the conversation: a worker would drop it.
        """
        busy = _others().filter(state=Run.State.RUNNING)
        return self.waiting().filter(~Exists(busy), not_sent_lately())

    def abandoned(self) -> Self:
        """Runs without a heartbeat: their worker has died or hangs."""
        return self.filter(state=Run.State.RUNNING, lease_until__lt=timezone.now())

    def before_filing(self, run: "Run") -> Self:
        """Waiting extractions that come before *run*, a mining, in `PRESSING_FIRST`."""
        first = self.extractions().waiting()
        if run.is_urgent:
            return first.exclude(conversation__origin=ConversationOrigin.IMPORT)
        return first

    def unresolved_failures(self) -> Self:
        """Failed, without a later run of the same conversation that made up for it."""
        later = _others().filter(pk__gt=OuterRef("pk"))
        return self.filter(~Exists(later), state=Run.State.FAILED)

    def queue(
        self, conversation: Conversation, kind: "Run.Kind", *, with_model: bool = True
    ) -> "Run | None":
        """Queue a run over the new messages of *conversation*, unless one is waiting already.

        Belongs in the transaction that stores the messages, so that both are stored or neither.
        """
        while True:
            waiting = self.filter(conversation=conversation, kind=kind, state=Run.State.QUEUED)
            # The lock decides the race with a worker that is about to claim the waiting run: it
            # reads the messages only after this transaction has made them visible.
            if waiting.select_for_update(of=("self",)).first() is not None:
                return None
            # Another transaction may queue one between the two statements; then lock that one.
            with contextlib.suppress(IntegrityError), transaction.atomic():
                return self.create(
                    instance_id=conversation.instance_id,
                    conversation=conversation,
                    kind=kind,
                    with_model=with_model,
                )


def _others() -> RunQuerySet:
    """The runs of the same kind over the same conversation."""
    return Run.objects.filter(
        instance=OuterRef("instance"), conversation=OuterRef("conversation"), kind=OuterRef("kind")
    )


class Run(LeasedJob):
    """Durable work on a conversation: extracting facts, or filing its messages.

    Queued in the transaction that stores the reply, so that neither a dead broker nor a dead worker
    can lose it. The database, not the broker, knows what is left to do.
    """

    Kind: TypeAlias = RunKind
    State: TypeAlias = RunState

    MAX_ATTEMPTS = 5

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="runs")
    conversation = ContentKey(Conversation, on_delete=models.CASCADE, related_name="runs")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.EXTRACTION)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    #: For mining: whether the language model may be used. Without it, messages are filed by their
    #: conversation only. For extraction: whether a model has read, and not the built-in reader.
    with_model = models.BooleanField(default=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    #: When it was last sent to the broker; None if it was not, or its worker has released it.
    sent_at = models.DateTimeField(null=True, blank=True)
    #: For a successful run: why it did not use the language model.
    error = TranslatableTextField(blank=True)
    #: The request that led to it, for its log lines. Stored here and not in the broker's message,
    #: so that it is known after a retry, too.
    request_id = models.CharField(max_length=64, blank=True, default=request_id)
    #: Positions of the first and last message that it reads. Empty until it has been claimed.
    first_position = models.PositiveIntegerField(null=True, blank=True)
    last_position = models.PositiveIntegerField(null=True, blank=True)
    stored = models.PositiveIntegerField(default=0)
    updated = models.PositiveIntegerField(default=0)
    repeated = models.PositiveIntegerField(default=0)
    #: Messages that a mining has filed.
    filed = models.PositiveIntegerField(default=0)
    #: Candidates that were dropped: ``{"position": 12, "reason": "…"}``, never their text.
    rejected = TranslatableJSONField(default=list, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        constraints: ClassVar = [
            allow_values("state", RunState, "run_state"),
            allow_values("kind", RunKind, "run_kind"),
            # One waiting run reads all new messages, and two at once would read the same ones.
            models.UniqueConstraint(
                fields=["conversation", "kind"],
                condition=Q(state=RunState.QUEUED.value),
                name="run_one_queued",
            ),
            models.UniqueConstraint(
                fields=["conversation", "kind"],
                condition=Q(state=RunState.RUNNING.value),
                name="run_one_running",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["due_at"],
                condition=Q(state__in=[RunState.QUEUED.value, RunState.RUNNING.value]),
                name="run_to_do",
            ),
            models.Index(fields=["instance", "state"], name="run_by_state"),
        ]

    def __str__(self) -> str:
        return f"Run {self.pk} ({self.kind}) of conversation {self.conversation_id}: {self.state}"

    @property
    def is_mining(self) -> bool:
        return self.kind == self.Kind.MINING

    @property
    def is_over(self) -> bool:
        return self.state in (self.State.SUCCEEDED, self.State.FAILED)

    @property
    def is_urgent(self) -> bool:
        """True if the messages are not imported, so that questions about them may come soon."""
        return self.conversation.origin != ConversationOrigin.IMPORT

    def claim(self) -> bool:
        """Claim this run for the calling worker; False if another worker has it, or if it is not
        due: a second message of the broker about it must not shorten the wait before a retry.
        """
        # The NOT EXISTS and its unique constraint decide between two runs of one conversation.
        busy = Run.objects.filter(
            instance=self.instance_id,
            conversation=self.conversation_id,
            kind=self.kind,
            state=self.State.RUNNING,
        )
        return self.claim_among(
            Run.objects.waiting().filter(~Exists(busy)),
            state=self.State.RUNNING,
            attempts=models.F("attempts") + 1,
            started_at=timezone.now(),
            error="",
        )

    def retry(self) -> bool:
        """Queue a failed run again; False if there is nothing to retry."""
        try:
            with transaction.atomic():
                return bool(
                    self.row()
                    .filter(state=self.State.FAILED)
                    .update(
                        state=self.State.QUEUED,
                        attempts=0,
                        due_at=timezone.now(),
                        sent_at=None,
                        error="",
                    )
                )
        except IntegrityError:
            return False  # A newer run is waiting already, and will read these messages too.

    def try_later_after(self, error: ProviderError, *, retryable: bool | None = None) -> None:
        """Release this run after a provider's *error*: see `try_later`. A call that was not sent
        does not count as an attempt: the run waits until the server is called again, without limit.
        """
        if error.was_sent:
            retryable = error.retryable if retryable is None else retryable
            self.try_later(str(error), retryable=retryable, after=error.retry_after)
            return
        due_at = timezone.now() + timedelta(seconds=error.retry_after or 0)
        self._queue_again(due_at, str(error), attempts=self.attempts - 1)

    def try_later(self, error: str, *, retryable: bool, after: float | None = None) -> None:
        """Release this run: queue it again, not before *after* seconds, or give up."""
        if retryable and self.attempts < self.MAX_ATTEMPTS:
            # Jitter, so that runs that failed together are not retried together.
            backoff = FIRST_BACKOFF_SECONDS * 2 ** (self.attempts - 1) * random.uniform(0.8, 1.2)  # noqa: S311
            due_at = timezone.now() + timedelta(seconds=max(backoff, min(after or 0, 600)))
            self._queue_again(due_at, error, attempts=self.attempts)
        else:
            self._give_up(error)

    def _queue_again(self, due_at: datetime, error: str, *, attempts: int) -> None:
        try:
            with transaction.atomic():
                self.release(
                    state=self.State.QUEUED,
                    due_at=due_at,
                    sent_at=None,
                    attempts=attempts,
                    error=error,
                )
        except IntegrityError:
            # A newer run is waiting already, and will read these messages.
            self._give_up(error)

    def _give_up(self, error: str) -> None:
        self.release(state=self.State.FAILED, finished_at=timezone.now(), error=error)
