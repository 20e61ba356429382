"""When a process is started again: the pauses, and when to give up."""

import pytest

from memoryapp.embedded.restarts import Restarts


def delays(*lives: float) -> list[float | None]:
    """Let a process live so many seconds each time, and return the pauses between."""
    restarts, now, found = Restarts(), 0.0, list[float | None]()
    for lived in lives:
        restarts.started(now)
        now += lived
        delay = restarts.ended(now)
        found.append(delay)
        now += delay or 0
    return found


@pytest.mark.parametrize(
    ("lives", "expected"),
    [
        ([0.1] * 5, [1, 2, 4, 8, None]),
        # Slow enough not to be given up, soon enough for longer and longer pauses.
        ([40.0] * 8, [1, 2, 4, 8, 16, 30, 30, 30]),
        ([30, 30, 61, 30, 30], [1, 2, 1, 2, 4]),
        ([3600.0] * 10, [1] * 10),
        # A burst counts also after a long and healthy life.
        ([9000, 1, 1, 1, 1], [1, 2, 4, 8, None]),
    ],
)
def test_the_pauses(lives: list[float], expected: list[float | None]) -> None:
    assert delays(*lives) == expected


def test_a_start_that_fails_counts_as_an_end() -> None:
    restarts = Restarts()
    restarts.started(0.0)
    assert [restarts.ended(float(second)) for second in range(100, 105)] == [1, 1, 1, 1, None]
