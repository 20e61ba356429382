"""Which memories are alike: found in the background, and kept as numbers alone."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q, QuerySet

from instances.models import Instance
from memoryapp.models.embedding_spaces import EmbeddingSpace
from memoryapp.models.vectors import MemoryEmbedding


class LikenessQuerySet(models.QuerySet["Likeness"]):
    def within(self, instance: Instance, space: str) -> Self:
        """Those of *instance* in the space of this name."""
        spaces = EmbeddingSpace.objects.filter(instance=instance, name=space)
        return self.filter(instance=instance, space__in=spaces)

    def twins(self) -> Self:
        """Those of which both say the same."""
        return self.filter(same=True)


class Likeness(models.Model):
    """How near the vector of one memory is to that of another of the same person.

    It hangs on the vectors, not on the memories: a text that changes gets another vector, and what
    was found of the old one goes with it. Of each vector there is the nearest other one, and of
    those that are near enough a few more. A vector without a nearest is still to be compared.
    """

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    space = models.ForeignKey(EmbeddingSpace, on_delete=models.CASCADE, related_name="+")
    embedding = models.ForeignKey(
        MemoryEmbedding, on_delete=models.CASCADE, related_name="likenesses", db_index=False
    )
    #: None: there is nothing that it could be compared with.
    other = models.ForeignKey(
        MemoryEmbedding, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    #: The cosine of the two, -1 to 1.
    similarity = models.FloatField(null=True, blank=True)
    #: Whether no other one is nearer.
    nearest = models.BooleanField(default=False)
    #: Whether the one is the other said again; see `memoryapp.health.duplicate_scan`.
    same = models.BooleanField(default=False)

    objects = LikenessQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["embedding", "other"], name="likeness_once"),
            models.UniqueConstraint(
                fields=["embedding"], condition=Q(nearest=True), name="likeness_one_nearest"
            ),
            models.CheckConstraint(
                condition=Q(other=None, similarity=None, nearest=True, same=False)
                | Q(other__isnull=False, similarity__isnull=False),
                name="likeness_of_two",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["instance", "space"],
                include=["similarity"],
                condition=Q(nearest=True),
                name="likeness_spread",
            ),
            models.Index(
                fields=["instance", "space"], condition=Q(same=True), name="likeness_twins"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.embedding_id} and {self.other_id}: {self.similarity}"


def uncompared_vectors() -> "QuerySet[MemoryEmbedding]":
    """The vectors of which nobody knows yet what is like them."""
    known = Likeness.objects.filter(embedding=OuterRef("pk"), nearest=True)
    return MemoryEmbedding.objects.filter(~Exists(known))
