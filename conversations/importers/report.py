"""What an import did, counted as it goes."""

from dataclasses import dataclass, field

from conversations.turns import clean

#: Reasons that are kept; all are counted.
MOST_REASONS = 100
#: Characters of one reason.
LONGEST_REASON = 300


@dataclass
class Report:
    """Counts of one import so far."""

    bytes_read: int = 0
    #: Conversations of the file, new or known.
    conversations: int = 0
    messages_added: int = 0
    #: Messages that were there already.
    messages_known: int = 0
    #: What was left out and why, as sentences that name the place; the first `MOST_REASONS`.
    skipped: list[str] = field(default_factory=list)
    skipped_count: int = 0

    def skip(self, place: str, reason: str) -> None:
        """Note that what stands at *place* was left out."""
        self.skipped_count += 1
        if len(self.skipped) < MOST_REASONS:
            self.skipped.append(clean(f"{place}: {reason}")[:LONGEST_REASON])
