"""The built-in reader on messages to an assistant, for `benchmarks.extraction`.

``benchmarks/datasets/reader_chats.json`` holds 400 messages in five languages, with the facts to be
read from each, or none: requests, questions, code, quotations, suppositions, small talk. Every
fourth message is held out: the rules were not written with it.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from memoryapp.builtin_reader import Spoken, read
from memoryapp.policy.gate.words import is_little, stem, words_of

CHATS = Path(__file__).with_name("datasets") / "reader_chats.json"
#: The day on which all of them were said, a Wednesday.
SAID_ON = date(2025, 3, 12)
EVERY = 4
#: A fact is the expected one if they share this much of their words: twice those in both, divided
#: by all of both.
MIN_SHARED = 0.75


@dataclass(frozen=True)
class Case:
    """A message, and the facts that it states."""

    language: str
    text: str
    facts: Sequence[str]


@dataclass
class Score:
    """How many facts were read, expected, and right."""

    read: int = 0
    expected: int = 0
    right: int = 0
    wrong: list[tuple[str, str]] = field(default_factory=list)
    missed: list[tuple[str, str]] = field(default_factory=list)

    def add(self, other: "Score") -> None:
        """Add the counts of *other*."""
        self.read, self.expected = self.read + other.read, self.expected + other.expected
        self.right += other.right

    def summary(self) -> dict[str, float]:
        """The figures."""
        return {
            "precision": round(self.right / self.read, 4) if self.read else 1.0,
            "recall": round(self.right / self.expected, 4) if self.expected else 1.0,
            "facts": self.read,
        }


def cases(path: Path = CHATS) -> tuple[list[Case], list[Case]]:
    """The cases to develop with, and those held out."""
    every = [
        Case(row["language"], row["text"], row["facts"]) for row in json.loads(path.read_bytes())
    ]
    held_out = every[EVERY - 1 :: EVERY]
    return [case for at, case in enumerate(every, 1) if at % EVERY], held_out


def score(all_cases: Sequence[Case]) -> dict[str, Score]:
    """Read each of *all_cases* by itself; return the score of each language."""
    scores: dict[str, Score] = {}
    for case in all_cases:
        scored = scores.setdefault(case.language, Score())
        found = [
            fact.text
            for fact in read([Spoken(1, "user", case.text, SAID_ON)], usual_language=case.language)
        ]
        scored.read += len(found)
        scored.expected += len(case.facts)
        left = list(case.facts)
        for text in found:
            match = next((fact for fact in left if is_same(text, fact)), None)
            if match is None:
                scored.wrong.append((case.text, text))
            else:
                left.remove(match)
                scored.right += 1
        scored.missed += [(case.text, fact) for fact in left]
    return scores


def together(scores: dict[str, Score]) -> Score:
    """The sum of *scores*."""
    total = Score()
    for one in scores.values():
        total.add(one)
    return total


def is_same(one: str, other: str) -> bool:
    """Whether two sentences say the same in nearly the same words."""
    mine, theirs = set(_stems(one)), set(_stems(other))
    return 2 * len(mine & theirs) >= MIN_SHARED * (len(mine) + len(theirs))


def _stems(text: str) -> Iterator[str]:
    for word in words_of(text):
        if word.is_number or not is_little(word):
            yield stem(word.bare)
