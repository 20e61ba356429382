"""Similar memories, as found by `memoryapp.health.duplicate_scan`; numbers only."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q, QuerySet

from instances.models import Instance
from instances.models.content_keys import ContentKey, InstanceContent
from memoryapp.models.embedding_spaces import EmbeddingSpace
from memoryapp.models.vectors import MemoryEmbedding


class LikenessQuerySet(models.QuerySet["Likeness"]):
    def within(self, instance: Instance, space: str) -> Self:
        """Pairs of *instance* in the space of this name."""
        spaces = EmbeddingSpace.objects.filter(instance=instance, name=space)
        return self.filter(instance=instance, space__in=spaces)

    def twins(self) -> Self:
        """Pairs of duplicates."""
        return self.filter(same=True)


class Likeness(InstanceContent):
    """The similarity of the vectors of two memories of the same person.

    It refers to vectors, not to memories: a changed text gets another vector, and the pairs of the
    old one are deleted with it. For each vector, there is its nearest neighbour, and a few more
    that are near enough. A vector without a nearest neighbour has still to be compared.
    """

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    space = ContentKey(EmbeddingSpace, on_delete=models.CASCADE, related_name="+")
    embedding = ContentKey(
        MemoryEmbedding, on_delete=models.CASCADE, related_name="likenesses", db_index=False
    )
    #: None if there is no other vector to compare with.
    other = ContentKey(
        MemoryEmbedding, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    #: The cosine of the two, -1 to 1.
    similarity = models.FloatField(null=True, blank=True)
    #: True if no other vector is nearer.
    nearest = models.BooleanField(default=False)
    #: True if the two are duplicates; see `memoryapp.health.duplicate_scan`.
    same = models.BooleanField(default=False)

    objects = LikenessQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            # With the instance: a conflict is resolved by naming all columns of the key.
            models.UniqueConstraint(
                fields=["embedding", "other", "instance"], name="likeness_once"
            ),
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
    """Vectors that have not been compared yet."""
    known = Likeness.objects.filter(embedding=OuterRef("pk"), nearest=True)
    return MemoryEmbedding.objects.filter(~Exists(known))
