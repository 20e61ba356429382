"""Decides how many versions of a memory are undone when what a source has written is taken back."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True)
class WrittenVersion:
    """A version of a memory."""

    #: The batch that wrote it.
    batch: UUID | None
    #: Since when it was the text of the memory; None: since the memory was stored.
    since: datetime | None


@dataclass
class OtherStatements:
    """Statements about a memory by others than the source."""

    batches: set[UUID] = field(default_factory=set)
    #: When they last stated it.
    latest: datetime | None = None

    def add(self, batches: Collection[UUID], at: datetime) -> None:
        """Add a statement."""
        self.batches |= set(batches)
        self.latest = max(self.latest or at, at)

    def support(self, version: WrittenVersion) -> bool:
        """True if one of them wrote *version*, or stated the memory when it said that or later."""
        if version.batch in self.batches:
            return True
        return self.latest is not None and (version.since is None or version.since <= self.latest)


def versions_to_undo(
    versions: Sequence[WrittenVersion], own: Collection[UUID], others: OtherStatements
) -> int:
    """Return how many of the *versions* of a memory, the newest first, are undone. *own* are the
    batches of the source.

    Those are the newest ones, up to the first that another has written or stated. None: the memory
    stays as it is. All: nobody else has said it, so it goes.
    """
    for number, version in enumerate(versions):
        if version.batch not in own or others.support(version):
            return number
    return len(versions)
