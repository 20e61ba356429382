"""Finds the one thing in which a statement differs from an earlier one about the same thing. Pure.

"Ana has 3 cats" and "Ana has 4 cats" are two states of one thing; "box 8 is on shelf 1" and "box 18
is on shelf 4" are about two boxes. Texts are compared word by word, since the similarity of their
vectors cannot tell the two cases apart.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from memoryapp.language.english import ORDINALS
from memoryapp.language.vocabularies import FACTS
from memoryapp.policy.endings import ends
from memoryapp.policy.fact_signature import (
    content_stems,
    fact_signature,
    has_opposite,
    stem,
)
from memoryapp.policy.normal_form import normalised
from memoryapp.policy.word_lists import (
    CLOCK,
    COPULAS,
    CURRENCIES,
    DATES,
    FUNCTION_WORDS,
    NUMBER_WORDS,
    STATES,
    TENS,
    UNITS,
)
from memoryapp.policy.word_order import exchanges

#: Longer statements are not compared: they say more than one thing.
MAX_WORDS = 80
#: Words in which two statements may differ and still differ in one thing.
MAX_DIFFERENT_WORDS = 5


class StatementChange(StrEnum):
    """Kind of the difference between two statements about one thing."""

    #: A number with a unit, or of things that are counted.
    QUANTITY = "quantity"
    #: Whether something holds, or which of several values, such as the place where somebody lives.
    STATE = "state"
    #: A date or a time. It may name another occasion, so the later statement does not replace the
    #: earlier one.
    DATE = "date"

    @property
    def replaces(self) -> bool:
        """True if a later statement with this change takes the place of the earlier one."""
        return self is not StatementChange.DATE


def single_change(one: str, other: str) -> StatementChange | None:
    """Return what differs between *one* and *other*; None if they say the same, differ in more than
    one thing, or are about different things.
    """
    difference = _difference(one, other)
    if difference is None:
        return None
    if _is_reversed(one, other, difference):
        return StatementChange.STATE
    return _changed_number(difference) or _changed_state(difference)


def is_reversal(one: str, other: str) -> bool:
    """True if one of the texts denies what the other says, or says that it holds no longer."""
    difference = _difference(one, other)
    return difference is not None and _is_reversed(one, other, difference)


@dataclass(frozen=True)
class _Difference:
    """The words that only one text has, and the equal ones around them, in lower case."""

    before: Sequence[str]
    ours: Sequence[str]
    theirs: Sequence[str]
    after: Sequence[str]


#: Words with their signs: tok0139x, 10mg, -3.5, 7:30, 2023-05-07, user's, A+, C#, €, %.
_WORD = re.compile(rf"[{''.join(CURRENCIES)}%]|(?:(?<!\S)-(?=\d))?\w(?:[\w.,:'/+#-]*[\w+#-])?")
_NUMBER = re.compile(r"-?\d[\d.,]*")
_AMOUNT = re.compile(rf"(?P<number>\d[\d.,]*)(?P<unit>{'|'.join(sorted(UNITS, key=len))})")
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?|\d{1,2}[:/]\d{2}|(?:19|20)\d{2}")


def _difference(one: str, other: str) -> _Difference | None:
    ours, theirs = _words(one), _words(other)
    shorter = min(len(ours), len(theirs))
    if max(len(ours), len(theirs)) > MAX_WORDS:
        return None
    begin = 0
    while begin < shorter and ours[begin] == theirs[begin]:
        begin += 1
    end = 0
    while end < shorter - begin and ours[-1 - end] == theirs[-1 - end]:
        end += 1
    return _Difference(
        ours[:begin],
        ours[begin : len(ours) - end],
        theirs[begin : len(theirs) - end],
        ours[len(ours) - end :],
    )


@lru_cache(maxsize=2_048)
def _words(text: str) -> list[str]:
    return [_plain(word.casefold()) for word in _WORD.findall(normalised(text))]


def _plain(word: str) -> str:
    """*word* in lower case, and a number in digits."""
    tens, _, ones = word.partition("-")
    if word in ORDINALS:
        # The order of a thing is part of its name: "the fourth race".
        return word
    if ones in NUMBER_WORDS and NUMBER_WORDS.get(tens) in TENS:
        return str(int(NUMBER_WORDS[tens]) + int(NUMBER_WORDS[ones]))
    # 1,000 is 1000, but 1,5 is not 15.
    return re.sub(r",(?=\d{3}(?!\d))", "", NUMBER_WORDS.get(word, word))


def _is_reversed(one: str, other: str, difference: _Difference) -> bool:
    """True if one text denies or ends what the other says, or has an opposite word in its place."""
    if ends(one, other) or ends(other, one):
        return True
    if has_opposite(one, other) and len(difference.ours) == len(difference.theirs) == 1:
        return True
    ours, theirs = fact_signature(one), fact_signature(other)
    return (
        ours.negations != theirs.negations
        and min(ours.negations, theirs.negations) == 0
        and (ours.numbers, ours.names) == (theirs.numbers, theirs.names)
        and content_stems(one, with_negations=False) == content_stems(other, with_negations=False)
    )


def _changed_number(difference: _Difference) -> StatementChange | None:
    preceding = difference.before[-1] if difference.before else ""
    following = next(iter(difference.after), "")
    if _is_unit(difference.ours) and _is_unit(difference.theirs):
        beside_number = _NUMBER.fullmatch(preceding) or _NUMBER.fullmatch(following)
        return StatementChange.QUANTITY if beside_number else None
    ours, theirs = _Number.parse(difference.ours), _Number.parse(difference.theirs)
    if ours is None or theirs is None:
        dated = all(map(_is_date, [*difference.ours, *difference.theirs]))
        return StatementChange.DATE if dated and difference.ours and difference.theirs else None
    if following in CLOCK or {ours.unit, theirs.unit} & CLOCK:
        return StatementChange.DATE
    if ours.unit or theirs.unit:
        units = {stem(ours.unit), stem(theirs.unit)}
        return StatementChange.QUANTITY if len(units) == 1 or units <= _UNIT_STEMS else None
    if following in UNITS or preceding in CURRENCIES or following in CURRENCIES:
        return StatementChange.QUANTITY
    if _is_date(ours.number) and _is_date(theirs.number):
        return StatementChange.DATE
    if preceding in FACTS.numbered:
        return None
    if following:
        counted = following.isalpha() and following not in FUNCTION_WORDS
        return StatementChange.QUANTITY if counted else None
    measured = preceding in COPULAS | FACTS.measuring or bool(_NUMBER.fullmatch(preceding))
    return StatementChange.QUANTITY if measured else None


def _is_unit(words: Sequence[str]) -> bool:
    return len(words) == 1 and words[0] in UNITS | CURRENCIES


_UNIT_STEMS = frozenset(map(stem, UNITS | CURRENCIES))


@dataclass(frozen=True)
class _Number:
    """A number with its unit or what it counts, if that stands among the different words."""

    number: str
    unit: str = ""

    @classmethod
    def parse(cls, words: Sequence[str]) -> "_Number | None":
        if len(words) == 2 and words[0] in CURRENCIES:
            words = words[::-1]
        if not 1 <= len(words) <= 2:
            return None
        amount = _AMOUNT.fullmatch(words[0])
        if amount and len(words) == 1:
            return cls(amount["number"], amount["unit"])
        if not _NUMBER.fullmatch(words[0]):
            return None
        unit = words[1] if len(words) == 2 else ""
        return None if _NUMBER.match(unit) else cls(words[0], unit)


def _is_date(word: str) -> bool:
    return word in DATES or word in CLOCK or bool(_DATE.fullmatch(word))


def _changed_state(difference: _Difference) -> StatementChange | None:
    """Change of a state: the different words are values of what has one value at a time."""
    sizes = len(difference.ours), len(difference.theirs)
    if not (min(sizes) and max(sizes) <= MAX_DIFFERENT_WORDS):
        return None
    if any(map(_has_digit, [*difference.ours, *difference.theirs])):
        return None
    verb = [word for word in difference.before if word in FACTS.preferring]
    if verb and exchanges([*verb, *difference.ours], [*verb, *difference.theirs]):
        return StatementChange.STATE
    # The values may begin with the same words: New York, New Orleans.
    return (
        StatementChange.STATE
        if any(
            _opens_value(difference.before[: len(difference.before) - shared])
            for shared in range(min(3, len(difference.before)))
        )
        else None
    )


def _opens_value(before: Sequence[str]) -> bool:
    """True if the value of a state or of an attribute follows *before*."""
    if any(tuple(before[-len(state) :]) == state for state in STATES):
        return True
    if not before or before[-1] not in COPULAS:
        return False
    attribute = before[-4:-1]
    return bool(
        attribute
        and (attribute[-1] in FACTS.attributes or not FACTS.superlatives.isdisjoint(attribute))
    )


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)
