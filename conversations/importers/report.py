"""Counts what an import does, or would do."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from conversations.sanitizer import sanitize
from instances.translatable import as_translatable, cleaned, shortened, translatable

#: Places that are listed with their reason; all are counted.
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

    #: The format in words; empty until it is known.
    format: str = ""
    bytes_read: int = 0
    #: Bytes of the file, once known; of an archive, its unpacked size.
    bytes_total: int = 0
    #: Conversations in the file, new or known.
    conversations: int = 0
    messages_added: int = 0
    #: Messages that were stored already.
    messages_known: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None
    #: Titles of the first conversations.
    titles: list[str] = field(default_factory=list)
    #: What was skipped and why, as sentences that name the place; the first `MAX_PLACES`.
    skipped: list[str] = field(default_factory=list)
    skipped_count: int = 0
    #: The number of skipped items by reason.
    reasons: dict[str, int] = field(default_factory=dict)

    def skip(self, place: str, reason: str) -> None:
        """Count an item as skipped, and list its *place*, which a person may want to look at."""
        known = len(self.reasons)
        self.pass_over(reason)
        # The first place of each reason is always listed.
        if len(self.skipped) < MAX_PLACES or len(self.reasons) > known:
            # Reasons are parts of a sentence, or sentences of their own.
            told = (
                translatable("%(place)s: %(reason)s", place=place, reason=reason)
                if reason.endswith(".")
                else translatable("%(place)s: %(reason)s.", place=place, reason=reason)
            )
            self.skipped.append(shortened(cleaned(told, sanitize), MAX_REASON_CHARACTERS))

    def pass_over(self, reason: str, times: int = 1) -> None:
        """Count skipped items whose places are of no interest."""
        self.skipped_count += times
        reason = shortened(cleaned(as_translatable(reason), sanitize), MAX_REASON_CHARACTERS)
        if reason not in self.reasons and len(self.reasons) >= MAX_REASONS:
            reason = translatable("other reasons")
        self.reasons[reason] = self.reasons.get(reason, 0) + times

    def note(self, dates: Sequence[datetime | None], title: str = "") -> None:
        """Note the dates of messages and the title of a conversation."""
        known = [date for date in dates if date]
        if known:
            self.first_at = min([*known, self.first_at] if self.first_at else known)
            self.last_at = max([*known, self.last_at] if self.last_at else known)
        if title and len(self.titles) < MAX_TITLES:
            self.titles.append(title)
