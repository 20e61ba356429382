"""Decides whether a sentence that a model proposes is supported by what it has read. Pure.

Nothing that a model proposes is stored on its word alone. The checks go from the plain to the
costly, and the first that fails gives the reason:

1. it tells, and neither asks nor commands; a standing wish ("always answer in German") passes; and
   the message that it is said to come from tells it, and does not only ask;
2. its names, numbers and dates stand in the source or follow from the dates there;
3. its words are those of the source, mostly those near the message it is said to come from; where
   somebody lives does not follow from where they work;
4. its subject is who said it, or whom it was said to or of;
5. what it denies is denied there, and what it affirms is not denied there;
6. its end date was said.
"""

import itertools
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import date

from memoryapp.language.denials import is_denial
from memoryapp.language.marking import gettext_noop
from memoryapp.policy.gate.moments import TimeExpression, follows
from memoryapp.policy.gate.names import names_of, plain
from memoryapp.policy.gate.negations import Polarity, Thought, polarity_of
from memoryapp.policy.gate.numerals import numbers_of
from memoryapp.policy.gate.reasons import Refusal, RefusalReason
from memoryapp.policy.gate.requests import is_command, is_question
from memoryapp.policy.gate.residence import lives_somewhere, tells_of_home
from memoryapp.policy.gate.source import ReadLine, Source, stems_of
from memoryapp.policy.gate.times import moments_of
from memoryapp.policy.gate.values import is_said
from memoryapp.policy.gate.words import (
    Token,
    is_attitude,
    is_small,
    language_of,
    stem,
    words_of,
)
from memoryapp.policy.word_lists import KIN, USERS

#: Share of a statement's words that the source must have: of all of it, and of the lines next to
#: the message that says it, counted `NEAR_WEIGHT`. Measured by benchmarks.gate.
MIN_SUPPORT = 0.42
NEAR_WEIGHT = 0.5
#: Words that a statement has for free, so that one strange word in a short one is no reason.
FREE_WORDS = 0.5
#: Share of the words that must be said by, or to, the person that a statement is about, if another
#: person said it.
MIN_OWN = 0.5
#: Words between a person and the one that they do something to.
MAX_BETWEEN = 5
#: Words behind a number that say what it counts.
MAX_COUNTED = 3
#: Dates of a statement that are looked up.
MAX_DATES = 20

#: How a text about the assistant begins: articles, and words for it.
ASSISTANT_ARTICLES = frozenset("the an a this der ein l il un el le".split())
ASSISTANT_WORDS = ASSISTANT_ARTICLES | {
    *("assistant", "chatbot", "ai", "assistent", "assistente", "asistente"),
}

#: Words behind the number of an age.
_AGE = frozenset("year years old jahre jahr alt anni años año ans".split())
#: Words in a clause that names somebody.
_NAMING = frozenset("name named called heißt nome chiama nombre llama nom appelle".split())


def refusal(
    text: str,
    source: Source,
    *,
    said_in: Iterable[int] = (),
    valid_until: date | None = None,
) -> Refusal | None:
    """Return why *text* may not be stored as learned from *source*; None if it may.

    *said_in*: the places of the lines that are said to state it, if that is known.
    """
    if is_question(text):
        return Refusal(RefusalReason.QUESTION, gettext_noop("is a question"))
    if is_command(text):
        return Refusal(RefusalReason.COMMAND, gettext_noop("is a command to the assistant"))
    if problem := _Proposal(text, source, sorted({*said_in})).refusal():
        return problem
    if valid_until and not is_said(valid_until, source, text):
        return Refusal(RefusalReason.END_DATE, gettext_noop("has an end date that was not said"))
    return None


