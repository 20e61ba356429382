"""Days as people write them in URLs and forms, and their bounds as moments."""

from datetime import date, datetime, time, timedelta

from django.utils import timezone
from django.utils.dateparse import parse_date

MIN_YEAR, MAX_YEAR = 1000, 2200


def parse_day(text: str) -> date | None:
    """Return the day in *text*; None if there is none, or its year is absurd."""
    try:
        day = parse_date(text)
    except ValueError:
        return None  # Such as the 30th of February.
    return day if day and MIN_YEAR <= day.year <= MAX_YEAR else None


def start_of(day: date) -> datetime:
    """Return the beginning of *day* in the time zone of the screens."""
    return timezone.make_aware(datetime.combine(day, time()))


def end_of(day: date) -> datetime:
    """Return the end of *day* in the time zone of the screens."""
    return start_of(day + timedelta(1))
