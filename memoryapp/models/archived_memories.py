"""Archived memories: out of every recall, and restorable for a while."""

from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.db import models
from django.utils import timezone

from instances.models import Instance, User
from instances.models.content_keys import InstanceContent

#: How long an archived memory can be restored; then it is forgotten.
KEPT_FOR = timedelta(days=30)


class ArchivedQuerySet(models.QuerySet["ArchivedMemory"]):
    def in_instance(self, instance: Instance) -> Self:
        return self.filter(instance=instance)

    def overdue(self, now: datetime) -> Self:
        """Archived memories that have been archived for longer than `KEPT_FOR`."""
        return self.filter(archived_at__lt=now - KEPT_FOR)


class ArchivedMemory(InstanceContent):
    """A memory in the bin. Its rows are deleted from all other tables, so that nothing finds it."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="archived")
    end_user = models.CharField(max_length=200, blank=True)
    #: The id that it had, and has again when it is restored.
    memory_id = models.BigIntegerField(unique=True)
    content = models.TextField()
    category = models.CharField(max_length=20)
    #: The memory with its sources and revisions, by table; see `stored_rows`.
    rows = models.JSONField()
    archived_at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    #: Of the `Actor` who archived it.
    via = models.CharField(max_length=20, blank=True)
    #: The rollback that put it there; see `memoryapp.trust.rollback`.
    batch = models.UUIDField(null=True, blank=True)

    objects = ArchivedQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-archived_at", "-id"]
        indexes: ClassVar = [
            models.Index(fields=["instance", "-archived_at", "-id"], name="archived_list"),
            models.Index(fields=["archived_at"], name="archived_age"),
        ]

    def __str__(self) -> str:
        return self.content[:80]

    @property
    def forgotten_at(self) -> datetime:
        """When it is forgotten, unless it is restored."""
        return self.archived_at + KEPT_FOR
