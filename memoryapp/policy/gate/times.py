"""The moments that a text names: "last Friday", "in two weeks", "7 May". Pure."""

import calendar
from collections.abc import Sequence
from datetime import date, timedelta

from memoryapp.language.english import ENGLISH
from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.policy.gate.moments import TimeExpression
from memoryapp.policy.gate.month_dates import MONTHS, in_digits, with_month
from memoryapp.policy.gate.numerals import value_of
from memoryapp.policy.gate.words import Token

_ENGLISH = ENGLISH.times
_ALL = [known.times for known in VOCABULARIES.values()]
WEEKDAYS = {name: number for words in _ALL for name, number in words.weekdays.items()}
WEEKDAYS |= {name: number for name, number in _ENGLISH.short_weekdays.items() if number < 5}
_DAYS = {name: days for words in _ALL for name, days in words.days.items() if " " not in name}
#: "Am Morgen" and "la mañana" are no tomorrow.
_PARTS_OF_DAY = frozenset[str]().union(*(words.parts_of_day for words in _ALL))
_BEFORE_PART = frozenset[str]().union(
    *(words.dropped | words.habits | words.last | words.this | words.next for words in _ALL)
)
_UNITS = {name: unit for words in _ALL for name, unit in words.units.items()}
_UNITS |= {name: "season" for words in _ALL for name in words.seasons}
_UNITS["night"] = "day"
_LENGTH = {"day": 1, "week": 7, "weekend": 7, "month": 30.44, "year": 365.25, "season": 365.25}
_LAST = frozenset[str]().union(*(words.last for words in _ALL))
_NEXT = frozenset(["following", "viene"]).union(*(words.next for words in _ALL))
_THIS = frozenset(word.rstrip("'") for words in _ALL for word in words.this)
_AGO = frozenset(["earlier", "before"]).union(*(words.ago_after for words in _ALL))
_BEFORE_PAST = frozenset[str]().union(*(words.ago_before for words in _ALL))
_LATER = frozenset(["later"])
#: Where several words lead, the first; in French, "en" tells how long.
_BEFORE_FUTURE = {phrase.split()[0] for words in _ALL for phrase in words.ahead_before} - {"en"}
_BEFORE_FUTURE |= {"within"}
_SINCE = frozenset("for over almost about around nearly".split()).union(
    *(words.beginnings | words.last_of_several for words in _ALL)
)
#: Numbers beside those of `numerals`.
_FEW = {word: number for words in _ALL for word, number in words.vague.items() if " " not in word}
_FEW |= {word: 1 for words in _ALL for word, number in words.numbers.items() if number == 1}

#: Words before a stretch of time that may lie behind or ahead.
_DURING = frozenset("for over within during für über innerhalb per durante por pendant en".split())
_ARTICLES = frozenset(("a", "an"))
#: Words with which a stretch of time is a rate: "twice a week", "85,000 a year".
_RATE = _ARTICLES.union("per each every the pro par cada ogni chaque".split())
#: Words before a weekday that mean no single day.
_EVERY = frozenset(
    "every each always jeden jede immer ogni sempre cada siempre chaque tous".split()
)
#: What tells that something is to come.
_AHEAD = frozenset(
    "will shall going gonna werde wirst wird werden werdet andrò andremo voy vamos vais "
    "allons".split()
)


def moments_of(
    words: Sequence[Token], said_on: date | None, *, loose: bool = False
) -> tuple[list[TimeExpression], set[int]]:
    """The moments that *words* name, said on that day, and the places of the words that do.

    If *loose*, a stretch of time counts as a distance as well, "seven years now", and its number as
    a number.
    """
    found: list[TimeExpression] = []
    used: set[int] = set()
    for at, word in enumerate(words):
        if at in used:
            continue
        if moment := in_digits(word):
            found += _anchored(moment, said_on)
            used.add(at)
        elif word.bare in MONTHS and (named := with_month(words, at)):
            dates, places = named
            # "Am 1. März": its full stop begins another clause.
            clauses = {words[place].clause for place in places}
            ahead = any(is_ahead(each) for each in words if each.clause in clauses)
            for parts in dates:
                found += _anchored(parts, said_on, ahead=ahead)
            used |= places
        elif word.bare in WEEKDAYS:
            found += _weekday(words, at, said_on)
            used.add(at)
        elif word.bare in _DAYS and not _is_other_word(words, at, said_on):
            found.append(_around(("day", _DAYS[word.bare]), said_on))
            used.add(at)
        elif (unit := _UNITS.get(word.bare)) and (relative := _relative(words, at, unit)):
            found.append(_around(relative, said_on))
            used.add(at)
            if loose:
                if _is_duration(words, at):
                    found.append(_around((relative[0], -relative[1]), said_on))
            else:
                # Of "the last 3 days", the number is part of the date.
                used |= {place for place in (at - 1, at - 2) if _is_amount(words, place)}
        elif unit and loose and (amount := _amount([w.bare for w in words[max(0, at - 4) : at]])):
            found += [_around((unit, sign * amount[0]), said_on) for sign in (-1, 1)]
    return found, used


def _is_other_word(words: Sequence[Token], at: int, said_on: date | None) -> bool:
    """True if the name of a day at this place is that of something else: "am Morgen", "hier"."""
    name, before = words[at].bare, words[at - 1].bare if at else ""
    return (name in _PARTS_OF_DAY and before in _BEFORE_PART) or (name == "hier" and not said_on)