class _Proposal:
    """One statement beside its source."""

    def __init__(self, text: str, source: Source, said_in: Sequence[int]) -> None:
        self.source = source
        self.words = words_of(text)
        self.said_in = [place for place in said_in if 0 <= place < len(source.lines)]
        self.language = language_of(self.words)
        self.cited = source.near(self.said_in, 0)
        self.near = source.near(self.said_in, 1) or source.lines
        said_on = next((line.line.said_on for line in self.cited if line.line.said_on), None)
        self.moments, self.dated = moments_of(self.words, said_on)
        ages = _age_words(self.words)
        self.stems = stems_of(
            [
                word
                for at, word in enumerate(self.words)
                if at not in self.dated | ages and not is_denial(word.bare)
            ],
            without=source.speakers,
            small=is_small,
        )

    def refusal(self) -> Refusal | None:
        for check in (
            self._told,
            self._names,
            self._dates,
            self._numbers,
            self._support,
            self._home,
            self._subject,
            self._negations,
        ):
            if problem := check():
                return problem
        return None

    def _told(self) -> Refusal | None:
        """Refusal of what the cited lines only ask; None if they tell it."""
        asked = {one for line in self.cited for one in stems_of(line.speech_acts.asked)}
        if not asked or self._reports_speech():
            return None
        owned = {one for line in self.cited for one in stems_of(line.speech_acts.owned)}
        if any(line.speech_acts.tells for line in self.cited):
            asked &= self.stems - owned - self.source.told_stems
            told = not asked or 2 * len(asked) < len(self.stems)
        else:
            told = bool(self.stems) and self.stems <= owned
        return (
            None
            if told
            else Refusal(RefusalReason.QUESTION, gettext_noop("was only asked, not told"))
        )

    def _reports_speech(self) -> bool:
        """True if it is about what a person by name says or asks: "Tim asks John about …"."""
        forms = self._forms()
        at = next((at for at, form in enumerate(forms) if form in self.source.speakers), None)
        if at is None or forms[at] == "user":
            return False
        return any(is_attitude(word) for word in self.words[at + 1 : at + 3])

    def _names(self) -> Refusal | None:
        for name in names_of(self.words, self.language or self.source.language):
            if self.source.names.has_initials(self.words, name):
                continue
            if not self.source.names.has(name) and stem(name.bare) not in self.source.stems:
                return Refusal(RefusalReason.NAME, gettext_noop("has a name that was not said"))
        return None

    def _dates(self) -> Refusal | None:
        said = self.source.moments_for(self.said_in, self.stems)
        for readings in _groups(self.moments):
            if not any(follows(moment, said) or self._is_told(moment) for moment in readings):
                return Refusal(RefusalReason.DATE, gettext_noop("has a date that was not said"))
        return None

    def _is_told(self, moment: TimeExpression) -> bool:
        """True if a cited line names *moment* in the way of its language."""
        return any(follows(moment, line.relative_days) for line in self.cited)

    def _numbers(self) -> Refusal | None:
        for number, at in numbers_of(self.words, self.dated):
            if not self._is_said(number, _counted(self.words, at)):
                return Refusal(RefusalReason.NUMBER, gettext_noop("has a number that was not said"))
        return None

    def _is_said(self, number: float | str, counted: AbstractSet[str]) -> bool:
        """True if *number* was said of what is *counted*, or of nothing in particular; where none
        was said of that, of anything. What was said nearby counts first.
        """
        for lines in (self.near, self.source.lines):
            said = [(each, _counted(line.words, at)) for line in lines for each, at in line.numbers]
            if any(number == each and (counted & of or not of) for each, of in said):
                return True
            if any(counted & of for _, of in said):
                return False
            if any(number == each for each, _ in said):
                return True
        return False

    def _support(self) -> Refusal | None:
        if self.dated and not self.stems and not self._named():
            return Refusal(RefusalReason.UNSUPPORTED, gettext_noop("tells nothing but a date"))
        if not self.stems or (
            self.language and self.source.language and self.language != self.source.language
        ):
            # Of a translation, only names, numbers and dates can be found again.
            return None
        near = {one for line in self.near for one in line.stems}
        found = (1 - NEAR_WEIGHT) * len(self.stems & self.source.stems)
        found += NEAR_WEIGHT * len(self.stems & near)
        if found + FREE_WORDS < MIN_SUPPORT * (len(self.stems) + FREE_WORDS):
            return Refusal(RefusalReason.UNSUPPORTED, gettext_noop("says what was not said"))
        return None

    def _home(self) -> Refusal | None:
        """Work in a place, or a trip there, is no evidence of living there."""
        if not lives_somewhere(self.words) or not any(
            language_of(line.words) for line in self.cited
        ):
            return None
        if any(tells_of_home(line.words) for line in self.near):
            return None
        return Refusal(
            RefusalReason.UNSUPPORTED, gettext_noop("says where somebody lives, which was not said")
        )

    def _subject(self) -> Refusal | None:
        if self._is_about_assistant():
            return Refusal(RefusalReason.SUBJECT, gettext_noop("is about the assistant"))
        subject = self._speaker()
        if not subject:
            return None
        if any(subject in line.speakers for line in self.cited):
            return self._relatives()
        # No person said a tool's result.
        if not self.cited or any(line.line.role == "tool" for line in self.cited):
            return None
        # What people say, think, and do to each other is known from their own words alone.
        places = [at for at, form in enumerate(self._forms()) if form in self.source.speakers]
        inward = any(
            at - places[0] <= MAX_BETWEEN for at in places if self._forms()[at] != subject
        ) or any(is_attitude(word) for word in self.words[places[0] + 1 : places[0] + 3])
        own = set[str]()
        others = set[str]()
        for line in self.near:
            mine = subject in line.speakers
            (own if mine else others).update(self.stems & line.of_oneself)
            if not mine and inward:
                others.update(self.stems & line.stems)
            elif not inward:
                (others if mine else own).update(self.stems & line.of_others)
        # "Your support means a lot" tells that the other one supports.
        verb = stem(self.words[places[0] + 1].bare) if places[0] + 1 < len(self.words) else ""
        if any(verb in line.of_others for line in self.cited):
            return None
        if len(own) <= len(others) or len(own) < MIN_OWN * len(self.stems):
            return Refusal(
                RefusalReason.SUBJECT, gettext_noop("is about someone else than who said it")
            )
        return None

    def _relatives(self) -> Refusal | None:
        """A clause about a relative is no evidence about the speaker."""
        said = [word for line in self.cited for word in line.of_relatives]
        if not said or any(word.bare in KIN for word in self.words):
            return None
        names = {plain(word.bare) for word in _names_of_relatives(said)}
        if any(word.has_capital and plain(word.bare) in names for word in self.words):
            return None
        of_relatives = {id(word) for word in said}
        own = self.stems & stems_of(
            [word for line in self.near for word in line.words if id(word) not in of_relatives]
        )
        others = (self.stems & stems_of(said)) - own
        if others and len(own) <= len(others):
            return Refusal(RefusalReason.SUBJECT, gettext_noop("was said about another person"))
        return None

    def _is_about_assistant(self) -> bool:
        """True if its subject is the assistant, and not one of whom the cited lines tell. What an
        assistant says of itself is no mention of one.
        """
        first = list(itertools.takewhile(lambda word: word.bare in ASSISTANT_WORDS, self.words[:3]))
        nouns = {word.bare for word in first} - ASSISTANT_ARTICLES
        lines = [line for line in self.cited or self.source.lines if line.line.role != "assistant"]
        return bool(nouns) and not any(
            nouns <= {word.bare for word in line.words} for line in lines
        )

    def _speaker(self) -> str:
        """The speaker that it is about: the first one that it names."""
        if any(word.bare == "both" for word in self.words[:2]):
            return ""
        return next(iter(self._named()), "")

    def _named(self) -> list[str]:
        """The speakers that it names, each once."""
        return list(dict.fromkeys(f for f in self._forms() if f in self.source.speakers))

    def _forms(self) -> list[str]:
        return [
            "user" if word.bare in USERS else plain(word.bare) if word.has_capital else ""
            for word in self.words
        ]

    def _negations(self) -> Refusal | None:
        """Refusal if the proposal denies what the thoughts of the source that fit it best affirm,
        or affirms what they deny.
        """
        ours = polarity_of(self.words)
        if ours.denials:
            wrong = Refusal(RefusalReason.NEGATION, gettext_noop("denies what was not denied"))
            return None if self._is_denied(ours) and not ours.twice else wrong
        if ours.negative:
            return None
        if self._was_denied(ours):
            return Refusal(RefusalReason.NEGATION, gettext_noop("affirms what was denied"))
        return None

    def _was_denied(self, ours: Polarity) -> bool:
        """True if the cited lines deny what it affirms, and no other thought of theirs tells it."""
        lines = self.cited or self.source.lines
        told = {one for line in lines for one in line.polarity.affirmed}
        thoughts = [thought for thought in _thoughts(lines) if thought.firm and thought.denied]
        said = stems_of([word for word in self.words if not word.has_capital])
        if any(one.denied[0] in said and one.denied[0] not in told for one in thoughts):
            return True
        for mine in (thought.affirmed for thought in ours.thoughts):
            most = max((len(mine & one.affirmed) for one in _thoughts(lines)), default=0)
            least = min(2, len(mine))
            if any(len(mine.intersection(one.denied)) > max(most, least - 1) for one in thoughts):
                return True
        return False

    def _is_denied(self, ours: Polarity) -> bool:
        following = [one for one in ours.following if one not in self.source.speakers][:4]
        wanted = set(following)
        if not wanted:
            return any(one.denied or one.negative for one in _thoughts(self.near))
        asked = {one for line in self.near for one in stems_of(line.speech_acts.asked)}
        if wanted & asked and any(line.polarity.answers_no for line in self.cited):
            return True
        for lines in (self.cited, self.near, self.source.lines):
            thoughts = _thoughts(lines)
            denied = max((_denied_of(wanted, one) for one in thoughts), default=0)
            affirmed = max((_affirmed_of(wanted, one) for one in thoughts), default=0)
            if affirmed or denied:
                return denied >= affirmed or any(following[0] in one.denied for one in thoughts)
        return False


