"""How far the audit log has been sent on to the collector of the operator."""

from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from instances.models.fields import TranslatableTextField
from instances.models.leased_jobs import lease_is_free

#: Seconds until what failed is tried again: doubled with each failure, up to the most.
FIRST_WAIT_SECONDS = 15.0
MAX_WAIT_SECONDS = 900.0


class AuditForwarding(models.Model):
    """The one row about it, which one worker at a time holds under a lease."""

    #: The number of the last record that was sent.
    number = models.BigIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    #: Attempts that have failed since, and what went wrong with the last one.
    failures = models.PositiveIntegerField(default=0)
    error = TranslatableTextField(blank=True)
    #: When to try next.
    due_at = models.DateTimeField(default=timezone.now)
    #: The end of the worker's lease; None while no worker sends.
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(id=1), name="audit_forwarding_once")
        ]

    def __str__(self) -> str:
        return f"sent up to record {self.number}"

    @classmethod
    def claim(cls, seconds: float) -> Self | None:
        """Claim it for the calling worker, for at most *seconds*; return None if it is not due, or
        another worker sends.
        """
        cls.objects.get_or_create(id=1)
        now = timezone.now()
        free = cls.objects.filter(lease_is_free(), id=1, due_at__lte=now)
        if not free.update(lease_until=now + timedelta(seconds=seconds)):
            return None
        return cls.objects.get(id=1)

    def note_sent(self, number: int, *, at: datetime) -> None:
        """Note that everything up to a *number* was sent."""
        self.number = number
        self._mine().update(number=number, sent_at=at, failures=0, error="")

    def note_failure(self, error: str, *, at: datetime) -> None:
        """Note that an attempt has failed, and when the next one is due."""
        wait = min(MAX_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** min(self.failures, 10))
        due = at + timedelta(seconds=wait)
        self._mine().update(failures=self.failures + 1, error=error, due_at=due)

    def release(self) -> None:
        """End the lease."""
        self._mine().update(lease_until=None)

    def _mine(self) -> "models.QuerySet[AuditForwarding]":
        """The row while the lease of this worker lasts, or none has taken it since."""
        return AuditForwarding.objects.filter(id=1, lease_until=self.lease_until)
