"""Days that a text names by day and month, and stretches: "April 9", "3.–17. April". Pure."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import zip_longest

from memoryapp.language.time_words import TimeWords

#: The tense at a place of a text: below 0 for the past, above 0 for the future, 0 if it shows none.
TenseAt = Callable[[int], int]
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d)"
_BEFORE = r"(?<![\w.,:/-])"
_DASH = r"\s?[-–—]\s?"
_DASHES = " -–—"
#: An article before a number that begins with a vowel, and what it is joined to.
_ELIDED = re.compile(r"(?<!\w)(\w{0,4})l['’]$", re.IGNORECASE)
#: Characters of the two words before a day, and of the words that may tell that it is none.
_MAX_PREVIOUS, _MAX_SUBJECT = 40, 60


@dataclass(frozen=True)
class Named:
    """Where a text names a day or a stretch of days, its new wording, and the days."""

    begin: int
    end: int
    wording: str
    days: tuple[date, ...]

    def in_year(self, year: int, begin: int, end: int) -> "Named":
        """The same in the *year* that is named beside it, from *begin* to *end*."""
        wording, days = self.wording, list[date]()
        for day in self.days:
            try:
                days.append(day.replace(year=year))
            except ValueError:
                return self
            wording = wording.replace(day.isoformat(), days[-1].isoformat())
        return Named(min(self.begin, begin), max(self.end, end), wording, tuple(days))


def named_days(
    text: str, words: TimeWords, said_on: date, tense_at: TenseAt, *, has_years: bool
) -> list[Named]:
    """The days in *text* in order. Without a year, they are the last or the next ones, as the tense
    tells; *has_years* if only those with a year are days at all, since the others come again.
    """
    found: list[Named] = []
    if not any(each.isdecimal() for each in text) and not words.first_day:
        return found
    for match in sorted(_matches(text, words), key=lambda each: each.start()):
        if found and match.start() < found[-1].end:
            continue
        named = _named(match, words, said_on, tense_at)
        if named is not None and (match.groupdict().get("year") or not has_years):
            found.append(named)
    return [
        _until(first, last, text, words) if last else first
        for first, last in zip_longest(found, found[1:])
    ]


def _matches(text: str, words: TimeWords) -> Iterator[re.Match[str]]:
    for pattern in _patterns(words):
        yield from pattern.finditer(text)


def _named(
    match: re.Match[str], words: TimeWords, said_on: date, tense_at: TenseAt
) -> Named | None:
    found = match.groupdict()
    numbers = [_number(each) for name in ("day", "last") if (each := found.get(name))]
    end = match.end()
    if len(numbers) > 1 and numbers[1] <= numbers[0] and found.get("month"):
        if match.start("month") > match.start("day"):
            return None
        # "On May 3 and 2 friends".
        numbers, end = numbers[:1], match.end("day")
    previous = _before(match, _MAX_PREVIOUS)[-2:]
    tense = tense_at(match.start())
    is_begun = len(numbers) == 1 and bool(words.beginnings & {*previous})
    if tense == 0 and is_begun and words.openings & {*previous}:
        is_begun = _is_nearer_in_the_past(found, numbers[0], words, said_on)
    is_over = tense < 0 or (is_begun and tense == 0)
    try:
        days = _days(found, numbers, words, said_on, is_over=is_over)
    except ValueError:
        return None  # There is no such day.
    if not found.get("month") and (
        not _is_on(days[0], found.get("weekday") or "", words)
        or not words.numbered.isdisjoint(_before(match, _MAX_SUBJECT))
    ):
        return None
    begin, wording = match.start(), days[0].isoformat()
    if len(days) > 1 and not found["to"].strip(_DASHES):
        wording = words.written["range"].format(first=days[0], last=days[1])
        before = words.before_range.search(match.string[max(0, begin - 20) : begin])
        begin -= len(before[0]) if before else 0
    elif len(days) > 1:
        between = found["to"].replace(" the ", " ") if words.month_before_day else found["to"]
        wording += f"{between}{days[1]}"
    elif found.get("weekday") and not (words.dropped | words.kept) & {*previous[-1:]}:
        wording = words.written["day"].format(day=wording)
    if elided := words.elided_article and _ELIDED.search(match.string, 0, begin):
        # "L'8 agosto" is "il 2027-08-08", and "dell'8", "del".
        begin, wording = elided.start(), f"{elided[1] or words.elided_article} {wording}"
    if not match.string[:begin].strip():
        wording = wording[0].upper() + wording[1:]
    return Named(begin, end, wording, days)


def _days(
    found: Mapping[str, str | None],
    numbers: Sequence[int],
    words: TimeWords,
    said_on: date,
    *,
    is_over: bool,
) -> tuple[date, ...]:
    name = (found.get("month") or "").lower().rstrip(".")
    if not name:
        # "The 20th": of this month, or the one before or after.
        first = _of_month(numbers[0], said_on, is_over=is_over)
        return (first, *(_of_month(last, first, is_over=False) for last in numbers[1:]))
    month = words.months.get(name) or words.abbreviations.get(name) or int(name)
    year = found.get("year")
    days = tuple(date(int(year or said_on.year), month, day) for day in numbers)
    if year:
        return days
    return tuple(_shifted(day, days[-1], said_on, is_over=is_over) for day in days)


def _of_month(number: int, said_on: date, *, is_over: bool) -> date:
    day = said_on.replace(day=number)
    if is_over == (day > said_on) and day != said_on:
        months = said_on.year * 12 + said_on.month - 1 + (-1 if is_over else 1)
        return date(months // 12, months % 12 + 1, number)
    return day


def _is_on(day: date, weekday: str, words: TimeWords) -> bool:
    """True if *day* is on the *weekday* that is written before it: "Thursday the 20th"."""
    name = weekday.lower().partition(" ")[0].rstrip(",")
    return words.weekdays.get(name, day.weekday()) == day.weekday()


def _number(day: str) -> int:
    return int(day) if day.isdecimal() else 1


def _before(match: re.Match[str], most: int) -> list[str]:
    """The words before the day, of *most* characters: "desde", "el"."""
    return match.string[max(0, match.start() - most) : match.start()].lower().split()


def _is_nearer_in_the_past(
    found: Mapping[str, str | None], number: int, words: TimeWords, said_on: date
) -> bool:
    """True if the last such day is nearer than the next: "dal 3 marzo" may be either."""
    try:
        (last,) = _days(found, [number], words, said_on, is_over=True)
        (following,) = _days(found, [number], words, said_on, is_over=False)
    except ValueError:
        return True
    return said_on - last <= following - said_on


def _shifted(day: date, last: date, said_on: date, *, is_over: bool) -> date:
    """*day* of the year in which the *last* of its stretch is over, or is to come."""
    if is_over:
        return day.replace(year=day.year - (last > said_on))
    return day.replace(year=day.year + (last < said_on))


def _until(named: Named, end: Named, text: str, words: TimeWords) -> Named:
    """*named*, in the year in which the stretch begins that the day behind it is the *end* of."""
    between = text[named.end : end.begin].lower()
    if len(named.days) > 1 or not range_link(words).fullmatch(between.strip(" ")):
        return named
    try:
        day = named.days[0].replace(year=end.days[0].year)
        day = day if day <= end.days[0] else day.replace(year=day.year - 1)
    except ValueError:
        return named
    wording = named.wording.replace(named.days[0].isoformat(), day.isoformat())
    return Named(named.begin, named.end, wording, (day,))


@cache
def range_link(words: TimeWords) -> re.Pattern[str]:
    """Pattern of what stands between the first and the last day of a stretch."""
    return re.compile(rf"{words.range_links}|[{_DASHES}]")


@cache
def _patterns(words: TimeWords) -> tuple[re.Pattern[str], ...]:
    """Patterns of days in a language."""
    names = sorted([*words.months, *words.abbreviations], key=len, reverse=True)
    month = rf"(?P<month>{'|'.join(names)})(?!\w)(?:\.(?=[\s,]))?"
    in_digits = r"(?P<month>\d{1,2})"
    article = rf"(?:{words.day_article})\s"
    weekday = rf"(?:{'|'.join([*words.weekdays, *words.short_weekdays])}),?\s(?:{article})?"
    before = rf"{_BEFORE}(?P<weekday>{weekday})?"
    ordinal = rf"(?:{words.ordinals})?"
    number = rf"(?:\d{{1,2}}|(?:{words.first_day})(?!\w))" if words.first_day else r"\d{1,2}"
    day, last = rf"(?P<day>{number}){ordinal}", rf"(?:{weekday})?(?P<last>{number}){ordinal}"
    to = rf"(?P<to>{_DASH}|\s(?:{words.range_links})\s)"
    link = rf"\s(?:(?:{words.date_links})\s)?" if words.date_links else r"\s"
    the = rf"(?:{article})?" if words.month_before_day else ""
    mark = r"(?P<mark>\.)" if words.month_before_day else "(?P<mark>[./-])"
    patterns = [
        rf"{before}{the}{day}(?:{to}{last})?{link}{month}(?:,?{link}{_YEAR})?",
        rf"{before}(?P<day>\d{{1,2}}){mark}\s?{in_digits}(?P=mark)\s?{_YEAR}",
    ]
    if words.month_before_day:
        patterns.append(
            rf"{before}{the}{month}\s{day}(?![\w:])(?:{to}{last}(?![\w:]))?(?:,?\s{_YEAR})?"
        )
    else:
        # "Le 3/8", "am 3.8.", also behind a weekday: without a year, it may be something else.
        led = rf"{_BEFORE}(?:{_behind(words.before_digits)}|(?P<weekday>{weekday}))"
        closing = r"(?P<mark>[./])\s?" + in_digits + r"(?:(?<=/\d)|(?<=/\d\d)|\.)(?![\d/])"
        patterns.append(rf"{led}(?P<day>\d{{1,2}}){closing}")
    patterns.append(rf"{_BEFORE}(?P<weekday>{weekday})(?P<day>\d{{1,2}}){words.day_ending}")
    patterns += (rf"{before}{alone}" for alone in words.days_alone)
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


def _behind(words: Iterable[str]) -> str:
    return "|".join(rf"(?<=\b{word}\s)" for word in words)
