"""When a failed attempt is repeated."""

#: Attempts for one event. The waits between them add up to about 23 hours.
MAX_ATTEMPTS = 8
FIRST_WAIT_SECONDS = 15.0
#: Each wait is so many times the one before.
GROWTH = 4.0
#: The share by which a wait is longer or shorter, so that what failed together is not repeated
#: together.
JITTER = 0.2


def seconds_until_next(attempts: int, draw: float) -> float | None:
    """Return the seconds to wait after so many *attempts*, all failed; None if that was the last.
    *draw* is a random number from 0 to 1.
    """
    if attempts >= MAX_ATTEMPTS:
        return None
    wait: float = FIRST_WAIT_SECONDS * GROWTH ** (attempts - 1)
    return wait * (1 + JITTER * (2 * draw - 1))
