"""Days that follow from when a line was said, as its language names them: "le 22 à 15h". Pure."""

from collections.abc import Iterator
from datetime import date, timedelta

from memoryapp.language.calendar_days import named_days
from memoryapp.language.relative_dates import RelativeDates
from memoryapp.language.time_words import TimeWords
from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.policy.gate.moments import TimeExpression

#: Kinds of moments that are exact.
_EXACT = frozenset("day week weekend month".split())

#: Without a year, a day is not that of the year after if it was just now.
_NEAR = timedelta(days=300)


def relative_days(
    text: str, language: str, said_on: date, *, is_ahead: bool
) -> Iterator[TimeExpression]:
    """The moments in *text*, over or to come, or only the latter if it *is_ahead*; where it is not
    known of which *language* it is, those in any.
    """
    known = [VOCABULARIES[language]] if language in VOCABULARIES else VOCABULARIES.values()
    for each in known:
        yield from _told_in(text, each.times, said_on, is_ahead=is_ahead)


def _told_in(
    text: str, words: TimeWords, said_on: date, *, is_ahead: bool
) -> Iterator[TimeExpression]:
    for is_past in (False,) if is_ahead else (False, True):
        reading = RelativeDates(text, words, said_on, is_past=is_past)
        for at in range(len(reading.bare)):
            found = reading.at(at)
            if found and found.moment.kind in _EXACT:
                yield TimeExpression(days=(found.moment.first, found.moment.last))
    for tense_at in (_to_come,) if is_ahead else (_to_come, _over):
        for named in named_days(text, words, said_on, tense_at, has_years=False):
            near = (day for day in named.days if is_ahead or abs(day - said_on) <= _NEAR)
            yield from (TimeExpression(days=(day, day)) for day in near)


def _to_come(at: int) -> int:
    return 1


def _over(at: int) -> int:
    return -1
