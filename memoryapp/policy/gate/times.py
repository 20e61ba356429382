"""Dates in a text, and those that follow from it: "last Friday", "in two weeks", "7 May". Pure."""

import calendar
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice

from memoryapp.language.english import ENGLISH
from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.policy.gate.numerals import value_of
from memoryapp.policy.gate.words import Word, is_little

_ENGLISH = ENGLISH.times
_ALL = [known.times for known in VOCABULARIES.values()]
#: The words of all languages together: a statement and its source may be in two.
MONTHS = {name: number for words in _ALL for name, number in words.months.items()}
MONTHS |= _ENGLISH.abbreviations
#: By the name of a month, the words before which it is one in its languages: "en mai".
_BEFORE_MONTH = {
    name: frozenset[str]().union(*(each.before_month for each in _ALL if name in each.months))
    for name in MONTHS
}
#: Words that are months only with a capital, or with a day, a year or a word as above beside them;
#: Jan is a name as well.
_OTHER_SENSE = frozenset("may jan mar march jun sep mai mars dec wed mon".split())
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
#: Between a day and its month: "the 19th of May".
_ORDINAL_ENDINGS = frozenset("st nd rd th er".split())
_BEHIND_DAY = _ORDINAL_ENDINGS.union(*(words.date_links.split("|") for words in _ALL))
#: Between days of one month: "10 and 12 May", "from 3 to 8 May".
_JOINING = frozenset("and or to until till through und oder bis e o al y u a et ou au".split())
#: Words behind a month among which further days are looked for.
MAX_LISTED = 12

#: Words before a weekday that mean no single day.
_EVERY = frozenset(
    "every each always jeden jede immer ogni sempre cada siempre chaque tous".split()
)
#: What tells that something is to come.
_AHEAD = frozenset(
    "will shall going gonna werde wirst wird werden werdet andrò andremo voy vamos vais "
    "allons".split()
)

#: Moments that are compared with one.
MAX_MOMENTS = 500


@dataclass(frozen=True)
class Moment:
    """A stretch of time that a text names."""

    #: Its name where it counts from when it was said, such as ("week", -1); else the parts of a
    #: date: (year, month, day, weekday), 0 (weekday: -1) where not given.
    relative: tuple[str, float] | None = None
    parts: tuple[int, int, int, int] = (0, 0, 0, -1)
    #: First and last day, if it is known when it was said.
    days: tuple[date, date] | None = None
    #: Whether it is when a line was said, which the line itself does not name.
    unsaid: bool = False

    @property
    def length(self) -> int:
        return (self.days[1] - self.days[0]).days + 1 if self.days else 0


def moments_of(
    words: Sequence[Word], said_on: date | None, *, loose: bool = False
) -> tuple[list[Moment], set[int]]:
    """The moments that *words* name, said on that day, and the places of the words that do.

    If *loose*, a stretch of time counts as a distance as well, "seven years now", and its number as
    a number.
    """
    found: list[Moment] = []
    used: set[int] = set()
    for at, word in enumerate(words):
        if at in used:
            continue
        if moment := _numeric(word):
            found += _anchored(moment, said_on)
            used.add(at)
        elif word.bare in MONTHS and (named := _with_month(words, at)):
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


def follows(moment: Moment, known: Iterable[Moment]) -> bool:
    """Whether *moment* is one of the *known* ones, lies in one of them, or is a less exact name
    for one. Of a text with more than `MAX_MOMENTS`, only the first are compared.
    """
    return any(_is_within(moment, other) for other in islice(known, MAX_MOMENTS))


def day(on: date) -> Moment:
    """The moment of one day."""
    return Moment(("day", 0), (on.year, on.month, on.day, on.weekday()), (on, on), unsaid=True)


