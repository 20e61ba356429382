"""Spares a server that has just failed, and those who would wait for it."""

import time


class OutagePause:
    """Begins when a call to a server fails; while it lasts, this process makes no further call."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until = 0.0

    @property
    def lasts(self) -> bool:
        """Whether calls are to be left out now."""
        return time.monotonic() < self._until

    def begin(self) -> None:
        """Leave out calls from now on."""
        self._until = time.monotonic() + self._seconds

    def end(self) -> None:
        """Allow calls again."""
        self._until = 0.0
