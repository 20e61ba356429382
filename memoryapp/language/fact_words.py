"""The words by which two facts are compared: relatives, units, attributes. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class FactWords:
    """Words in small letters."""

    #: Words for relatives, friends and pets, mapped to one word for each.
    kin: Mapping[str, str]
    #: Of these, the pets.
    pets: frozenset[str]
    #: Before or after them, a number is a quantity.
    units: frozenset[str]
    #: Things that have a number as their name: "box 8" is not the same as "box 18".
    numbered: frozenset[str]
    #: Verbs before a quantity without a unit.
    measuring: frozenset[str]
    #: Verbs of which a person has one order at a time: tea to coffee.
    preferring: frozenset[str]
    #: Verbs with what links them to a value that has one value at a time.
    states: frozenset[str]
    #: What a person or thing has one of: "the user's employer is".
    attributes: frozenset[str]
    #: Words that make one of several: "the user's favourite colour is".
    superlatives: frozenset[str]
    #: Words that open a clause.
    conjunctions: frozenset[str]


def one_word_each(groups: str) -> dict[str, str]:
    """Each word of the *groups*, which have a bar between them, to the first of its group."""
    return {word: group.split()[0] for group in groups.split("|") for word in group.split()}


def phrases(text: str) -> frozenset[str]:
    """The phrases of *text*, which have a bar between them."""
    return frozenset(text.split("|"))
