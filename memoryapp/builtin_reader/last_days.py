"""The last day of what a sentence plans: an appointment, a journey, a deadline. Pure."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache

from memoryapp.builtin_reader.dates import dated
from memoryapp.builtin_reader.languages.language import Language
from memoryapp.language.relative_dates import Moment
from memoryapp.language.time_words import TimeWords

#: Kinds of moments that have no exact end.
_VAGUE = frozenset(("around", "year"))
_YEAR = r"(?:(?P<year>(?:19|20)\d\d)(?!\d))"
_DAY = r"(?P<day>\d{1,2})"
_ISO = rf"(?<![\d-]){_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)(?![\d-])"
#: With full stops in any language, and with slashes behind the article of a language in which the
#: day comes first.
_DOTTED = rf"(?<![\d.]){_DAY}\.(?P<month>\d{{1,2}})\.(?:{_YEAR}|(?!\d))"
_SLASHED = rf"(?<=\b(?:il|el|le|al|au|du) ){_DAY}/(?P<month>\d{{1,2}})(?:/{_YEAR})?(?![\d/])"


def last_day(text: str, language: Language, said_on: date) -> date | None:
    """The day on which what *text*, a sentence, says is over; None if that is over already, begins
    then, comes again, or names no day.
    """
    plans = language.plans
    until = plans.until.search(text)
    if not until and (plans.lasting.search(text) or plans.recurring.search(text)):
        return None
    on_days, moments = dated(text, language, said_on)
    if any(moment.kind in _VAGUE for moment in moments):
        return None
    is_over = not until and not plans.arranged.search(text) and _is_past(text, language)
    named = [*_explicit(on_days, language, said_on, may_be_next=not is_over), *map(_last, moments)]
    last = max(named, default=None)
    return last if last is not None and last >= said_on else None


def _is_past(text: str, language: Language) -> bool:
    return bool(language.past.search(text)) and not language.future.search(text)


def _last(moment: Moment) -> date:
    """The last day of *moment*, which is exact."""
    first = moment.first
    if moment.kind == "week":
        return first + timedelta(days=6)
    if moment.kind == "weekend":
        return first + timedelta(days=1)
    if moment.kind == "month":
        return _of_month(first.year, first.month)
    if moment.kind == "season":
        later = first.month + 2
        return _of_month(first.year + (later > 12), (later - 1) % 12 + 1)
    return first


def _of_month(year: int, month: int, day: int = 0) -> date:
    return date(year, month, day or monthrange(year, month)[1])


def _explicit(text: str, language: Language, said_on: date, *, may_be_next: bool) -> Iterator[date]:
    """The days that *text* names by month; without a year, the next one from *said_on* on, if that
    may be meant.
    """
    taken: set[int] = set()
    for pattern in _patterns(language.times):
        for found in pattern.finditer(text):
            # "May 2028" is a part of "5 May 2028".
            if not taken.isdisjoint(range(*found.span())):
                continue
            taken.update(range(*found.span()))
            named = found.groupdict()
            written = (named.get("name") or named["month"]).lower().rstrip(".")
            times = language.times
            month = times.months.get(written) or times.abbreviations.get(written) or 0
            day = int(named.get("last") or named.get("day") or 0)
            year = named.get("year")
            if not (year or may_be_next):
                continue
            try:
                month = month or int(written)
                on = _of_month(int(year or said_on.year), month, day)
                yield on if year or on >= said_on else _of_month(said_on.year + 1, month, day)
            except ValueError:
                continue  # There is no such day.


@cache
def _patterns(times: TimeWords) -> tuple[re.Pattern[str], ...]:
    """What days look like in a language."""
    names = sorted([*times.months, *times.abbreviations], key=len, reverse=True)
    month = rf"(?P<name>{'|'.join(names)})(?!\w)\.?"
    ordinal = rf"(?:{times.ordinals})?"
    link = rf" (?:(?:{times.date_links}) )?" if times.date_links else " "
    year = rf"(?:,?{link}{_YEAR})?"
    patterns = [
        _ISO,
        _DOTTED,
        rf"(?<![\w.]){_DAY}{ordinal}{link}{month}{year}",
        rf"(?<!\w)(?<!\d ){month},?{link}{_YEAR}",
    ]
    if times.month_before_day:
        range_ = rf"(?:\s?(?:[-–]|to|until|through)\s?(?P<last>\d{{1,2}}){ordinal})?"
        patterns.append(rf"(?<!\w){month} {_DAY}{ordinal}(?![\d:]){range_}(?:,? {_YEAR})?")
    else:
        patterns.append(_SLASHED)
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)
