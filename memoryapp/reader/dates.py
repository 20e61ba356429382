"""Real dates for "yesterday", "last week", "two years ago", "on Friday", "on May 5". Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from operator import itemgetter
from typing import TypeAlias

from memoryapp.language.calendar_days import Named, TenseAt, named_days, range_link
from memoryapp.language.relative_dates import Found, Moment, RelativeDates
from memoryapp.language.time_words import TimeWords
from memoryapp.reader.clauses import tenses
from memoryapp.reader.languages.language import Language

#: The first word of a moment in words.
_PREPOSITION = re.compile(r"^[^\s']{1,15}[\s']")

#: The start, end and new wording of a date, with its moments.
Written: TypeAlias = tuple[int, int, str, list[Moment]]
#: Characters of a date, at most.
_MAX_DATE = 60
#: Characters between a day and its year.
_MAX_BETWEEN = 12
_LAST_OF_MONTH = 31
_NUMBER = re.compile(r"\d{1,9}")


@lru_cache(maxsize=64)
def dated(text: str, language: Language, said_on: date) -> tuple[str, Sequence[Moment]]:
    """Return *text*, a sentence, with each date that is relative or has no year replaced, and the
    moments. The days of what comes again, as a birthday, stay.
    """
    plans = language.plans
    return with_real_dates(
        text,
        language.times,
        said_on,
        tenses(text, language),
        recurs=plans.recurs(text),
        is_birth=bool(plans.births.search(text)),
        is_arranged=bool(plans.arranged.search(text)),
        is_extended=bool(plans.extended.search(text)),
    )


def with_real_dates(
    text: str,
    words: TimeWords,
    said_on: date,
    tense_at: TenseAt,
    *,
    recurs: bool = False,
    is_birth: bool = False,
    is_arranged: bool = False,
    is_extended: bool = False,
) -> tuple[str, Sequence[Moment]]:
    """The same; *tense_at* decides whether "on Friday" was or will be. Of what *recurs*, days
    without a year stay, of what *is_birth*, all of them; those of what *is_arranged* are to come in
    any tense, and of what *is_extended*, the one that it lasts until.
    """

    def tense_of_days(at: int) -> int:
        until = words.targets.intersection(text[:at].lower().split()[-2:])
        reaches = is_arranged or (is_extended and until)
        return max(tense_at(at), 0) if reaches else tense_at(at)

    named = [] if is_birth else named_days(text, words, said_on, tense_of_days, has_years=recurs)
    reaches = is_arranged or is_extended
    found = _found(text, words, said_on, tense_at, named, reaches=reaches)
    parts, at = [], 0
    for start, end, phrase, _ in found:
        parts += [text[at:start], phrase]
        at = end
    changed = "".join([*parts, text[at:]])
    return changed, tuple(moment for *_, moments in found for moment in moments)


def _found(
    text: str,
    words: TimeWords,
    said_on: date,
    tense_at: TenseAt,
    named: Sequence[Named],
    *,
    reaches: bool = False,
) -> list[Written]:
    """The start, end and new wording of each date, in order, with its moments: those *named* by day
    and month, and the others. What *reaches* a day names one that is to come.
    """
    days, found = [*named], list[Written]()
    rewriting = _Rewriting(text, words, said_on, tense_at, reaches=reaches)
    for start, end, phrase, moment in rewriting.found():
        if moment.kind == "year":
            days = [
                day.in_year(moment.first.year, start, end)
                if _are_one(day, start, end, text, words)
                else day
                for day in days
            ]
        if any(each.begin < end and start < each.end for each in days):
            continue
        found.append((start, end, phrase, [moment]))
        if len(found) > 1 and (whole := _in_year(found[-2], found[-1], text, words)):
            found[-2:] = [whole]
    found += (
        (each.begin, each.end, each.wording, [Moment("day", day) for day in each.days])
        for each in days
    )
    return sorted(found, key=itemgetter(0))


def _in_year(one: Written, other: Written, text: str, words: TimeWords) -> Written | None:
    """A month and the year beside it as one moment, "in June next year"; None if they are not."""
    (start, middle, *_), (begin, end, *_) = one, other
    years = [written for written in (one, other) if written[3][0].kind == "year"]
    months = [written for written in (one, other) if written[3][0].kind in ("month", "season")]
    if not (years and months) or not _is_link(text[middle:begin], words):
        return None
    year, month = years[0][3][0].first.year, months[0][3][0]
    wording = months[0][2].replace(str(month.first.year), str(year))
    if years[0] is one:
        # "L'anno scorso a settembre".
        wording = f"{text[middle:begin].strip()} {wording}".strip()
    if not text[:start].strip():
        wording = wording[0].upper() + wording[1:]
    return start, end, wording, [replace(month, first=month.first.replace(year=year))]


def _is_link(between: str, words: TimeWords) -> bool:
    """True if the text *between* two moments is that of one: "of", "im"."""
    links = words.kept | words.dropped
    return len(between) <= _MAX_BETWEEN and all(word in links for word in between.lower().split())


def _are_one(named: Named, start: int, end: int, text: str, words: TimeWords) -> bool:
    """True if a year between *start* and *end* is that of the day that is *named* beside it: "on 3
    May next year".
    """
    between = text[named.end : start] if named.end <= start else text[end : named.begin]
    return bool(between) and _is_link(between.replace(",", " "), words)


def corrected(text: str, language: Language, said_on: date) -> str:
    """Return *text*, a sentence, without a day that it takes back at once: "on Friday, no wait, on
    Thursday".
    """
    for found in language.plans.correcting.finditer(text):
        begin, end = found.span()
        before, after = text[max(0, begin - _MAX_DATE) : begin], text[end : end + _MAX_DATE]
        start, stop = max(places_of_dates(before, language, said_on), default=(0, 0))
        if not stop or stop != len(before):
            continue
        preposition = _PREPOSITION.match(before[start:])
        for lead in ("", preposition[0] if preposition else ""):
            places = places_of_dates(lead + after, language, said_on)
            if any(first <= len(lead) < last for first, last in places):
                return text[: begin - stop + start] + lead + text[end:]
    return text


def places_of_dates(text: str, language: Language, said_on: date) -> list[tuple[int, int]]:
    """Where the dates in *text* begin and end."""
    words, to_come = language.times, _to_come
    named = named_days(text, words, said_on, to_come, has_years=False)
    found = _found(text, words, said_on, to_come, named)
    return [(start, end) for start, end, *_ in found]


def _to_come(at: int) -> int:
    return 1


class _Rewriting(RelativeDates):
    """Finds the dates in one sentence with their new wording."""

    def __init__(
        self,
        text: str,
        words: TimeWords,
        said_on: date,
        tense_at: TenseAt,
        *,
        reaches: bool,
    ) -> None:
        super().__init__(text, words, said_on, is_past=False)
        self.tense_at, self.reaches = tense_at, reaches
        self.tense = 0

    def found(self) -> list[tuple[int, int, str, Moment]]:
        """The start, end and new wording of each date, in order, with its moment."""
        all_found: list[tuple[int, int, str, Moment]] = []
        at = 0
        while at < len(self.bare):
            after = all_found[-1][1] if all_found else 0
            one = self.at(at)
            if one is None or self.spans[at][0] < after:
                at += 1
                continue
            all_found.append(self._worded(one, after))
            at = one.end
        return all_found

    def _worded(self, one: Found, after: int) -> tuple[int, int, str, Moment]:
        begin, phrase = one.begin, one.moment.phrase(self.words)
        while (
            begin
            and self.bare[begin - 1] in self.words.dropped
            and not self._leads_on(begin - 1)
            and self._touches(begin)
            and not self._is_linked(begin, after)
        ):
            begin -= 1
        kept = self.words.kept | self.words.parts_of_month
        is_kept = begin and (
            self.bare[begin - 1] in kept
            or self._leads_on(begin - 1)
            or self._is_linked(begin, after)
        )
        start = max(self.spans[begin][0], after)
        preposition = _PREPOSITION.match(phrase) if one.moment.kind == "month" else None
        # "Fino a giugno": the one that was said stays.
        is_said = preposition and self.text[start:].lower().startswith(preposition[0])
        if is_kept and not is_said and one.moment.kind != "around" and " " in phrase:
            phrase = _PREPOSITION.sub("", phrase)
            joined = self.words.articled.get(self.bare[begin - 1])
            if joined and one.moment.kind == "day":
                start = max(self.spans[begin - 1][0], after)
                phrase = f"{joined} {phrase}"
                if self.text[start].isupper():
                    phrase = phrase[0].upper() + phrase[1:]
        last = one.end - 1
        if not self.text[:start].strip():
            if self._word(one.end) in self.words.verbs_of_days:
                phrase = _PREPOSITION.sub("", phrase)
            phrase = phrase[:1].upper() + phrase[1:]
        if one.moment.kind == "day":
            last += self._part_of_day(one.end)
            is_part = one.end - one.begin > 1 or last >= one.end
            part = self.words.parts_of_day.get(self.bare[last]) if is_part else None
            phrase += f" {self.words.part_written[part]}" if part else ""
        end = self.spans[last][1]
        # "Samstagabend".
        return start, end, phrase + " " * self.text[end : end + 1].isalpha(), one.moment

    def _part_of_day(self, at: int) -> bool:
        """True if the word at this place is one that follows its day: "Friday evening"."""
        is_part = self._word(at) in self.words.parts_of_day
        return is_part and not self._comes_again(at) and self._touches(at)

    def _comes_again(self, at: int) -> bool:
        """True if the word at this place is a part of many days: "Friday nights", "abends"."""
        return self._word(at) in self.words.parts_of_day and self._word(at).endswith("s")

    def _is_linked(self, begin: int, after: int) -> bool:
        """True if the words from the place *after* a day to this one lead to the end of a stretch:
        "da domani a martedì".
        """
        between = self.text[after : self.spans[begin][0]].strip().lower()
        return bool(after) and bool(range_link(self.words).fullmatch(between))

    def _touches(self, at: int) -> bool:
        """True if only a space stands before the word at this place."""
        return not self.text[self.spans[at - 1][1] : self.spans[at][0]].strip()

    def reading(self, place: int) -> Found | None:
        self.tense = self.tense_at(self.spans[place][0])
        self.is_past = self.tense < 0
        return super().reading(place) or self._named(place)

    def _named(self, at: int) -> Found | None:
        """A bare name, "on Friday" or "in May": the last or the next, as the sentence tells."""
        words, word = self.words, self.bare[at]
        before, linking = self._word(at - 1), words.dropped | words.kept | words.parts_of_month
        earlier = {before, self._word(at - 2) if before in linking else ""}
        # "Tous les lundis", and not "chez le médecin lundi".
        if self._word(at - 1) in words.habits or self._word(at - 2) in words.habits - words.dropped:
            return None
        # "Seit der OP im Oktober".
        if self._word(at - 3) in words.dropped:
            earlier.add(self._word(at - 4))
        begins = bool(earlier & words.beginnings) and self.tense <= 0 and not self.length()
        which = -1 if (self.is_past or begins) and not self._leads_on(at - 1) else 1
        if word in words.weekdays and self._is_day(at):
            return Found(at, at + 1, Moment("day", self.weekday(words.weekdays[word], which)))
        if word in words.months and self._is_month(at):
            if words.months[word] == self.said_on.month:
                which = 0
            return Found(at, at + 1, Moment("month", self.nearest(words.months[word], which, 1)))
        return None

    def _is_day(self, at: int) -> bool:
        """True if the weekday at this place is one day: "on Friday", "Friday at 6". Habits are
        "from Monday until Friday" and "Tuesday and Thursday".
        """
        words, before = self.words, self._word(at - 1)
        following = self._word(at + 1)
        if self._comes_again(at + 1):
            return False
        # "Sunday 29" and "three Sundays", but "she turns 90 on Sunday" in any order.
        number = _NUMBER.match(following)
        is_of_month = number and int(number[0]) <= _LAST_OF_MONTH
        if (is_of_month and not self._is_hour(at + 1)) or before in words.numbers:
            return False
        near = [*range(max(0, at - 2), at), *range(at + 1, min(at + 3, len(self.bare)))]
        others = [each for each in near if self.bare[each] in words.weekdays]
        if others:
            return len(others) == 1 and self._are_days(*sorted((at, others[0])))
        named = "" in words.before_weekday or before in words.before_weekday
        return named or self._leads_on(at - 1) or self._is_timed(at)

    def _leads_on(self, at: int) -> bool:
        """True if the word at this place leads to a day to come: "moved to", "extended until"."""
        return self.reaches and self._word(at) in self.words.targets

    def _is_hour(self, at: int) -> bool:
        """True if an hour is written at this place: "5pm", "15 Uhr"."""
        number = self._word(at).lstrip("0123456789")
        return (number or self._word(at + 1)) in self.words.after_hour

    def _are_days(self, first: int, second: int) -> bool:
        """True if two weekdays follow each other: "on Saturday and Sunday"."""
        words, between = self.words, self.bare[first + 1 : second]
        days = words.weekdays[self.bare[second]] - words.weekdays[self.bare[first]]
        led = {self._word(first - 1), ""} & words.before_weekday
        return bool(led) and days % 7 == 1 and not words.conjunctions.isdisjoint(between)

    def _is_timed(self, at: int) -> bool:
        """True if an hour or a part of the day follows: "Friday at 6"."""
        is_hour = self._word(at + 1) in self.words.before_hour and self._word(at + 2).isdecimal()
        return is_hour or self._part_of_day(at + 1)

    def _is_month(self, at: int) -> bool:
        words, before, following = self.words, self._word(at - 1), self._word(at + 1)
        links = words.date_links.split("|")
        if following in links:
            following = self._word(at + 2)
        if following[:1].isdigit():
            return False  # "En mayo de 2019".
        if before in words.parts_of_month:
            return True
        if before in links and self._word(at - 2) in words.parts_of_month:
            return True
        is_written_as_one = (
            self._word(at) not in words.words_like_months or self.text[self.spans[at][0]].isupper()
        )
        is_led = before in words.before_month or self._leads_on(at - 1)
        return is_led and is_written_as_one
