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
    #: When it was said; of a memory, for the last time.
    on: date
    #: More about it, such as its category, in a word or two.
    kind: str = ""
    until: date | None = None
    source: EntrySource = EntrySource.MEMORY
    #: True if that day is over.
    has_ended: bool = False

    @property
    def validity(self) -> str:
        """Until when it holds or held; empty if it has no end."""
        if self.until is None:
            return ""
        day = self.until.isoformat()
        return f"was valid until {day}, no longer valid" if self.has_ended else f"holds until {day}"
