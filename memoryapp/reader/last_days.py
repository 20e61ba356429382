"""The last day of what a sentence plans: an appointment, a journey, a deadline. Pure."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from itertools import pairwise

from memoryapp.language.denials import is_denial
from memoryapp.language.relative_dates import Moment, RelativeDates
from memoryapp.language.time_words import TimeWords
from memoryapp.language.words import words
from memoryapp.reader.dates import dated, places_of_dates
from memoryapp.reader.languages.language import Language

#: Kinds of moments that have no exact end.
_VAGUE = frozenset(("around", "year"))
#: Words from a day to the one that is denied: ", and not on".
_MAX_CONTRAST = 3
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_ISO = rf"(?<![\d-]){_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)(?![\d-])"


def last_day(text: str, language: Language, said_on: date) -> date | None:
    """The day on which what *text*, a sentence, says is over; None if that is over already, begins
    then, comes again, or names no day.
    """
    plans, times = language.plans, language.times
    text = _without_contrast(text, language, said_on)
    on_days, moments = dated(text, language, said_on)
    has_end, recurs = plans.has_end(text), plans.recurs(text)
    begins = not has_end and bool(plans.lasting.search(on_days))
    length = RelativeDates(text, times, said_on, is_past=False).length() if begins else 0
    if (begins and not length) or recurs:
        return None
    if any(moment.kind in _VAGUE for moment in moments):
        return None
    named = [*_with_years(on_days, times), *(moment.last for moment in moments)]
    last = max(named, default=None)
    if last is None or last < said_on:
        return None
    return last + timedelta(days=max(length - 1, 0))


def _without_contrast(text: str, language: Language, said_on: date) -> str:
    """*text* up to a day that it denies behind another: "on the 14th, not the 15th"."""
    places = places_of_dates(text, language, said_on)
    for (_, end), (start, _) in pairwise(places):
        denials = words(text[end:start])
        if len(denials) <= _MAX_CONTRAST and any(map(is_denial, denials)):
            return text[:end]
    return text


def _with_years(text: str, times: TimeWords) -> Iterator[date]:
    """The last days of what *text* names by day, month and year, or by month and year."""
    for found in _pattern(times).finditer(text):
        named = found.groupdict()
        try:
            if name := named["name"]:
                month = times.months.get(name.lower()) or times.abbreviations[name.lower()]
                yield Moment("month", date(int(named["in_year"]), month, 1)).last
            else:
                yield date(*(int(named[part]) for part in ("year", "month", "day")))
        except ValueError:
            continue  # There is no such day.


@cache
def _pattern(times: TimeWords) -> re.Pattern[str]:
    """Pattern of days and months with a year in a language."""
    names = sorted([*times.months, *times.abbreviations], key=len, reverse=True)
    link = rf" (?:(?:{times.date_links}) )?" if times.date_links else " "
    month = rf"(?<!\w)(?P<name>{'|'.join(names)})(?!\w)\.?,?{link}(?P<in_year>(?:19|20)\d\d)(?!\d)"
    return re.compile(rf"{_ISO}|{month}", re.IGNORECASE)
