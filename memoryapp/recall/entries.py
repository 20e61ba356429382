"""Entries of search results as a model reads them: an id, a date, a text. Pure."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class EntrySource(StrEnum):
    """The kind of row that an entry shows."""

    MEMORY = "memory"
    #: A message, verbatim.
    TURN = "turn"
    #: A relation of an entity that the question names.
    RELATION = "relation"


@dataclass(frozen=True)
class Entry:
    """A memory, message, note or relation. ``ref`` is the id by which it can be cited: ``m12``."""

    ref: str
    text: str
    on: date
    #: More about it, such as its category, in a word or two.
    kind: str = ""
    until: date | None = None
    source: EntrySource = EntrySource.MEMORY
