"""Finds dates in a question, and how near a day is to them. Pure.

"in May 2023", "on the 8th of May", "2023-05-08", "08.05.2023", "yesterday", "three weeks ago",
"last Friday", "this year". Names of months and days are English.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from memoryapp.text.shortening import one_line

#: People often talk about an event some days later: days up to this long after it count half.
TOLD_WITHIN = timedelta(days=14)

_MONTHS = (
    "january february march april may june july august september october november december"
).split()
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_COUNTS |= {"seven": 7, "eight": 8, "nine": 9, "ten": 10, "couple of": 2, "few": 3}

_MONTH = rf"(?P<month>{'|'.join(_MONTHS)}|{'|'.join(name[:3] for name in _MONTHS)}|sept)\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
#: The first alternative that matches wins, so that "8 May 2023" is not also a year.
_ABSOLUTE = re.compile(
    "|".join(
        re.sub(r"\?P<(\w+)>", rf"?P<\g<1>{number}>", form)
        for number, form in enumerate(
            [
                rf"{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)",
                rf"(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.{_YEAR}",
                rf"{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?",
                rf"{_MONTH} {_DAY}(?!\d)(?:,? {_YEAR})?",
                rf"{_MONTH},? {_YEAR}",
                # "May" and "Mar" are also words: only the full name after a word of time counts.
                rf"(?:in|of|since|during|last|this) (?P<month>{'|'.join(_MONTHS)})(?!,? \d)",
                _YEAR,
            ]
        )
    ).join((r"\b(?:", r")\b"))
)
_RELATIVE = re.compile(
    r"\b(?:(?P<word>today|tonight|yesterday|tomorrow)"
    rf"|(?P<count>\d{{1,3}}|{'|'.join(_COUNTS)}) (?P<unit>day|week|month|year)s? ago"
    rf"|(?:past|last) (?P<many>\d{{1,3}}|{'|'.join(_COUNTS)}) (?P<units>day|week|month|year)s"
    rf"|(?P<which>last|this|past) (?P<period>week|weekend|month|year|{'|'.join(_DAYS)}))\b"
)
_LENGTH = {"day": 1, "week": 7, "month": 30, "year": 365}


@dataclass(frozen=True)
class Span:
    """From one day to another, both included; ``yearly``: of any year."""

    first: date
    last: date
    yearly: bool = False

    def nearness(self, day: date) -> float:
        """Return 1 for a *day* within, 0.5 for one soon after it, else 0."""
        span = self
        if self.yearly:
            # The latest one that is not in the future.
            year = day.year if _in_year(self.first, day.year) <= day else day.year - 1
            span = Span(_in_year(self.first, year), _in_year(self.last, year))
        if span.first <= day <= span.last:
            return 1.0
        return 0.5 if span.last < day <= span.last + TOLD_WITHIN else 0.0


def spans(question: str, today: date) -> tuple[Span, ...]:
    """Return the dates in *question*, asked on *today*."""
    text = one_line(question.lower())
    return (*_absolute(text), *_relative(text, today))


def nearness(named: Sequence[Span], day: date) -> float:
    """Return how near *day* is to the nearest of those *named*, 0 to 1."""
    return max((span.nearness(day) for span in named), default=0.0)


def _absolute(text: str) -> Iterator[Span]:
    for match in _ABSOLUTE.finditer(text):
        parts = {name[:-1]: value for name, value in match.groupdict().items() if value}
        month, day = _month(parts.get("month")), int(parts.get("day", 0))
        # By default a leap year, so that 29 February exists.
        year = int(parts.get("year", 2000))
        try:
            first = date(year, month or 1, day or 1)
            last = first if day else _end(first, month)
        except ValueError:
            continue  # The 31st of June.
        yield Span(first, last, yearly="year" not in parts)


def _relative(text: str, today: date) -> Iterator[Span]:
    for match in _RELATIVE.finditer(text):
        parts = match.groupdict()
        if word := parts["word"]:
            day = today + timedelta({"yesterday": -1, "tomorrow": 1}.get(word, 0))
            yield Span(day, day)
        elif parts["unit"]:
            length = _LENGTH[parts["unit"]]
            day = _before(today, _count(parts["count"]) * length)
            # "Three weeks ago" means some days around that day.
            about = timedelta(length // 2)
            yield Span(max(day, date.min + about) - about, day + about)
        elif parts["units"]:
            yield Span(_before(today, _count(parts["many"]) * _LENGTH[parts["units"]]), today)
        else:
            yield _period(parts["which"], parts["period"], today)


def _period(which: str, period: str, today: date) -> Span:
    back = which != "this"
    monday = today - timedelta(today.weekday())
    if period in _DAYS:
        away = (today.weekday() - _DAYS.index(period)) % 7
        day = today - timedelta(away or 7) if back else monday + timedelta(_DAYS.index(period))
        return Span(day, day)
    if period == "weekend":
        saturday = monday + timedelta(-2 if back else 5)
        return Span(saturday, saturday + timedelta(1))
    if period == "week":
        monday -= timedelta(7 if back else 0)
        return Span(monday, monday + timedelta(6))
    first = today.replace(day=1)
    if period == "month":
        first = (first - timedelta(1)).replace(day=1) if back else first
        return Span(first, _end(first, first.month))
    year = today.year - back
    return Span(date(year, 1, 1), date(year, 12, 31))


def _end(first: date, month: int | None) -> date:
    if month is None:
        return first.replace(month=12, day=31)
    return (first.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1)


def _month(name: str | None) -> int | None:
    if name is None:
        return None
    if name.isdigit():
        return int(name)
    return next(n for n, month in enumerate(_MONTHS, 1) if month.startswith(name[:3]))


def _count(word: str) -> int:
    return _COUNTS.get(word) or int(word)


def _before(today: date, days: int) -> date:
    return today - timedelta(min(days, (today - date.min).days))


def _in_year(day: date, year: int) -> date:
    # In other years, 29 February becomes 28 February.
    try:
        return day.replace(year=year)
    except ValueError:
        return day.replace(year=year, day=28)
