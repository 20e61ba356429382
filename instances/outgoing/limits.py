"""How long a call may take and how large its answer may be."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import httpx2

from instances.translatable import TranslatableText, translatable

#: Bytes of headers and framing that may come with a body.
OVERHEAD_BYTES = 256 * 1024
#: The shortest wait that makes sense.
MOMENT_SECONDS = 0.005


#: The subject of a sentence about a server that is not named.
THE_SERVER = translatable("The server")


class OutgoingError(httpx2.TransportError):
    """A call that Keepsake itself refused or ended. ``str()`` is a sentence about "The server"."""

    def __init__(self, text: TranslatableText) -> None:
        """Take *text*, whose ``server`` is `THE_SERVER`."""
        super().__init__(text)
        self.text = text

    def at(self, server: str, *, scrub: Callable[[str], str]) -> TranslatableText:
        """The same sentence about *server*, with the foreign words in it scrubbed."""
        return self.text.cleaned(scrub).filled(server=server)


class TooMuch(OutgoingError):
    """The answer is larger than the call allows."""


class TooSlow(OutgoingError):
    """The call has exceeded its total time."""


@dataclass(frozen=True)
class Limits:
    """Limits of one call: seconds of silence, seconds in total, and bytes of the decoded answer.

    A request carries them in its extensions, as ``limits``.
    """

    silence_seconds: float = 30.0
    total_seconds: float = 60.0
    max_bytes: int = 1_000_000
    connect_seconds: float = 5.0


class Budget:
    """Rest of the limits of one call."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._ends = time.monotonic() + limits.total_seconds
        self._wire_bytes = 2 * limits.max_bytes + OVERHEAD_BYTES
        self._bytes = limits.max_bytes

    def seconds_left(self) -> float:
        """Return the seconds that remain. Raises `TooSlow` if none do."""
        left = self._ends - time.monotonic()
        if left < MOMENT_SECONDS:
            raise TooSlow(
                translatable(
                    "%(server)s took longer than %(seconds)s seconds in all.",
                    server=THE_SERVER,
                    seconds=self.limits.total_seconds,
                )
            )
        return left

    def received(self, count: int) -> None:
        """Count bytes from the network. Raises `TooMuch`."""
        self._wire_bytes -= count
        if self._wire_bytes < 0:
            self._refuse()

    def decoded(self, count: int) -> None:
        """Count bytes of the decoded answer. Raises `TooMuch`."""
        self._bytes -= count
        if self._bytes < 0:
            self._refuse()

    def _refuse(self) -> None:
        megabytes = self.limits.max_bytes / 1_000_000
        raise TooMuch(
            translatable(
                "%(server)s answered with more than %(megabytes)s MB.",
                server=THE_SERVER,
                megabytes=float(f"{megabytes:.3g}"),
            )
        )


class TimeLimit(float):
    """The timeout of one network operation, with the budget of its call.

    ``httpcore2`` passes the timeouts of a request to each operation unchanged, also on a connection
    that was opened for an earlier request. This is how the network backend knows the budget.
    """

    budget: Budget

    @classmethod
    def within(cls, budget: Budget, seconds: float) -> Self:
        limit = cls(seconds)
        limit.budget = budget
        return limit

    def left(self) -> float:
        """Return the seconds that the operation may take. Raises `TooSlow`."""
        return min(float(self), self.budget.seconds_left())
