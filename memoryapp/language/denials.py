"""Denials in all languages together: a statement and its source may be in two. Pure."""

from memoryapp.language.vocabularies import VOCABULARIES

#: How each language denies.
DENYING = [known.denials for known in VOCABULARIES.values()]
#: Denials of languages without a vocabulary: Dutch, the Scandinavian ones, Polish, Russian.
_ELSEWHERE = frozenset(
    "niet geen nooit niets zonder inte aldrig ingen inget utan ikke aldri intet uden uten nigdy "
    "bez не нет никогда без".split()
)
DENIALS = _ELSEWHERE.union(*(each.denials for each in DENYING))
#: Verbs that deny what they govern, as a denial does.
DENYING_VERBS = frozenset[str]().union(*(each.verbs for each in DENYING))


def is_denial(word: str) -> bool:
    """True if *word*, in small letters, denies."""
    return word in DENIALS or word.endswith("n't")
