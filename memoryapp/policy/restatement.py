"""Decides whether a message states a fact in so many words. Pure."""

from collections.abc import Collection
from itertools import pairwise

from memoryapp.policy.minhash import content_words, stems
from memoryapp.text.excerpts import split_sentences

#: Characters of a message that are looked at.
MAX_CHARACTERS = 100_000
#: Letters that forms of a word begin with, and how many may differ at the end of the shorter one:
#: "lives" and "living".
MIN_BEGINNING, MAX_ENDING = 3, 2


def restates(text: str, fact: str, *, person: str = "") -> bool:
    """Whether a sentence of *text*, or two that follow each other, have all words of *fact* that
    tell it from others. The name of the *person* whom it is about may be missing.
    """
    wanted = stems(fact) - stems(person)
    if not wanted:
        return False
    sentences = [stems(sentence) for sentence in split_sentences(text[:MAX_CHARACTERS])]
    together = (one | other for one, other in pairwise(sentences))
    return any(all(_in(word, words) for word in wanted) for words in [*sentences, *together])


def stating_parts(text: str, facts: Collection[str], *, person: str = "") -> list[tuple[int, int]]:
    """Return where the sentences of *text* begin and end that state one of *facts*, alone or two
    together; if there are none, the whole text.
    """
    sentences = []
    end = 0
    for sentence in split_sentences(text):
        start = text.index(sentence, end)
        end = start + len(sentence)
        sentences.append((start, end))

    def states(start: int, end: int) -> bool:
        return any(restates(text[start:end], fact, person=person) for fact in facts)

    alone = [part for part in sentences if states(*part)]
    together = [
        (one[0], other[1])
        for one, other in pairwise(sentences)
        if one not in alone and other not in alone and states(one[0], other[1])
    ]
    return alone + together or [(0, len(text))]


def telling_words(fact: str, *, person: str = "") -> str:
    """Return the words of *fact* that a message must have to state it."""
    names = stems(person)
    return " ".join(word for word in content_words(fact) if not stems(word) & names)


def _in(word: str, words: Collection[str]) -> bool:
    """Whether *words* has *word*, or a form of it that begins alike."""
    if word in words:
        return True
    for other in words:
        alike = max(MIN_BEGINNING, min(len(word), len(other)) - MAX_ENDING)
        if word[:alike] == other[:alike] and min(len(word), len(other)) >= alike:
            return True
    return False
