"""Memories that an assistant proposes to forget, and what people decided."""

from collections.abc import Iterable
from typing import ClassVar, Self, TypeAlias

from django.db import models
from django.db.models import Q
from django.utils import timezone

from instances.models import Instance, User
from instances.models.content_keys import ContentKey, InstanceContent
from memoryapp.models.answers import Answer
from memoryapp.models.memory import Memory


class ProposalDecision(models.TextChoices):
    """Decision of a person about a proposal."""

    FORGOTTEN = "forgotten"
    KEPT = "kept"


class ProposedDeletionQuerySet(models.QuerySet["ProposedDeletion"]):
    def propose(self, answer: Answer, memories: Iterable[Memory]) -> None:
        """Store that *answer* proposes to forget *memories*, each once."""
        proposed = (
            ProposedDeletion(
                instance_id=answer.instance_id,
                answer=answer,
                memory_id=memory.pk,
                memory_updated_at=memory.updated_at,
            )
            for memory in memories
        )
        self.bulk_create(proposed, ignore_conflicts=True)

    def undecided(self) -> Self:
        return self.filter(decision="")

    def decide(self, decision: ProposalDecision, *, by: User) -> int:
        """Decide those that are undecided; return how many there were."""
        # The condition decides the race between two people.
        return self.undecided().update(decision=decision, decided_by=by, decided_at=timezone.now())


class ProposedDeletion(InstanceContent):
    """A memory that an assistant proposes to forget. It tells which one, never what it says."""

    Decision: TypeAlias = ProposalDecision

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    #: Whose reply the proposal stands under.
    answer = ContentKey(Answer, on_delete=models.CASCADE, related_name="proposed_deletions")
    #: Not a foreign key: the memory may be deleted, and restored.
    memory_id = models.BigIntegerField()
    #: When the memory had been changed last.
    memory_updated_at = models.DateTimeField()
    #: Empty until a person has decided.
    decision = models.CharField(max_length=10, choices=Decision, blank=True)
    decided_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    objects = ProposedDeletionQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["answer", "memory_id"], name="proposed_once"),
            models.CheckConstraint(
                condition=Q(decision="", decided_at=None)
                | Q(decision__in=ProposalDecision.values, decided_at__isnull=False),
                name="proposal_decision",
            ),
        ]

    def __str__(self) -> str:
        return f"Answer {self.answer_id}: forget memory {self.memory_id}"
