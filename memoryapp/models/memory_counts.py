"""How many memories an instance has, by category and by everything that its list filters by: kept
by triggers, because counting them takes as long as there are memories.

Each statement that changes memories adds rows that say by how much it changes the counts; a count
is their sum. No row is ever changed, so that writers of one instance do not wait for each other,
and what is rolled back was never counted. `MemoryCount.objects.fold` replaces the rows of a count
by their sum, in the background.

`MemoryMark` lists the memories that something is known of from another table. Without it, finding a
few of them takes a join of two tables with all memories.
"""

from datetime import date
from typing import Any, ClassVar, Self

from django.db import connection, models, transaction
from django.db.models import Q, Sum
from django.db.models.functions import Cast
from django.utils import timezone

from instances.constraints import allow_values
from instances.models import Instance
from instances.models.content_keys import InstanceContent
from memoryapp.models import memory_count_sql as sql
from memoryapp.models.embedding_spaces import EmbeddingSpace
from memoryapp.models.memory import Memory

#: The people of an instance who have memories, with the numbers of these and their last change.
PEOPLE_WITH_MEMORIES = """
SELECT kept.end_user, kept.memories, (
    SELECT m.updated_at FROM memoryapp_memory AS m
    WHERE m.instance_id = kept.instance_id AND m.end_user = kept.end_user
    ORDER BY m.updated_at DESC LIMIT 1
) AS latest
FROM (
    SELECT instance_id, value AS end_user, sum(number)::bigint AS memories
    FROM memoryapp_memorycount WHERE instance_id = %(instance)s AND kind = 'person'
    GROUP BY instance_id, value
    UNION ALL
    SELECT instance_id, '', sum(CASE kind WHEN 'all' THEN number ELSE -number END)::bigint
    FROM memoryapp_memorycount WHERE instance_id = %(instance)s AND kind IN ('all', 'person')
    GROUP BY instance_id
) AS kept
WHERE kept.memories > 0
"""


class CountKind(models.TextChoices):
    """Subject of a count. Besides the first, a memory may be in several counts of a kind."""

    #: All memories, by category, origin, importance, and whether they are recalled and stale.
    ALL = "all"
    PERSON = "person"
    TAG = "tag"
    LABEL = "label"
    #: The last day on which they are valid.
    END = "end"
    #: A `MarkKind`.
    MARK = "mark"
    #: The id of an embedding space in which they have a vector.
    VECTOR = "vector"


class MarkKind(models.TextChoices):
    """Property that a mark ascribes to a memory."""

    #: It has no vector in any space.
    NO_VECTOR = "no_vector"
    #: It has earlier versions.
    CHANGED = "changed"


