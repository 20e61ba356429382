"""Keyed hashes of deleted memories that must not be learned again; never a text."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from django.db import models
from django.utils import timezone

from conversations.models import Message
from instances.models import Instance, User
from instances.models.content_keys import ContentKey, InstanceContent
from memoryapp.models.prepared_statements import prepared


class SuppressionRuleManager(models.Manager["SuppressionRule"]):
    def of_people(self, instance: Instance, people: Iterable[str]) -> "list[SuppressionRule]":
        """The rules for *people*, newest first. Hand-written SQL, because every fact that is stored
        asks, and the ORM takes longer to build the statement than PostgreSQL to answer it.
        """
        columns = [str(field.column) for field in self.model._meta.concrete_fields]
        with prepared() as cursor:
            cursor.execute(
                f"SELECT {', '.join(columns)} FROM memoryapp_suppressionrule"  # noqa: S608 - Names of the model.
                " WHERE instance_id = %s AND end_user = ANY(%s) ORDER BY created_at DESC, id DESC",
                [instance.pk, list(people)],
            )
            return [self.model.from_db(self.db, columns, row) for row in cursor]


class SuppressionRule(InstanceContent):
    """A memory that a person deleted with the wish not to learn it again."""

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="suppression_rules"
    )
    #: The person that the memory was about.
    end_user = models.CharField(max_length=200, blank=True)
    #: Not a foreign key: the memory is deleted, and undoing its deletion removes this row.
    memory_id = models.BigIntegerField(db_index=True)
    #: See `memoryapp.policy.minhash`.
    words = models.BinaryField()
    names = models.BinaryField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    via = models.CharField(max_length=20)
    #: How often it has suppressed a candidate.
    kept_out = models.PositiveIntegerField(default=0)
    last_kept_out_at = models.DateTimeField(null=True, blank=True)

    objects = SuppressionRuleManager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        indexes: ClassVar = [
            models.Index(fields=["instance", "end_user"], name="suppression_rule_of")
        ]

    def __str__(self) -> str:
        return f"What memory {self.memory_id} said"


class SuppressedStatementManager(models.Manager["SuppressedStatement"]):
    def let_be_said_anew(self, instance: Instance, memory_ids: Sequence[int]) -> None:
        """Have copies of the messages that state these deleted memories heard again."""
        self.filter(instance=instance, memory_id__in=memory_ids).update(digest=b"")

    def sayable_anew(self, messages: Sequence[Message]) -> set[int]:
        """The ids of those of *messages* that are muted, but whose copies are heard."""
        muted = self.filter(message__in=messages)
        silent = muted.exclude(digest=b"").values_list("message_id", flat=True)
        return {pk for pk in muted.values_list("message_id", flat=True) if pk} - set(silent)


class SuppressedStatement(InstanceContent):
    """A message that states a forgotten memory: reading it again does not restore the memory, nor
    does a copy of the message in a history that is sent again.
    """

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="suppressed_statements"
    )
    #: The person that the memory was about.
    end_user = models.CharField(max_length=200, blank=True)
    #: None after the message has been deleted, or if no message stated the memory.
    message = ContentKey(
        Message,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="suppressed_statements",
    )
    memory_id = models.BigIntegerField(db_index=True)
    #: Keyed hash of the message's text; empty if a program started its memories anew: then what
    #: says it again is heard, and only the message itself is kept from being read again.
    digest = models.BinaryField()
    #: True if the message had been read for facts by then: nothing more is learned from it. If not,
    #: it may state other facts, and only those similar to the signature are suppressed.
    whole = models.BooleanField()
    words = models.BinaryField(blank=True)
    names = models.BinaryField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = SuppressedStatementManager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["message", "memory_id"], name="suppressed_statement_once"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["instance", "end_user", "digest"], name="suppressed_statement_text"
            )
        ]

    def __str__(self) -> str:
        return f"Of memory {self.memory_id}, from message {self.message_id}"
