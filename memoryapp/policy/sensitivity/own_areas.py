"""Recognises statements about areas that managers name, by the words that they list. Pure.

Words count without case and accents, nouns also in the plural or singular where only an ending
differs. A text is read once, however many words are listed.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from memoryapp.language.denials import DENYING
from memoryapp.policy.sensitivity.wordings import folded

#: Endings in which a noun for one and for several differ.
_ENDINGS = frozenset({("", "s"), ("", "es"), ("y", "ies"), ("", "e")}).union(
    *(each.plurals for each in DENYING)
)
#: Letters before an ending at least: of shorter words, too many forms are other words.
_MIN_BEGINNING = 4


@dataclass(frozen=True)
class OwnArea:
    """An area with a name, and the words and phrases that tell of it."""

    name: str
    words: tuple[str, ...]


def own_areas_of(text: str, among: Collection[OwnArea]) -> frozenset[OwnArea]:
    """The areas that *text* tells of, of those *among* which it is asked."""
    if not among:
        return frozenset()
    tokens = folded(text).split()
    return frozenset(area for area in among if _tells(tokens, _start(area.words)))


def is_recognisable(phrase: str) -> bool:
    """True if *phrase* has a letter or digit by which it can be found."""
    return bool(_tokens(phrase))


class _Node:
    """A place within the listed phrases, and the places to which a further word leads."""

    def __init__(self) -> None:
        #: True if a phrase ends here.
        self.ends = False
        self.after: dict[str, list[_Node]] = {}
        self._by_word: dict[str, _Node] = {}

    def add(self, word: str) -> "_Node":
        """The node behind *word*, and behind its forms."""
        if word not in self._by_word:
            self._by_word[word] = _Node()
            for form in _forms(word):
                self.after.setdefault(form, []).append(self._by_word[word])
        return self._by_word[word]


def _tells(tokens: Iterable[str], start: _Node) -> bool:
    """True if one of the phrases that begin at *start* is among *tokens*."""
    begun: list[_Node] = []
    for token in tokens:
        begun = [node for before in (start, *begun) for node in before.after.get(token, ())]
        if any(node.ends for node in begun):
            return True
    return False


@lru_cache(maxsize=256)
def _start(phrases: tuple[str, ...]) -> _Node:
    """The node from which each of *phrases* begins."""
    start = _Node()
    for tokens in filter(None, map(_tokens, phrases)):
        node = start
        for token in tokens:
            node = node.add(token)
        node.ends = True
    return start


def _tokens(phrase: str) -> list[str]:
    # What ends a sentence within a phrase ("Dr. Meyer") does in a text as well.
    return folded(phrase).strip(" |,").split()


def _forms(word: str) -> frozenset[str]:
    """*word* in the singular and in the plural, also such as no language has."""
    return frozenset(
        {word}
        | {
            word.removesuffix(ending) + other
            for pair in _ENDINGS
            for ending, other in (pair, pair[::-1])
            if word.endswith(ending) and len(word) - len(ending) >= _MIN_BEGINNING
        }
    )
