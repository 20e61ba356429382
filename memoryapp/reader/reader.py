"""Reads messages for facts, without a language model. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from memoryapp.language.speakers import author_name
from memoryapp.language.vocabularies import FUNCTION_WORDS
from memoryapp.language.words import language_of, words
from memoryapp.policy.endings import untrue_length, without_denial, without_ending
from memoryapp.policy.speech import is_disputed, only_introduces, reports
from memoryapp.policy.word_lists import ARTICLES
from memoryapp.reader.asides import introduced, stated
from memoryapp.reader.classifier import trained
from memoryapp.reader.clauses import begins_clause, independent, is_clause
from memoryapp.reader.dates import corrected, dated
from memoryapp.reader.languages import LANGUAGES
from memoryapp.reader.languages.language import Language, Narrated
from memoryapp.reader.last_days import last_day
from memoryapp.reader.mixed import by_language
from memoryapp.reader.notes import completed, spelled
from memoryapp.reader.pronouns import begins_with_pronoun, without_pronoun
from memoryapp.reader.sentences import (
    MAX_MESSAGE,
    has_question_mark,
    sentences,
    wishes,
    without_address,
    without_opener,
)
from memoryapp.reader.slots import STANDING_WISH, Label, label, topic_of
from memoryapp.reader.statement import (
    FirstPersonStatement,
    features,
    has_person,
    split_words,
    statement,
    words_of,
)

#: Characters of a message by which its language is told.
MAX_TOLD_BY = 1_000
#: Function words and words for relatives that tell it.
_MIN_TELLING = 2
#: From which importance on: that of decisions, relatives and health.
_WEIGHTY = 6
#: Words of the shortest statement about a relative: "my sister is vegan".
_MIN_TOLD = 4
#: Words of a sentence that tells of somebody: no greeting has as many.
_MIN_TOLD_BEFORE = 3
#: Sentences of one message that are read.
MAX_SENTENCES = 60


@dataclass(frozen=True)
class Spoken:
    """A message as the reader takes it."""

    position: int
    role: str
    text: str
    #: The day on which it was said, in the time zone of the instance.
    said_on: date
    #: The name of who said it; empty for the one user of a chat.
    author: str = ""


@dataclass(frozen=True)
class Fact:
    """A fact, and the position of the message that states it."""

    position: int
    text: str
    label: Label
    #: True if its author asked for it to be remembered.
    is_asked_for: bool = False
    #: When what it plans is over.
    last_day: date | None = None


def read(messages: Sequence[Spoken], *, usual_language: str = "english") -> list[Fact]:
    """The facts that people state in *messages*; an assistant's and a tool's words are not read."""
    to_assistant = any(message.role == "assistant" for message in messages) or not any(
        message.author for message in messages
    )
    people = {name for message in messages if (name := author_name(message.author))}
    language, facts = LANGUAGES.get(usual_language, LANGUAGES["english"]), list[Fact]()
    for message in messages:
        if message.role != "user":
            continue
        told_by = message.text[:MAX_TOLD_BY]
        name = language_of(told_by, language.name)
        if name not in LANGUAGES:
            continue  # Its words are known, but not how to tell of a person with them.
        language = _of_speaker(told_by, LANGUAGES[name])
        facts += _Reading(message, language, people, to_assistant=to_assistant).facts()
    return facts


def is_statement(text: str, usual_language: str = "english") -> bool:
    """True if *text* tells something of its author, and asks for nothing."""
    usual = LANGUAGES.get(usual_language, LANGUAGES["english"])
    language = told_language(text[:MAX_TOLD_BY], usual)
    said = list(sentences(text, language, to_assistant=True))[:MAX_SENTENCES]
    if not said or any(map(has_question_mark, said)):
        return False
    told = [without_opener(sentence, language) for sentence in said]
    if any(language.request.search(each) or language.question.match(each) for each in told):
        return False
    return any(begins_clause(each, language) for each in told)


def told_language(text: str, usual: Language) -> Language:
    """The language of *text*: where few words tell it, one of whose words for oneself it has."""
    return _of_speaker(text, LANGUAGES.get(language_of(text, usual.name), usual))


def _of_speaker(text: str, told: Language) -> Language:
    """The language of *text*, which its function words have *told*, or the one of its words for
    oneself.
    """
    said = set(words(text))
    if said & told.first_person:
        return told

    def count(language: Language) -> int:
        if said.isdisjoint(language.first_person):
            return 0
        function_words = FUNCTION_WORDS[language.name]
        return sum(word in function_words or word in language.kin for word in said)

    best = max(LANGUAGES.values(), key=count)
    least = max(_MIN_TELLING, len(said & FUNCTION_WORDS[told.name]) + 1)
    return best if count(best) >= least else told


class _Reading:
    """Reads one message."""

    def __init__(
        self, message: Spoken, language: Language, people: set[str], *, to_assistant: bool
    ) -> None:
        self.message, self.people = message, people
        self.message_language = self.language = language
        self.to_assistant = to_assistant
        #: True if another person tells what is being read.
        self.is_reported = False
        said = sentences(message.text, language, to_assistant=to_assistant, author=message.author)
        self.sentences = list(said)
        self.turn_words = sum(len(words_of(each)) for each in self.sentences)

    def facts(self) -> list[Fact]:
        found: dict[str, Fact] = {}
        before = ""
        opens = True
        for said in self.sentences[:MAX_SENTENCES]:
            if only_introduces(said):
                continue
            sentence = corrected(said, self.message_language, self.message.said_on)
            if begins_with_pronoun(sentence, self.message_language):
                # "Nonna" is "mia nonna" in full spelling.
                before = spelled(before, self.message_language)
            before = sentence = without_pronoun(sentence, before, self.message_language)
            for part, language in by_language(sentence, self.message_language):
                self.language = language
                text = spelled(introduced(part, language), language)
                is_asked_for = bool(language.reminder.match(without_opener(text, language)))
                for told in stated(text, language):
                    for whole in completed(told, language, opens=opens):
                        # What is told for the sake of a request matters to it, and notes are made
                        # of what matters.
                        for fact in self._facts(
                            whole, is_asked_for=is_asked_for, is_aside=whole != text
                        ):
                            found.setdefault(fact.text, fact)
            opens = opens and len(words_of(said)) < _MIN_TOLD_BEFORE
        return list(found.values())

    def _facts(self, sentence: str, *, is_asked_for: bool, is_aside: bool) -> list[Fact]:
        """The facts of a sentence: one of each clause, if each is one, and one otherwise."""
        language = self.language
        wish = without_opener(sentence, language)
        if language.verb_last.search(sentence[: len(sentence) - len(wish)]):
            wish = language.main_clause(wish)
        is_wish = wishes(wish, language)
        if not is_wish and not has_person(sentence, language):
            return []
        self.is_reported = reports(sentence)
        if self.is_reported and is_disputed(sentence):
            return []
        if is_wish:
            return [self._wish(wish)]
        reminder = language.reminder.match(wish)
        told = wish[reminder.end() :] if reminder else wish
        asked = is_asked_for or bool(reminder)
        if reminder and language.verb_last.search(reminder[0]):
            told = language.main_clause(told)
        told = without_opener(without_address(told, self.people), language)
        if untrue := untrue_length(told):
            return self._denied(told[:untrue], told[untrue:], is_asked_for=asked)
        parts, found = self._lasting(independent(told, language)), list[Fact]()
        if len(parts) > 1:
            facts = [
                self._fact(
                    without_pronoun(part, " ".join(parts[:at]), language),
                    is_asked_for=asked,
                    is_aside=is_aside,
                    is_whole=True,
                )
                for at, part in enumerate(parts)
            ]
            found = [fact for fact in facts if fact]
            if len(found) == len(parts):
                return found
        elif parts:
            told = parts[0]
        joint = self._fact(told, is_asked_for=asked, is_aside=is_aside)
        breaths = _breaths(told, parts)
        if joint and len(breaths) > 1:
            # Said in one breath, without a link: each is worth keeping with the others.
            apart = (self._fact(part, is_asked_for=asked, is_aside=True) for part in breaths)
            return [fact for fact in apart if fact] or [joint]
        # What the whole tells may be no more than its first clause.
        is_part = joint and any(fact.text == joint.text for fact in found)
        return [joint] if joint and not is_part else found

    def _lasting(self, clauses: list[str]) -> list[str]:
        """*clauses* without those about how somebody is today, if others tell more."""
        if not self.to_assistant:
            return clauses
        lasting = [each for each in clauses if not self.language.passing.match(each)]
        return lasting or clauses

    def _denied(self, denial: str, told: str, *, is_asked_for: bool) -> list[Fact]:
        """Facts that what is *told* is not so, in the words of the *denial*: "It is not true that
        …".
        """
        fact = self._fact(told, is_asked_for=is_asked_for)
        text = fact.text if fact else ""
        if fact is None:
            # The verb may come last in such a clause: "Es stimmt nicht, dass ich Arzt bin."
            main = self.language.main_clause(told)
            fact = self._fact(main, is_asked_for=is_asked_for)
            who = author_name(self.message.author) or self.language.user
            if fact and fact.text.startswith(who):
                verb, _, rest = fact.text[len(who) + 1 :].rstrip(".").partition(" ")
                text = f"{who} {rest} {verb}."
        if fact is None or not text:
            return []
        if not self.message.author:
            text = text[0].lower() + text[1:]
        text = denial + text
        label = replace(fact.label, key="", value="")
        return [replace(fact, text=text[0].upper() + text[1:], label=label, last_day=None)]

    def _fact(
        self, told: str, *, is_asked_for: bool, is_aside: bool = False, is_whole: bool = False
    ) -> Fact | None:
        """The fact in what is *told*; *is_whole* if nothing of it may be left out, *is_aside* if it
        stands beside a request.
        """
        language = self.language
        said = statement(told, language)
        if said is None or (is_whole and list(said.words) != words_of(told)):
            return None
        text, moments = dated(said.text, language, self.message.said_on)
        affirmed = without_ending(text)
        labelled = label(affirmed or text, language, is_dated=bool(moments))
        is_given = self.to_assistant and (is_aside or moments or (affirmed and _has_article(said)))
        is_kept = is_given or self._is_worth_keeping(said, labelled) or self._takes_back(said)
        is_ahead = any(moment.first > self.message.said_on for moment in moments)
        if not is_ahead and self._is_passing(said, labelled):
            is_kept = False
        if not (is_asked_for or labelled.key or is_kept):
            return None
        if self.is_reported:
            # Where somebody lives or works, nobody else tells; that they are ill, a doctor may.
            if labelled.key and topic_of(text, language, only_health=True) is None:
                return None
            labelled = replace(labelled, key="", value="")
        if affirmed is not None:
            # It tells the end of the value that it would give its key.
            labelled = replace(labelled, key="", value="")
        is_past = any(moment.first < self.message.said_on for moment in moments)
        author = Narrated(
            author_name(self.message.author),
            is_past=is_past,
            is_feminine=bool(language.feminine.search(self.message.text[:MAX_MESSAGE])),
        )
        told_of = language.narrate(text, author)
        if told_of is None or language.unresolved.search(told_of):
            return None
        # The point of "am 23." may be gone with it.
        told_of = told_of[0].upper() + told_of[1:].rstrip(".") + "."
        # What has a key holds until that gets another value.
        last = None if labelled.key else last_day(said.text, language, self.message.said_on)
        return Fact(
            self.message.position, told_of, labelled, is_asked_for=is_asked_for, last_day=last
        )

    def _is_passing(self, said: FirstPersonStatement, labelled: Label) -> bool:
        """True if *said* is about how somebody is today, and no weighty matter."""
        is_weighty = labelled.importance > _WEIGHTY
        return self.to_assistant and not is_weighty and bool(self.language.passing.match(said.text))

    def _is_worth_keeping(self, said: FirstPersonStatement, labelled: Label) -> bool:
        """True if *said* is; to an assistant, what has a weight of its own, and tastes, always."""
        if self.to_assistant and (
            labelled.importance >= _WEIGHTY
            or _tells_of_kin(said, self.language)
            or self.language.taste.match(said.text)
            or self.language.standing.match(said.text)
        ):
            return True
        shown = features(
            said,
            self.language,
            turn_words=self.turn_words,
        )
        return trained().keeps(shown, to_assistant=self.to_assistant)

    def _takes_back(self, said: FirstPersonStatement) -> bool:
        """True if *said* denies what would be worth keeping: "I am not a nurse"."""
        affirmed = without_denial(said.text) if self.to_assistant else None
        told = statement(affirmed, self.language) if affirmed else None
        if told is None:
            return False
        labelled = label(told.text, self.language, is_dated=False)
        if labelled.key or self._is_worth_keeping(told, labelled):
            return True
        # "I have no children."
        return self.language.owners.isdisjoint(told.words) and not self.language.kin.isdisjoint(
            split_words(told.words)
        )

    def _wish(self, sentence: str) -> Fact:
        """How the author wants the assistant to be, in their own words."""
        text = sentence.lstrip("¿¡").rstrip(" .!?？") + "."
        return Fact(
            self.message.position,
            text[0].upper() + text[1:],
            STANDING_WISH,
            is_asked_for=True,
        )


def _breaths(told: str, parts: Sequence[str]) -> list[str]:
    """Parts of what is *told* of several *parts*, divided where only a comma stands between two of
    them.
    """
    begin, at, breaths = 0, 0, list[str]()
    for part in parts:
        start = told.find(part, at)
        if told[at:start].strip() == ",":
            breaths.append(told[begin:at])
            begin = start
        at = start + len(part)
    return [*breaths, told[begin:]]


def _tells_of_kin(said: FirstPersonStatement, language: Language) -> bool:
    """True if *said* tells what a relative of its author is or does."""
    if language.concerning.match(said.text) and not language.kin.isdisjoint(said.words):
        return True
    begins = said.words[: language.owner_within]
    is_owned = not language.owners.isdisjoint(begins)
    return is_owned and len(said.words) >= _MIN_TOLD and is_clause(said.text, language)


def _has_article(said: FirstPersonStatement) -> bool:
    """True if *said* names a thing: "I don't know anymore" does not."""
    return not ARTICLES.isdisjoint(said.words)
