"""Pauses calls to a server that has just failed, so that callers need not wait for it."""

import time


class OutagePause:
    """A pause that begins when a call fails. Meanwhile, this process makes no further calls."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until = 0.0

    @property
    def lasts(self) -> bool:
        """True if calls are paused now."""
        return time.monotonic() < self._until

    def begin(self) -> None:
        """Pause calls from now on."""
        self._until = time.monotonic() + self._seconds

    def end(self) -> None:
        """Allow calls again."""
        self._until = 0.0
