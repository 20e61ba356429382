"""Check that the time of a call grows at most linearly with the length of a text.

It measures processor time, not wall-clock time, and compares ratios: four times the text
takes four times as long when the time is linear, and sixteen times as long when it is quadratic.
"""

import gc
import math
import signal
import time
from collections.abc import Callable
from types import FrameType

#: Characters of the longest text, unless a call is too expensive for it.
LONG = 50_000
#: A length that also reveals quadratic patterns, in a quarter of the time.
SHORT = 12_500
#: A length that reveals them for half the cost, and others: a bound of thousands is none here.
SHORTEST = 6_000
#: A ratio between linear (4) and quadratic (16); their geometric mean is 8.
MAX_RATIO = 9.0
#: Quadratic calls take longer than this for the long text.
FLOOR_SECONDS = 0.005
#: Time limit of a call: 20 microseconds per character.
MAX_SECONDS = 1.0
#: How often a bad ratio must be measured.
ATTEMPTS = 8


class TooLong(Exception):
    """A call took more than `MAX_SECONDS` of processor time."""


def growth(
    call: Callable[[str], object], write: Callable[[int], str], *, length: int = LONG
) -> str:
    """Describe how the time of *call* grows too fast between texts of *write* with a quarter of
    *length* characters and with all of them; empty if it is linear.
    """
    short_text, long_text = write(length // 4), write(length)
    short, long = math.inf, math.inf
    try:
        for attempt in range(ATTEMPTS):
            # Not the same text again, of which a function may remember the result.
            indent = " " * attempt
            # The fastest of all runs, because disturbances only make a run slower.
            long = min(long, _seconds(call, indent + long_text))
            if long < FLOOR_SECONDS:
                return ""
            short = min(short, _seconds(call, indent + short_text))
            if long < MAX_RATIO * short:
                return ""
    except TooLong:
        return f"takes more than {MAX_SECONDS:.0f} s for {length:,} characters"
    return (
        f"takes {long / short:.0f} times as long for 4 times the text: "
        f"{long * 1000:.0f} ms for {length:,} characters"
    )


def _seconds(call: Callable[[str], object], text: str) -> float:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    # Garbage collection also visits objects of other tests, and runs more often in a long call
    # than in a short one.
    gc.disable()
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_SECONDS)
    try:
        start = time.thread_time()
        call(text)
        return time.thread_time() - start
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        gc.enable()
        signal.signal(signal.SIGVTALRM, before)
