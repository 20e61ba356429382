"""Source of a proposal: lines of a conversation, or statements, prepared for comparison. Pure."""

import itertools
from collections.abc import Callable, Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from memoryapp.language.vocabularies import JOINING, VOCABULARIES
from memoryapp.policy.gate.moments import TimeExpression, day
from memoryapp.policy.gate.names import Names, plain
from memoryapp.policy.gate.negations import Polarity, polarity_of
from memoryapp.policy.gate.numerals import numbers_of, value_of
from memoryapp.policy.gate.relative_days import relative_days
from memoryapp.policy.gate.speech_acts import (
    FIRST_PERSON,
    MY,
    OWN_VERBS,
    OWNED_WORDS,
    SpeechActs,
    speech_acts_of,
)
from memoryapp.policy.gate.times import is_ahead, moments_of
from memoryapp.policy.gate.words import Token, is_little, language_of, stem, words_of
from memoryapp.policy.word_lists import COMPANY, KIN


@dataclass(frozen=True)
class SaidLine:
    """A message, or a statement, as it is given to the gate."""

    text: str
    #: The name of who said it, if it is known.
    speaker: str = ""
    #: Of a message: user, assistant, tool. Empty for a statement, which nobody said.
    role: str = "user"
    #: The day on which it was said, in the time zone of the instance.
    said_on: date | None = None


NOTHING: frozenset[str] = frozenset()


class ReadLine:
    """A line with what the gate looks at."""

    def __init__(self, line: SaidLine) -> None:
        self.line = line
        self.words = words_of(line.text)
        self.moments, self._dated = moments_of(self.words, line.said_on, loose=True)
        self.numbers = numbers_of(self.words, self._dated, loose=True)
        if line.said_on:
            self.moments.append(day(line.said_on))
        # "The user" is whoever has that role, by whatever name.
        self.speakers = {plain(word.bare) for word in words_of(line.speaker)} | {line.role}

    @cached_property
    def relative_days(self) -> Sequence[TimeExpression]:
        """The days that follow from when it was said, as its language names them."""
        if self.line.said_on is None:
            return ()
        ahead = any(map(is_ahead, self.words))
        language = language_of(self.words)
        return list(relative_days(self.line.text, language, self.line.said_on, is_ahead=ahead))

    @cached_property
    def stems(self) -> set[str]:
        """The stems of its words that say something."""
        return stems_of(self.words)

    def is_said_undated(self, stems: AbstractSet[str]) -> bool:
        """True if no sentence that names a time has as many of the *stems* as one that names
        none: what it says is then of the day on which it is said.
        """
        most = {True: 0, False: 0}
        sentence: list[int] = []
        for at in range(len(self.words) + 1):
            if sentence and (at == len(self.words) or self.words[at].opens):
                dated = not self._dated.isdisjoint(sentence)
                shared = len(stems & stems_of([self.words[place] for place in sentence]))
                most[dated] = max(most[dated], shared)
                sentence = []
            sentence.append(at)
        return most[False] > most[True]

    @cached_property
    def speech_acts(self) -> SpeechActs:
        """Parts that the line tells, and parts that it only asks. A tool's result, and a statement,
        only tell.
        """
        if self.line.role == "user":
            return speech_acts_of(self.line.text)
        return SpeechActs(told=self.words)

    @cached_property
    def polarity(self) -> Polarity:
        """Denied and affirmed thoughts of the line."""
        return polarity_of(self.words)

    @cached_property
    def of_others(self) -> set[str]:
        """The stems of what it says of "you"."""
        return stems_of(self._addressed)

    @cached_property
    def of_oneself(self) -> set[str]:
        """The stems of what it says of the speaker, or of nobody."""
        addressed = {id(word) for word in self._addressed}
        return stems_of([word for word in self.words if id(word) not in addressed])

    @cached_property
    def of_relatives(self) -> list[Token]:
        """The words of clauses about a relative, friend or pet of the speaker, and not about the
        speaker: "my brother lives in Berlin", and "he is a nurse" after such a clause.
        """
        found: list[Token] = []
        goes_on = False
        for words in itertools.chain.from_iterable(map(_parts, self._clauses)):
            if any(word.bare in _SPEAKERS for word in words) or _drops_speaker(words, goes_on):
                goes_on = False
                continue
            owned = sum(word.bare in MY for word in words)
            if owned == 1 and relatives_in(words):
                goes_on = True
            elif owned or not any(word.bare in _ONE_OF_OTHERS for word in words[:2]):
                continue
            if goes_on:
                found += words
        return found

    @cached_property
    def _clauses(self) -> list[list[Token]]:
        clauses: dict[int, list[Token]] = {}
        for word in self.words:
            clauses.setdefault(word.clause, []).append(word)
        return list(clauses.values())

    @cached_property
    def _addressed(self) -> list[Token]:
        """The words that are said of "you": of a clause with "you" alone, all; of one with "I" as
        well, those that follow "you".
        """
        found: list[Token] = []
        for words in self._clauses:
            said = {word.bare for word in words}
            if not said & _YOU:
                continue
            of_you = not said & FIRST_PERSON
            for word in words:
                of_you = word.bare in _YOU or (of_you and word.bare not in FIRST_PERSON)
                if of_you:
                    found.append(word)
        return found


