"""Vocabulary of a language, in one place. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from memoryapp.language.command_words import CommandWords
from memoryapp.language.denial_words import DenialWords
from memoryapp.language.fact_words import FactWords
from memoryapp.language.fiction_words import FictionWords
from memoryapp.language.home_words import HomeWords
from memoryapp.language.joining_words import JoiningWords
from memoryapp.language.narration_words import NarrationWords
from memoryapp.language.question_words import QuestionWords
from memoryapp.language.speech_words import SpeechWords
from memoryapp.language.time_words import TimeWords
from memoryapp.language.turn_words import TurnWords


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The words of one language, in small letters, with straight apostrophes."""

    #: As PostgreSQL calls the language.
    name: str
    #: Articles, pronouns, prepositions, auxiliary verbs, question words: they say nothing about the
    #: subject of a text, and tell the language.
    function_words: frozenset[str]
    #: Words of the person who speaks, alone or with others.
    first_person: frozenset[str]
    #: Of these, the ones before what the speaker has.
    possessives: frozenset[str]
    #: Words of those who are spoken to.
    second_person: frozenset[str]
    #: Pronouns for one person who was named before.
    third_person: frozenset[str]
    #: Words that make a statement with the one behind them: "soy celíaca".
    stating: frozenset[str]
    times: TimeWords
    turns: TurnWords
    questions: QuestionWords
    speech: SpeechWords
    fiction: FictionWords
    denials: DenialWords
    home: HomeWords
    joins: JoiningWords
    commands: CommandWords
    facts: FactWords
    narration: NarrationWords
    #: Cardinals, and other words that are numbers: "first", "twice", "half".
    numerals: Mapping[str, float]
    #: Signs that tell the language from the others.
    own_signs: frozenset[str] = frozenset()
    #: Frequent verbs with which a speaker says "I" without a pronoun.
    own_verbs: frozenset[str] = frozenset()
