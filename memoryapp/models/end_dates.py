"""The end of a memory: a day, or a moment on it."""

from datetime import date, datetime

from django.db.models import Q
from django.utils import timezone


class Ending:
    """Columns of memories, their revisions and versions for the end of their validity."""

    #: The last day on which it is valid; None if it does not expire.
    valid_until: date | None
    #: The moment on that day at which it ends; None: the end of the day.
    expires_at: datetime | None

    @property
    def end(self) -> date | datetime | None:
        """The moment at which it ends, or else the last day on which it is valid."""
        return self.expires_at or self.valid_until

    def is_expired(self, today: date) -> bool:
        """True if it is no longer valid."""
        return has_passed(self.valid_until, self.expires_at, today)


def split_end(end: date | datetime | None) -> tuple[date | None, datetime | None]:
    """Return the columns ``valid_until`` and ``expires_at`` for *end*, a day or an aware moment."""
    if isinstance(end, datetime):
        return timezone.localdate(end), end
    return end, None


def has_passed(valid_until: date | None, expires_at: datetime | None, today: date) -> bool:
    """True if an end, as its two columns, has passed."""
    if expires_at is not None:
        return expires_at <= timezone.now()
    return valid_until is not None and valid_until < today


def has_ended(today: date) -> Q:
    """The condition for a memory to be no longer valid."""
    return Q(valid_until__lt=today) | Q(expires_at__lte=timezone.now())


def has_not_ended(today: date) -> Q:
    """The condition for a memory to be valid."""
    later = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return Q(valid_until=None) | (Q(valid_until__gte=today) & later)


def later_end(
    one: tuple[date | None, datetime | None], other: tuple[date | None, datetime | None]
) -> tuple[date | None, datetime | None]:
    """Return the later of two ends, each as its two columns; without an end is the latest."""
    if one[0] is None or other[0] is None:
        return None, None
    # The end of a day comes after each moment on it.
    return max(one, other, key=lambda end: (end[0], end[1] is None, end[1] or timezone.now()))
