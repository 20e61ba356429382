"""The steps of the check: one line each, with its time."""

import math
import time
from collections.abc import Callable


class Failed(Exception):
    """A step has not found what it should; the message says what it found."""


class Steps:
    """Runs steps, until one fails; after *budget* seconds none begins."""

    def __init__(self, budget: float = math.inf) -> None:
        self._budget = budget
        self.began = time.monotonic()
        self.left_out: list[str] = []
        self.passed = 0

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self.began

    def run(self, name: str, step: Callable[[], str | None], *, always: bool = False) -> None:
        """Run a step, which returns what is worth knowing, and print its line; *always*: even if
        no time is left. Raises `Failed`.
        """
        if self.seconds > self._budget and not always:
            self.leave_out(name, f"no time left of {self._budget:g} s")
            return
        began = time.monotonic()
        try:
            note = step()
        except Exception as error:
            kind = "" if isinstance(error, Failed) else f"{type(error).__name__}: "
            say("FAILED", time.monotonic() - began, f"{name}: {kind}{error}")
            raise Failed(name) from error
        self.passed += 1
        say("ok", time.monotonic() - began, f"{name}: {note}" if note else name)

    def leave_out(self, name: str, reason: str) -> None:
        """Say that a step is left out."""
        self.left_out.append(name)
        say("left out", 0, f"{name}: {reason}")


def say(state: str, seconds: float, text: str) -> None:
    """Print a line."""
    print(f"{state:<8} {seconds:6.1f} s  {text}", flush=True)


def until(
    condition: Callable[[], object], message: str | Callable[[], str], seconds: float = 120.0
) -> None:
    """Wait until *condition* is true. Raises `Failed` with *message*."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            found = message if isinstance(message, str) else message()
            raise Failed(f"after {seconds:g} s: {found}")
        time.sleep(0.5)


def expect(fact: object, message: str) -> None:
    """Raise `Failed` with *message* unless *fact* is true."""
    if not fact:
        raise Failed(message)
