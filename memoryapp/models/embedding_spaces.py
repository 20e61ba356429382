"""Embedding spaces, and the approximate indexes of those that are too large to be searched whole.

A search by meaning compares the question with every vector of its instance, which misses nothing.
For a large instance that takes long, so it gets an HNSW index of its own: partial, over the vectors
of one instance in one space. It is built and dropped in the background
(`memoryapp.embeddings.vector_indexes`), and used only while checks show that its results are right
(`VectorIndex.note_check`).
"""

import math
import time
from typing import ClassVar, Self, TypeAlias

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models
from django.utils import timezone

from instances.constraints import allow_values
from instances.models import Instance
from instances.models.content_keys import ContentKey, InstanceContent

#: Seconds for which a process caches which indexes exist. A search that uses a dropped index is
#: slow, but correct.
CACHE_SECONDS = 5.0


class EmbeddingSpace(InstanceContent):
    """The vectors of one model with one length, in one instance. Vectors of different spaces are
    never compared. The name may contain a private server, so it is deleted with the instance.
    """

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="+")
    #: For example ``builtin/all-MiniLM-L6-v2/384``.
    name = models.CharField(max_length=400)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["instance", "name"], name="space_once"),
            models.UniqueConstraint(fields=["id", "instance"], name="space_in_instance"),
        ]

    def __str__(self) -> str:
        return self.name


class VectorIndexState(models.TextChoices):
    """State of an index: searchable, or not yet."""

    #: Waiting to be built, or being built; not used yet.
    BUILDING = "building", "being built"
    READY = "ready", "in use"
    #: Its recall was too low: search is exact until it has been rebuilt.
    DOUBTED = "doubted", "found too little, to be built anew"


class VectorOwner(models.TextChoices):
    """Kind of the rows whose vectors an index holds."""

    MEMORY = "memory", "memories"
    DRAWER = "drawer", "turns"
    DOCUMENT = "document", "documents"


class VectorIndexQuerySet(models.QuerySet["VectorIndex"]):
    def in_instance(self, instance: Instance) -> Self:
        return self.filter(instance=instance)


class VectorIndex(InstanceContent):
    """An HNSW index over the vectors of one instance in one space, of one kind of rows."""

    State: TypeAlias = VectorIndexState

    Of: TypeAlias = VectorOwner

    #: The candidates of a search, ``hnsw.ef_search`` of pgvector: at least, and at most.
    EFFORT, MAX_EFFORT = 100, 1_000
    #: Checks that are stored, which is also how many it takes to search with more effort; checks
    #: that are needed to stop using an index.
    CHECKS_KEPT, CHECKS_NEEDED = 100, 20
    #: Recall@10 in per cent: below the first, an index is searched with more effort; below the
    #: second, it is damaged or wrong, and not used any more.
    TARGET, FLOOR = 98, 95
    #: How much more effort at a time.
    RAISE = 1.25

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="vector_indexes")
    space = ContentKey(EmbeddingSpace, on_delete=models.CASCADE, related_name="indexes")
    of = models.CharField(max_length=10, choices=Of)
    state = models.CharField(max_length=10, choices=State, default=State.BUILDING)
    dimensions = models.PositiveSmallIntegerField()
    #: The vectors in it, as last counted.
    rows = models.PositiveIntegerField(default=0)
    effort = models.PositiveSmallIntegerField(default=EFFORT)
    #: For the latest searches that were repeated exactly: the share of the top ten that the index
    #: had found, in per cent, the oldest first.
    checks = ArrayField(models.PositiveSmallIntegerField(), default=list, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    built_at = models.DateTimeField(null=True, blank=True)

    objects = VectorIndexQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["space", "of"], name="vector_index_once"),
            allow_values("state", VectorIndexState, "vector_index_state"),
            allow_values("of", VectorOwner, "vector_index_of"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.state}"

    @property
    def name(self) -> str:
        """The name of the index in PostgreSQL."""
        return f"{self.of}_near_{self.space_id}"

    @property
    def recall(self) -> float | None:
        """The share of the true top ten that it finds, 0 to 1; None without a check."""
        return sum(self.checks) / len(self.checks) / 100 if self.checks else None

    @property
    def is_in_use(self) -> bool:
        return self.state == self.State.READY

    @property
    def misses_too_much(self) -> bool:
        """True if there are enough checks, and their recall is too low."""
        recall = self.recall
        return (
            recall is not None
            and len(self.checks) >= self.CHECKS_NEEDED
            and 100 * recall < self.FLOOR
        )

    @property
    def misses_some(self) -> bool:
        """True if all checks that are kept together show a recall below the target, while more
        effort is possible.
        """
        recall = self.recall
        return (
            recall is not None
            and len(self.checks) >= self.CHECKS_KEPT
            and 100 * recall < self.TARGET
            and self.effort < self.MAX_EFFORT
        )

    @classmethod
    def effort_for(cls, rows: int) -> int:
        """The effort with which an index of so many *rows* finds nearly all: it grows with the
        square root. Measured with `benchmarks.scale`, recall@10: 0.991 at 10,000, 0.990 at 200,000,
        0.985 at a million.
        """
        return min(max(cls.EFFORT, round(cls.EFFORT * math.sqrt(rows / 6_000))), cls.MAX_EFFORT)

    @classmethod
    def in_use(cls, instance: Instance, space: str, of: str) -> "VectorIndex | None":
        """The index with which *space* is searched, if there is one.

        All indexes are loaded together every few seconds: most instances have none, and their
        searches should not query for one each time. None if the settings ask for exact search.
        """
        if not settings.VECTOR_INDEX_FROM:
            return None
        global _known
        since, known = _known
        if time.monotonic() > since + CACHE_SECONDS:
            rows = cls.objects.filter(state=cls.State.READY).select_related("space")
            known = {(row.instance_id, row.space.name, row.of): row for row in rows}
            _known = (time.monotonic(), known)
        return known.get((instance.pk, space, of))

    @staticmethod
    def forget_known() -> None:
        """Clear the cache of indexes."""
        global _known
        _known = _NOT_ASKED

    def note_check(self, share: int) -> None:
        """Store the recall of one search, in per cent. If it is too low, search with more effort
        from now on, or stop using the index.
        """
        mine = self.row().filter(state=self.State.READY)
        with connection.cursor() as cursor:
            # One statement, so that two simultaneous checks are both stored. An index that was
            # rebuilt meanwhile is not judged by a check of the former one.
            cursor.execute(
                "UPDATE memoryapp_vectorindex SET checked_at = %s, checks ="
                " (checks || %s::smallint)[greatest(1, cardinality(checks) + 2 - %s):]"
                " WHERE id = %s AND state = %s AND built_at = %s",
                [
                    *(timezone.now(), share, self.CHECKS_KEPT),
                    *(self.pk, self.State.READY.value, self.built_at),
                ],
            )
        for row in mine:
            if row.misses_too_much and mine.update(state=self.State.DOUBTED):
                self.forget_known()
            elif row.misses_some:
                # Judged anew from its next checks on. Of two simultaneous checks, one raises it.
                effort = min(round(self.RAISE * row.effort), self.MAX_EFFORT)
                mine.filter(effort=row.effort).update(effort=effort, checks=[])
                self.forget_known()


#: When the indexes in use were loaded, and the indexes by instance, space and owner.
_NOT_ASKED: tuple[float, dict[tuple[int, str, str], VectorIndex]] = (float("-inf"), {})
_known = _NOT_ASKED
