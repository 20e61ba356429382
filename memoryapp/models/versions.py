"""Versions of memories, each with the period in which it was valid.

A view over the memories and their revisions, so that nothing has to be kept in sync. Deleted
memories are in neither, and so have no versions.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q

from instances.models import Instance
from instances.models.content_keys import ContentKey
from instances.tiers import Tier
from memoryapp.models.end_dates import Ending
from memoryapp.models.memory import Memory, MemoryRevision
from memoryapp.models.memory_choices import Category, Origin

#: The columns in which versions can differ.
WORDING = (
    "content",
    "category",
    "importance",
    "tags",
    "key",
    "value",
    "valid_until",
    "expires_at",
    "origin",
    "tier",
    "approved_at",
    "confidence",
    "said_at",
)

#: All columns that a memory shares with its revisions.
REVISED_FIELDS = (*WORDING, "assessed", "importance_by", "metadata", "batch")

_OF_MEMORY = ", ".join(f"m.{name}" for name in WORDING)
_OF_REVISION = ", ".join(f"r.{name}" for name in WORDING)

#: The present version is valid since the last change, or since the memory was created. Values that
#: were not adopted are not versions.
CREATE_VIEW = f"""
CREATE VIEW memoryapp_version AS
SELECT m.id, m.id AS memory_id, NULL::bigint AS revision_id, m.instance_id, m.end_user,
    {_OF_MEMORY},
    CASE WHEN EXISTS (
        SELECT FROM memoryapp_memoryrevision r
        WHERE r.memory_id = m.id AND r.instance_id = m.instance_id
            AND r.reason NOT IN ('heard', 'of_another')
    ) THEN m.updated_at ELSE m.created_at END AS valid_from,
    NULL::timestamptz AS replaced_at, m.search
FROM memoryapp_memory m
UNION ALL
SELECT -r.id, m.id, r.id, m.instance_id, m.end_user, {_OF_REVISION},
    r.valid_from, r.replaced_at, keepsake_tsvector(m.instance_id, m.language, r.content)
FROM memoryapp_memoryrevision r
JOIN memoryapp_memory m ON m.id = r.memory_id AND m.instance_id = r.instance_id
WHERE r.reason NOT IN ('heard', 'of_another');
"""  # noqa: S608 - Columns that are named above.
DROP_VIEW = "DROP VIEW memoryapp_version;"


class VersionQuerySet(models.QuerySet["Version"]):
    def in_instance(self, instance: Instance) -> Self:
        return self.filter(instance=instance)

    def as_of(self, moment: datetime) -> Self:
        """The version of each memory right before *moment*: one per memory, or none."""
        return self.filter(Q(replaced_at=None) | Q(replaced_at__gte=moment), valid_from__lt=moment)


class Version(Ending, models.Model):
    """One version of a memory."""

    #: The id of the memory for its present version; minus the id of the revision for an earlier
    #: one.
    id = models.BigIntegerField(primary_key=True)
    memory = ContentKey(Memory, on_delete=models.DO_NOTHING, related_name="+")
    #: None for the present version.
    revision = ContentKey(MemoryRevision, on_delete=models.DO_NOTHING, null=True, related_name="+")
    instance = models.ForeignKey(Instance, on_delete=models.DO_NOTHING, related_name="+")
    end_user = models.CharField(max_length=200)
    content = models.TextField()
    category = models.CharField(max_length=20, choices=Category)
    importance = models.PositiveSmallIntegerField()
    tags = ArrayField(models.CharField(max_length=50))
    key = models.CharField(max_length=100)
    value = models.CharField(max_length=500)
    valid_until = models.DateField(null=True)
    expires_at = models.DateTimeField(null=True)
    origin = models.CharField(max_length=20, choices=Origin)
    tier = models.PositiveSmallIntegerField(choices=Tier)
    approved_at = models.DateTimeField(null=True)
    confidence = models.PositiveSmallIntegerField(null=True)
    said_at = models.DateTimeField()
    #: The period in which it was valid; `replaced_at` is None for the present version.
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
        """Give *memory* the values of this version. Only for reading: do not save it."""
        for name in WORDING:
            setattr(memory, name, getattr(self, name))
        memory.updated_at = self.valid_from
        return memory


def as_memories(versions: Iterable[Version]) -> list[Memory]:
    """The memories of *versions* that still exist, each with the values of its version."""
    versions = list(versions)
    memories = Memory.objects.defer("search").in_bulk([version.memory_id for version in versions])
    return [
        version.turn_back(memories[version.memory_id])
        for version in versions
        if version.memory_id in memories
    ]
