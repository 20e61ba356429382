"""The activity log: who changed what, and when."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, TypeAlias
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from conversations.models import Conversation
from instances.activity import InstanceAction
from instances.actor import Actor
from instances.constraints import allow_values
from instances.models import Instance, User
from instances.models.content_keys import ContentKey, InstanceContent
from memoryapp.models.audit_records import AuditRecord
from memoryapp.models.prepared_statements import insert

#: Entries have been added to the log of the ``instance``, in the transaction of what they tell of.
recorded = Signal()


class ActivityAction(models.TextChoices):
    """Kind of an action in the log."""

    CREATED = "created", _("added")
    UPDATED = "updated", _("changed")
    #: A file of memories was imported: one entry for all of it.
    IMPORTED = "imported", _("imported")
    DELETED = "deleted", _("deleted")
    #: Put in the bin, from which people can restore it.
    ARCHIVED = "archived", _("moved to the bin")
    UNARCHIVED = "unarchived", _("restored from the bin")
    RESTORED = "restored", _("earlier version restored")
    #: Duplicates were merged into one memory.
    JOINED_UP = "joined_up", _("merged")
    #: From here on, or no longer, the assistant is always told a memory.
    PINNED = "pinned", _("pinned")
    UNPINNED = "unpinned", _("unpinned")
    #: A program has said how good a memory is.
    RATED = "rated", _("rated")
    #: A person has said that a memory is right.
    CONFIRMED = "confirmed", _("confirmed")
    #: A change was taken back.
    UNDONE = "undone", _("undone")
    #: All that one source had stored and changed was taken back.
    ROLLED_BACK = "rolled_back", _("source rolled back")
    #: A deletion was taken back.
    UNDELETED = "undeleted", _("deletion undone")
    #: Statements that waited for review were approved: one entry each; or rejected.
    APPROVED = "approved", _("statement approved in review")
    REJECTED = "rejected", _("statement rejected in review")
    #: `about` is the name of the group.
    SHARING_PROPOSED = "shared", _("sharing proposed")
    SHARED = "shared_with_group", _("shared with a group")
    #: A conversation or note that a group is told as it stands and goes on; `about` is the group.
    CONVERSATION_SHARED = "conversation_shared", _("conversation shared with a group")
    NOTE_SHARED = "note_shared", _("note shared with a group")
    SHARING_ENDED = "sharing_ended", _("no longer shared")
    #: They wait again, whether they had been approved or rejected.
    REVIEW_UNDONE = "review_undone", _("decision in review undone")
    RELATION_ADDED = "relation_added", _("relation added")
    RELATION_WITHDRAWN = "relation_withdrawn", _("relation removed")
    ENTITY_RENAMED = "entity_renamed", _("entity renamed")
    ENTITIES_MERGED = "entities_merged", _("entities merged")
    #: Relations were learned from messages: one entry for each conversation and day.
    RELATIONS_LEARNED = "relations_learned", _("relations learned")
    SETTINGS = InstanceAction.SETTINGS.value, InstanceAction.SETTINGS.label
    KEY_MADE = InstanceAction.KEY_MADE.value, InstanceAction.KEY_MADE.label
    KEY_REVOKED = InstanceAction.KEY_REVOKED.value, InstanceAction.KEY_REVOKED.label
    CONNECTED = InstanceAction.CONNECTED.value, InstanceAction.CONNECTED.label
    DISCONNECTED = InstanceAction.DISCONNECTED.value, InstanceAction.DISCONNECTED.label
    JOINED = InstanceAction.JOINED.value, InstanceAction.JOINED.label
    LEFT = InstanceAction.LEFT.value, InstanceAction.LEFT.label
    INVITED = InstanceAction.INVITED.value, InstanceAction.INVITED.label
    UNINVITED = InstanceAction.UNINVITED.value, InstanceAction.UNINVITED.label
    ROLE_CHANGED = InstanceAction.ROLE_CHANGED.value, InstanceAction.ROLE_CHANGED.label
    PASSWORD_LINK = InstanceAction.PASSWORD_LINK.value, InstanceAction.PASSWORD_LINK.label
    PASSWORD_RESET = InstanceAction.PASSWORD_RESET.value, InstanceAction.PASSWORD_RESET.label
    #: Messages were filed in the palace: one entry for each conversation and day.
    FILED = "filed", _("messages filed")
    #: Drawers of the palace were deleted: their messages stay, and are not filed again.
    UNFILED = "unfiled", _("messages deleted from the palace")
    #: A place of the palace was renamed or merged.
    REORGANISED = "reorganised", _("palace reorganised")
    NOTED = "noted", _("note written")
    #: Documents of the store: one entry for each day, and for each person or key.
    DOCUMENTS_STORED = "documents_stored", _("documents stored")
    DOCUMENTS_DELETED = "documents_deleted", _("documents deleted")
    #: The summary of a person was written; `about` is its id.
    SUMMED_UP = "summed_up", _("summary written")
    #: The nightly check marked memories as stale, or found that they no longer are.
    MARKED_STALE = "marked_stale", _("marked as stale")
    MARKED_FRESH = "marked_fresh", _("no longer stale")
    #: Everything of an end user was erased; two ids of one were joined.
    ERASED = "erased", _("person erased")
    IDS_JOINED = "ids_joined", _("ids joined")
    #: A legal hold; `about` is its name.
    HOLD_SET = "hold_set", _("legal hold set")
    HOLD_LIFTED = "hold_lifted", _("legal hold lifted")
    #: A rule of retention; `about` is the rule.
    RETENTION_SET = "retention_set", _("retention rule added")
    RETENTION_REMOVED = "retention_removed", _("retention rule removed")
    #: Rules deleted rows of one kind: one entry for each day; `about` is the kind.
    EXPIRED = "expired", _("deleted by a retention rule")
    #: A person's file was downloaded.
    FILE_EXPORTED = "file_exported", _("person exported")
    #: Everything of the instance was downloaded as one file.
    BUNDLE_EXPORTED = "bundle_exported", _("instance exported")
    #: A person looked at the secrets in a message, which are masked otherwise.
    REVEALED = "revealed", _("secret shown")


#: The actions whose `about` names a setting, key, account, group or kind of rows, or is an id: the
#: audit log has it. That of the others may hold words of a memory, or the id of a person.
_NAMED = frozenset(
    {
        *InstanceAction.values,
        ActivityAction.ERASED.value,
        ActivityAction.EXPIRED.value,
        ActivityAction.SHARED.value,
        ActivityAction.CONVERSATION_SHARED.value,
        ActivityAction.NOTE_SHARED.value,
        ActivityAction.SHARING_ENDED.value,
        ActivityAction.SHARING_PROPOSED.value,
    }
)


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
        changes: Sequence[Sequence[Any]] = (),
        end_user: str | None = None,
    ) -> "Activity":
        """Add an entry: call it as ``instance.activity.record(…)``. *end_user* is the person whom
        it is about, for the audit log.
        """
        entry = self.create(
            action=action,
            by=by.user,
            via=by.via,
            memory_id=memory_id,
            conversation_id=conversation_id,
            count=count,
            about=about,
            batch=batch,
            changes=list(changes),
        )
        _audit(entry.instance, [entry], {memory_id: end_user})
        recorded.send(sender=Activity, instance=entry.instance)
        return entry

    def record_memories(
        self, by: Actor, action: str, memory_ids: Collection[int], *, batch: UUID | None = None
    ) -> None:
        """Add one entry for these memories, as ``instance.activity.record_memories(…)``; none if
        there are none.
        """
        if memory_ids:
            only = next(iter(memory_ids)) if len(memory_ids) == 1 else None
            self.record(by, action, memory_id=only, count=len(memory_ids), batch=batch)

    def record_all(
        self,
        instance: Instance,
        entries: "Iterable[Activity]",
        end_users: Mapping[Any, str | None],
    ) -> None:
        """Add *entries* to the log of *instance*; *end_users* has the people by their memories."""
        entries = list(entries)
        insert(entries)
        _audit(instance, entries, end_users)
        recorded.send(sender=Activity, instance=instance)

    def add_to_day(
        self,
        instance: Instance,
        by: Actor,
        action: str,
        *,
        count: int,
        conversation_id: int | None = None,
        about: str = "",
        end_user: str | None = None,
    ) -> None:
        """Add *count* to today's entry for a conversation, or for what it is *about*, so that what
        goes on all day has one entry. Belongs in a transaction with a lock that others take as
        well, such as that of the row of the conversation.
        """
        if count:
            entry = self.today(instance, action).filter(conversation=conversation_id, about=about)
            self.add_to(
                entry,
                instance,
                by,
                action,
                count=count,
                at=timezone.now(),
                end_user=end_user,
                conversation_id=conversation_id,
                about=about,
            )

    def add_to_batch(
        self, instance: Instance, by: Actor, action: str, *, count: int, batch: UUID
    ) -> None:
        """Add *count* memories to the one entry for *batch*."""
        if count:
            entry = self.filter(instance=instance, batch=batch, action=action)
            self.add_to(entry, instance, by, action, count=count, batch=batch)

    def today(self, instance: Instance, action: str) -> "models.QuerySet[Activity]":
        """Today's entries of an *action*."""
        midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
        return self.filter(instance=instance, action=action, at__gte=midnight)

    def add_to(
        self,
        entry: "models.QuerySet[Activity]",
        instance: Instance,
        by: Actor,
        action: str,
        *,
        count: int,
        at: datetime | None = None,
        end_user: str | None = None,
        **columns: Any,
    ) -> None:
        """Add *count* to *entry*, which then is of the time *at*, or begin it with these *columns*
        if there is none. The audit log has a record each time.
        """
        changes: dict[str, Any] = {"count": models.F("count") + count}
        if at is not None:
            changes["at"] = at
        if entry.update(**changes):
            added = Activity(action=action, by=by.user, via=by.via, count=count, **columns)
            _audit(instance, [added], {None: end_user})
        else:
            instance.activity.record(by, action, count=count, end_user=end_user, **columns)


