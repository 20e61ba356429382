"""Grammar that the Romance languages share, with other words, to tell of a person. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from memoryapp.reader.languages.romance_objects import Objects


@dataclass(frozen=True)
class Grammar:
    """The words and forms of one language."""

    #: The third person of a verb in the first; None if it is none, or not known.
    third: Callable[[str], str | None]
    #: Whether it is a verb of "we".
    is_of_we: Callable[[str], bool]
    #: What is said of "we" in the plural, in the singular; None if that makes no sense.
    singular: Callable[[str], str | None]
    #: Pronouns of the subject, which are replaced: io, yo, je; and those of "we".
    pronouns: frozenset[str]
    we: frozenset[str]
    #: Of the pronouns, those that are other people where the person is the object: "on m'a dit".
    others: frozenset[str]
    #: True if no verb goes without one.
    needs_pronoun: bool
    #: "me" to "se" where the person is the subject, and "us" where "we" are.
    reflexive: Mapping[str, str]
    we_reflexive: Mapping[str, str]
    #: Of those, the words that are a place as well: "ci vado".
    there: frozenset[str]
    #: "Me" and "us" at the end of an infinitive or a gerund, as a group, and "himself".
    attached: re.Pattern[str]
    itself: str
    #: How "me" and "us" become an object.
    objects: Objects
    #: "Me" and "us" behind a preposition, and words that are both; what they are in a sentence of
    #: which the person is the subject, where that is clear.
    stressed: frozenset[str]
    with_me: frozenset[str]
    himself: str
    #: The pronoun for the subject of a clause before, and for that with others, where no verb goes
    #: without; empty otherwise.
    again: tuple[str, str]
    #: What loses its vowel before another.
    elided: frozenset[str]
    #: Verbs in the first person that are no other words, wherever they stand.
    unmistakable: frozenset[str]
    #: Verbs that are other words as well, unless the person is clearly their subject.
    homographs: frozenset[str]
    #: What stands between subject and verb.
    before_verb: frozenset[str]
    #: What may stand before the verb in a clause of which the person is the subject.
    adverbs: frozenset[str]
    #: A word before what looks like a verb, and makes it a noun.
    determiners: frozenset[str]
    #: Verbs of which the person is the one who is pleased: piace, gusta.
    pleasing: frozenset[str]
    #: How those are told: "all'utente {no}{verb}".
    pleased: str
    no: frozenset[str]
    user: str
    #: "di", "de", and what the possessive of the user is: "dell'utente".
    of: str
    of_user: str
    to: str
    #: Possessives, and those of the third person, from the possessive and the noun.
    owners: frozenset[str]
    own: Callable[[str, str], str]
    #: The article for what a possessive stood before, from the possessive, the word behind it, and
    #: the noun, which may be another.
    article: Callable[[str, str, str], str]
    articles: frozenset[str]
    #: A preposition with the article behind it: "de le" is "du".
    contracted: Mapping[str, str]
    #: Adjectives that may stand between a possessive and its noun, or behind the noun.
    adjectives: frozenset[str]
    #: Relatives, friends and pets, whose name may follow.
    kin: frozenset[str]
    #: Whether a noun may be the subject of a verb.
    agrees: Callable[[str, str], bool]
    #: The third person in the plural of a verb of "we"; None if it is none. Verbs of "we" to the
    #: third persons of the past, where the form is one of the present as well.
    plural: Callable[[str], str | None]
    past: Mapping[str, tuple[str, str]]
    #: Whom the speaker does something with, in front: "con mi mujer nos mudamos"; what joins them.
    company: re.Pattern[str]
    joined_by: str
    #: Verbs that are in the first person without a pronoun, too, where they follow another.
    coordinated: frozenset[str]
    #: Third persons of "to be", behind which "we" are said to be something.
    being: frozenset[str]
    #: Begins another clause, and joins verbs of the same subject.
    conjunctions: frozenset[str]
    links: frozenset[str]


def agreement(
    thirds: Iterable[str],
    plurals: Iterable[str],
    plural_endings: tuple[str, ...],
    unchanging: frozenset[str] = frozenset(),
) -> Callable[[str, str], bool]:
    """The function that tells whether a noun, which has no plural of its own if it is *unchanging*,
    may be the subject of a verb.
    """
    singular, plural = frozenset(thirds), frozenset(plurals)

    def agrees(noun: str, verb: str) -> bool:
        if noun in unchanging:
            return verb in singular or verb in plural
        return verb in (plural if noun.endswith(plural_endings) else singular)

    return agrees


#: Before and behind a relative.
_SIZE = r"(?:(?:petite?|grande?|meilleure?|mejor|miglior|future?|futur[oa]) )?"
_AGE = r"(?: (?:aînée?|cadette?|mayor|menor|pequeñ[oa]|maggiore|minore))?"


def company(preposition: str, owner: str) -> re.Pattern[str]:
    """Pattern of whom the speaker does something with, in front of the verb: behind the
    *preposition*, a relative, with an *owner*, or a name.
    """
    name = r"[A-ZÀ-Ý][\w-]{1,20}"
    relative = rf"(?i:{owner}) {_SIZE}[\w-]{{2,20}}{_AGE}(?: {name})?"
    return re.compile(rf"(?i:{preposition}) (?P<who>{relative}|{name}),? ")
