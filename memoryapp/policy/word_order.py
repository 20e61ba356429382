"""Tells whether two sentences of the same words exchange who does what to whom. Pure.

"Tom lent the user a drill" and "The user lent Tom a drill" have the same words; so have "On Mondays
the user swims" and "The user swims on Mondays", in which a phrase moves and nothing is exchanged.
"""

from collections.abc import Sequence

from memoryapp.policy.word_lists import ARTICLES, LINKING_WORDS

#: Words of each of the two phrases that are exchanged.
MAX_EXCHANGED = 4
#: Words between two members of a list, whose order tells nothing.
_LISTING = frozenset("and or und oder sowie e ed o y et ou".split())
#: Articles that `ARTICLES` leaves to other languages, and forms that join with a preposition.
_LIGHT = ARTICLES | frozenset("an gli i los las un una une".split())


def exchanges(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether *other* has the words of *one*, in small letters, with two phrases in each other's
    place around what stays: "tea to coffee", "coffee to tea".
    """
    ours, theirs = _telling(one), _telling(other)
    if ours == theirs or sorted(ours) != sorted(theirs):
        return False
    begin = next(at for at, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1])
    before = ours[begin - 1] if begin else ""
    ours, theirs = ours[begin:], theirs[begin:]
    while ours[-1] == theirs[-1]:
        ours, theirs = ours[:-1], theirs[:-1]
    return any(
        _exchanged(ours, theirs, first, last, before)
        for first in range(1, MAX_EXCHANGED + 1)
        for last in range(1, MAX_EXCHANGED + 1)
    )


def _exchanged(
    ours: Sequence[str], theirs: Sequence[str], first: int, last: int, before: str
) -> bool:
    """Whether the *first* words of *ours* and its *last* ones change places in *theirs*, and do not
    follow the same preposition: "in June … in Rome".
    """
    between = ours[first : len(ours) - last]
    return (
        first + last < len(ours)
        and not _LISTING.issuperset(between)
        and theirs == [*ours[-last:], *between, *ours[:first]]
        and not (between[-1] == before and before in LINKING_WORDS)
    )


def _telling(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in _LIGHT]