def _is_within(moment: Moment, other: Moment) -> bool:
    if moment.relative is not None:
        if moment.relative == other.relative:
            return True
        if moment.days is None or other.days is None:
            return False
        unit, number = moment.relative
        if other.relative is not None and (other.relative[0] == unit or (other.unsaid and number)):
            return False
        slack = timedelta(days=2 if unit in ("day", "week", "weekend") else 0)
        near = moment.days[0] - slack <= other.days[1] and other.days[0] <= moment.days[1] + slack
        return near and other.length <= 2 * max(moment.length, 8)
    year, month, on, weekday = moment.parts
    if other.days is None:
        return all(
            not mine or mine == theirs
            for mine, theirs in zip(moment.parts[:3], other.parts[:3], strict=True)
        ) and (weekday < 0 or weekday == other.parts[3])
    most = 10 if on else 1 if weekday >= 0 else 62 if month else 800
    if other.length > most:
        return False
    if not month and not on and weekday < 0:
        return other.days[0].year <= year <= other.days[1].year
    more = 1 if on and other.length > 1 else 0
    first = other.days[0] - timedelta(days=more)
    return any(
        (not year or each.year == year)
        and (not month or each.month == month)
        and (not on or each.day == on)
        and (weekday < 0 or each.weekday() == weekday)
        for each in (first + timedelta(days=n) for n in range(other.length + 2 * more))
    )


def _numeric(word: Word) -> tuple[int, int, int, int] | None:
    """The parts of a date in digits: 2023-05-07, 2023-05, 7.5.2023, 2023."""
    if not word.is_number:
        return None
    pieces = word.text.replace("/", "-").replace(".", "-").split("-")
    if not all(piece.isdigit() for piece in pieces) or len(pieces) > 3:
        return None
    numbers = [int(piece) for piece in pieces]
    if len(pieces[0]) == 4 and 1900 <= numbers[0] < 2100:
        year, month, on = [*numbers, 0, 0][:3]
    elif len(pieces) == 3 and len(pieces[2]) == 4 and 1900 <= numbers[2] < 2100:
        on, month, year = numbers
        if month > 12 >= on:
            on, month = month, on
    else:
        return None
    return (year, month, on, -1) if month <= 12 and on <= 31 else None


def _with_month(
    words: Sequence[Word], at: int
) -> tuple[list[tuple[int, int, int, int]], set[int]] | None:
    """The dates around the name of a month at this place, and the places of their words: more than
    one of "10, 12 and 15 May", "July 16-18".
    """
    month = MONTHS[words[at].bare]
    days, places = _days_before(words, at)
    end = at
    if not days:
        days, places = _days_after(words, at)
        end = max(places, default=at)
    year = 0
    for place in range(end + 1, min(end + 3, len(words))):
        if words[place].text.isdigit() and 1900 <= int(words[place].text) < 2100:
            year = int(words[place].text)
            places.add(place)
            break
    word = words[at]
    led = at > 0 and words[at - 1].bare in _BEFORE_MONTH[word.bare]
    sure = days or year or led or word.bare not in _OTHER_SENSE
    if not (sure or (word.has_capital and not word.opens)):
        return None
    return [(year, month, on, -1) for on in days or [0]], places | {at}


def _days_before(words: Sequence[Word], at: int) -> tuple[list[int], set[int]]:
    """The days in front of a month, and their places: "the 19th of", "10, 12 and 15"."""
    days: list[int] = []
    places: set[int] = set()
    place = at - 1
    while place >= 0 and words[place].bare in _BEHIND_DAY:
        place -= 1
    while place >= 0 and (on := _days_in(words[place])):
        days = [*on, *days]
        places.add(place)
        place -= 1
        while place >= 1 and words[place].bare in (_JOINING | _BEHIND_DAY):
            place -= 1
    return days, places


def _days_after(words: Sequence[Word], at: int) -> tuple[list[int], set[int]]:
    """The days behind a month, and their places: "May 10", "May 10, 12, and 15", "May the 5th"."""
    first = at + 1 + (at + 1 < len(words) and words[at + 1].bare == "the")
    days = _days_in(words[first]) if first < len(words) else []
    if not days:
        return [], set()
    places = {first}
    more: list[int] = []
    passed: set[int] = set()
    joined = False
    for place in range(first + 1, min(first + MAX_LISTED, len(words))):
        word = words[place]
        if word.bare in _ORDINAL_ENDINGS:
            continue
        if word.bare in _JOINING:
            joined = True
        elif (on := _days_in(word)) and not _counts(words, place):
            more += on
            passed.add(place)
            if joined:
                return days + more, places | passed
        else:
            break
    return days, places


