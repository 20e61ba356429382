"""Waiting for what comes about by itself."""

import time
from collections.abc import Callable


def eventually(holds: Callable[[], object], what: str, seconds: float = 60.0) -> None:
    """Wait until *holds*, and fail with *what* if it does not come about."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"after {seconds:g} s: {what}"
        time.sleep(0.02)
