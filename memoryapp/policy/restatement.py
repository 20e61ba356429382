"""Decides whether a message states a fact in so many words. Pure."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise

from memoryapp.policy.minhash import content_words, stems
from memoryapp.privacy.excerpts import split_sentences

#: Characters of a message that are looked at.
MAX_CHARACTERS = 100_000
#: Letters that forms of a word begin with, and how many may differ at the end of the shorter one:
#: "lives" and "living".
MIN_BEGINNING, MAX_ENDING = 3, 2


def restates(text: str, fact: str, *, person: str = "") -> bool:
    """True if a sentence of *text*, or two that follow each other, have all words of *fact* that
    tell it from others. The name of the *person* whom it is about may be missing.
    """
    wanted = stems(fact) - stems(person)
    if not wanted:
        return False
    sentences = [stems(sentence) for sentence in split_sentences(text[:MAX_CHARACTERS])]
    together = (one | other for one, other in pairwise(sentences))
    return any(all(_in(word, words) for word in wanted) for words in [*sentences, *together])


def stating(
    rows: Mapping[int, tuple[str, str]], facts: Iterable[tuple[str, Collection[str]]]
) -> set[int]:
    """Return the ids of *rows*, each a person and a text, that restate one of *facts*, each a
    person and texts. Facts of a single telling word are found only word for word.
    """
    with_word: dict[tuple[str, str], set[int]] = defaultdict(set)
    with_text: dict[tuple[str, str], set[int]] = defaultdict(set)
    for pk, (person, text) in rows.items():
        with_text[person, text.casefold()].add(pk)
        for word in stems(text):
            with_word[person, word].add(pk)
    found = set[int]()
    for person, texts in facts:
        for text in texts:
            found |= with_text.get((person, text.casefold()), set())
            wanted = stems(text) - stems(person)
            if len(wanted) > 1:
                near = set.intersection(*(with_word.get((person, word), set()) for word in wanted))
                found |= {pk for pk in near if restates(rows[pk][1], text, person=person)}
    return found


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
    """True if *words* has *word*, or a form of it that begins alike."""
    if word in words:
        return True
    for other in words:
        alike = max(MIN_BEGINNING, min(len(word), len(other)) - MAX_ENDING)
        if word[:alike] == other[:alike] and min(len(word), len(other)) >= alike:
            return True
    return False
