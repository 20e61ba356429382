"""How people tell of themselves in notes: without a subject, a verb or an apostrophe. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Rule:
    """A way in which a note begins, and the beginning of the sentence that it stands for."""

    pattern: re.Pattern[str]
    #: The replacement of what the pattern matches, with its groups.
    whole: str
    #: True if the note begins with a noun, which keeps its capital where nouns have one.
    is_noun: bool = False


@dataclass(frozen=True)
class Spelling:
    """Spelling that people type in haste, and the full one."""

    pattern: re.Pattern[str]
    whole: str
    #: The same pattern for a text in small letters: several times as fast as one for any letters.
    small: re.Pattern[str]


@dataclass(frozen=True)
class Notes:
    """The notes of one language."""

    #: Spelled in haste: "im", "dont", "jsuis".
    spelling: Sequence[Spelling]
    #: Gives the speaker's name, in the group ``name``; the sentence that does.
    name: re.Pattern[str]
    named: str
    #: An age behind the name, alone; the sentence that tells it.
    aged: str
    #: What somebody is, behind their name; an article may be needed.
    being: Sequence[Rule]
    #: What makes a sentence of a note.
    completions: Sequence[Rule]
    #: Words that are typed without their accents, with them.
    accents: Mapping[str, str] = field(default_factory=dict)
    #: The order that a sentence has without the adverb at its beginning, which a fact does without.
    order: Sequence[Spelling] = ()


def clause_up_to(links: str) -> str:
    """A clause, up to its end or one of *links*, from which on another begins."""
    return rf"([^,;.!?]{{3,200}}?[^\s,;.!?])(?= (?:{links})(?!\w)|[,;.!?]|$)"


_NAMED = r"(?P<name>[A-ZÀ-Ý][\w'’-]{1,30}(?: [A-ZÀ-Ý][\w'’-]{1,30}){0,2})"


def rules(*pairs: tuple[str, str]) -> tuple[Rule, ...]:
    """Rules from pairs of a pattern and what it stands for."""
    return tuple(_rule(pattern, whole) for pattern, whole in pairs)


def spellings(*pairs: tuple[str, str]) -> tuple[Spelling, ...]:
    """Spellings from pairs of a pattern, in small letters but for the capital of a name, and what
    it stands for.
    """
    return tuple(_spelling(pattern, whole) for pattern, whole in pairs)


def appointments(day: str, verbs: str, *notes: tuple[str, str]) -> tuple[Rule, ...]:
    """Rules for what somebody has on a *day*: pairs of a pattern for it, and the beginning of the
    sentence. The day stands behind it, maybe behind a few words that are none of *verbs*.
    """
    day = rf"(?=(?:(?:{day})\b|\d{{1,2}}[/.]\d|\d{{1,2}} [^\W\d_]{{3,10}}\b))"
    between = rf"(?:,? (?!(?:{verbs})\b)[\w'’-]{{1,20}}){{0,5}}?,? {day}"
    return rules(*((rf"({note}{between})", whole) for note, whole in notes))


def _spelling(pattern: str, whole: str) -> Spelling:
    small = re.compile(pattern.replace("[A-Z]", "[a-z]"))
    return Spelling(re.compile(pattern, re.IGNORECASE), whole, small)


def _rule(pattern: str, whole: str) -> Rule:
    return Rule(re.compile(pattern, re.IGNORECASE), whole)


def things(*triples: tuple[str, str, str]) -> tuple[Rule, ...]:
    """Rules for things that the speaker has: the noun, what follows it, the sentence."""
    return tuple(_thing(*triple) for triple in triples)


def _thing(noun: str, following: str, whole: str) -> Rule:
    return Rule(re.compile(rf"({noun}){following}", re.IGNORECASE), whole, is_noun=True)


def introduction(before: str, after: str) -> re.Pattern[str]:
    """Pattern that gives a name in a Romance language: the name between these, or in front of an
    age.
    """
    alone = _NAMED.replace("name", "alone")
    return re.compile(rf"(?:(?i:{before}) {_NAMED}(?={after})|{alone}(?=, \d\d(?:,|$)))")
