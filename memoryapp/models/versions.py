"""What memories said when: each wording with the time for which it stood.

A view over the memories and their revisions, so that there is nothing to keep in step. What was
deleted is in neither, and so has never been.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q

from instances.models import Instance
from memoryapp.models.memory import Memory, MemoryRevision
from memoryapp.models.memory_choices import Category, Origin

#: The columns in which a wording may differ from the next.
WORDING = (
    "content",
    "category",
    "importance",
    "tags",
    "key",
    "value",
    "valid_until",
    "origin",
    "confidence",
)

_OF_MEMORY = ", ".join(f"m.{name}" for name in WORDING)
_OF_REVISION = ", ".join(f"r.{name}" for name in WORDING)

#: The present wording stands since the last change; where none is known of, from the beginning.
#: What was heard and not taken is no wording.
CREATE_VIEW = f"""
CREATE VIEW memoryapp_version AS
SELECT m.id, m.id AS memory_id, NULL::bigint AS revision_id, m.instance_id, m.end_user,
    {_OF_MEMORY},
    CASE WHEN EXISTS (
        SELECT FROM memoryapp_memoryrevision r
        WHERE r.memory_id = m.id AND r.reason NOT IN ('heard', 'of_another')
    ) THEN m.updated_at ELSE m.created_at END AS valid_from,
    NULL::timestamptz AS replaced_at, m.search
FROM memoryapp_memory m
UNION ALL
SELECT -r.id, m.id, r.id, m.instance_id, m.end_user, {_OF_REVISION},
    r.valid_from, r.replaced_at, keepsake_tsvector(m.instance_id, m.language, r.content)
FROM memoryapp_memoryrevision r JOIN memoryapp_memory m ON m.id = r.memory_id
WHERE r.reason NOT IN ('heard', 'of_another');
"""  # noqa: S608 - Columns that are named above.
DROP_VIEW = "DROP VIEW memoryapp_version;"


class VersionQuerySet(models.QuerySet["Version"]):
    def in_instance(self, instance: Instance) -> Self:
        return self.filter(instance=instance)

    def as_of(self, moment: datetime) -> Self:
        """The wording of each memory that stood right before *moment*: one a memory, or none."""
        return self.filter(Q(replaced_at=None) | Q(replaced_at__gte=moment), valid_from__lt=moment)


class Version(models.Model):
    """One wording of a memory."""

    #: The memory's, of the present wording; of an earlier one the revision's, below zero.
    id = models.BigIntegerField(primary_key=True)
    memory = models.ForeignKey(Memory, on_delete=models.DO_NOTHING, related_name="+")
    #: None: it is the present one.
    revision = models.ForeignKey(
        MemoryRevision, on_delete=models.DO_NOTHING, null=True, related_name="+"
    )
    instance = models.ForeignKey(Instance, on_delete=models.DO_NOTHING, related_name="+")
    end_user = models.CharField(max_length=200)
    content = models.TextField()
    category = models.CharField(max_length=20, choices=Category)
    importance = models.PositiveSmallIntegerField()
    tags = ArrayField(models.CharField(max_length=50))
    key = models.CharField(max_length=100)
    value = models.CharField(max_length=500)
    valid_until = models.DateField(null=True)
    origin = models.CharField(max_length=20, choices=Origin)
    confidence = models.PositiveSmallIntegerField(null=True)
    #: From when to when it stood; None: it does still.
    valid_from = models.DateTimeField()
    replaced_at = models.DateTimeField(null=True)
    search = SearchVectorField()

    objects = VersionQuerySet.as_manager()

    class Meta:
        managed = False
        db_table = "memoryapp_version"
        ordering: ClassVar = ["memory", "valid_from"]

    def __str__(self) -> str:
        return self.content[:80]

    def turn_back(self, memory: Memory) -> Memory:
        """Let *memory* say what it said then. It is for reading: saving it would bring the past
        back.
        """
        for name in WORDING:
            setattr(memory, name, getattr(self, name))
        memory.updated_at = self.valid_from
        return memory


def as_memories(versions: Iterable[Version]) -> list[Memory]:
    """The memories of *versions*, in their order, each turned back to its version; without those
    that have just been deleted.
    """
    versions = list(versions)
    memories = Memory.objects.defer("search").in_bulk([version.memory_id for version in versions])
    return [
        version.turn_back(memories[version.memory_id])
        for version in versions
        if version.memory_id in memories
    ]
