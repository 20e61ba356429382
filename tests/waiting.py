"""Wait for a condition."""

import time
from collections.abc import Callable


def eventually(condition: Callable[[], object], message: str, seconds: float = 60.0) -> None:
    """Wait until *condition* is true; after *seconds*, fail with *message*."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"after {seconds:g} s: {message}"
        time.sleep(0.02)
