"""The activity log: who changed what, and when."""

from typing import ClassVar, TypeAlias
from uuid import UUID

from django.db import models
from django.db.models import Q
from django.utils import timezone

from conversations.models import Conversation
from instances.activity import InstanceAction
from instances.actor import Actor
from instances.constraints import allow_values
from instances.models import Instance, User


class ActivityAction(models.TextChoices):
    """What was done."""

    CREATED = "created"
    UPDATED = "updated"
    #: A file of memories was imported: one entry for all of it.
    IMPORTED = "imported"
    DELETED = "deleted"
    #: Put in the bin, from which people can restore it.
    ARCHIVED = "archived"
    UNARCHIVED = "unarchived", "taken out of the bin"
    RESTORED = "restored"
    #: Duplicates were merged into one memory.
    JOINED_UP = "joined_up", "put together"
    #: A change or a deletion was taken back.
    UNDONE = "undone"
    #: Statements that waited for review were rejected.
    REJECTED = "rejected", "held statement rejected"
    RELATION_ADDED = "relation_added", "relation added"
    RELATION_WITHDRAWN = "relation_withdrawn", "relation withdrawn"
    ENTITY_RENAMED = "entity_renamed", "entity renamed"
    ENTITIES_MERGED = "entities_merged", "entities merged"
    SETTINGS = InstanceAction.SETTINGS.value, InstanceAction.SETTINGS.label
    KEY_MADE = InstanceAction.KEY_MADE.value, InstanceAction.KEY_MADE.label
    KEY_REVOKED = InstanceAction.KEY_REVOKED.value, InstanceAction.KEY_REVOKED.label
    JOINED = InstanceAction.JOINED.value, InstanceAction.JOINED.label
    LEFT = InstanceAction.LEFT.value, InstanceAction.LEFT.label
    INVITED = InstanceAction.INVITED.value, InstanceAction.INVITED.label
    UNINVITED = InstanceAction.UNINVITED.value, InstanceAction.UNINVITED.label
    ROLE_CHANGED = InstanceAction.ROLE_CHANGED.value, InstanceAction.ROLE_CHANGED.label
    PASSWORD_LINK = InstanceAction.PASSWORD_LINK.value, InstanceAction.PASSWORD_LINK.label
    PASSWORD_RESET = InstanceAction.PASSWORD_RESET.value, InstanceAction.PASSWORD_RESET.label
    #: Drawers of the palace were deleted: their messages stay, and are not filed again.
    UNFILED = "unfiled", "drawers deleted"
    #: A place of the palace was renamed or merged.
    REORGANISED = "reorganised", "palace reorganised"
    NOTED = "noted", "note written"
    #: Everything of an end user was erased; two ids of one were joined.
    ERASED = "erased", "person erased"
    IDS_JOINED = "ids_joined", "ids joined"
    #: A person's file was downloaded.
    FILE_EXPORTED = "file_exported", "person exported"
    #: A person looked at the secrets in a message, which are masked otherwise.
    REVEALED = "revealed", "secret shown"


class ActivityManager(models.Manager["Activity"]):
    def record(
        self,
        by: Actor,
        action: str,
        *,
        memory_id: int | None = None,
        conversation_id: int | None = None,
        count: int = 1,
        about: str = "",
        batch: UUID | None = None,
    ) -> "Activity":
        """Add an entry: call it as ``instance.activity.record(…)``."""
        return self.create(
            action=action,
            by=by.user,
            via=by.via,
            memory_id=memory_id,
            conversation_id=conversation_id,
            count=count,
            about=about,
            batch=batch,
        )

    def add_to_batch(
        self, instance: Instance, by: Actor, action: str, *, count: int, batch: UUID
    ) -> None:
        """Add *count* memories to the one entry for *batch*."""
        if not count:
            return
        entry = self.filter(instance=instance, batch=batch, action=action)
        if not entry.update(count=models.F("count") + count):
            instance.activity.record(by, action, count=count, batch=batch)


class Activity(models.Model):
    """An entry for each change of an instance. Never holds the changed text."""

    Action: TypeAlias = ActivityAction

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="activity")
    at = models.DateTimeField(default=timezone.now)
    action = models.CharField(max_length=20, choices=Action)
    #: None if no person did it; `via` then names the part of the application.
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    via = models.CharField(max_length=20)
    #: Not a foreign key: the entry outlives the memory.
    memory_id = models.BigIntegerField(null=True, blank=True)
    count = models.PositiveIntegerField(default=1)
    #: The batch of memories that it stored or took back; None: it was none.
    batch = models.UUIDField(null=True, blank=True)
    #: The conversation that led to it; None if there was none, or it has been deleted.
    conversation = models.ForeignKey(
        Conversation, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    #: What else was changed: the name of the settings, member or key; the ids of the places of the
    #: palace.
    about = models.CharField(max_length=150, blank=True)

    objects = ActivityManager()

    class Meta:
        ordering: ClassVar = ["-at", "-id"]
        verbose_name_plural = "activity"
        constraints: ClassVar = [allow_values("action", ActivityAction, "activity_action")]
        indexes: ClassVar = [
            models.Index(fields=["instance", "-at"], name="activity_list"),
            models.Index(fields=["instance", "memory_id"], name="activity_of_memory"),
            models.Index(
                fields=["instance", "batch"], condition=~Q(batch=None), name="activity_of_batch"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.memory_id or ''}".strip()
