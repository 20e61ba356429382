"""Pairs of memories that contradict each other."""

from collections.abc import Collection, Iterable
from typing import ClassVar, Self

from django.db import models
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from instances.models import Instance, User
from instances.models.content_keys import ContentKey, InstanceContent
from memoryapp.models.memory import Memory


class ContradictionQuerySet(models.QuerySet["Contradiction"]):
    def unresolved(self) -> Self:
        """Pairs that no person has decided about."""
        return self.filter(resolved_at=None)

    def about(self, *memories: int) -> Self:
        """Pairs with one of these memories."""
        return self.filter(Q(memory__in=memories) | Q(other__in=memories))

    def memories(self, instance: Instance) -> QuerySet["Contradiction", int]:
        """Return the ids of the memories of *instance* in these pairs."""
        pairs = self.filter(instance=instance).order_by()
        first, second = (pairs.values_list(name, flat=True) for name in ("memory", "other"))
        return first.union(second)

    def of(self, memory: Memory) -> list[Memory]:
        """Return the memories that *memory* may contradict, latest statement first."""
        pairs = self.filter(instance=memory.instance_id).unresolved().about(memory.pk)
        pairs = pairs.select_related("memory", "other")
        others = (pair.other if pair.memory_id == memory.pk else pair.memory for pair in pairs)
        return sorted(others, key=lambda other: other.said_at, reverse=True)

    def by_memory(self, memories: Collection[Memory]) -> dict[int, list[Memory]]:
        """Return what each of *memories* may contradict by its id, latest statement first."""
        ids = {memory.pk for memory in memories}
        found: dict[int, list[Memory]] = {}
        pairs = self.filter(instance__in={memory.instance_id for memory in memories})
        pairs = pairs.unresolved().about(*ids).select_related("memory", "other")
        for pair in pairs.defer("memory__search", "other__search") if ids else ():
            for one, other in ((pair.memory, pair.other), (pair.other, pair.memory)):
                if one.pk in ids:
                    found.setdefault(one.pk, []).append(other)
        for others in found.values():
            others.sort(key=lambda each: each.said_at, reverse=True)
        return found

    def note(self, memory: Memory, others: Iterable[int]) -> None:
        """Record that *memory* may contradict *others*; known pairs stay as they are."""
        self.note_all(memory.instance_id, ((memory.pk, other) for other in others))

    def note_all(self, instance_id: int, pairs: Iterable[tuple[int, int]]) -> None:
        """Record pairs of memories that may contradict each other; known ones stay as they are."""
        ordered = dict.fromkeys((min(pair), max(pair)) for pair in pairs)
        self.bulk_create(
            (
                Contradiction(instance_id=instance_id, memory_id=first, other_id=second)
                for first, second in ordered
            ),
            ignore_conflicts=True,
        )


class Contradiction(InstanceContent):
    """Two memories of one person that may not both be right. The one with the lower id comes first.

    Both are kept and recalled, until a person edits, merges or deletes one, or says that both hold.
    """

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="contradictions")
    memory = ContentKey(Memory, on_delete=models.CASCADE, related_name="+")
    other = ContentKey(Memory, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    #: When a person said that both hold.
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolved_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)

    objects = ContradictionQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["memory", "other"], name="contradiction_once"),
            models.CheckConstraint(
                condition=Q(memory__lt=F("other")), name="contradiction_in_order"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["instance", "-created_at"],
                condition=Q(resolved_at=None),
                name="contradiction_unresolved",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} and {self.other_id}"
