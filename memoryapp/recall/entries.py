"""What was found, as a line that a model reads: an id, a date, a text. Pure."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class EntrySource(StrEnum):
    """What an entry was taken from."""

    MEMORY = "memory"
    #: A message, verbatim.
    TURN = "turn"
    #: A relation of an entity that the question names.
    RELATION = "relation"


@dataclass(frozen=True)
class Entry:
    """One thing remembered. ``ref`` is the id by which it can be cited: ``m12``."""

    ref: str
    text: str
    on: date
    #: What else is to be known of it, such as its category, in a word.
    kind: str = ""
    until: date | None = None
    source: EntrySource = EntrySource.MEMORY
