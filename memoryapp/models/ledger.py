"""The ledger: what ran, what changed, what it cost."""

from datetime import timedelta
from decimal import Decimal
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from conversations.models import Conversation
from instances.models import Instance, User
from memoryapp.providers.errors import ProviderError
from memoryapp.telemetry.logs import request_id

#: Prices are for so many tokens.
A_MILLION = Decimal(1_000_000)


class RunQuerySet(models.QuerySet["Run"]):
    def waiting(self) -> Self:
        """Queued, and due."""
        return self.filter(state=Run.State.QUEUED, due_at__lte=timezone.now())

    def unsent(self) -> Self:
        """Waiting, and not in any broker that can be trusted to hold it still. While another run
        reads the conversation, a worker would drop it.
        """
        old = timezone.now() - timedelta(seconds=settings.RUN_LEASE_SECONDS)
        busy = Run.objects.filter(conversation=OuterRef("conversation"), state=Run.State.RUNNING)
        return self.waiting().filter(~Exists(busy), Q(sent_at=None) | Q(sent_at__lt=old))

    def abandoned(self) -> Self:
        """Running for longer than any run may: their worker has died."""
        return self.filter(state=Run.State.RUNNING, lease_until__lt=timezone.now())

    def standing_failures(self) -> Self:
        """Failed, with no later run of the same conversation to make up for it."""
        later = Run.objects.filter(conversation=OuterRef("conversation"), pk__gt=OuterRef("pk"))
        return self.filter(~Exists(later), state=Run.State.FAILED)


class Run(models.Model):
    """One durable record of reading a conversation for facts.

    Queued in the transaction that stores the reply, so that neither a dead broker nor a dead
    worker can lose it; the database, not the broker, says what is still to do.
    """

    class State(models.TextChoices):
        #: To be done as soon as a worker is free, not before `due_at`.
        QUEUED = "queued", "waiting"
        #: Claimed by a worker until `lease_until`.
        RUNNING = "running", "being read"
        SUCCEEDED = "succeeded", "read"
        #: Given up after `MAX_ATTEMPTS`, or at once when trying again cannot help.
        FAILED = "failed", "failed"

    MAX_ATTEMPTS = 5

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="runs")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="runs")
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    #: When the broker last took it; None: not yet, or its worker gave it back.
    sent_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)
    #: What led to it, as its log lines say. Here and not in the broker's message, so that it is
    #: known also after a retry.
    request_id = models.CharField(max_length=64, blank=True, default=request_id)
    #: The messages it read: positions, both included. Empty until it has been claimed.
    first_position = models.PositiveIntegerField(null=True, blank=True)
    last_position = models.PositiveIntegerField(null=True, blank=True)
    stored = models.PositiveIntegerField(default=0)
    updated = models.PositiveIntegerField(default=0)
    repeated = models.PositiveIntegerField(default=0)
    #: Candidates that were dropped: ``{"position": 12, "reason": "…"}``, never their text.
    rejected = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "succeeded", "failed"]),
                name="run_state",
            ),
            # One waiting run reads all that is new, and two at once would read the same messages.
            models.UniqueConstraint(
                fields=["conversation"], condition=Q(state="queued"), name="run_one_queued"
            ),
            models.UniqueConstraint(
                fields=["conversation"], condition=Q(state="running"), name="run_one_running"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["due_at"], condition=Q(state__in=["queued", "running"]), name="run_to_do"
            ),
            models.Index(fields=["instance", "state"], name="run_by_state"),
        ]

    def __str__(self) -> str:
        return f"Run {self.pk} of conversation {self.conversation_id}: {self.state}"

    def claim(self) -> bool:
        """Take this run for the calling worker; False when somebody else has it, or when it is not
        due: a broker that holds two messages about it must not shorten the wait before a retry.
        """
        now = timezone.now()
        # The conditional update decides between two workers that were sent the same run; the
        # NOT EXISTS and its unique constraint between two runs of the same conversation.
        busy = Run.objects.filter(conversation=self.conversation_id, state=self.State.RUNNING)
        claimed = (
            Run.objects.waiting()
            .filter(~Exists(busy), pk=self.pk)
            .update(
                state=self.State.RUNNING,
                attempts=models.F("attempts") + 1,
                started_at=now,
                lease_until=now + timedelta(seconds=settings.RUN_LEASE_SECONDS),
                error="",
            )
        )
        if claimed:
            self.refresh_from_db()
        return bool(claimed)

    def still_mine(self) -> "models.QuerySet[Run]":
        """Narrow to this run, but only while the attempt that claimed it holds it: a worker that
        was taken for dead must not finish what another has begun again.
        """
        return Run.objects.filter(pk=self.pk, state=self.State.RUNNING, attempts=self.attempts)


