"""Summaries: what is remembered of a person, in a few sentences."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from instances.models import Instance
from instances.models.fields import TranslatableTextField
from instances.models.leased_jobs import LeasedJob, not_sent_lately
from memoryapp.models.memory import Memory
from memoryapp.models.prepared_statements import prepared

#: Seconds before a summary is written, since more may be learned meanwhile.
STALLED_AFTER_SECONDS = 20
#: Seconds that writing a summary may take.
MAX_SECONDS = 150.0
#: A summary that is scheduled already is not postponed. Prepared, since every fact runs it.
_WANT = """
UPDATE memoryapp_summary SET due_at = coalesce(due_at, %s), attempts = 0, error = ''
WHERE instance_id = %s AND end_user = ANY(%s)
"""


class SummaryQuerySet(models.QuerySet["Summary"]):
    def of(self, instance: Instance, end_user: str) -> Self:
        return self.filter(instance=instance, end_user=end_user)

    def due(self) -> Self:
        """Summaries that are to be written now, including those whose worker has died."""
        now = timezone.now()
        return self.filter(Q(due_at__lte=now, lease_until=None) | Q(lease_until__lt=now))

    def unsent(self) -> Self:
        """Due, and either never sent to the broker, or sent so long ago that it may be lost."""
        return self.due().filter(not_sent_lately())

    def failed(self, instance: Instance) -> Self:
        """Summaries of *instance* whose last attempt failed, if any are to be written."""
        if not instance.summary_enabled or not instance.has_language_model:
            return self.none()
        return self.filter(instance=instance).exclude(error="")

    def of_nobody(self, instance: Instance) -> Self:
        """Summaries of people without memories."""
        theirs = Memory.objects.filter(instance=instance, end_user=OuterRef("end_user"))
        return self.filter(~Exists(theirs), instance=instance)

    def want(self, instance: Instance, end_users: Iterable[str]) -> None:
        """Schedule the summaries of these people to be rewritten, since there is more to say."""
        if not instance.summary_enabled or not instance.memory_enabled:
            return
        due_at = timezone.now() + timedelta(seconds=STALLED_AFTER_SECONDS)
        people = sorted(set(end_users))

        def want() -> int:
            with prepared() as cursor:
                cursor.execute(_WANT, [due_at, instance.pk, people])
                return int(cursor.rowcount)

        if want() < len(people):
            self.bulk_create(
                [Summary(instance=instance, end_user=person) for person in people],
                ignore_conflicts=True,
            )
            # One that another process has just created must not be written without the new facts.
            want()

    def drop(self, memories: models.QuerySet[Memory]) -> None:
        """Clear the summaries that *memories* have gone into, before those are deleted or changed:
        wrong or unwanted text must not survive there. They are rewritten from what is left. Belongs
        in the transaction that deletes or changes.
        """
        gone = memories.order_by().filter(
            instance=OuterRef("instance"), end_user=OuterRef("end_user")
        )
        self.filter(Exists(gone)).update(
            text="",
            written_at=None,
            made_from=0,
            newest_memory=0,
            model="",
            # A worker that is writing it now has read outdated memories.
            version=F("version") + 1,
            due_at=Coalesce("due_at", timezone.now() + timedelta(seconds=STALLED_AFTER_SECONDS)),
            attempts=0,
            error="",
        )


class Summary(LeasedJob):
    """Summary of a person's memories, in a few sentences of the language model.

    Its words come from memories: it is cleared with the first of them that is deleted or corrected.
    """

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="summaries")
    end_user = models.CharField(max_length=200, blank=True)
    text = models.TextField(blank=True)
    #: The number of memories it was made from, the latest of them, the time and the model.
    made_from = models.PositiveIntegerField(default=0)
    #: Sentences of the model that were left out, since the memories do not say them.
    left_out = models.PositiveSmallIntegerField(default=0)
    newest_memory = models.BigIntegerField(default=0)
    written_at = models.DateTimeField(null=True, blank=True)
    model = models.CharField(max_length=200, blank=True)
    #: Counts the changes that have made it invalid.
    version = models.PositiveIntegerField(default=0)
    #: When it is to be rewritten; None if it is up to date, or could not be written.
    due_at = models.DateTimeField(null=True, blank=True)
    #: When it was last sent to the broker.
    sent_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    #: Why it could not be written, as a sentence.
    error = TranslatableTextField(blank=True)

    objects = SummaryQuerySet.as_manager()

    MAX_ATTEMPTS = 3

    class Meta:
        verbose_name_plural = "summaries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["instance", "end_user"], name="summary_once"),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["due_at"],
                condition=~Q(due_at=None) | ~Q(lease_until=None),
                name="summary_due",
            ),
        ]

    def __str__(self) -> str:
        return f"Summary {self.pk} of {self.end_user or 'the user'}"

    @property
    def is_coming(self) -> bool:
        """True if it is being written, or about to be."""
        return self.due_at is not None or self.lease_until is not None

    def claim(self) -> bool:
        """Claim it for writing; False if another worker has it, or if nothing is to be done."""
        return self.claim_among(
            Summary.objects.due(),
            due_at=None,
            sent_at=None,
            attempts=F("attempts") + 1,
            error="",
        )

    def still_true(self) -> "models.QuerySet[Summary]":
        """Narrow to this summary, unless one of its memories was deleted or corrected."""
        return self.still_mine().filter(version=self.version)

    def try_later(self, at: datetime | None, *, error: str, counts: bool = True) -> None:
        """End an attempt without a text, and begin another one *at* that time, if any; unless it
        *counts*, it is not an attempt.
        """
        attempts = F("attempts") if counts else Greatest(F("attempts") - 1, 0)
        self.release(error=error, due_at=Coalesce("due_at", at), attempts=attempts)
