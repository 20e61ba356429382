"""Fair slots: limits how much one process does at once, and each holder's share of that.

A holder is an instance, or a person for all of their private instances together
(`Instance.holder`). A request for a slot is granted or refused at once; there is no queue.
"""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from instances.translatable import translatable


class NoSlot(Exception):
    """There is no slot; the message says why and what to do."""

    #: For programs.
    code = "server_busy"


class ShareUsed(NoSlot):
    """The holder has used its share."""

    code = "share_used"


class AllSlotsTaken(NoSlot):
    """All slots are taken."""


class FairSlots:
    """``total`` slots for holders that know nothing of each other. Any thread may call any method.

    A holder gets another slot only while it has fewer than are free. So one holder alone gets half
    of them, two get a third each, and there are always some left for the next (Choudhury and Hahne,
    "Dynamic queue length thresholds for shared-memory packet switches", 1998, with a factor of 1).
    ``share``, if given, is the most that one holder ever gets.
    """

    def __init__(self, total: int, *, what: str, share: int | None = None) -> None:
        """Make *total* slots; *what* is a plural noun for messages: what the slots are used for."""
        self.total = total
        self.share = share or total
        self._what = what
        self._taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self, holder: str, *, leaving: int = 0) -> None:
        """Take a slot for *holder*, if this leaves *leaving* of its share free or is its first.
        Raises `ShareUsed` if the holder has used its share, `AllSlotsTaken` if all slots are taken.
        """
        with self._lock:
            held, free = self._taken[holder], self.total - self._taken.total()
            if not free:
                raise AllSlotsTaken(
                    translatable(
                        "The server is busy: %(number)s %(what)s are under way. Try again in a "
                        "moment.",
                        number=self.total,
                        what=self._what,
                    )
                )
            if held >= min(free, max(1, self.share - leaving)):
                raise ShareUsed(
                    translatable(
                        "Your share is used up: %(number)s %(what)s are under way. Try again when "
                        "one of them has ended.",
                        number=held,
                        what=self._what,
                    )
                )
            self._taken[holder] += 1

    def give_back(self, holder: str) -> None:
        """Give back a slot that *holder* has taken."""
        with self._lock:
            self._taken[holder] -= 1
            if self._taken[holder] <= 0:
                del self._taken[holder]

    @contextmanager
    def taken(self, holder: str, *, leaving: int = 0) -> Iterator[None]:
        """Hold a slot for as long as the block runs; raises as `take` does."""
        self.take(holder, leaving=leaving)
        try:
            yield
        finally:
            self.give_back(holder)

    def held_by(self, holder: str) -> int:
        """The number of slots that *holder* has."""
        with self._lock:
            return self._taken[holder]
