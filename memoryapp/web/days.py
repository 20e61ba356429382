"""Days as people write them in URLs and forms, and their bounds as moments."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.dateparse import parse_date

MIN_YEAR, MAX_YEAR = 1000, 2200


class DayInput(forms.DateInput):
    """The field of a day. Its value is ISO in every language, which a browser shows in its own."""

    input_type = "date"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%Y-%m-%d")


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
