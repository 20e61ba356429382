"""What somebody looked at before they said yes: rows with the moment of their last change."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memoryapp.models import Memory

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True)
class Stale(Exception):
    """What was looked at is no longer so."""

    #: How many of those that were chosen.
    changed: int
    chosen: int

    def __str__(self) -> str:
        if not self.chosen:
            return "Nothing was checked, so nothing was done."
        are = "is" if self.changed == 1 else "are"
        return (
            f"Nothing was done: {self.changed:,} of the {self.chosen:,} that you chose {are} no "
            "longer what you looked at. This is how it stands now."
        )


def seen_as(memory: Memory) -> str:
    """What is posted of *memory* when it is chosen."""
    return f"{memory.pk}@{(memory.updated_at - _EPOCH) // _MICROSECOND}"


def what_was_seen(value: str) -> tuple[int, datetime] | None:
    """Which memory, and when it was last changed; None for what no page has written."""
    pk, _, moment = value.partition("@")
    if not (is_number(pk) and is_number(moment)):
        return None
    return int(pk), _EPOCH + int(moment) * _MICROSECOND


def is_number(text: str) -> bool:
    """Whether *text* is a number that a database takes for an id, or for a moment."""
    return text.isascii() and text.isdigit() and len(text) < 18
