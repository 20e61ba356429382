"""The relation of a later statement to an earlier one: what is no longer as it was. Pure.

Few changes of everyday life are told as such: "Training with Kalle is on Saturdays now" says
neither what it was before, nor that it replaces anything. What it shares with the earlier statement
is the subject, and what tells of a change stands in the sentence about it.
"""

from enum import Enum, auto
from functools import lru_cache

from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.language.words import is_function_word, language_of, words
from memoryapp.policy.word_lists import USERS
from memoryapp.privacy.excerpts import split_sentences

#: Letters of a word that are compared: "apartment" and "apartments" are one subject.
STEM = 6
MIN_CHARACTERS = 3
#: Words that two statements share if they are about the same thing without telling of a change.
MIN_SHARED = 2
#: Characters of a statement that are looked at.
MAX_CHARACTERS = 2_000


class Succession(Enum):
    """The relation of a later statement to an earlier one."""

    #: About something else, as far as its words tell.
    NONE = auto()
    #: About the same thing.
    ALIKE = auto()
    #: It tells that something about the same thing has changed.
    CHANGE = auto()


def succession(later: str, earlier: str, language: str = "english") -> Succession:
    """The relation of the *later* statement to the *earlier* one; most are in *language*."""
    known = _subjects(earlier[:MAX_CHARACTERS])
    later = later[:MAX_CHARACTERS]
    if not known.isdisjoint(_changed_subjects(later, language)):
        return Succession.CHANGE
    alike = len(known & _subjects(later)) >= MIN_SHARED
    return Succession.ALIKE if alike else Succession.NONE


def tells_change(text: str) -> bool:
    """True if *text*, in whatever language, tells that something has changed."""
    told = text[:MAX_CHARACTERS]
    return any(known.turns.changes.search(told) for known in VOCABULARIES.values())


@lru_cache(maxsize=512)
def _subjects(text: str) -> frozenset[str]:
    """The words of *text* that tell what it is about, without their endings."""
    return frozenset(
        word[:STEM]
        for word in words(text)
        if len(word) >= MIN_CHARACTERS
        and not word[0].isdigit()
        and word not in USERS
        and not is_function_word(word)
    )


@lru_cache(maxsize=512)
def _changed_subjects(text: str, language: str) -> frozenset[str]:
    """The subjects of the sentences of *text* that tell of a change."""
    known = VOCABULARIES.get(language_of(text, language))
    if known is None:
        return frozenset()
    changes = known.turns.changes
    return frozenset[str]().union(
        *(
            _subjects(changes.sub(" ", sentence))
            for sentence in split_sentences(text)
            if changes.search(sentence)
        )
    )
