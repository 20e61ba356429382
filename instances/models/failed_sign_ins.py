"""Counts of failed sign-ins."""

import math
from datetime import datetime, timedelta

from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac


class FailedSignInsQuerySet(models.QuerySet["FailedSignIns"]):
    def forget_old(self) -> None:
        """Delete counts that have not changed for a day."""
        self.filter(counted_at__lt=timezone.now() - FailedSignIns.REMEMBERED).delete()


class FailedSignIns(models.Model):
    """How many attempts under one key have failed, and until when more are refused.

    The key is a digest of a name, an address or a browser: people sometimes type their password
    into the name field.
    """

    REMEMBERED = timedelta(days=1)
    FREE_ATTEMPTS = 5
    FIRST_WAIT_SECONDS = 30
    MAX_WAIT_SECONDS = 900

    key = models.CharField(max_length=64, primary_key=True)
    failures = models.PositiveIntegerField(default=0)
    counted_at = models.DateTimeField(default=timezone.now, db_index=True)
    refused_until = models.DateTimeField(null=True, blank=True)

    objects = FailedSignInsQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.failures} failed, refused until {self.refused_until}"

    @classmethod
    def key_for(cls, *parts: str) -> str:
        """Return the key for *parts*; it changes with SECRET_KEY."""
        return salted_hmac(cls.__name__, "\0".join(parts), algorithm="sha256").hexdigest()

    @classmethod
    def wait_after(cls, failures: int) -> int:
        """Return the seconds to wait after that many failures."""
        if failures < cls.FREE_ATTEMPTS:
            return 0
        doublings = min(failures - cls.FREE_ATTEMPTS, 16)
        return int(min(cls.FIRST_WAIT_SECONDS * 2**doublings, cls.MAX_WAIT_SECONDS))

    def seconds_left(self, now: datetime) -> int:
        """Return the seconds to wait from *now* on; 0 if an attempt is allowed."""
        if self.refused_until is None or self.refused_until <= now:
            return 0
        return math.ceil((self.refused_until - now).total_seconds())

    def count(self, now: datetime) -> None:
        """Add one failure; call `save` afterwards."""
        self.failures += 1
        self.counted_at = now
        wait = self.wait_after(self.failures)
        self.refused_until = now + timedelta(seconds=wait) if wait else None
