"""Days, names, and values of keys: were they said? Pure."""

from collections.abc import Iterable
from datetime import date

from memoryapp.language.denials import is_denial
from memoryapp.policy.gate.moments import TimeExpression, follows
from memoryapp.policy.gate.negations import polarity_of
from memoryapp.policy.gate.numerals import numbers_of, value_of
from memoryapp.policy.gate.source import Source, stems_of
from memoryapp.policy.gate.times import moments_of
from memoryapp.policy.gate.words import is_little, stem, words_of
from memoryapp.policy.subjects import opens_with_relative
from memoryapp.policy.word_lists import KIN, USERS


def is_said(day: date, source: Source, text: str = "", *, said_in: Iterable[int] = ()) -> bool:
    """True if *day* is named in *source* or in *text*, or begins or ends a time that is. If it is
    known which lines tell, those are what counts of *source*; see `Source.moments_for`.
    """
    places = list(said_in)
    said = [*source.moments_for(places), *moments_of(words_of(text), None)[0]]
    if _names(day, said):
        return True
    lines = source.near(places, 0) or source.lines
    return any(_names(day, line.relative_days) for line in lines)


def _names(day: date, said: Iterable[TimeExpression]) -> bool:
    """True if one of the moments that were *said* is that *day*, or begins or ends then."""
    said = list(said)
    return follows(TimeExpression(parts=(day.year, day.month, day.day, -1)), said) or any(
        moment.days and (moment.days[0] == day or abs((moment.days[1] - day).days) <= 1)
        for moment in said
    )


def is_usable_key(key: str, value: str, text: str, source: Source) -> bool:
    """True if *key* and *value* may go with *text*: the key is no name and not the value, the value
    is in the text or in *source*, and is not what the text denies. A key describes the person who
    is remembered, so the key of a sentence about a relative must name one: ``sister_city``.
    """
    named, valued = words_of(key.replace("_", " ")), words_of(value)
    if not valued or [word.bare for word in named] == [word.bare for word in valued]:
        return False
    if named and all(source.names.is_name(word) for word in named):
        return False
    if opens_with_relative(text) and not any(word.bare in KIN for word in named):
        return False
    denied = set(polarity_of(words_of(text)).following)
    if not any(is_denial(word.bare) for word in valued) and stems_of(valued) & denied:
        return False
    said = {stem(word.bare) for word in words_of(text)} | source.all_stems
    numbers = {number for number, _ in numbers_of(words_of(text), set(), loose=True)}
    numbers |= {number for line in source.lines for number, _ in line.numbers}
    return all(
        stem(word.bare) in said
        or value_of(word.bare) in numbers
        or (word.is_number and word.text in text)
        for word in valued
    )


def unsaid_name(name: str, source: Source) -> str:
    """The first word of *name* that is not in *source*; empty if all are. Words without a capital
    count only where there are no others, and one of them is enough.
    """
    words = [word for word in words_of(name) if not is_little(word) and word.bare not in USERS]
    capitals = [word for word in words if word.has_capital or word.is_number]
    missing = [word.text for word in capitals or words if not source.has_word(word)]
    if capitals:
        return missing[0] if missing else ""
    return missing[0] if len(missing) == len(words) and missing else ""
