"""Servers that keep failing and are not called for a while."""

from datetime import timedelta
from typing import ClassVar, Self
from zoneinfo import ZoneInfo

from django.db import models, transaction
from django.utils import timezone

from instances.models.fields import TranslatableTextField
from instances.models.instance import Instance
from instances.provider_urls import name_of


class CircuitBreakerQuerySet(models.QuerySet["CircuitBreaker"]):
    def open(self) -> Self:
        """Breakers that refuse calls."""
        return self.filter(retry_at__isnull=False)

    def record_failure(self, instance_id: int, server: str, message: str) -> None:
        """Count a failed call; after too many in a row, stop calling the server for a while."""
        now = timezone.now()
        with transaction.atomic():
            # The row lock orders calls that fail at the same moment.
            breaker, _ = self.select_for_update().get_or_create(
                instance_id=instance_id, server=server
            )
            breaker.failures += 1
            breaker.said = message
            if breaker.failures >= breaker.MAX_FAILURES:
                breaker.wait_seconds = breaker.wait_seconds or breaker.FIRST_WAIT_SECONDS
                breaker.retry_at = now + timedelta(seconds=breaker.wait_seconds)
            breaker.save()

    def try_now(self) -> int:
        """Allow the next call to each server, even before the wait is over."""
        return self.open().update(retry_at=timezone.now())


class CircuitBreaker(models.Model):
    """One instance's failing calls to one server; the first success deletes the row.

    After `MAX_FAILURES` in a row, calls are refused without being sent. When the wait is over, one
    call is allowed, and the next wait is twice as long.
    """

    MAX_FAILURES = 5
    FIRST_WAIT_SECONDS = 15
    MAX_WAIT_SECONDS = 300

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="circuit_breakers"
    )
    #: As `provider_urls.server_of` names it.
    server = models.CharField(max_length=300)
    #: Failed calls in a row, when the first one failed, and the last error, scrubbed.
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(default=timezone.now)
    said = TranslatableTextField(blank=True)
    #: The present wait and when it ends; 0 and None while calls go through.
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
        """The name of the server for screens."""
        return name_of(self.server)

    @property
    def is_waiting(self) -> bool:
        """True if calls are refused at present."""
        return self.retry_at is not None and self.retry_at > timezone.now()

    @property
    def retry_time(self) -> str:
        """When the wait is over, in the instance's time zone, rounded up to the minute."""
        over = max(self.retry_at or timezone.now(), timezone.now()) + timedelta(seconds=59)
        return over.astimezone(ZoneInfo(self.instance.time_zone)).strftime("%H:%M")

    def admits(self) -> bool:
        """True if a call may be sent now. When the wait is over, one call tests the server."""
        if self.retry_at is None:
            return True
        if self.is_waiting:
            return False
        now = timezone.now()
        wait = min(2 * self.wait_seconds, self.MAX_WAIT_SECONDS)
        # The conditional update decides between callers that ask at the same moment. If the caller
        # dies before its call ends, another one is allowed after the next wait.
        return bool(
            CircuitBreaker.objects.filter(pk=self.pk, retry_at=self.retry_at).update(
                wait_seconds=wait, retry_at=now + timedelta(seconds=wait)
            )
        )
