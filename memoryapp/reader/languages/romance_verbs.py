"""Verb forms with which people tell of themselves, in the Romance languages. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Tense:
    """The forms of a verb in one tense, of those persons that the reader tells apart."""

    #: Of "I", "he", "we" and "they".
    first: str
    third: str
    we: str = ""
    they: str = ""


@dataclass(frozen=True)
class Verbs:
    """The verb forms of a language."""

    #: Of "I" and of "we" to the third person.
    third: Mapping[str, str]
    #: Of "we" to the third person in the plural.
    plural: Mapping[str, str]
    #: Of "we", where it is the form of the present and of the past, to the third person of the
    #: past, in the singular and in the plural.
    past: Mapping[str, tuple[str, str]]
    #: Third persons, in the singular and in the plural.
    thirds: frozenset[str]
    plurals: frozenset[str]


def irregular(text: str) -> Iterable[Tense]:
    """The tenses that *text* spells out: "ho:ha:abbiamo:hanno"."""
    return (Tense(*forms.split(":")) for forms in text.split())


def verbs_of(tenses: Iterable[Tense]) -> Verbs:
    """The verb forms in *tenses*, those of the present before those of the past."""
    third, plural, past = dict[str, str](), dict[str, str](), dict[str, tuple[str, str]]()
    thirds, plurals = set[str](), set[str]()
    for tense in tenses:
        third.setdefault(tense.first, tense.third)
        thirds.add(tense.third)
        if tense.they:
            plurals.add(tense.they)
        if not tense.we:
            continue
        if tense.we in plural and third[tense.we] != tense.third:
            past[tense.we] = tense.third, tense.they
        third.setdefault(tense.we, tense.third)
        plural.setdefault(tense.we, tense.they)
    return Verbs(third, plural, past, frozenset(thirds), frozenset(plurals))
