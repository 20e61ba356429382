"""Finds dates in a question, and how near a day is to them. Pure.

"in May 2023", "am 8. Mai", "2023-05-08", "08.05.2023", "yesterday", "il y a trois semaines",
"el viernes pasado", "this year". A language's own words are looked for, since those of others may
be ordinary words in it: "mai" is May in French, and never in Italian. Those of Chinese and Japanese
are no words of any other, so they are looked for in all (`han_dates`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from memoryapp.language.relative_dates import Found, Moment, RelativeDates
from memoryapp.language.shortening import one_line
from memoryapp.language.time_words import TimeWords
from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.recall import han_dates

#: People often talk about an event some days later: days up to this long after it count half.
TOLD_WITHIN = timedelta(days=14)
#: "Three weeks ago" means some days around that day.
_AROUND = timedelta(days=3)

_YEAR = r"(?P<year>(?:19|20)\d\d)"
#: Dates in digits. The first alternative that matches wins, so that "8 May 2023" is not also a
#: year.
_IN_DIGITS = [
    rf"{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)",
    rf"(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.{_YEAR}",
]


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


def spans(question: str, today: date, languages: Iterable[str] = ("english",)) -> tuple[Span, ...]:
    """Return the dates in *question*, asked on *today*, in the words of these *languages*; dates
    in digits in any.
    """
    text = one_line(question.lower()).replace("’", "'")
    known = [VOCABULARIES[each].times for each in languages if each in VOCABULARIES]
    found = [span for words in known for span in _in_words_of(words, text, today)]
    if not known:
        found = list(_absolute(_pattern(None), {}, text))
    # Languages share some words, and all share digits.
    return tuple(dict.fromkeys([*found, *_in_han(text, today)]))


def nearness(named: Sequence[Span], day: date) -> float:
    """Return how near *day* is to the nearest of those *named*, 0 to 1."""
    return max((span.nearness(day) for span in named), default=0.0)


def _in_words_of(words: TimeWords, text: str, today: date) -> Iterator[Span]:
    reading = _RelativeDates(text, words, today, is_past=True)
    at = 0
    while at < len(reading.bare):
        found = reading.at(at)
        if found is None or (span := _span(found.moment, today)) is None:
            at += 1
            continue
        yield span
        start, end = reading.spans[found.begin][0], reading.spans[found.end - 1][1]
        # What is read is not read again: "last May".
        text = text[:start] + "\0" * (end - start) + text[end:]
        at = found.end
    yield from _absolute(_pattern(words), _months(words), text)


def _in_han(text: str, today: date) -> Iterator[Span]:
    if text.isascii():
        return  # A fast answer for most questions.
    text = han_dates.with_digits(text, today)
    moments = han_dates.moments(text, today)
    yield from (span for moment in moments if (span := _span(moment, today)))
    yield from _absolute(_HAN_DATES, {}, text)


class _RelativeDates(RelativeDates):
    """With "the last two weeks", which has no day of its own."""

    def reading(self, place: int) -> Found | None:
        return self.several(place) or super().reading(place)


def _span(moment: Moment, today: date) -> Span | None:
    try:
        match moment.kind:
            case "around":
                return Span(moment.first - _AROUND, moment.first + _AROUND)
            case "since":
                return Span(moment.first, today)
            case _:
                return Span(moment.first, moment.last)
    except (OverflowError, ValueError):
        return None


@cache
def _pattern(words: TimeWords | None) -> re.Pattern[str]:
    """Pattern that finds dates with the names of months and with numbers; each alternative has
    groups of its own.
    """
    forms = [*_IN_DIGITS, *(_with_months(words) if words else ()), _YEAR]
    return re.compile(_any_of(forms).join((r"\b(?:", r")\b")))


def _any_of(forms: Iterable[str]) -> str:
    return "|".join(
        re.sub(r"\?P<(\w+)>", rf"?P<\g<1>{number}>", form) for number, form in enumerate(forms)
    )


_HAN_DATES = re.compile(
    rf"(?<!\d)(?:{_any_of(form.replace('{year}', _YEAR) for form in han_dates.DATES)})"
)


def _with_months(words: TimeWords) -> Iterator[str]:
    full = "|".join(words.months)
    month = rf"(?P<month>{'|'.join(_months(words))})\.?"
    link = rf" (?:(?:{words.date_links}) )?" if words.date_links else " "
    first = f"|{words.first_day}" if words.first_day else ""
    day = rf"(?:(?P<day>\d{{1,2}}{first})(?:{words.ordinals})?)"
    year = rf"(?:,?{link}{_YEAR})?"
    yield rf"{day}{link}{month}{year}"
    if words.month_before_day:
        yield rf"{month} {day}(?!\d){year}"
    yield rf"{month},?{link}{_YEAR}"
    # "May" and "Mar" are also words: only the full name after a word of time counts.
    before = "|".join(
        re.escape(word) + ("" if word.endswith("'") else " ")
        for word in sorted(words.before_month_asked | words.last | words.this)
    )
    yield rf"(?:{before})(?P<month>{full})(?!,? \d)"


def _months(words: TimeWords) -> dict[str, int]:
    # The longest first, so that "mar" does not stand for "marzo".
    months = dict(words.months) | dict(words.abbreviations)
    return {name: months[name] for name in sorted(months, key=len, reverse=True)}


def _absolute(pattern: re.Pattern[str], months: dict[str, int], text: str) -> Iterator[Span]:
    for match in pattern.finditer(text):
        parts = {
            name.rstrip("0123456789"): value for name, value in match.groupdict().items() if value
        }
        name, on = parts.get("month"), parts.get("day", "0")
        month = None if name is None else months.get(name) or int(name)
        # "The first" in words.
        day = int(on) if on.isdecimal() else 1
        # By default a leap year, so that 29 February exists.
        year = int(parts.get("year", 2000))
        try:
            first = date(year, month or 1, day or 1)
            last = first if day else _end(first, month)
        except ValueError:
            continue  # The 31st of June.
        yield Span(first, last, yearly="year" not in parts)


def _end(first: date, month: int | None) -> date:
    if month is None:
        return first.replace(month=12, day=31)
    return (first.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1)


def _in_year(day: date, year: int) -> date:
    # In other years, 29 February becomes 28 February.
    try:
        return day.replace(year=year)
    except ValueError:
        return day.replace(year=year, day=28)
