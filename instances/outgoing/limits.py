"""How long a call may take and how much may come back."""

import time
from dataclasses import dataclass
from typing import Self

import httpx2

#: Bytes of headers and framing that may come with a body, beside its own size.
OVERHEAD_BYTES = 256 * 1024
#: Seconds below which nothing can be waited for.
MOMENT_SECONDS = 0.005


class OutgoingError(httpx2.TransportError):
    """A call that Keepsake itself has refused or ended. ``str()`` follows the server's address:
    "answered with more than 8 MB".
    """


class TooMuch(OutgoingError):
    """The answer is larger than the call allows."""


class TooSlow(OutgoingError):
    """The call has taken longer than it may in all."""


@dataclass(frozen=True)
class Limits:
    """What one call may use: seconds of silence, seconds in all, and bytes of the decoded answer.

    As the ``limits`` of a request's extensions they travel with it.
    """

    silence_seconds: float = 30.0
    total_seconds: float = 60.0
    max_bytes: int = 1_000_000
    connect_seconds: float = 5.0


class Budget:
    """What is left to one call of its limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._ends = time.monotonic() + limits.total_seconds
        self._wire_bytes = 2 * limits.max_bytes + OVERHEAD_BYTES
        self._bytes = limits.max_bytes

    def seconds_left(self) -> float:
        """Return how long the call may still go on. Raises `TooSlow` when it may not."""
        left = self._ends - time.monotonic()
        if left < MOMENT_SECONDS:
            raise TooSlow(f"took longer than {self.limits.total_seconds:g} seconds in all")
        return left

    def received(self, count: int) -> None:
        """Count bytes as they come from the network. Raises `TooMuch`."""
        self._wire_bytes -= count
        if self._wire_bytes < 0:
            self._refuse()

    def decoded(self, count: int) -> None:
        """Count bytes of the answer itself. Raises `TooMuch`."""
        self._bytes -= count
        if self._bytes < 0:
            self._refuse()

    def _refuse(self) -> None:
        megabytes = self.limits.max_bytes / 1_000_000
        raise TooMuch(f"answered with more than {megabytes:.3g} MB")


class Patience(float):
    """Seconds that one operation on the network may take, with the budget of the call.

    ``httpcore2`` hands the timeouts of a request on to each operation as they are, also on a
    connection that was opened for an earlier request: so the budget is known down there.
    """

    budget: Budget

    @classmethod
    def within(cls, budget: Budget, seconds: float) -> Self:
        patience = cls(seconds)
        patience.budget = budget
        return patience

    def left(self) -> float:
        """Return the seconds to wait now. Raises `TooSlow`."""
        return min(float(self), self.budget.seconds_left())
