"""Decides between two facts with the same key, such as ``home_city`` = ``Munich``. Pure.

Equal keys mean that two texts are about the same thing, so similarity plays no part: the value with
the better support counts.
"""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from enum import Enum, auto

MAX_KEY = 100
MAX_VALUE = 500


@dataclass(frozen=True)
class KeyedFact:
    """The value of a key, and its support."""

    content: str
    #: Empty for a new wording without a value of its own.
    value: str
    #: 0 to 100.
    confidence: int
    #: The last day on which it holds; None: without end.
    valid_until: date | None = None


class KeyedVerdict(Enum):
    """What a new fact does to the present one."""

    #: The same value.
    CONFIRMS = auto()
    #: The same value, with a later end.
    EXTENDS = auto()
    #: Another value, at least as well supported.
    REPLACES = auto()
    #: Another value, while the present one is better supported.
    OUTWEIGHED = auto()


def weigh(present: KeyedFact, new: KeyedFact, *, today: date) -> KeyedVerdict:
    """Decide what *new* does to *present*.

    Another value replaces the present one if it is at least as well supported, or if the present
    one has expired. Of equally supported values, the later one counts.
    """
    expired = present.valid_until is not None and present.valid_until < today
    if _says(new, present.value):
        longer = present.valid_until is not None and (
            expired if new.valid_until is None else new.valid_until > present.valid_until
        )
        return KeyedVerdict.EXTENDS if longer else KeyedVerdict.CONFIRMS
    if expired or new.confidence >= present.confidence:
        return KeyedVerdict.REPLACES
    return KeyedVerdict.OUTWEIGHED


def normalised(key: str) -> str:
    """Return the form in which keys are compared: ``Home City``, ``homeCity`` and ``home-city``
    become ``home_city``. Empty if *key* has no letter or digit.
    """
    spaced = re.sub(r"(?<=[^\W_A-Z])(?=[A-Z])", " ", unicodedata.normalize("NFKC", key))
    return "_".join(re.findall(r"[^\W_]+", spaced.lower()))[:MAX_KEY].strip("_")


def _says(new: KeyedFact, value: str) -> bool:
    """Whether *new* has this *value*, or contains it if it has none of its own."""
    if new.value:
        return _words(new.value) == _words(value)
    return f" {' '.join(_words(value))} " in f" {' '.join(_words(new.content))} "


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Only signs that are values count: "+" is not "-", but "Munich." is "Munich".
    return re.findall(r"\w+|(?<=\w)[+-]|[^\w\s.,;:!?'\"]", folded) or [folded.strip()]
