"""Whether the time that something takes grows with the length of a text, or faster.

It measures the time of the processor, not of the clock, and compares ratios: four times the text
takes four times as long when the time is linear, and sixteen times as long when it is quadratic.
"""

import gc
import math
import signal
import time
from collections.abc import Callable
from types import FrameType

#: Characters of the longest text, unless a call is too dear for it.
LONG = 50_000
#: Characters that show a quadratic pattern as well, in a quarter of the time.
SHORT = 12_500
#: A ratio between linear (4) and quadratic (16); their geometric mean is 8.
MAX_RATIO = 9.0
#: Whatever is quadratic takes longer than this for the long text.
FLOOR_SECONDS = 0.005
#: What takes longer has failed: 20 microseconds for each character.
MAX_SECONDS = 1.0
#: How often a bad ratio must show itself.
ATTEMPTS = 8


class TooLong(Exception):
    """A call took more than `MAX_SECONDS` of the processor."""


def growth(
    call: Callable[[str], object], write: Callable[[int], str], *, length: int = LONG
) -> str:
    """Say how the time of *call* grows too fast with the texts that *write* makes, of *length*
    characters and of a quarter of them; empty if it is linear.
    """
    short_text, long_text = write(length // 4), write(length)
    short, long = math.inf, math.inf
    try:
        for _ in range(ATTEMPTS):
            # The best of all runs: whatever disturbs one of them only makes it longer.
            long = min(long, _seconds(call, long_text))
            if long < FLOOR_SECONDS:
                return ""
            short = min(short, _seconds(call, short_text))
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
    # A collection goes through all that other tests have left behind, and comes more often in a
    # long call than in a short one.
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
