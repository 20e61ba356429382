"""The built-in reader on messages to an assistant, for `benchmarks.extraction`.

``benchmarks/datasets/reader_chats.json`` holds 800 messages in five languages, with the facts to be
read from each, or none: requests, questions, code, quotations, suppositions, small talk. Every
fourth message is held out: the rules were not written with it.

The second half of each language's messages has a form of its own. Verbs that share a subject make
one fact, a clause with a subject of its own makes another. A day that comes once has its year. Two
fields are added:

- ``kind``: what the message is an example of. With facts: ``request`` (the fact stands beside
  one), ``correction``, ``date`` (without a year), ``range``, ``relative`` (a date that counts from
  the day it was said on), ``wish`` (a standing one), ``person``, ``health``, ``telegram`` (no whole
  sentence), ``two`` (facts), ``change``, ``taken back``. Without: ``question``, ``task``, ``talk``,
  ``pasted``, ``fiction``, ``others`` (their words). Of each, at least one is held out in each
  language. The kind of the first half is ``plain``.
- ``days``, if a fact has any, one pair for each fact: the first day of it, which must stand in its
  text, and the last on which it holds. ``null`` where there is none, or more than one is right.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from operator import attrgetter
from pathlib import Path
from typing import Any

from memoryapp.policy.gate.words import is_little, stem, words_of
from memoryapp.reader import Fact, Spoken, read

CHATS = Path(__file__).with_name("datasets") / "reader_chats.json"
#: The day on which all of them were said, a Wednesday.
SAID_ON = date(2025, 3, 12)
EVERY = 4
#: A fact is the expected one if they share this much of their words: twice those in both, divided
#: by all of both.
MIN_SHARED = 0.75


@dataclass(frozen=True)
class Expected:
    """A fact to be read, and its first and last day where they are known."""

    text: str
    first_day: date | None = None
    last_day: date | None = None


@dataclass(frozen=True)
class Case:
    """A message, and the facts that it states."""

    language: str
    text: str
    facts: Sequence[Expected]
    kind: str


@dataclass
class Score:
    """How many facts were read, expected, and right, and whether the days of the right ones are."""

    read: int = 0
    expected: int = 0
    right: int = 0
    first_days: list[bool] = field(default_factory=list)
    last_days: list[bool] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)
    missed: list[tuple[str, str]] = field(default_factory=list)

    def add(self, other: "Score") -> None:
        """Add the counts of *other*."""
        self.read, self.expected = self.read + other.read, self.expected + other.expected
        self.right += other.right
        self.first_days += other.first_days
        self.last_days += other.last_days

    def accept(self, fact: Fact, expected: Expected) -> None:
        """Count *fact*, which is the *expected* one, and its days."""
        self.right += 1
        if expected.first_day:
            self.first_days.append(expected.first_day.isoformat() in fact.text)
        if expected.last_day:
            self.last_days.append(fact.last_day == expected.last_day)

    def summary(self) -> dict[str, float]:
        """The figures."""
        return {
            "precision": _share(self.right, self.read),
            "recall": _share(self.right, self.expected),
            "first_days": _share(sum(self.first_days), len(self.first_days)),
            "last_days": _share(sum(self.last_days), len(self.last_days)),
            "facts": self.read,
        }


def every_case(path: Path = CHATS) -> list[Case]:
    """All cases, in the order of the file."""
    return [
        Case(row["language"], row["text"], list(_expected(row)), row.get("kind", "plain"))
        for row in json.loads(path.read_bytes())
    ]


def _expected(row: dict[str, Any]) -> Iterator[Expected]:
    days = row.get("days") or [None] * len(row["facts"])
    for text, its_days in zip(row["facts"], days, strict=True):
        yield Expected(text, *(day and date.fromisoformat(day) for day in its_days or ()))


def cases(path: Path = CHATS) -> tuple[list[Case], list[Case]]:
    """The cases to develop with, and those held out."""
    every = every_case(path)
    held_out = every[EVERY - 1 :: EVERY]
    return [case for at, case in enumerate(every, 1) if at % EVERY], held_out


def score(
    all_cases: Sequence[Case], part: Callable[[Case], str] = attrgetter("language")
) -> dict[str, Score]:
    """Read each of *all_cases* by itself; return the score of each *part* of them."""
    scores: dict[str, Score] = {}
    for case in all_cases:
        scored = scores.setdefault(part(case), Score())
        found = read([Spoken(1, "user", case.text, SAID_ON)], usual_language=case.language)
        scored.read += len(found)
        scored.expected += len(case.facts)
        left = list(case.facts)
        for fact in found:
            match = next((each for each in left if is_same(fact.text, each.text)), None)
            if match is None:
                scored.wrong.append((case.text, fact.text))
            else:
                left.remove(match)
                scored.accept(fact, match)
        scored.missed += [(case.text, each.text) for each in left]
    return scores


def together(scores: dict[str, Score]) -> Score:
    """The sum of *scores*."""
    total = Score()
    for one in scores.values():
        total.add(one)
    return total


def _share(some: int, all_of_them: int) -> float:
    return round(some / all_of_them, 4) if all_of_them else 1.0


def is_same(one: str, other: str) -> bool:
    """True if two sentences say the same in nearly the same words."""
    mine, theirs = set(_stems(one)), set(_stems(other))
    return 2 * len(mine & theirs) >= MIN_SHARED * (len(mine) + len(theirs))


def _stems(text: str) -> Iterator[str]:
    for word in words_of(text):
        if word.is_number or not is_little(word):
            yield stem(word.bare)