def is_ahead(word: Token) -> bool:
    """True if *word* tells that something is to come: "will"."""
    return word.bare in _AHEAD or word.text.endswith("'ll")


def _anchored(
    parts: tuple[int, int, int, int], said_on: date | None, *, ahead: bool = False
) -> list[TimeExpression]:
    """The days that the *parts* of a date mean: without a year, the nearest before and after, or
    only the one after if it lies *ahead*.
    """
    year, month, on, _ = parts
    if not year and said_on is None:
        return [TimeExpression(parts=parts)]
    years = [year] if year else [said_on.year - 1, said_on.year, said_on.year + 1]  # type: ignore[union-attr]
    found = []
    for each in years:
        try:
            if on:
                days = (date(each, month, on), date(each, month, on))
            elif month:
                last = calendar.monthrange(each, month)[1]
                days = (date(each, month, 1), date(each, month, last))
            else:
                days = (date(each, 1, 1), date(each, 12, 31))
        except ValueError:
            continue
        away = (days[0] - said_on).days if said_on else 0
        if year or (-31 < away <= 366 if ahead else abs(away) <= 300):
            found.append(TimeExpression(parts=parts, days=days))
    return found


def _weekday(words: Sequence[Token], at: int, said_on: date | None) -> list[TimeExpression]:
    number = WEEKDAYS[words[at].bare]
    parts = (0, 0, 0, number)
    if said_on is None:
        return [TimeExpression(parts=parts)]
    if {place.bare for place in words[max(0, at - 3) : at]} & _EVERY:
        return [TimeExpression(parts=parts)]
    # "Last Friday" is the one before, or that of the week before; "on Friday" may be to come.
    shift = (number - said_on.weekday()) % 7
    near = {place.bare for place in words[max(0, at - 2) : at + 2]}
    weeks = [-2, -1] if near & _LAST else [0, 1] if near & _NEXT else [-1, 0]
    if not shift and not near & (_LAST | _NEXT | _THIS):
        # "On Wednesday", said on a Wednesday, may be in a week.
        weeks.append(1)
    days = (said_on + timedelta(days=shift + 7 * week) for week in weeks)
    return [TimeExpression(parts=parts, days=(each, each)) for each in days]


def _is_amount(words: Sequence[Token], at: int) -> bool:
    return 0 <= at < len(words) and (words[at].bare in _FEW or value_of(words[at].bare) is not None)


def _relative(words: Sequence[Token], at: int, unit: str) -> tuple[str, float] | None:
    """How far away the *unit* at this place is, such as ("week", -2); None if it is no date."""
    before = [word.bare for word in words[max(0, at - 4) : at]]
    if unit == "season" and before and before[-1] in _ARTICLES:
        # "In a winter break"
        return None
    after = [word.bare for word in words[at + 1 : at + 3]]
    adjacent = set(before[-1:]) | set(after[:1])
    if amount := _amount(before):
        number, place = amount
        # Of "85,000 a year", the number leads no time.
        lead = set(before[max(0, place - (1 if before[place] in _ARTICLES else 2)) : place])
        if _AGO & set(after) or _BEFORE_PAST & lead or {"y", "a"} <= lead:
            return unit, -number
        if _LATER & set(after) or _BEFORE_FUTURE & lead:
            return unit, number
        if _SINCE & lead:
            return unit, -number
    if adjacent & _LAST:
        return unit, -1
    if adjacent & _NEXT:
        return unit, 1
    if adjacent & _THIS:
        return unit, 0
    return None


def _amount(before: Sequence[str]) -> tuple[float, int] | None:
    """The number in front of a unit, and its place."""
    for place in range(len(before) - 1, max(-1, len(before) - 4), -1):
        word = before[place]
        value = value_of(word)
        if value is not None:
            return value, place
        if word in _FEW and word not in _ARTICLES:
            return _FEW[word], place
        if word in _RATE:
            break
    if before and before[-1] in _ARTICLES:
        return 1, len(before) - 1
    return None


def _is_duration(words: Sequence[Token], at: int) -> bool:
    """True if the stretch of time at this place tells how long, and not how far away."""
    return bool({word.bare for word in words[max(0, at - 4) : at]} & _DURING)


def _around(relative: tuple[str, float], said_on: date | None) -> TimeExpression:
    """The days of *relative*, with some slack for what is far away."""
    if said_on is None:
        return TimeExpression(relative)
    unit, number = relative
    try:
        middle = said_on + timedelta(days=round(number * _LENGTH[unit]))
        if unit == "day":
            slack = timedelta(days=int(abs(number)) // 5)
            return TimeExpression(relative, days=(middle - slack, middle + slack))
        if unit in ("week", "weekend"):
            monday = middle - timedelta(days=middle.weekday())
            first = min(monday, middle - timedelta(days=3)) if number else monday
            return TimeExpression(relative, days=(first, max(monday + timedelta(days=6), middle)))
        if unit == "month":
            last = calendar.monthrange(middle.year, middle.month)[1]
            return TimeExpression(relative, days=(middle.replace(day=1), middle.replace(day=last)))
        return TimeExpression(relative, days=(date(middle.year, 1, 1), date(middle.year, 12, 31)))
    except (OverflowError, ValueError):
        return TimeExpression(relative)
