"""Servers that keep failing, and are left alone for a while."""

from datetime import timedelta
from typing import ClassVar, Self
from zoneinfo import ZoneInfo

from django.db import models, transaction
from django.utils import timezone

from instances.addresses import name_of
from instances.models.instance import Instance


class CircuitBreakerQuerySet(models.QuerySet["CircuitBreaker"]):
    def open(self) -> Self:
        """Those that refuse calls."""
        return self.filter(retry_at__isnull=False)

    def record_failure(self, instance_id: int, server: str, said: str) -> None:
        """Count a failed call, and leave the server alone once there are too many in a row."""
        now = timezone.now()
        with transaction.atomic():
            # The row lock decides the order of calls that fail at the same moment.
            breaker, _ = self.select_for_update().get_or_create(
                instance_id=instance_id, server=server
            )
            breaker.failures += 1
            breaker.said = said
            if breaker.failures >= breaker.MAX_FAILURES:
                breaker.wait_seconds = breaker.wait_seconds or breaker.FIRST_WAIT_SECONDS
                breaker.retry_at = now + timedelta(seconds=breaker.wait_seconds)
            breaker.save()

    def try_now(self) -> int:
        """Let the next call to each through, whatever is left of the wait."""
        return self.open().update(retry_at=timezone.now())


class CircuitBreaker(models.Model):
    """The calls of one instance to one server, while they fail: the first success deletes the row.

    After `MAX_FAILURES` in a row, calls are refused without being sent. Each time the wait is over,
    one call is let through, and the next wait is twice as long.
    """

    MAX_FAILURES = 5
    FIRST_WAIT_SECONDS = 15
    MAX_WAIT_SECONDS = 300

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="circuit_breakers"
    )
    #: As `addresses.server_of` names it.
    server = models.CharField(max_length=300)
    #: Calls that have failed in a row, since when, and what the last one said, scrubbed.
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(default=timezone.now)
    said = models.TextField(blank=True)
    #: How long it waits, and until when; 0 and None while calls go through.
    wait_seconds = models.PositiveSmallIntegerField(default=0)
    retry_at = models.DateTimeField(null=True, blank=True)

    objects = CircuitBreakerQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["server"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["instance", "server"], name="circuit_breaker_once"),
        ]

    def __str__(self) -> str:
        return f"{self.server}: {self.failures} failures"

    @property
    def name(self) -> str:
        """What to call the server."""
        return name_of(self.server)

    @property
    def is_waiting(self) -> bool:
        """Whether no call is let through yet."""
        return self.retry_at is not None and self.retry_at > timezone.now()

    @property
    def retry_time(self) -> str:
        """When it is called again, by the clock of its instance: in which minute the wait is over,
        so that nobody looks too early.
        """
        over = max(self.retry_at or timezone.now(), timezone.now()) + timedelta(seconds=59)
        return over.astimezone(ZoneInfo(self.instance.time_zone)).strftime("%H:%M")

    def admits(self) -> bool:
        """Return whether a call may be sent now. Once the wait is over, only the first caller that
        asks is told so: its call shows whether the server is back.
        """
        if self.retry_at is None:
            return True
        if self.is_waiting:
            return False
        now = timezone.now()
        wait = min(2 * self.wait_seconds, self.MAX_WAIT_SECONDS)
        # The conditional update decides between callers that ask at the same moment. If this one
        # dies before it knows, the next one is let through after the next wait.
        return bool(
            CircuitBreaker.objects.filter(pk=self.pk, retry_at=self.retry_at).update(
                wait_seconds=wait, retry_at=now + timedelta(seconds=wait)
            )
        )
