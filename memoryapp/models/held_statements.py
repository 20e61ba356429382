"""Statements that wait for a person before they are believed."""

from typing import Any, ClassVar, Self, TypeAlias

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Case, Count, F, Max, Q, Value, When, Window
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from conversations.models import Conversation, Message
from instances.constraints import allow_values
from instances.models import Instance
from instances.models.content_keys import ContentKey, InstanceContent
from instances.tiers import Tier
from memoryapp.models.memory import Attributed
from memoryapp.models.palace import Drawer


class HeldReason(models.TextChoices):
    """Why a statement waits; see `memoryapp.policy.review`."""

    INSTRUCTION = "instruction", _("gives the assistant an instruction")
    SECRET = "secret", _("states a password or another secret")
    CONTRADICTION = "contradiction", _("may contradict a memory")
    TIER = "tier", _("everything from this kind of source waits")
    SENSITIVE = "sensitive", _("is about a sensitive area of a person’s life")
    SHARED = "shared", _("is to be shared with a group")


class HeldStatementQuerySet(models.QuerySet["HeldStatement"]):
    def waiting(self) -> Self:
        """Statements that no person has decided about."""
        return self.filter(rejected_at=None)

    def reject(self) -> int:
        """Delete their texts, and keep them from being held again; return how many there were."""
        return self.update(
            rejected_at=timezone.now(), content="", as_memory={}, contradicts=[], end_user=""
        )

    def by_source(self) -> Self:
        """Statements source by source, the one with the latest statement first; each has the number
        of those of its source as ``from_source``, and the id of the latest as ``latest``.
        """
        alone = Q(conversation=None)
        source: list[Any] = [
            F("conversation"),
            Case(When(alone, then=F("via")), default=Value("")),
            Case(When(alone, via="import", then=F("batch"))),
        ]
        return self.annotate(
            from_source=Window(Count("pk"), partition_by=source),
            latest=Window(Max("pk"), partition_by=source),
        ).order_by("-latest", "-pk")

    def from_the_source_of(self, held: "HeldStatement") -> Self:
        """Statements from the conversation, file or program that *held* comes from."""
        rows = self.waiting().filter(instance=held.instance_id)
        if held.conversation_id is not None:
            return rows.filter(conversation=held.conversation_id)
        rows = rows.filter(conversation=None, via=held.via)
        return rows.filter(batch=held.batch) if held.via == "import" else rows


class HeldStatement(Attributed, InstanceContent):
    """A statement that is not a memory, unless a person approves it: from below the user, about a
    sensitive area, or to be shared with a group. No search and no model sees it.
    """

    Reason: TypeAlias = HeldReason

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="held")
    end_user = models.CharField(max_length=200, blank=True)
    #: Empty once it is rejected.
    content = models.TextField(blank=True)
    tier = models.PositiveSmallIntegerField(choices=Tier)
    reason = models.CharField(max_length=20, choices=Reason)
    #: The ids of memories that it may contradict.
    contradicts = ArrayField(models.BigIntegerField(), default=list, blank=True)
    #: The columns that it would have as a memory; see `pipeline.packed_candidates`.
    as_memory = models.JSONField(default=dict)
    #: Where it comes from: a conversation, or the part of the application that brought it, such as
    #: ``api ks_abcdef``, and the file or call.
    conversation = ContentKey(
        Conversation, on_delete=models.CASCADE, null=True, blank=True, related_name="held"
    )
    message = ContentKey(
        Message, on_delete=models.CASCADE, null=True, blank=True, related_name="held"
    )
    #: A note that is to be shared.
    drawer = ContentKey(
        Drawer, on_delete=models.CASCADE, null=True, blank=True, related_name="held"
    )
    via = models.CharField(max_length=20, blank=True)
    batch = models.UUIDField(null=True, blank=True)
    #: A hash of the text, the person and the source: the same statement is held once.
    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)
    #: Columns of `HeldStatementQuerySet.by_source`.
    from_source: int
    latest: int
    #: When a person rejected it. Only its hash is left then, so that it is not held again.
    rejected_at = models.DateTimeField(null=True, blank=True)

    objects = HeldStatementQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["instance", "digest"], name="held_once"),
            allow_values("reason", HeldReason, "held_reason"),
            allow_values("tier", Tier, "held_tier"),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["instance", "-id"], condition=Q(rejected_at=None), name="held_waiting"
            ),
        ]

    @property
    def to_share(self) -> Conversation | Drawer | None:
        """The conversation or note that is to be shared as it is; None for a statement, which
        becomes a memory.
        """
        if self.reason != HeldReason.SHARED or self.as_memory:
            return None
        return self.drawer or self.conversation

    @property
    def owner(self) -> str:
        """The person whose it is that is to be shared."""
        row = self.to_share
        return row.end_user if row else str(self.as_memory.get("shared_by") or "")

    @property
    def kind_in_words(self) -> str:
        """Kind of what is to be shared."""
        return gettext("Note") if self.drawer_id else gettext("Conversation")

    def __str__(self) -> str:
        return f"Held statement {self.pk}: {self.reason}"
