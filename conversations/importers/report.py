"""What an import did, or would do, counted as it goes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from conversations.sanitizer import sanitize

#: Places that are kept with their reason; all are counted.
MAX_PLACES = 1000
#: Characters of one place with its reason.
MAX_REASON_CHARACTERS = 300
#: Different reasons that are counted apart.
MAX_REASONS = 50
#: Titles that a preview shows.
MAX_TITLES = 8


@dataclass
class Report:
    """Counts of one import so far."""

    #: What the file is, in words; empty until that is known.
    format: str = ""
    bytes_read: int = 0
    #: Bytes that there are to read, once known: of an archive, those that are unpacked.
    bytes_total: int = 0
    #: Conversations of the file, new or known.
    conversations: int = 0
    messages_added: int = 0
    #: Messages that were there already.
    messages_known: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None
    #: Titles of the first conversations.
    titles: list[str] = field(default_factory=list)
    #: What was left out and why, as sentences that name the place; the first `MAX_PLACES`.
    skipped: list[str] = field(default_factory=list)
    skipped_count: int = 0
    #: How often something was left out, by reason.
    reasons: dict[str, int] = field(default_factory=dict)

    def skip(self, place: str, reason: str) -> None:
        """Note that what stands at *place* was left out, which somebody may want to look at."""
        self.pass_over(reason.rstrip("."))
        if len(self.skipped) < MAX_PLACES:
            self.skipped.append(sanitize(f"{place}: {reason}")[:MAX_REASON_CHARACTERS])

    def pass_over(self, reason: str, times: int = 1) -> None:
        """Note that something was left out which is not worth a look one by one."""
        self.skipped_count += times
        reason = sanitize(reason)[:MAX_REASON_CHARACTERS]
        if reason not in self.reasons and len(self.reasons) >= MAX_REASONS:
            reason = "other reasons"
        self.reasons[reason] = self.reasons.get(reason, 0) + times

    def note(self, dates: Sequence[datetime | None], title: str = "") -> None:
        """Note when messages were said, and how a conversation is called."""
        known = [date for date in dates if date]
        if known:
            self.first_at = min([*known, self.first_at] if self.first_at else known)
            self.last_at = max([*known, self.last_at] if self.last_at else known)
        if title and len(self.titles) < MAX_TITLES:
            self.titles.append(sanitize(title)[:300])
