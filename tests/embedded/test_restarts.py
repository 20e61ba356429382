"""Restart policy of the supervisor: delays, and when to give up."""

import pytest

from memoryapp.serving.restarts import Restarts


def delays(*lives: float) -> list[float | None]:
    """Return the delays before each restart of a process that lives so many seconds each time."""
    restarts, now, pauses = Restarts(), 0.0, list[float | None]()
    for lived in lives:
        restarts.started(now)
        now += lived
        delay = restarts.ended(now)
        pauses.append(delay)
        now += delay or 0
    return pauses


@pytest.mark.parametrize(
    ("lives", "expected"),
    [
        ([0.1] * 5, [1, 2, 4, 8, None]),
        # Too slow to be given up, fast enough for increasing delays.
        ([40.0] * 8, [1, 2, 4, 8, 16, 30, 30, 30]),
        ([30, 30, 61, 30, 30], [1, 2, 1, 2, 4]),
        ([3600.0] * 10, [1] * 10),
        # A burst of exits also counts after a long healthy run.
        ([9000, 1, 1, 1, 1], [1, 2, 4, 8, None]),
    ],
)
def test_restart_delays(lives: list[float], expected: list[float | None]) -> None:
    assert delays(*lives) == expected


def test_failed_start_counts_as_an_exit() -> None:
    restarts = Restarts()
    restarts.started(0.0)
    assert [restarts.ended(float(second)) for second in range(100, 105)] == [1, 1, 1, 1, None]
