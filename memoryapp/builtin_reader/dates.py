"""Real dates for "yesterday", "last week", "two years ago", "on Friday". Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

#: Words of the longest name of a day ("the day before yesterday").
_LONGEST = 5
#: A longer stretch of time is no date.
_MAX_AMOUNT = 150
#: The first word of a moment in words.
_PREPOSITION = re.compile(r"^[^\s']{1,15}[\s']")
_DAYS = {"day": 1, "week": 7, "weekend": 7}


@dataclass(frozen=True)
class TimeWords:
    """How a language speaks of time. Words are in small letters."""

    word: re.Pattern[str]
    #: Names of days to their distance from today: "yesterday" is -1.
    days: Mapping[str, int]
    #: day, week, weekend, month or year.
    units: Mapping[str, str]
    #: Spring is 0.
    seasons: Mapping[str, int]
    #: Monday is 0.
    weekdays: Mapping[str, int]
    months: Mapping[str, int]
    numbers: Mapping[str, int]
    #: Numbers that are no exact count: "a few".
    vague: Mapping[str, int]
    last: frozenset[str]
    this: frozenset[str]
    next: frozenset[str]
    #: Phrases around an amount: "vor", "hace"; "ago", "fa"; "in", "tra".
    ago_before: Sequence[str]
    ago_after: Sequence[str]
    ahead_before: Sequence[str]
    #: What stands before the bare name of a weekday or month that is a date; "" if nothing need.
    before_weekday: frozenset[str]
    before_month: frozenset[str]
    #: What makes it a habit instead: "every Monday".
    habits: frozenset[str]
    #: Before a date, these stay ("since"), and these are part of its wording ("on", "the").
    kept: frozenset[str]
    dropped: frozenset[str]
    #: How to write each kind of moment, with the first word a preposition.
    written: Mapping[str, str]
    month_names: Sequence[str]
    #: Whether a month without a capital is another word: "may".
    months_have_capitals: bool
    season_names: Sequence[str]


@dataclass(frozen=True)
class Moment:
    """A stretch of time: its kind, a key of `TimeWords.written`, and its first day."""

    kind: str
    first: date

    def phrase(self, words: TimeWords) -> str:
        """The moment in words, with its preposition."""
        return words.written[self.kind].format(
            day=self.first.isoformat(),
            year=self.first.year,
            month=words.month_names[self.first.month - 1],
            season=words.season_names[(self.first.month // 3 - 1) % 4],
        )


@dataclass(frozen=True)
class _Found:
    """A moment, and the words that name it: from one to before another."""

    begin: int
    end: int
    moment: Moment


def with_real_dates(
    text: str, words: TimeWords, said_on: date, *, is_past: bool
) -> tuple[str, list[Moment]]:
    """Return *text* with each relative date replaced, and the moments; *is_past* decides whether
    "on Friday" was or will be.
    """
    found = _Scan(text, words, said_on, is_past).found()
    parts, at = [], 0
    for start, end, phrase, _ in found:
        parts += [text[at:start], phrase]
        at = end
    changed = "".join([*parts, text[at:]])
    return changed, [moment for *_, moment in found]


class _Scan:
    """Looks for dates in one sentence."""

    def __init__(self, text: str, words: TimeWords, said_on: date, is_past: bool) -> None:
        self.text, self.words, self.said_on, self.is_past = text, words, said_on, is_past
        self.spans = [match.span() for match in words.word.finditer(text)]
        self.bare = [text[a:b].lower().replace("’", "'") for a, b in self.spans]

    def found(self) -> list[tuple[int, int, str, Moment]]:
        """The start, end and new wording of each date, in order, with its moment."""
        all_found: list[tuple[int, int, str, Moment]] = []
        at = 0
        while at < len(self.bare):
            try:
                one = self._day(at) or self._distance(at) or self._period(at) or self._named(at)
            except (OverflowError, ValueError):
                one = None
            if one is None:
                at += 1
                continue
            all_found.append(self._worded(one, all_found[-1][1] if all_found else 0))
            at = one.end
        return all_found

    def _worded(self, one: _Found, after: int) -> tuple[int, int, str, Moment]:
        begin, phrase = one.begin, one.moment.phrase(self.words)
        while begin and self.bare[begin - 1] in self.words.dropped and self._touches(begin):
            begin -= 1
        if begin and self.bare[begin - 1] in self.words.kept and " " in phrase:
            phrase = _PREPOSITION.sub("", phrase)
        start = max(self.spans[begin][0], after)
        if not self.text[:start].strip():
            phrase = phrase[:1].upper() + phrase[1:]
        return start, self.spans[one.end - 1][1], phrase, one.moment

    def _touches(self, at: int) -> bool:
        """Whether only a space stands before the word at this place."""
        return not self.text[self.spans[at - 1][1] : self.spans[at][0]].strip()

    def _day(self, at: int) -> _Found | None:
        for length in range(min(_LONGEST, len(self.bare) - at), 0, -1):
            distance = self.words.days.get(" ".join(self.bare[at : at + length]))
            if distance is not None:
                if self._is_possessive(at + length - 1):
                    return None
                return _Found(at, at + length, self._on(distance))
        return None

    def _is_possessive(self, at: int) -> bool:
        end = self.spans[at][1]
        return self.text[end : end + 2] in ("'s", "’s")

    def _on(self, distance: int) -> Moment:
        return Moment("day", self.said_on + timedelta(days=distance))

    def _distance(self, at: int) -> _Found | None:
        """A distance from today: "two weeks ago", "in three days"."""
        amount = self._amount(at)
        if amount is None:
            return None
        number, exact, unit_at = amount
        unit = self.words.units.get(self.bare[unit_at]) if unit_at < len(self.bare) else None
        if unit is None or number > _MAX_AMOUNT:
            return None
        end = unit_at + 1
        if after := self._phrase_from(end, self.words.ago_after):
            return _Found(at, end + after, self._away(unit, -number, exact))
        if before := self._phrase_to(at, self.words.ago_before):
            return _Found(at - before, end, self._away(unit, -number, exact))
        ahead = self._phrase_to(at, self.words.ahead_before)
        if ahead and not self.is_past:
            return _Found(at - ahead, end, self._away(unit, number, exact))
        return None

    def _amount(self, at: int) -> tuple[int, bool, int] | None:
        """The number at this place, whether it is exact, and the place of what is counted."""
        for length in (3, 2, 1):
            phrase = " ".join(self.bare[at : at + length])
            if phrase in self.words.vague:
                return self.words.vague[phrase], False, at + length
        word = self.bare[at]
        if word in self.words.numbers:
            return self.words.numbers[word], True, at + 1
        return (int(word), True, at + 1) if word.isdecimal() and len(word) < 4 else None

    def _phrase_from(self, at: int, phrases: Sequence[str]) -> int:
        """The number of words of one of *phrases* from this place on; 0 if none is there."""
        for phrase in phrases:
            parts = phrase.split()
            if self.bare[at : at + len(parts)] == parts:
                return len(parts)
        return 0

    def _phrase_to(self, at: int, phrases: Sequence[str]) -> int:
        for phrase in phrases:
            parts = phrase.split()
            if at >= len(parts) and self.bare[at - len(parts) : at] == parts:
                return len(parts)
        return 0

    def _away(self, unit: str, number: int, exact: bool) -> Moment:
        """The moment that many units from now."""
        if unit in _DAYS:
            day = self.said_on + timedelta(days=number * _DAYS[unit])
            if unit == "weekend":
                return Moment("weekend", _saturday(day))
            return Moment("day" if exact and unit == "day" else "around", day)
        if unit == "month":
            months = self.said_on.year * 12 + self.said_on.month - 1 + number
            return Moment("month", date(months // 12, months % 12 + 1, 1))
        return Moment("year", date(self.said_on.year + number, 1, 1))

    def _period(self, at: int) -> _Found | None:
        """A period next to this one: "last week", "next Friday", "la settimana scorsa"."""
        word = self.bare[at]
        which = self._which(word)
        if which is not None:
            end = at + 1
            if end < len(self.bare) and self._which(self.bare[end]) is not None:
                # "This past week" is the last one.
                which, end = self._which(self.bare[end]) or which, end + 1
            if end < len(self.bare) and (moment := self._of(self.bare[end], which)):
                return None if self._is_possessive(end) else _Found(at, end + 1, moment)
            return None
        after = self._which(self.bare[at + 1]) if at + 1 < len(self.bare) else None
        if after is not None and self._is_time(word) and (moment := self._of(word, after)):
            return _Found(at, at + 2, moment)
        return None

    def _which(self, word: str) -> int | None:
        for number, known in ((-1, self.words.last), (0, self.words.this), (1, self.words.next)):
            if word in known:
                return number
        return None

    def _is_time(self, word: str) -> bool:
        words = self.words
        return any(word in known for known in (words.units, words.seasons, words.weekdays))

    def _of(self, word: str, which: int) -> Moment | None:
        words, today = self.words, self.said_on
        if unit := words.units.get(word):
            if unit == "day":
                return None
            if unit == "week":
                monday = today - timedelta(days=today.weekday())
                return Moment("week", monday + timedelta(weeks=which))
            if unit == "weekend":
                return Moment("weekend", _saturday(today) + timedelta(weeks=which))
            return self._away(unit, which, True)
        if word in words.weekdays:
            return Moment("day", self._weekday(words.weekdays[word], which))
        if word in words.seasons:
            return Moment("season", self._nearest(3 * words.seasons[word] + 3, which, 3))
        if word in words.months:
            return Moment("month", self._nearest(words.months[word], which, 1))
        return None

    def _weekday(self, number: int, which: int) -> date:
        ahead = (number - self.said_on.weekday()) % 7
        if which < 0:
            return self.said_on - timedelta(days=7 - ahead)
        if which > 0:
            return self.said_on + timedelta(days=ahead or 7)
        return self.said_on + timedelta(days=number - self.said_on.weekday())

    def _nearest(self, month: int, which: int, length: int) -> date:
        """The first day of the *month* that is meant: the last one is over, the next is to come."""
        this = date(self.said_on.year, month, 1)
        begun, over = this <= self.said_on, self.said_on.month >= month + length
        if which < 0:
            return this if over else this.replace(year=this.year - 1)
        if which > 0:
            return this.replace(year=this.year + 1) if begun else this
        return this

    def _named(self, at: int) -> _Found | None:
        """A bare name, "on Friday" or "in May": the last or the next, as the sentence tells."""
        words, word = self.words, self.bare[at]
        before = self.bare[at - 1] if at else ""
        earlier = set(self.bare[max(0, at - 2) : at])
        following = self.bare[at + 1] if at + 1 < len(self.bare) else ""
        if earlier & words.habits:
            return None
        which = -1 if self.is_past else 1
        if word in words.weekdays and (
            before in words.before_weekday or "" in words.before_weekday
        ):
            if following[:1].isdigit() or before in words.numbers:
                return None
            return _Found(at, at + 1, Moment("day", self._weekday(words.weekdays[word], which)))
        if word in words.months and before in words.before_month and not following[:1].isdigit():
            if words.months_have_capitals and not self.text[self.spans[at][0]].isupper():
                return None
            if self.is_past and words.months[word] == self.said_on.month:
                which = 0
            return _Found(at, at + 1, Moment("month", self._nearest(words.months[word], which, 1)))
        return None


def _saturday(day: date) -> date:
    """The Saturday of the week of *day*."""
    return day + timedelta(days=5 - day.weekday())
