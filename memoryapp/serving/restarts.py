"""Decides when a process is restarted, and when it is given up. Pure."""

from collections import deque

#: Seconds before the first restart; doubles with each further one.
FIRST_DELAY_SECONDS = 1.0
MAX_DELAY_SECONDS = 30.0
#: A process that has run this long is healthy: the delay starts over.
HEALTHY_SECONDS = 60.0
#: A process that ends this often within this many seconds is given up.
MAX_ENDS = 5
ENDS_WITHIN_SECONDS = 120.0


class Restarts:
    """The restarts of one process. Times are seconds of a monotonic clock."""

    def __init__(self) -> None:
        self._started_at = 0.0
        self._delay = 0.0
        self._ends: deque[float] = deque(maxlen=MAX_ENDS)

    def started(self, now: float) -> None:
        """Note that the process has been started."""
        self._started_at = now

    def ended(self, now: float) -> float | None:
        """Return the seconds to wait before the next start; None if it is given up."""
        if now - self._started_at >= HEALTHY_SECONDS:
            self._delay = 0.0
        self._delay = min(2 * self._delay, MAX_DELAY_SECONDS) or FIRST_DELAY_SECONDS
        self._ends.append(now)
        if len(self._ends) == MAX_ENDS and now - self._ends[0] <= ENDS_WITHIN_SECONDS:
            return None
        return self._delay
