"""Data of the reader for a language: words, patterns, and how to tell of a person. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from memoryapp.language.time_words import TimeWords
from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.reader.languages.asking import Asking
from memoryapp.reader.languages.notes import Notes
from memoryapp.reader.languages.plans import Plans
from memoryapp.reader.languages.pronouns import Reference
from memoryapp.reader.languages.topics import Topic


@dataclass(frozen=True)
class Narrated:
    """The person who speaks, as a sentence about them calls them."""

    #: The name that they gave; empty for "the user".
    name: str = ""
    #: True if they tell of a day that is over.
    is_past: bool = False
    #: True if they speak of themselves as a woman does.
    is_feminine: bool = False


@dataclass(frozen=True)
class Slot:
    """A way to say something that has a key, unless that is empty. The group ``value`` of the
    pattern is the value; ``{what}`` in the key is replaced by the group ``what``.
    """

    key: str
    pattern: re.Pattern[str]
    category: str = "fact"
    importance: int = 6


@dataclass(frozen=True, eq=False)  # Hashable, for a cache.
class Language:
    """One language. Words are in small letters, with straight apostrophes."""

    #: As PostgreSQL names it.
    name: str
    #: How a fact calls a user without a name.
    user: str
    #: Words of the first person.
    first_person: frozenset[str]
    #: Those with which a statement about the speaker comes to its subject.
    subjects: frozenset[str]
    #: Of these, the pronouns: a clause that begins with one has its own subject.
    pronouns: frozenset[str]
    #: Of these, and in the plural, what is no word of another language, as a regular expression.
    own_pronoun: str
    #: Of these, the ones that own what follows: they come first in a statement without another.
    owners: frozenset[str]
    #: Within how many words they come: 2 where an article goes before them.
    owner_within: int
    #: Begins a sentence whose subject is something else.
    no_subject: re.Pattern[str]
    #: Begins a question; asks for something, also in a clause of a statement; speaks of what is
    #: not so.
    question: re.Pattern[str]
    request: re.Pattern[str]
    asking: Asking
    hypothetical: re.Pattern[str]
    #: Makes all of a sentence conditional: "if".
    conditional: re.Pattern[str]
    #: Speaks to another person.
    addressing: re.Pattern[str]
    #: Hands over a text to work on: what follows is not said by the speaker about themselves.
    task: re.Pattern[str]
    #: Greetings, interjections and links at the beginning, which a fact does without.
    opener: re.Pattern[str]
    #: Words for what only another sentence names, and where a sentence may be cut before them.
    pointer: re.Pattern[str]
    #: Those of them that may stand for a relative who is named before.
    personal: frozenset[str]
    referring: Sequence[Reference]
    #: The same in the middle of a clause: "his", "him".
    referring_within: Sequence[Reference]
    #: Those of them that stand for a place that is named before, within a sentence.
    places: frozenset[str]
    clause: re.Pattern[str]
    #: Between two clauses that may stand alone; makes what follows a part of the clause before, or
    #: leans on it ("too").
    joint: re.Pattern[str]
    dependent: re.Pattern[str]
    #: Whether a relative may be the subject of a verb: "sister", "lives".
    agrees: Callable[[str, str], bool]
    #: Verbs that anything may be the subject of: "is", "has".
    copulas: frozenset[str]
    #: Asks to remember what follows; tells how to talk with the speaker, always.
    reminder: re.Pattern[str]
    standing_wish: re.Pattern[str]
    #: How a lasting taste begins, up to what is liked: it is worth keeping however short it is.
    taste: re.Pattern[str]
    #: How a sentence begins that tells what somebody is or has for long; likewise.
    standing: re.Pattern[str]
    #: Words that the classifier counts: of feelings and compliments, of doubt, and of what lasts.
    feelings: frozenset[str]
    hedges: frozenset[str]
    lasting: frozenset[str]
    kin: frozenset[str]
    past: re.Pattern[str]
    future: re.Pattern[str]
    preference: re.Pattern[str]
    decision: re.Pattern[str]
    relationship: re.Pattern[str]
    #: What tells a topic in a sentence about anybody; health and safety first.
    topics: Sequence[Topic]
    plans: Plans
    notes: Notes
    slots: Sequence[Slot]
    #: Keys in the language's own words to those that all share: "lieblingsfarbe".
    keys: Mapping[str, str]
    #: Tells of a value beside another one, or of what is not so yet or not always: "also", "might".
    beside: re.Pattern[str]
    #: Turns a statement in the first person into one in the third; None if that is not sure.
    narrate: Callable[[str, Narrated], str | None]
    #: What a sentence that stands on its own does not have.
    unresolved: re.Pattern[str]
    #: Words by which a speaker shows that she is a woman: "estoy embarazada".
    feminine: re.Pattern[str] = re.compile(r"(?!)")
    #: Begins a sentence whose subject is another, of what belongs or happens to the speaker: "both
    #: of
    #: my knees", "mir wurde gekündigt".
    concerning: re.Pattern[str] = re.compile(r"(?!)")
    #: What may begin a clause before its subject: "seit der Scheidung", "as a diabetic".
    leading: re.Pattern[str] = re.compile(r"(?!)")
    #: The words before what the author has, up to its noun, in small letters: "we have a little ".
    having: re.Pattern[str] = re.compile(r"(?!)")
    #: Nouns behind a possessive with which a sentence is still about the owner: "my dog's name".
    naming: frozenset[str] = frozenset()
    #: Begins a clause about what was before: "previously".
    formerly: re.Pattern[str] = re.compile(r"(?!)")
    #: Tells that a clause has a tense of its own, if neither the past nor the future does.
    present: re.Pattern[str] = re.compile(r"(?!)")
    #: A standing wish that is asked politely: "could you always".
    asked_wish: re.Pattern[str] = re.compile(r"(?!)")
    #: A feeling or a state that is over on the next day.
    passing: re.Pattern[str] = re.compile(r"(?!)")
    #: Ends before a clause with its verb last, "dass", and makes a main clause of that.
    verb_last: re.Pattern[str] = re.compile(r"(?!)")
    main_clause: Callable[[str], str] = str
    #: Spells a noun that is in small letters.
    noun: Callable[[str], str] = str

    @property
    def times(self) -> TimeWords:
        return VOCABULARIES[self.name].times
