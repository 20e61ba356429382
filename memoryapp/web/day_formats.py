"""How days are written for people, in the formats of the language of the page."""

from datetime import date, datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import get_language, pgettext


def _written(at: date, form: str, *, begins: bool = False) -> str:
    """Write a day in a *form*; ``begins``: it begins a heading or a row. Django's Italian names of
    days and months are capitalized, as Italian does only there.
    """
    text = date_format(at, form)
    if get_language() != "it":
        return text
    return capfirst(text.lower()) if begins else text.lower()


def day(at: date) -> str:
    """Write a day, or the day of a time in the zone of the server: 3 Aug 2026."""
    local = timezone.localtime(at) if isinstance(at, datetime) else at
    return _written(local, pgettext("format of a day", "j M Y"))


class DaysOfMonths:
    """The writings of a day in each month, for scripts: ``%(day)s Jan %(year)s|%(day)s Feb …``."""

    def __str__(self) -> str:
        form = pgettext("format of a day", "j M Y")
        # A backslash keeps a letter as it is.
        form = form.replace("j", r"%(\d\a\y)\s").replace("Y", r"%(\y\e\a\r)\s")
        return "|".join(_written(date(2000, month, 1), form) for month in range(1, 13))


def day_and_time(at: datetime) -> str:
    """Write a time in the zone of the server: 3 Aug 2026, 14:05."""
    local = timezone.localtime(at)
    return _written(local, pgettext("format of a day with its time", "j M Y, H:i"))


def short_day(day: date) -> str:
    """Write a day of the last months: 3 Aug."""
    return _written(day, pgettext("format of a day without its year", "j M"))


def day_and_month(day: date) -> str:
    """Write a day in a sentence: 3 August."""
    return _written(day, pgettext("format of a day with its whole month", "j F"))


def full_day(day: date) -> str:
    """Write a day in a sentence: 3 August 2026."""
    return _written(day, pgettext("format of a day with its whole month and year", "j F Y"))


def moment(at: date) -> str:
    """Write a time in a document, with its zone: 3 August 2026, 14:05 CEST."""
    return _written(at, pgettext("format of a time with its zone", "j F Y, H:i e"))


def weekday(day: date) -> str:
    """Write a day of the last months with its weekday: Monday, 3 August."""
    return _written(day, pgettext("format of a day with its weekday", "l, j F"), begins=True)


def heading_day(day: date) -> str:
    """Write a day as a heading: Monday, 3 August 2026."""
    return _written(
        day, pgettext("format of a day with its weekday and year", "l, j F Y"), begins=True
    )


def table_day(day: date) -> str:
    """Write a day in a table: Mon, 3 Aug 2026."""
    return _written(
        day, pgettext("format of a day with its short weekday", "D, j M Y"), begins=True
    )


def month(day: date) -> str:
    """Write the month of a day: August."""
    return _written(day, pgettext("format of a month", "F"))
