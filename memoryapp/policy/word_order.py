"""Tells whether two sentences of the same words exchange who does what to whom. Pure.

"Tom lent the user a drill" and "The user lent Tom a drill" have the same words; so have "On Mondays
the user swims" and "The user swims on Mondays", in which a phrase moves and nothing is exchanged.
Nor is anything in "Montags schwimmt der Nutzer" and "Der Nutzer schwimmt montags": a moment does
nothing, and "der Nutzer" is who does it wherever it stands.
"""

from collections.abc import Sequence
from itertools import pairwise

from memoryapp.language.vocabularies import FACTS, JOINING
from memoryapp.policy.word_lists import ARTICLES, CASES, COPULAS, LINKING_WORDS, MOMENTS, WHICH

#: Words of each of the two phrases that are exchanged.
MAX_EXCHANGED = 4
#: Words between two members of a list, whose order tells nothing.
LISTING = JOINING.adding | JOINING.choosing
#: What stands between a thing and what it is, whose order tells nothing either.
_EQUAL = LISTING | COPULAS
#: Articles that `ARTICLES` leaves to other languages, and forms that join with a preposition.
_LIGHT = ARTICLES | frozenset(
    "an gli i los las un una une l les des dem ein eine einen einem einer eines".split()
)
#: Prepositions that have taken in an article.
_JOINED = {
    "al": "a", "allo": "a", "alla": "a", "ai": "a", "agli": "a", "alle": "a", "all": "a",
    "au": "à", "aux": "à", "zum": "zu", "zur": "zu", "vom": "von",
    "del": "di", "dello": "di", "della": "di", "dei": "di", "delle": "di", "dell": "di", "du": "de",
}  # fmt: skip
#: Articles that are prepositions in other languages.
_AMBIGUOUS = frozenset(["a", "de"])
#: Words between what is preferred and to what, besides "to" itself.
_OVER = frozenset("over than".split())
_BEFORE_OVER = frozenset("rather more".split())
_OPENING = (LINKING_WORDS - _LIGHT) | FACTS.conjunctions


def exchanges(one: Sequence[str], other: Sequence[str]) -> bool:
    """True if *other* has the words of *one*, in small letters, with two phrases in each other's
    place around what stays: "tea to coffee", "coffee to tea".
    """
    keep = with_same_part(one, other)
    return any(
        _exchange(_telling(one, light, joined), _telling(other, light, joined), keep)
        for light, joined in ((_LIGHT, {}), (_LIGHT - _AMBIGUOUS, _JOINED))
    )


def with_same_part(one: Sequence[str], other: Sequence[str]) -> frozenset[str]:
    """Return the nouns of both that have the same part in them, as their articles tell."""
    return frozenset(noun for _, noun in _with_case(one) & _with_case(other))


def is_list(words: Sequence[str]) -> bool:
    """True if what opens the sentence *words*, in small letters, is the first of a list."""
    telling = _telling(words, _LIGHT, {})
    return not LISTING.isdisjoint(telling[1:2])


def _with_case(words: Sequence[str]) -> frozenset[tuple[str, str]]:
    """Return the nouns of *words* behind an article that tells their part, with the article."""
    return frozenset((article, noun) for article, noun in pairwise(words) if article in CASES)


def _exchange(ours: Sequence[str], theirs: Sequence[str], keep: frozenset[str]) -> bool:
    """The same for words without articles; *keep* are nouns that have the same part."""
    if ours == theirs or sorted(ours) != sorted(theirs):
        return False
    begin = next(at for at, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1])
    before = ours[begin - 1] if begin else ""
    ours, theirs = ours[begin:], theirs[begin:]
    while ours[-1] == theirs[-1]:
        ours, theirs = ours[:-1], theirs[:-1]
    return any(
        _exchanged(ours, theirs, first, last, before)
        and not (_stays(ours[:first], keep) or _stays(ours[-last:], keep))
        and _is_moment(ours[:first]) is _is_moment(ours[-last:])
        for first in range(1, MAX_EXCHANGED + 1)
        for last in range(1, MAX_EXCHANGED + 1)
    )


def _stays(phrase: Sequence[str], keep: frozenset[str]) -> bool:
    return not keep.isdisjoint(phrase)


def _is_moment(phrase: Sequence[str]) -> bool:
    return not MOMENTS.isdisjoint(phrase) and (MOMENTS | WHICH).issuperset(phrase)


def _exchanged(
    ours: Sequence[str], theirs: Sequence[str], first: int, last: int, before: str
) -> bool:
    """True if the *first* words of *ours* and its *last* ones change places in *theirs*, neither
    takes its preposition with it ("on Monday swims Ana"), and they do not follow the same one: "in
    June … in Rome".
    """
    between = ours[first : len(ours) - last]
    return (
        first + last < len(ours)
        and not _EQUAL.issuperset(between)
        and theirs == [*ours[-last:], *between, *ours[:first]]
        and not (first > 1 and ours[0] in _OPENING)
        and not (last > 1 and ours[-last] in _OPENING)
        and not (between[-1] == before and before in LINKING_WORDS)
    )


def _telling(words: Sequence[str], light: frozenset[str], joined: dict[str, str]) -> list[str]:
    if not FACTS.preferring.isdisjoint(words):
        words = ["to" if word in _OVER else word for word in words if word not in _BEFORE_OVER]
    return [joined.get(word, word) for word in words if word not in light]
