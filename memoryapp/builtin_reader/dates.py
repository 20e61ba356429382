"""Real dates for "yesterday", "last week", "two years ago", "on Friday", "on May 5". Pure."""

import re
from datetime import date
from operator import itemgetter

from memoryapp.builtin_reader.calendar_days import TenseAt, named_days
from memoryapp.builtin_reader.clauses import tenses
from memoryapp.builtin_reader.languages.language import Language
from memoryapp.language.relative_dates import Found, Moment, RelativeDates
from memoryapp.language.time_words import TimeWords

#: The first word of a moment in words.
_PREPOSITION = re.compile(r"^[^\s']{1,15}[\s']")


def dated(text: str, language: Language, said_on: date) -> tuple[str, list[Moment]]:
    """Return *text*, a sentence, with each date that is relative or has no year replaced, and the
    moments. The days of what comes again, as a birthday, stay.
    """
    plans = language.plans
    return with_real_dates(
        text,
        language.times,
        said_on,
        tenses(text, language),
        recurs=bool(plans.recurring.search(text)),
        is_birth=bool(plans.births.search(text)),
        is_arranged=bool(plans.arranged.search(text)),
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
) -> tuple[str, list[Moment]]:
    """The same; *tense_at* decides whether "on Friday" was or will be. Of what *recurs*, days
    without a year stay, of what *is_birth*, all of them; those of what *is_arranged* are to come in
    any tense.
    """
    tense_of_days: TenseAt = (lambda at: max(tense_at(at), 0)) if is_arranged else tense_at
    named = [] if is_birth else named_days(text, words, said_on, tense_of_days, has_years=recurs)
    found = [
        (each.begin, each.end, each.wording, [Moment("day", day) for day in each.days])
        for each in named
    ]
    for start, end, phrase, moment in _Rewriting(text, words, said_on, tense_at).found():
        if not any(each.begin < end and start < each.end for each in named):
            found.append((start, end, phrase, [moment]))
    parts, at = [], 0
    for start, end, phrase, _ in sorted(found, key=itemgetter(0)):
        parts += [text[at:start], phrase]
        at = end
    changed = "".join([*parts, text[at:]])
    return changed, [moment for *_, moments in found for moment in moments]


class _Rewriting(RelativeDates):
    """Finds the dates in one sentence with their new wording."""

    def __init__(self, text: str, words: TimeWords, said_on: date, tense_at: TenseAt) -> None:
        super().__init__(text, words, said_on, is_past=False)
        self.tense_at = tense_at
        self.tense = 0

    def found(self) -> list[tuple[int, int, str, Moment]]:
        """The start, end and new wording of each date, in order, with its moment."""
        all_found: list[tuple[int, int, str, Moment]] = []
        at = 0
        while at < len(self.bare):
            one = self.at(at)
            if one is None:
                at += 1
                continue
            all_found.append(self._worded(one, all_found[-1][1] if all_found else 0))
            at = one.end
        return all_found

    def _worded(self, one: Found, after: int) -> tuple[int, int, str, Moment]:
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

    def reading(self, place: int) -> Found | None:
        self.tense = self.tense_at(self.spans[place][0])
        self.is_past = self.tense < 0
        return super().reading(place) or self._named(place)

    def _named(self, at: int) -> Found | None:
        """A bare name, "on Friday" or "in May": the last or the next, as the sentence tells."""
        words, word = self.words, self.bare[at]
        before = self.bare[at - 1] if at else ""
        earlier = set(self.bare[max(0, at - 2) : at])
        following = self.bare[at + 1] if at + 1 < len(self.bare) else ""
        if earlier & words.habits:
            return None
        begins = bool(earlier & words.beginnings) and self.tense <= 0
        which = -1 if self.is_past or begins else 1
        if word in words.weekdays and (
            before in words.before_weekday or "" in words.before_weekday
        ):
            if following[:1].isdigit() or before in words.numbers:
                return None
            if words.weekdays.keys() & {*earlier, *self.bare[at + 1 : at + 3]}:
                return None  # "From Monday until Friday": a habit.
            return Found(at, at + 1, Moment("day", self.weekday(words.weekdays[word], which)))
        if word in words.months and before in words.before_month and not following[:1].isdigit():
            if words.months_have_capitals and not self.text[self.spans[at][0]].isupper():
                return None
            if words.months[word] == self.said_on.month:
                which = 0
            return Found(at, at + 1, Moment("month", self.nearest(words.months[word], which, 1)))
        return None