class MemoryCountQuerySet(models.QuerySet["MemoryCount"]):
    def of(self, instance: Instance, kind: CountKind, value: str = "") -> Self:
        """The rows of one count."""
        return self.filter(instance=instance, kind=kind, value=value)

    def embedded(self, instance: Instance, space: str) -> Self:
        """The count of the memories with a vector in the space of this name."""
        spaces = EmbeddingSpace.objects.filter(instance=instance, name=space)
        ids = spaces.values_list(Cast("pk", models.CharField()))
        return self.filter(instance=instance, kind=CountKind.VECTOR, value__in=ids)

    def expired(self, instance: Instance, today: date) -> dict[str, int]:
        """The number by category of the memories whose end has passed on *today*."""
        found = self.filter(
            instance=instance, kind=CountKind.END, value__lt=today.isoformat()
        ).by_category()
        # From today on, an end that has passed is a moment.
        moments = Memory.objects.in_instance(instance).filter(
            valid_until__gte=today, expires_at__lte=timezone.now()
        )
        for category in moments.order_by().values_list("category", flat=True):
            found[category] = found.get(category, 0) + 1
        return found

    def total(self, instance: Instance) -> int:
        """The number of all memories of *instance*."""
        return self.of(instance, CountKind.ALL).number()

    def number(self) -> int:
        """Sum of the counts."""
        return self.aggregate(sum=Sum("number"))["sum"] or 0

    def by_category(self) -> dict[str, int]:
        """Sums by category, without those that are 0."""
        return self.by("category")

    def by(self, column: str) -> dict[Any, int]:
        """Sums by *column*, without those that are 0."""
        rows = self.order_by().values_list(column).annotate(sum=Sum("number"))
        return dict(rows.exclude(sum=0).values_list(column, "sum"))

    def instances_to_fold(self) -> list[int]:
        """The ids of the instances with counts that have changed since they were folded."""
        changed = self.filter(folded=False).order_by().values_list("instance", flat=True)
        return list(changed.distinct())

    def fold(self, instance_id: int) -> None:
        """Replace the rows of each count of an instance that has changed by their sums."""
        with connection.cursor() as cursor:
            cursor.execute(sql.FOLD, {"instance": instance_id})

    def recount(self, instance_id: int) -> bool:
        """Count the memories of an instance anew, and mark them anew; return whether the counts or
        marks were wrong. Writers wait until it is done, so that no change is counted twice or not
        at all.
        """
        given = {"instance": instance_id}
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql.LOCK)
            before = self._sums(instance_id)
            cursor.execute(sql.UNMARK, given)
            unmarked = cursor.rowcount
            cursor.execute(sql.MARK, given)
            # Citus takes the number of rows that it was given for that of inserted ones.
            marked = len(cursor.fetchall())
            cursor.execute(sql.FORGET, given)
            cursor.execute(sql.RECOUNT, given)
            return bool(unmarked or marked) or before != self._sums(instance_id)

    def _sums(self, instance_id: int) -> set[tuple[Any, ...]]:
        rows = self.filter(instance=instance_id).order_by().values_list(*sql.KEY)
        return set(rows.annotate(sum=Sum("number")).exclude(sum=0))


class MemoryCount(InstanceContent):
    """By how much a count has changed; their sum is the count."""

    #: It is deleted after its instance, whose memories still change it: see `memoryapp.receivers`.
    instance = models.ForeignKey(
        Instance,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="memory_counts",
    )
    kind = models.CharField(max_length=10, choices=CountKind)
    #: Which person, tag, label, day, mark or space.
    value = models.CharField(max_length=210, blank=True)
    category = models.CharField(max_length=20)
    #: These are only told apart among all memories.
    origin = models.CharField(max_length=20, blank=True)
    importance = models.PositiveSmallIntegerField(default=0)
    recalled = models.BooleanField(default=False)
    stale = models.BooleanField(default=False)
    number = models.IntegerField()
    #: True if it is the sum of others.
    folded = models.BooleanField(default=False)

    objects = MemoryCountQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [allow_values("kind", CountKind, "count_kind")]
        indexes: ClassVar = [
            models.Index(
                fields=["instance", "kind", "value"],
                include=["category", "number"],
                name="count_of",
            ),
            models.Index(fields=["instance"], condition=Q(folded=False), name="count_to_fold"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.value}: {self.number:+}"


class MemoryMarkQuerySet(models.QuerySet["MemoryMark"]):
    def of(self, instance: Instance, kind: MarkKind) -> Self:
        return self.filter(instance=instance, kind=kind)


class MemoryMark(InstanceContent):
    """A `MarkKind` that is true of a memory; triggers maintain these rows."""

    #: That it is the memory's, the database checks; so it need not check whether it exists.
    instance = models.ForeignKey(
        Instance,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )
    kind = models.CharField(max_length=10, choices=MarkKind)
    memory = models.ForeignKey(
        Memory,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="marks",
    )
    #: Of the memory: the list is in this order.
    created_at = models.DateTimeField()

    objects = MemoryMarkQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            allow_values("kind", MarkKind, "mark_kind"),
            models.UniqueConstraint(fields=["instance", "kind", "memory"], name="mark_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["instance", "kind", "created_at", "memory"], name="mark_list"),
        ]

    def __str__(self) -> str:
        return f"memory {self.memory_id}: {self.kind}"
