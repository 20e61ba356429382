"""Chooses the texts of a large instance that are worth ranking for a question. Pure.

A text is worth what its words are worth, each by its rarity (`conversations.search`). The best ones
hold a rare word or several others, so most of the texts with any word need not be read: those with
the frequent words alone. This is the idea of MaxScore (Turtle and Flood, "Query evaluation:
strategies and optimizations", 1995), which the GIN index applies to the condition that is chosen
here: it reads the lists of the words without which no text meets it, and looks up the others.

How many texts meet a condition is estimated as if words were independent. Words of one subject are
not: several times as many are usual.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, prod

#: Texts with any word up to which all of them are ranked: to select would save nothing.
MAX_UNSELECTED = 1_000
#: Texts that are selected at least, by estimate, twice: those with rare words, and those with
#: enough of the others. More if there are many results.
TEXTS, TEXTS_A_RESULT = 300, 3
#: Texts that are added at a time hold the same words. If they are more than so many times as many,
#: they are left out, provided that there are others.
MAX_EXCESS = 3
#: Words beside the rare ones whose combinations are considered, and words by which texts are
#: ranked: the rarest.
MAX_COMBINED, MAX_RANKED = 10, 32
#: Texts that are assumed to hold a word which is too rare to be counted, of less than
#: `word_counting.MIN_TEXTS`.
UNCOUNTED_TEXTS = 50
#: The rounding of sums.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class QueryTerm:
    """A word of a question."""

    #: Its stems, each a tsquery.
    stems: tuple[str, ...]
    #: How many texts hold any of them; None if it is too rare to be counted.
    texts: int | None

    @property
    def expected(self) -> int:
        return UNCOUNTED_TEXTS if self.texts is None else self.texts

    @property
    def matching(self) -> str:
        """The tsquery that the texts with it match."""
        either = " | ".join(self.stems)
        return f"( {either} )" if len(self.stems) > 1 else either


@dataclass(frozen=True)
class Selection:
    """The texts that are worth ranking."""

    #: The tsquery that they match.
    matching: str
    #: The words by which they are ranked, the rarest first.
    words: tuple[QueryTerm, ...]
    #: How many texts hold any of these words, by estimate.
    texts: int


def select_texts(words: Sequence[QueryTerm], total: int, limit: int) -> Selection | None:
    """Select the texts, of *total*, among which the best *limit* for *words* are; None if all texts
    that have a word are to be ranked.
    """
    ranked = sorted(words, key=lambda word: word.expected)[:MAX_RANKED]
    any_word = total * (1 - prod(max(0.0, 1 - word.expected / total) for word in ranked))
    wanted = max(TEXTS, TEXTS_A_RESULT * limit)
    if any_word <= max(MAX_UNSELECTED, wanted):
        return None
    rare, selected = 0, 0
    while rare < len(ranked) and selected + ranked[rare].expected <= wanted:
        selected += ranked[rare].expected
        rare += 1
    # A word that is not counted may be in no text at all.
    certain = sum(word.texts or 0 for word in ranked[:rare])
    conditions = [word.matching for word in ranked[:rare]]
    combined = ranked[rare : rare + MAX_COMBINED]
    worth = [log(1 + any_word / word.expected) for word in combined]
    shares = [min(1.0, word.expected / total) for word in combined]
    least = _least_worth(worth, shares, wanted / total, enough=certain >= limit)
    if least:
        conditions.append(_worth_at_least(least, combined, worth))
    return Selection(" | ".join(conditions), tuple(ranked), round(any_word))


def _least_worth(
    worth: Sequence[float], shares: Sequence[float], wanted: float, *, enough: bool
) -> float | None:
    """The worth of a text's words from which on it is selected, so that a share *wanted* of all
    texts is. Each word has a *worth*, and a share of the texts holds it. None: no text is, since
    those of the best are too many, and others are *enough*.
    """
    combinations = [(0.0, 1.0)]
    for value, share in zip(worth, shares, strict=True):
        combinations = [
            each
            for total, chance in combinations
            for each in ((total, chance * (1 - share)), (total + value, chance * share))
        ]
    least, found = None, 0.0
    for total, chance in sorted(combinations, reverse=True):
        is_new = least is None or total < least - _ROUNDING
        if total == 0 or (is_new and found >= wanted):
            break
        if is_new and (enough or found) and found + chance > MAX_EXCESS * wanted:
            break
        least, found = total, found + chance
    return least


def _worth_at_least(least: float, words: Sequence[QueryTerm], worth: Sequence[float]) -> str:
    """The tsquery of the texts that hold words of this worth together: each of the smallest
    combinations, those that begin with the same words in one bracket.
    """
    conditions = []
    for at, word in enumerate(words):
        if sum(worth[at:]) < least - _ROUNDING:
            break
        missing = least - worth[at]
        if missing <= _ROUNDING:
            conditions.append(word.matching)
        elif rest := _worth_at_least(missing, words[at + 1 :], worth[at + 1 :]):
            conditions.append(f"( {word.matching} & ( {rest} ) )")
    return " | ".join(conditions)