def _audit(
    instance: Instance,
    entries: "Iterable[Activity]",
    end_users: Mapping[Any, str | None],
) -> None:
    """Write the records of *entries* in the audit log."""
    AuditRecord.objects.record_all(
        AuditRecord.of(
            Actor(entry.by, entry.via),
            entry.action,
            instance=instance,
            at=entry.at,
            kind=entry.object_kind,
            object_id=entry.memory_id or entry.conversation_id,
            count=entry.count,
            detail=entry.named,
            end_user=end_users.get(entry.memory_id),
        )
        for entry in entries
    )


class Activity(InstanceContent):
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
    conversation = ContentKey(
        Conversation, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    #: What else was changed: the name of the settings, member or key; the ids of the places of the
    #: palace, or of the summary.
    about = models.CharField(max_length=150, blank=True)
    #: The columns of the instance that settings have changed: the name of each, with its values
    #: before and after unless the log is not to show them.
    changes = models.JSONField(default=list, blank=True, encoder=DjangoJSONEncoder)

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

    @property
    def object_kind(self) -> str:
        """The kind of the one row that it is about; empty if it is about none, or several."""
        if self.memory_id is not None:
            return "memory"
        return "conversation" if self.conversation_id is not None else ""

    @property
    def named(self) -> str:
        """The name of the setting, key or account that it is about, and of the columns that were
        changed; nothing that may hold words of a memory.
        """
        names = [self.about] if self.action in _NAMED and self.about else []
        return ", ".join([*names, *(str(change[0]) for change in self.changes)])
