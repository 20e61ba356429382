"""Finds out by whose words a statement is supported. Pure.

A model says which message states a fact, but that is its word alone. A statement has the highest
tier whose lines support it by themselves, and without a word that only lower lines have.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from memoryapp.policy.fiction import without_fiction
from memoryapp.policy.gate.check import refusal
from memoryapp.policy.gate.source import SaidLine, Source, stems_of
from memoryapp.policy.gate.values import is_said, unsaid_name
from memoryapp.policy.gate.words import is_small, words_of
from memoryapp.policy.speech import without_others
from memoryapp.policy.subjects import opens_with_relative
from memoryapp.policy.word_lists import USERS
from memoryapp.privacy.excerpts import split_sentences

#: Words of a statement among which its subject is.
_SUBJECT_WORDS = 3
#: Characters of the end of a line in which its last question is looked for.
MAX_QUESTION = 300


@dataclass(frozen=True)
class TieredLine:
    """A message, or the part of one that its author said or quoted."""

    said: SaidLine
    #: How far it is believed: a higher number counts more.
    tier: int
    #: The message that it belongs to.
    message: int


class AuthorsWords:
    """The lines that were read, without what others say in them, as in a chat that the user pastes,
    and, where an assistant answers, without fiction.
    """

    def __init__(self, lines: Sequence[SaidLine], *, people: Iterable[str] = ()) -> None:
        """*people* are further names that a statement may use."""
        to_assistant = any(line.role == "assistant" for line in lines) or not any(
            line.speaker for line in lines
        )
        own = [
            replace(line, text=without_others(without_fiction(line.text), line.speaker))
            if to_assistant and line.role == "user"
            else replace(line, text=without_others(line.text, line.speaker))
            for line in lines
        ]
        self._source = None if own == list(lines) else Source(own, people=people)
        speakers = {word.bare for line in lines for word in words_of(line.speaker)}
        self._authors = USERS | speakers

    def lack(self, text: str, *, said_in: Sequence[int] = ()) -> bool:
        """True if *text* is about an author, who has not said it: others have, in their words.
        *said_in* are the places of the lines that are said to state it.
        """
        if self._source is None or opens_with_relative(text):
            return False
        subject = {word.bare for word in words_of(text)[:_SUBJECT_WORDS]}
        return not subject.isdisjoint(self._authors) and bool(
            refusal(text, self._source, said_in=said_in)
        )


class TieredEvidence:
    """The lines that were read, each with its tier."""

    def __init__(self, lines: Sequence[TieredLine], *, people: Iterable[str] = ()) -> None:
        """*people* are further names that a statement may use."""
        self._lines = [line for line in lines if line.said.text.strip()]
        self._people = list(people)
        self._sources: dict[int, tuple[Source, dict[int, list[int]]]] = {}

    def tier_of(self, text: str, *, said_in: int, valid_until: date | None = None) -> int:
        """Return the tier of *text*, which the message *said_in* is said to state; the lowest of
        all lines if none supports it alone.
        """
        lowest = min(self._tiers, default=0)
        words = stems_of(words_of(text), small=is_small)
        for tier in self._tiers[:-1]:
            source, places = self._source_of(tier)
            if refusal(text, source, said_in=places.get(said_in, []), valid_until=valid_until):
                continue
            asked = self._stems_asked_before(said_in)
            if not words - asked & self._stems_only_below(tier):
                return tier
        return lowest

    def tier_of_relation(
        self, names: Sequence[str], words: str = "", *, said_in: int, since: date | None = None
    ) -> int:
        """Return the tier of a relation of *names* in these *words*, which the message *said_in* is
        said to state: at most the tier of that message, and the highest one at which the names and
        the day *since* are said, and no word is only quoted there.
        """
        parts = [line for line in self._lines if line.message == said_in]
        most = max((part.tier for part in parts), default=0)
        for tier in self._tiers:
            source, _ = self._source_of(tier)
            if tier > most or any(unsaid_name(name, source) for name in names):
                continue
            if since and not is_said(since, source):
                continue
            own = _stems(part for part in parts if part.tier >= tier)
            quoted = _stems(part for part in parts if part.tier < tier)
            if not stems_of(words_of(words), small=is_small) & (quoted - own):
                return tier
        return min(self._tiers, default=0)

    @cached_property
    def _tiers(self) -> list[int]:
        """The tiers of the lines, the highest first."""
        return sorted({line.tier for line in self._lines}, reverse=True)

    def _source_of(self, tier: int) -> tuple[Source, dict[int, list[int]]]:
        """The lines of *tier* and above, and where those of each message are among them."""
        if tier not in self._sources:
            kept = [line for line in self._lines if line.tier >= tier]
            places: dict[int, list[int]] = {}
            for place, line in enumerate(kept):
                places.setdefault(line.message, []).append(place)
            source = Source([line.said for line in kept], people=self._people)
            self._sources[tier] = source, places
        return self._sources[tier]

    def _stems_only_below(self, tier: int) -> set[str]:
        below = _stems(line for line in self._lines if line.tier < tier)
        return below - self._source_of(tier)[0].all_stems

    def _stems_asked_before(self, message: int) -> set[str]:
        """The words of the question that *message* may answer: "Where do you live?" "In Lyon."
        Names and numbers still have to be in the answer.
        """
        before = [line for line in self._lines if line.message < message]
        if not before:
            return set()
        last = before[-1].said.text[-MAX_QUESTION:]
        asked = [each for each in split_sentences(last) if each.rstrip().endswith("?")]
        return stems_of(words_of(" ".join(asked)), small=is_small)


def _stems(lines: Iterable[TieredLine]) -> set[str]:
    return {stem for line in lines for stem in stems_of(words_of(line.said.text), small=is_small)}
