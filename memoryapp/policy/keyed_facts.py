"""Facts with keys, such as ``home_city`` = ``Munich``: a pure decision about two that have the same
key.

A key says of itself that two texts are about the same thing, so no similarity is asked. What
decides is which of the two values is better supported.
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
    """What is said of a key, and how well it is supported."""

    content: str
    #: Empty for a new wording that does not say which value it gives.
    value: str
    #: 0 to 100.
    confidence: int
    #: The last day on which it holds; None: it always does.
    valid_until: date | None = None


class KeyedVerdict(Enum):
    """What a new fact does to the one that is there."""

    #: It says the same.
    CONFIRMS = auto()
    #: It says the same, and for how long from now on.
    EXTENDS = auto()
    #: It says something else, and is believed.
    REPLACES = auto()
    #: It says something else, and the one that is there is better supported.
    OUTWEIGHED = auto()


def weigh(present: KeyedFact, new: KeyedFact, *, today: date) -> KeyedVerdict:
    """Decide what *new* does to *present*.

    Another value replaces the present one if it is at least as well supported, or if the present
    one holds no longer. Between equals the later one is right: things change.
    """
    over = present.valid_until is not None and present.valid_until < today
    if _says(new, present.value):
        longer = present.valid_until is not None and (
            over if new.valid_until is None else new.valid_until > present.valid_until
        )
        return KeyedVerdict.EXTENDS if longer else KeyedVerdict.CONFIRMS
    if over or new.confidence >= present.confidence:
        return KeyedVerdict.REPLACES
    return KeyedVerdict.OUTWEIGHED


def normalised(key: str) -> str:
    """Write *key* in the one way in which keys are compared: ``Home City``, ``homeCity`` and
    ``home-city`` are ``home_city``. Empty when there is no letter or digit in it.
    """
    spaced = re.sub(r"(?<=[^\W_A-Z])(?=[A-Z])", " ", unicodedata.normalize("NFKC", key))
    return "_".join(re.findall(r"[^\W_]+", spaced.lower()))[:MAX_KEY].strip("_")


def _says(new: KeyedFact, value: str) -> bool:
    """Whether *new* gives *value*: as its own one, or, without one, somewhere in its words."""
    if new.value:
        return _words(new.value) == _words(value)
    return f" {' '.join(_words(value))} " in f" {' '.join(_words(new.content))} "


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Signs count where there is nothing else: "+" is not "-", but "Munich." is "Munich".
    return re.findall(r"\w+|(?<=\w)[+-]|[^\w\s.,;:!?'\"]", folded) or [folded.strip()]
