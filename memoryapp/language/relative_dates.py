"""Reads dates that count from the day of the text: "yesterday", "two weeks ago". Pure."""

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from memoryapp.language.time_words import TimeWords

#: Words of the longest name of a day ("the day before yesterday").
_LONGEST = 5
#: A longer stretch of time is no date.
_MAX_AMOUNT = 999
_DAYS = {"day": 1, "week": 7, "weekend": 7}
#: About how many days each unit has.
DAYS_OF = _DAYS | {"month": 30, "year": 365}
#: Words between a weekday and its week, and from there to its number: "dentro de".
_MAX_LINKS, _MAX_LEAD = 3, 3


@dataclass(frozen=True)
class Moment:
    """A stretch of time: its kind, a key of `TimeWords.written` or ``since``, and its first day."""

    kind: str
    first: date

    @property
    def last(self) -> date:
        """Last day of the moment."""
        months = {"month": 1, "season": 3, "year": 12}.get(self.kind)
        if months is None:
            return self.first + timedelta(days={"week": 6, "weekend": 1}.get(self.kind, 0))
        years, month = divmod(self.first.month - 2 + months, 12)
        year = self.first.year + years
        return date(year, month + 1, monthrange(year, month + 1)[1])

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
        word = self.bare[place]
        if not (word in _first_words(self.words) or word.isdecimal()):
            return None
        if found := self._last_day(place) or self._counted_on(place):
            return found
        found = self._day(place) or self._distance(place) or self._period(place)
        return self._with_weekday(place, found) or found

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

    def length(self) -> int:
        """How many days something is to take, as "for ten days" tells; 0 if it is not told."""
        for at in range(len(self.bare)):
            amount = self._amount(at)
            if amount is None or amount[2] >= len(self.bare):
                continue
            number, exact, end = amount
            days = _DAYS.get(self.words.units.get(self.bare[end], ""))
            is_length = self._phrase_to(at, self.words.lasting_before) or self._phrase_from(
                end + 1, self.words.lasting_after
            )
            if days and exact and is_length:
                return number * days
        return 0

    def is_possessive(self, at: int) -> bool:
        """True if the word at this place is: "yesterday's"."""
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
        """True if the word at this place names a part of the day instead: "am Morgen"."""
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
        # "About three days ago".
        begin = at - (self._word(at - 1) in self.words.approximate)
        exact = exact and begin == at
        after = self._phrase_from(end, self.words.ago_after)
        # "Leo, 9 anni, fa judo" tells his age.
        if after and not self.text[self.spans[unit_at][1] : self.spans[end][0]].strip():
            return Found(begin, end + after, self._away(unit, -number, exact))
        if before := self._phrase_to(begin, self.words.ago_before):
            return Found(begin - before, end, self._away(unit, -number, exact))
        ahead = self._phrase_to(begin, self.words.ahead_before)
        if ahead and not self.is_past:
            return Found(begin - ahead, end, self._away(unit, number, exact))
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
        if found := self._after_next(at):
            return found
        after = self._which(self._word(at + 1))
        # "La semana pasada", and not "ten years this year".
        if after is None or not self._is_time(word) or self._of(self._word(at + 2), after):
            return None
        moment = self._of(word, after)
        return Found(at, at + 2, moment) if moment else None

    def _after_next(self, at: int) -> Found | None:
        """The period after the next one: "the week after next", "übernächste Woche"."""
        words = self.words
        is_before = self.bare[at] in words.after_next
        length = is_before or self._phrase_from(at + 1, [words.after_next_behind])
        unit = self._word(at + is_before)
        if not length or unit not in words.units or words.units[unit] == "day":
            return None
        moment = self._of(unit, 2)
        return Found(at, at + 1 + length, moment) if moment else None

    def _last_day(self, at: int) -> Found | None:
        """The last day of a period: "the last day of next week", "letzter Tag des Monats"."""
        length = self._phrase_from(at, self.words.last_day)
        place = self._behind_links(at + length)
        if not length or place >= len(self.bare):
            return None
        word = self.bare[place]
        found = self._period(place)
        if found is None and word in self.words.months:
            month = self.words.months[word]
            which = 0 if month == self.said_on.month else -1 if self.is_past else 1
            found = Found(place, place + 1, Moment("month", self.nearest(month, which, 1)))
        elif found is None and (this := self._of(word, 0)):
            found = Found(place, place + 1, this)
        if found is None or found.moment.kind == "day":
            return None
        return Found(at, found.end, Moment("day", found.moment.last))

    def _counted_on(self, at: int) -> Found | None:
        """A distance from another day: "a week from Thursday"."""
        amount = self._amount(at)
        if amount is None:
            return None
        number, exact, end = amount
        days = _DAYS.get(self.words.units.get(self._word(end), ""))
        is_length = self._phrase_to(at, self.words.lasting_before)
        is_counted = self._word(end + 1) in self.words.counted_from
        if not (days and exact and is_counted) or is_length:
            return None
        start = self._day(end + 2)
        if start is None and (name := self._word(end + 2)) in self.words.weekdays:
            day = self.weekday(self.words.weekdays[name], 1)
            start = Found(end + 2, end + 3, Moment("day", day))
        if start is None:
            return None
        day = start.moment.first + timedelta(days=number * days)
        return Found(at, start.end, Moment("day", day))

    def _word(self, at: int) -> str:
        """The word at this place; empty if there is none."""
        return self.bare[at] if 0 <= at < len(self.bare) else ""

    def _with_weekday(self, place: int, found: Found | None) -> Found | None:
        """A weekday and its week, in any order: "Friday next week", "giovedì tra una settimana";
        *found* is what is read at its place without the other.
        """
        weekdays = self.words.weekdays
        if found and found.moment.kind in ("week", "around"):
            at = self._behind_links(found.end)
            if at < len(self.bare) and self.bare[at] in weekdays:
                return self._on_weekday(found, self.bare[at], place, at + 1)
        if self.bare[place] not in weekdays:
            return None
        for phrase, weeks in self.words.weeks_on.items():
            if length := self._phrase_from(place + 1, [phrase]):
                day = self.weekday(weekdays[self.bare[place]], 1) + timedelta(weeks=weeks)
                return Found(place, place + 1 + length, Moment("day", day))
        begin = self._behind_links(place + 1)
        for at in range(begin, min(begin + _MAX_LEAD, len(self.bare))):
            week = self._distance(at) or self._period(at)
            if week and week.begin <= begin:
                return self._on_weekday(week, self.bare[place], place, week.end)
        return None

    def _on_weekday(self, week: Found, name: str, begin: int, end: int) -> Found | None:
        weekday, first = self.words.weekdays[name], week.moment.first
        if week.moment.kind == "around" and self._counts_weeks(week):
            # The first one from that day on.
            first += timedelta(days=(weekday - first.weekday()) % 7)
        elif week.moment.kind == "week":
            first += timedelta(days=weekday)
        else:
            return None
        return Found(begin, end, Moment("day", first))

    def _counts_weeks(self, found: Found) -> bool:
        """True if *found* is an exact number of weeks: not "in a few weeks"."""
        named = self.bare[found.begin : found.end]
        return any(self.words.units.get(word) == "week" for word in named) and any(
            word in self.words.numbers or word.isdecimal() for word in named
        )

    def _behind_links(self, at: int) -> int:
        """The place behind the articles and prepositions at this one: "of the", "de la"."""
        links = self.words.kept | self.words.dropped
        end = min(at + _MAX_LINKS, len(self.bare))
        return next((each for each in range(at, end) if self.bare[each] not in links), end)

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


@cache
def _first_words(words: TimeWords) -> frozenset[str]:
    """The words with which a relative date may begin."""
    phrases = (*words.days, *words.vague, *words.last_day)
    names = (words.numbers, words.units, words.seasons, words.weekdays)
    adjectives = (words.last, words.this, words.next, words.after_next)
    return frozenset(phrase.split()[0] for phrase in phrases).union(*names, *adjectives)


def _saturday(day: date) -> date:
    """The Saturday of the week of *day*."""
    return day + timedelta(days=5 - day.weekday())
