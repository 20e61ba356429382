"""Where people live. Pure."""

from collections.abc import Iterable

from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.policy.gate.words import Token, stem

_HOMES = [known.home for known in VOCABULARIES.values()]
_LIVES = frozenset[str]().union(*(home.lives for home in _HOMES))
_WHERE = frozenset[str]().union(*(home.where for home in _HOMES))
#: Words between the verb and the place: "lives today in".
_MAX_BETWEEN = 2
#: What people say of the place where they live, as stems.
_TELLS = {stem(word) for home in _HOMES for word in home.tells}


def lives_somewhere(words: list[Token]) -> bool:
    """True if a statement says where somebody lives, as in "she lives in Berlin"."""
    return any(
        word.bare in _LIVES
        and any(next_.bare in _WHERE for next_ in words[at + 1 : at + 2 + _MAX_BETWEEN])
        for at, word in enumerate(words)
    )


def tells_of_home(words: Iterable[Token]) -> bool:
    """True if a message may say where somebody lives: it has a word for home, or for moving."""
    return any(stem(word.bare) in _TELLS for word in words)