def _denied_of(wanted: set[str], thought: Thought) -> int:
    """How many of the *wanted* stems *thought* denies, by a denial or by the sense of a word."""
    by_sense = thought.negative and not thought.negative & wanted
    return len(wanted & thought.meant.union(thought.denied, thought.affirmed if by_sense else ()))


def _affirmed_of(wanted: set[str], thought: Thought) -> int:
    by_sense = thought.negative and not thought.negative & wanted
    return 0 if by_sense else len(wanted & thought.affirmed)


def _thoughts(lines: Iterable[ReadLine]) -> list[Thought]:
    return [thought for line in lines for thought in line.polarity.thoughts]


def _groups(moments: Sequence[TimeExpression]) -> list[list[TimeExpression]]:
    """The readings of each date: "7 May" may be of two years."""
    groups: dict[object, list[TimeExpression]] = {}
    for moment in moments:
        groups.setdefault(moment.relative or moment.parts, []).append(moment)
    return list(groups.values())[:MAX_DATES]


def _names_of_relatives(words: Sequence[Token]) -> list[Token]:
    """Petra in "my sister Petra", Max in "my dog's name is Max"."""
    naming = {word.clause for word in words if word.bare in _NAMING}
    return [
        word
        for before, word in itertools.pairwise(words)
        if word.has_capital and (before.bare in KIN or word.clause in naming)
    ]


def _age_words(words: Sequence[Token]) -> set[int]:
    """The places of words that only say that a number is an age: "65 years old"."""
    return {
        place
        for at, word in enumerate(words)
        if word.is_number
        for place in range(at + 1, min(at + 3, len(words)))
        if words[place].bare in _AGE
    }


def _counted(words: Sequence[Token], at: int) -> set[str]:
    """The stems of what the number at this place counts: the words behind it, up to one that only
    joins.
    """
    clause = words[at].clause
    counted = itertools.takewhile(
        lambda word: word.clause == clause and not word.is_number and not is_small(word),
        words[at + 1 : at + 1 + MAX_COUNTED],
    )
    return {stem(word.bare) for word in counted}
