"""The words with which a language commands, asks and wishes how an assistant is to answer. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

#: Matches nothing.
NOTHING = r"(?!)"


@dataclass(frozen=True)
class CommandWords:
    """Words in small letters, and regular expressions for a text in small letters."""

    #: Verbs by which an assistant is told to do something, at the beginning of a sentence.
    commands: frozenset[str]
    #: Verbs of requests for one answer, besides those of tasks.
    requests: frozenset[str]
    #: How a wish begins as a question: "could you".
    politely: str
    #: Verbs for how to talk with a person: what a standing wish is about.
    manners: frozenset[str]
    #: Of these, the ones that say how, and not what, with a word of style alone; those words.
    talk: frozenset[str]
    style: frozenset[str]
    #: How to call the speaker: "call me".
    forms_of_address: str
    #: What stands before the verb of a command.
    fillers: frozenset[str]
    #: Words and phrases that make a wish a standing one, besides what it is about.
    standing: frozenset[str]
    standing_phrases: str
    #: What nobody wishes of a conversation: rules, secrets, other people's doings.
    no_manners: str
    #: What a question begins with, and verbs behind that.
    question_words: frozenset[str]
    asked: frozenset[str]
    #: Verbs that no object of an imperative contains, outside of a clause of its own.
    finite: frozenset[str]
    #: Words before a verb that have it in a clause of its own: "all that was said", "what I know".
    subordinating: frozenset[str]
    #: What an object begins with, and what stands between a command and its object.
    of_object: frozenset[str]
    prepositions: frozenset[str]
    #: Words behind which a noun cannot have been a command: "book of …".
    breaking_off: frozenset[str]
    #: What follows a verb in the past, besides prepositions.
    after_past: frozenset[str] = frozenset()
    #: Verbs with the prepositions that they take as commands, each several with a colon between.
    phrasal: Mapping[str, str] = field(default_factory=dict)
    #: Verbs that come before their subject in a question, and such subjects.
    auxiliaries: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    #: Reports that something was asked: what a small model makes of a question.
    reported_question: str = NOTHING
    #: Tells what an assistant has to do, or was told.
    to_assistant: str = NOTHING
