"""Reads dates that count from the day of the text: "yesterday", "two weeks ago". Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from memoryapp.language.time_words import TimeWords

#: Words of the longest name of a day ("the day before yesterday").
_LONGEST = 5
#: A longer stretch of time is no date.
_MAX_AMOUNT = 999
_DAYS = {"day": 1, "week": 7, "weekend": 7}
#: About how many days each unit has.
DAYS_OF = _DAYS | {"month": 30, "year": 365}


@dataclass(frozen=True)
class Moment:
    """A stretch of time: its kind, a key of `TimeWords.written` or ``since``, and its first day."""

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
class Found:
    """A moment, and the words that name it: from one to before another."""

    begin: int
    end: int
    moment: Moment


class RelativeDates:
    """Looks for relative dates in one sentence."""

    def __init__(self, text: str, words: TimeWords, said_on: date, *, is_past: bool) -> None:
        self.text, self.words, self.said_on, self.is_past = text, words, said_on, is_past
        self.spans = [match.span() for match in words.word.finditer(text)]
        self.bare = [text[a:b].lower().replace("’", "'") for a, b in self.spans]

    def at(self, place: int) -> Found | None:
        """The relative date that begins with the word at this *place*, or just before it."""
        try:
            return self.reading(place)
        except (OverflowError, ValueError):
            return None  # Before the year 1.

    def reading(self, place: int) -> Found | None:
        """The same, without a check of its range."""
        return self._day(place) or self._distance(place) or self._period(place)

    def several(self, place: int) -> Found | None:
        """The last days, weeks, months or years from this *place* on, with their number: a moment
        of the kind ``since``.
        """
        last = self.words.last_of_several
        amount_at = place + (self.bare[place] in last)
        amount = self._amount(amount_at) if amount_at < len(self.bare) else None
        if amount is None:
            return None
        number, _, end = amount
        if amount_at == place:
            # "Les deux dernières semaines".
            if end >= len(self.bare) or self.bare[end] not in last:
                return None
            end += 1
        unit = self.words.units.get(self.bare[end]) if end < len(self.bare) else None
        if unit is None:
            return None
        days = min(number * DAYS_OF[unit], (self.said_on - date.min).days)
        return Found(place, end + 1, Moment("since", self.said_on - timedelta(days=days)))

    def is_possessive(self, at: int) -> bool:
        """Whether the word at this place is: "yesterday's"."""
        end = self.spans[at][1]
        return self.text[end : end + 2] in ("'s", "’s")

    def weekday(self, number: int, which: int) -> date:
        """The weekday of that *number* in the last week (-1), this (0) or the next (1), counted
        from today.
        """
        ahead = (number - self.said_on.weekday()) % 7
        if which < 0:
            return self.said_on - timedelta(days=7 - ahead)
        if which > 0:
            return self.said_on + timedelta(days=ahead or 7)
        return self.said_on + timedelta(days=number - self.said_on.weekday())

    def nearest(self, month: int, which: int, length: int) -> date:
        """The first day of the *month* that is meant: the last one is over, the next is to come."""
        this = date(self.said_on.year, month, 1)
        begun, over = this <= self.said_on, self.said_on.month >= month + length
        if which < 0:
            return this if over else this.replace(year=this.year - 1)
        if which > 0:
            return this.replace(year=this.year + 1) if begun else this
        return this

    def _day(self, at: int) -> Found | None:
        for length in range(min(_LONGEST, len(self.bare) - at), 0, -1):
            distance = self.words.days.get(" ".join(self.bare[at : at + length]))
            if distance is not None:
                if self.is_possessive(at + length - 1) or (length == 1 and self._is_part(at)):
                    return None
                return Found(at, at + length, self._on(distance))
        return None

    def _is_part(self, at: int) -> bool:
        """Whether the word at this place names a part of the day instead: "am Morgen"."""
        words = self.words
        if self.bare[at] not in words.parts_of_day or not at:
            return False
        before = self.bare[at - 1]
        around = (words.dropped, words.habits, words.last, words.this, words.next)
        return self.text[self.spans[at][0]].isupper() or any(before in each for each in around)

    def _on(self, distance: int) -> Moment:
        return Moment("day", self.said_on + timedelta(days=distance))

    def _distance(self, at: int) -> Found | None:
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
            return Found(at, end + after, self._away(unit, -number, exact))
        if before := self._phrase_to(at, self.words.ago_before):
            return Found(at - before, end, self._away(unit, -number, exact))
        ahead = self._phrase_to(at, self.words.ahead_before)
        if ahead and not self.is_past:
            return Found(at - ahead, end, self._away(unit, number, exact))
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

    def _period(self, at: int) -> Found | None:
        """A period next to this one: "last week", "next Friday", "la settimana scorsa"."""
        word = self.bare[at]
        which = self._which(word)
        if which is not None:
            end = at + 1
            if end < len(self.bare) and self._which(self.bare[end]) is not None:
                # "This past week" is the last one.
                which, end = self._which(self.bare[end]) or which, end + 1
            if end < len(self.bare) and (moment := self._of(self.bare[end], which)):
                return None if self.is_possessive(end) else Found(at, end + 1, moment)
            return None
        after = self._which(self.bare[at + 1]) if at + 1 < len(self.bare) else None
        if after is not None and self._is_time(word) and (moment := self._of(word, after)):
            return Found(at, at + 2, moment)
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
            return Moment("day", self.weekday(words.weekdays[word], which))
        if which and word in words.short_weekdays:
            return Moment("day", self.weekday(words.short_weekdays[word], which))
        if word in words.seasons:
            return Moment("season", self.nearest(3 * words.seasons[word] + 3, which, 3))
        if word in words.months:
            return Moment("month", self.nearest(words.months[word], which, 1))
        return None


def _saturday(day: date) -> date:
    """The Saturday of the week of *day*."""
    return day + timedelta(days=5 - day.weekday())