_YOU = frozenset[str]().union(*(each.second_person for each in VOCABULARIES.values()))
#: Words for the speaker as subject or object; not "my".
_SPEAKERS = FIRST_PERSON - MY
#: Verbs of the first person with which its part begins; not those that English and Italian have as
#: other words.
_OWN_HEADS = OWN_VERBS - {"he", "ai"}
#: Verbs of the first person alone: "sono" is "they are" as well.
_SURELY_OWN = frozenset[str]().union(*(each.own_verbs for each in VOCABULARIES.values()))
_ONE_OF_OTHERS = frozenset[str]().union(
    *(each.third_person for each in VOCABULARIES.values()), ("they", "il", "sie")
)


def _parts(clause: list[Token]) -> list[list[Token]]:
    """The parts of a *clause* without a word for the speaker, each about one person: "sono celiaca
    e mio figlio è vegetariano" has two, joined by a word before a relative or before a verb of the
    first person.
    """
    if any(word.bare in _SPEAKERS for word in clause):
        return [clause]
    parts: list[list[Token]] = [[]]
    for at, word in enumerate(clause):
        following = clause[at + 1 : at + 1 + OWNED_WORDS]
        if word.bare in JOINING.adding and (
            relatives_in(following) or (following and following[0].bare in _OWN_HEADS)
        ):
            parts.append([])
        parts[-1].append(word)
    return [part for part in parts if part]


def _drops_speaker(words: Sequence[Token], goes_on: bool) -> bool:
    """True if *words* are about the speaker, whom only the verb names: "vivo con mia sorella". If a
    statement about another person *goes_on*, "vive con mia sorella" is about that person.
    """
    if any(word.bare in _SURELY_OWN for word in words):
        return True
    verb = next((word.bare for word in words if word.bare not in JOINING.adding), "")
    relatives = relatives_in(words)
    if verb in _OWN_HEADS and not relatives:
        return True
    at = next((at for at, word in enumerate(words) if word.bare in MY), 0)
    return not goes_on and at > 0 and bool(relatives) and words[at - 1].bare in COMPANY


def relatives_in(words: Sequence[Token]) -> list[Token]:
    """The words for relatives, friends and pets in *words* that are the speaker's own: "my old
    friend".
    """
    return [
        word
        for at, word in enumerate(words)
        if word.bare in KIN
        and any(before.bare in MY for before in words[max(0, at - OWNED_WORDS) : at])
    ]


class Source:
    """All that was read for a proposal."""

    def __init__(self, lines: Sequence[SaidLine], *, people: Iterable[str] = ()) -> None:
        """*people* are further names that a proposal may use."""
        self.lines = [ReadLine(line) for line in lines]
        everything = [word for line in self.lines for word in line.words]
        self.speakers = {name for line in self.lines for name in line.speakers if line.line.role}
        named = [*everything]
        for name in [*(line.speaker for line in lines), *people]:
            named += words_of(name.title() if name.islower() else name)
        self.names = Names(named)
        self.moments: list[TimeExpression] = list(
            dict.fromkeys(moment for line in self.lines for moment in line.moments)
        )
        self.stems = {one for line in self.lines for one in line.stems}
        self.language = language_of(everything)
        self._words = named

    @cached_property
    def all_stems(self) -> set[str]:
        """The stems of all of its words, and of the people's names."""
        return {stem(word.bare) for word in self._words}

    @cached_property
    def told_stems(self) -> set[str]:
        """The stems of what is told, and not only asked."""
        return {one for line in self.lines for one in stems_of(line.speech_acts.told)}

    def has_word(self, word: Token) -> bool:
        """True if *word* was said, in any form; a number, in digits or in words."""
        if word.is_number:
            number = value_of(word.bare)
            return any(
                word.text == each.text or (number is not None and number == value_of(each.bare))
                for each in self._words
            )
        return stem(word.bare) in self.all_stems or self.names.has(word)

    def moments_for(
        self, places: Iterable[int], stems: AbstractSet[str] = NOTHING
    ) -> list[TimeExpression]:
        """The moments that may date what the lines at these *places* say, of which *stems* are
        those of its words: those that they name, and the day on which a line says it in a sentence
        that names none; if they name none at all, those of the lines next to them and when these
        were said, or else all.
        """
        places = list(places)
        cited = self.near(places, 0)
        if any(not moment.unsaid for line in cited for moment in line.moments):
            return [
                moment
                for line in cited
                for moment in line.moments
                if not moment.unsaid or line.is_said_undated(stems)
            ]
        near = [moment for line in self.near(places, 1) for moment in line.moments]
        return self.moments if all(moment.unsaid for moment in near) else near

    def near(self, places: Iterable[int], reach: int) -> list[ReadLine]:
        """The lines at these *places*, and as many before and after each."""
        wanted = sorted(
            {
                near
                for place in places
                for near in range(place - reach, place + reach + 1)
                if 0 <= near < len(self.lines)
            }
        )
        return [self.lines[place] for place in wanted]


def stems_of(
    words: Iterable[Token],
    without: Collection[str] = frozenset(),
    *,
    small: Callable[[Token], bool] = is_little,
) -> set[str]:
    """The stems of *words* but for numbers, *small* words and those *without*."""
    return {
        stem(word.bare)
        for word in words
        if not word.is_number and not small(word) and plain(word.bare) not in without
    }