class Activity(models.Model):
    """One line for each thing that changed the memory. Never the text of what was changed."""

    class Action(models.TextChoices):
        CREATED = "created"
        UPDATED = "updated"
        DELETED = "deleted"
        RESTORED = "restored"
        #: A change or a deletion was taken back.
        UNDONE = "undone"
        RELATION_ADDED = "relation_added", "relation added"
        RELATION_WITHDRAWN = "relation_withdrawn", "relation withdrawn"
        ENTITY_RENAMED = "entity_renamed", "entity renamed"
        ENTITIES_MERGED = "entities_merged", "entities merged"
        SETTINGS = "settings", "settings changed"
        KEY_MADE = "key_made", "API key made"
        KEY_REVOKED = "key_revoked", "API key revoked"
        JOINED = "joined", "member added"
        LEFT = "left", "member removed"

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="activity")
    at = models.DateTimeField(default=timezone.now)
    action = models.CharField(max_length=20, choices=Action)
    #: Who did it; None: the machine did, and `via` says which part of it.
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    via = models.CharField(max_length=20)
    #: Not a foreign key: the line outlives the memory.
    memory_id = models.BigIntegerField(null=True, blank=True)
    count = models.PositiveIntegerField(default=1)
    #: What led to it was said here; None where nothing was, and when that has been deleted.
    conversation = models.ForeignKey(
        Conversation, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    #: Of what is no memory: which settings, whose membership, which key, by its name.
    about = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering: ClassVar = ["-at", "-id"]
        verbose_name_plural = "activity"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(
                    action__in=[
                        "created",
                        "updated",
                        "deleted",
                        "restored",
                        "undone",
                        "relation_added",
                        "relation_withdrawn",
                        "entity_renamed",
                        "entities_merged",
                        "settings",
                        "key_made",
                        "key_revoked",
                        "joined",
                        "left",
                    ]
                ),
                name="activity_action",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["instance", "-at"], name="activity_list"),
            models.Index(fields=["instance", "memory_id"], name="activity_of_memory"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.memory_id or ''}".strip()


def _cost(
    instance: Instance, source: str, prompt_tokens: int, completion_tokens: int
) -> Decimal | None:
    """What a call cost; None without the prices of all that it took."""
    read = instance.embedding_price if source == Usage.Source.EMBED else instance.prompt_price
    written = instance.completion_price if completion_tokens else Decimal(0)
    if read is None or written is None:
        return None
    return (prompt_tokens * read + completion_tokens * written) / A_MILLION


class UsageQuerySet(models.QuerySet["Usage"]):
    def book(
        self,
        instance: Instance,
        source: "Usage.Source",
        model: str,
        *,
        run: Run | None = None,
        prompt_tokens: int = 0,
        completion_tokens: int = 0,
        error: ProviderError | str = "",
    ) -> "Usage":
        """Put one call on the books, a failed one with its *error*, and with what it cost at the
        instance's present prices.
        """
        return self.create(
            instance=instance,
            run=run,
            source=source,
            model=model[:200],
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost=_cost(instance, source, prompt_tokens, completion_tokens),
            error=str(error),
            error_kind=error.kind if isinstance(error, ProviderError) else "",
        )

    def failed(self) -> Self:
        """Those that a provider did not answer as it should have. What somebody stopped is none."""
        return self.exclude(error_kind="")

    def latest_error(
        self,
        instance: Instance,
        source: "Usage.Source",
        model: str,
        *,
        within: timedelta | None = None,
    ) -> str:
        """What went wrong with the instance's latest call of *model* for this, in words; empty when
        it went well, or when it is longer ago than *within*.
        """
        last = self.filter(instance=instance, source=source, model=model[:200]).first()
        if last is None:
            return ""
        forgotten = within is not None and last.at <= timezone.now() - within
        return "" if forgotten else last.error


class Usage(models.Model):
    """One call to a provider, failed ones included."""

    class Source(models.TextChoices):
        CHAT = "chat", "Chat"
        EXTRACT = "memory_extract", "Reading conversations"
        MERGE = "memory_merge", "Merging facts"
        ASSESS = "memory_assess", "Judging facts"
        SUMMARY = "memory_summary", "Summing up"
        MINE = "memory_mine", "Filing turns"
        RERANK = "memory_rerank", "Ranking results"
        EMBED = "memory_embed", "Vectors"

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="usage")
    run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, blank=True)
    at = models.DateTimeField(default=timezone.now)
    source = models.CharField(max_length=20, choices=Source)
    model = models.CharField(max_length=200)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    #: At the prices of its moment; None: the instance had not given them.
    cost = models.DecimalField(max_digits=18, decimal_places=10, null=True, blank=True)
    #: What went wrong, in a sentence; empty when the call succeeded.
    error = models.TextField(blank=True)
    #: The same as one of `providers.errors.ErrorKind`, for counting.
    error_kind = models.CharField(max_length=20, blank=True)

    objects = UsageQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-at", "-id"]
        verbose_name_plural = "usage"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(
                    source__in=[
                        "memory_extract",
                        "memory_embed",
                        "memory_merge",
                        "memory_assess",
                        "memory_rerank",
                        "memory_mine",
                        "memory_summary",
                        "chat",
                    ]
                ),
                name="usage_source",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["instance", "source", "-at"], name="usage_latest"),
            # What a month has cost is asked before each call in the background.
            models.Index(fields=["instance", "at"], include=["cost"], name="usage_spent"),
            models.Index(
                fields=["instance", "at"], condition=~Q(error_kind=""), name="usage_failed"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source} by {self.model}"