def _days_in(word: Word) -> list[int]:
    """The days that *word* names in digits: 16, or 16 and 18 of "16-18"."""
    pieces = word.text.split("-")
    if not all(piece.isdigit() and len(piece) <= 2 for piece in pieces) or len(pieces) > 2:
        return []
    return [int(piece) for piece in pieces if 1 <= int(piece) <= 31]


def _counts(words: Sequence[Word], at: int) -> bool:
    """Whether the number at this place counts what follows: "on May 3 and 2 friends"."""
    following = words[at + 1] if at + 1 < len(words) else None
    return (
        following is not None
        and following.clause == words[at].clause
        and not following.is_number
        and following.bare not in _ORDINAL_ENDINGS
        and not is_little(following)
    )


def _is_other_word(words: Sequence[Word], at: int, said_on: date | None) -> bool:
    """Whether the name of a day at this place is that of something else: "am Morgen", "hier"."""
    name, before = words[at].bare, words[at - 1].bare if at else ""
    return (name in _PARTS_OF_DAY and before in _BEFORE_PART) or (name == "hier" and not said_on)


def is_ahead(word: Word) -> bool:
    """Whether *word* tells that something is to come: "will"."""
    return word.bare in _AHEAD or word.text.endswith("'ll")


def _anchored(
    parts: tuple[int, int, int, int], said_on: date | None, *, ahead: bool = False
) -> list[Moment]:
    """The days that the *parts* of a date mean: without a year, the nearest before and after, or
    only the one after if it lies *ahead*.
    """
    year, month, on, _ = parts
    if not year and said_on is None:
        return [Moment(parts=parts)]
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
            found.append(Moment(parts=parts, days=days))
    return found


def _weekday(words: Sequence[Word], at: int, said_on: date | None) -> list[Moment]:
    number = WEEKDAYS[words[at].bare]
    parts = (0, 0, 0, number)
    if said_on is None:
        return [Moment(parts=parts)]
    if {place.bare for place in words[max(0, at - 3) : at]} & _EVERY:
        return [Moment(parts=parts)]
    # "Last Friday" is the one before, or that of the week before; "on Friday" may be to come.
    shift = (number - said_on.weekday()) % 7
    near = {place.bare for place in words[max(0, at - 2) : at + 2]}
    weeks = [-2, -1] if near & _LAST else [0, 1] if near & _NEXT else [-1, 0]
    if not shift and not near & (_LAST | _NEXT | _THIS):
        # "On Wednesday", said on a Wednesday, may be in a week.
        weeks.append(1)
    days = (said_on + timedelta(days=shift + 7 * week) for week in weeks)
    return [Moment(parts=parts, days=(each, each)) for each in days]


def _is_amount(words: Sequence[Word], at: int) -> bool:
    return 0 <= at < len(words) and (words[at].bare in _FEW or value_of(words[at].bare) is not None)


def _relative(words: Sequence[Word], at: int, unit: str) -> tuple[str, float] | None:
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


def _is_duration(words: Sequence[Word], at: int) -> bool:
    """Whether the stretch of time at this place tells how long, and not how far away."""
    return bool({word.bare for word in words[max(0, at - 4) : at]} & _DURING)


def _around(relative: tuple[str, float], said_on: date | None) -> Moment:
    """The days of *relative*, with some slack for what is far away."""
    if said_on is None:
        return Moment(relative)
    unit, number = relative
    try:
        middle = said_on + timedelta(days=round(number * _LENGTH[unit]))
        if unit == "day":
            slack = timedelta(days=int(abs(number)) // 5)
            return Moment(relative, days=(middle - slack, middle + slack))
        if unit in ("week", "weekend"):
            monday = middle - timedelta(days=middle.weekday())
            first = min(monday, middle - timedelta(days=3)) if number else monday
            return Moment(relative, days=(first, max(monday + timedelta(days=6), middle)))
        if unit == "month":
            last = calendar.monthrange(middle.year, middle.month)[1]
            return Moment(relative, days=(middle.replace(day=1), middle.replace(day=last)))
        return Moment(relative, days=(date(middle.year, 1, 1), date(middle.year, 12, 31)))
    except (OverflowError, ValueError):
        return Moment(relative)
