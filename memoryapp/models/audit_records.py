"""The audit log: who did what in this installation, in rows that stay.

A record is written in the transaction of what it tells of. It holds ids, numbers and names of
people who work here, never a text of a memory or a message, and refers to no other row, so it
outlives the instance, the account and the memory that it names. Within a minute,
`memoryapp.audit.chaining` gives each committed record its number and its digest, which covers the
digest before it.

The id of an end user stands beside the record, outside the digest, which covers a keyed hash of it.
Erasing the person empties the id, and the chain still holds. Triggers refuse every other change.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import UTC
from typing import Any, ClassVar, Self

from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import Q
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance, User
from instances.signin.address import present_address
from memoryapp.models.erasures import hash_of
from memoryapp.models.prepared_statements import insert

#: The digest before that of the first record.
BEGINNING = "0" * 64
MAX_DETAIL_CHARACTERS = 300


class AuditRecordQuerySet(models.QuerySet["AuditRecord"]):
    def record(self, by: Actor, action: str, **columns: Any) -> None:
        """Write a record; see `AuditRecord.of`."""
        self.record_all([AuditRecord.of(by, action, **columns)])

    def record_all(self, records: "Iterable[AuditRecord]") -> None:
        """Write *records*."""
        insert(records)

    def chained(self) -> Self:
        """Records with a number, in its order."""
        return self.exclude(number=None).order_by("number")

    def unchained(self) -> Self:
        """Records that wait for their number."""
        return self.filter(number=None).order_by("pk")

    def visible_to(self, user: User) -> Self:
        """Records that a superadmin may read: those of a private instance only if it is theirs."""
        own = Instance.objects.filter(private_to=user)
        return self.filter(Q(is_private=False) | Q(instance__in=own))

    def forget_people(self, instance_id: int) -> int:
        """Empty the ids of the end users of an instance, which is being deleted."""
        return self.filter(instance=instance_id).exclude(end_user=None).update(end_user=None)


class AuditRecord(models.Model):
    """One act of a person, a program or a part of the system."""

    #: Its place in the chain, from 1; None until it is chained.
    number = models.BigIntegerField(null=True, unique=True, editable=False)
    #: SHA-256 (hex) over `content` with the digest before it; empty until it is chained.
    digest = models.CharField(max_length=64, blank=True, editable=False)
    at = models.DateTimeField(default=timezone.now)
    #: A value of `ActivityAction` or `ServerAction`.
    action = models.CharField(max_length=40)
    #: The person who did it, by account and name; none if a program or the system did.
    actor_id = models.BigIntegerField(null=True, blank=True)
    actor = models.CharField(max_length=200, blank=True)
    #: The entry point, such as ``screen``, or ``api`` with the prefix of the key.
    via = models.CharField(max_length=20)
    #: The address of the request; empty if it was none.
    address = models.CharField(max_length=45, blank=True)
    #: The instance, which may be gone; none for an act on the server.
    instance = models.ForeignKey(
        Instance,
        null=True,
        blank=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )
    #: The short name of the instance at that time.
    instance_name = models.CharField(max_length=60, blank=True)
    #: True if the instance was private, so that only its owner may read the record.
    is_private = models.BooleanField(default=False)
    #: The one row that it was about: its kind, such as ``memory``, and its id.
    kind = models.CharField(max_length=20, blank=True)
    object_id = models.BigIntegerField(null=True, blank=True)
    #: How many rows it was about.
    count = models.PositiveIntegerField(default=1)
    #: The name of the setting, key, account or place that it was about.
    detail = models.CharField(max_length=MAX_DETAIL_CHARACTERS, blank=True)
    #: The end user whom it was about, until they are erased; empty for the user of a private
    #: instance, none if it was about nobody. Not covered by the digest.
    end_user = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - see above
    #: Their keyed hash, see `memoryapp.models.erasures.hash_of`; empty if it was about nobody.
    person = models.CharField(max_length=64, blank=True)

    objects = AuditRecordQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(number=None, digest="") | Q(number__gt=0) & ~Q(digest=""),
                name="audit_chained_whole",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["id"], condition=Q(number=None), name="audit_unchained"),
            BrinIndex(fields=["at"], name="audit_at"),
            models.Index(fields=["instance", "-id"], name="audit_of_instance"),
            models.Index(
                fields=["instance", "end_user"],
                condition=~Q(end_user=None),
                name="audit_of_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} by {self.actor or self.via}"

    @classmethod
    def of(
        cls,
        by: Actor,
        action: str,
        *,
        instance: Instance | None = None,
        end_user: str | None = None,
        detail: str = "",
        **columns: Any,
    ) -> "AuditRecord":
        """Return the record of an *action* by an actor, at the address of the present request."""
        record = cls(
            action=action,
            actor_id=by.user.pk if by.user else None,
            actor=by.user.get_username()[:200] if by.user else "",
            via=by.via,
            address=present_address(),
            detail=detail[:MAX_DETAIL_CHARACTERS],
            end_user=end_user,
            **columns,
        )
        if instance is not None:
            record.instance = instance
            record.instance_name = instance.slug
            record.is_private = instance.private_to_id is not None
            if end_user is not None:
                record.person = hash_of(instance.pk, end_user)
        return record

    @property
    def content(self) -> dict[str, Any]:
        """The columns that the digest covers, as JSON has them."""
        return {
            "number": self.number,
            "at": self.at.astimezone(UTC).isoformat(timespec="microseconds"),
            "action": self.action,
            "actor_id": self.actor_id,
            "actor": self.actor,
            "via": self.via,
            "address": self.address,
            "instance_id": self.instance_id,
            "instance_name": self.instance_name,
            "is_private": self.is_private,
            "kind": self.kind,
            "object_id": self.object_id,
            "count": self.count,
            "detail": self.detail,
            "person": self.person,
        }


def digest_of(content: Mapping[str, Any], before: str) -> str:
    """Return the digest of a record with this *content* after one with the digest *before*: the
    SHA-256 of its canonical JSON (keys in order, no spaces, UTF-8).
    """
    text = json.dumps(
        {**content, "before": before}, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return hashlib.sha256(text.encode()).hexdigest()


CREATE_AUDIT_TRIGGERS = """
CREATE FUNCTION keepsake_keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        -- A record is chained, once.
        IF OLD.number IS NULL AND NEW.number IS NOT NULL
            AND to_jsonb(NEW) - 'number' - 'digest' = to_jsonb(OLD) - 'number' - 'digest'
        THEN
            RETURN NEW;
        END IF;
        -- A person is erased.
        IF NEW.end_user IS NULL AND to_jsonb(NEW) - 'end_user' = to_jsonb(OLD) - 'end_user' THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'Records of the audit log are neither changed nor deleted.';
END $$;
CREATE TRIGGER keep_audit BEFORE UPDATE OR DELETE ON memoryapp_auditrecord FOR EACH ROW
    EXECUTE FUNCTION keepsake_keep_audit();
CREATE TRIGGER keep_whole_audit BEFORE TRUNCATE ON memoryapp_auditrecord FOR EACH STATEMENT
    EXECUTE FUNCTION keepsake_keep_audit();
"""
DROP_AUDIT_TRIGGERS = "DROP FUNCTION keepsake_keep_audit CASCADE;"
