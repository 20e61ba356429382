"""The machine's own pace: what it takes for fixed work, printed beside what a benchmark measures.

The same figures on a machine that is twice as fast, or busy with other work, mean something else.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from django.db import connection

from memoryapp.process import size

#: Fixed work for the language: this many additions in a loop.
STEPS = 10_000_000
#: Fixed work for the database, on one core: a sum over a million numbers, each hashed.
STATEMENT = "SELECT sum(hashint8(number)) FROM generate_series(1, 1000000) AS number"
#: Each is done this many times, and the median counts.
TURNS = 3


@dataclass(frozen=True)
class Pace:
    """How long the machine takes for fixed work, at the median, in milliseconds."""

    #: Cores that this process may use.
    cores: int
    #: `STEPS` additions in Python.
    loop_ms: float
    #: `STATEMENT`, in the database in use.
    statement_ms: float

    def __str__(self) -> str:
        return (
            f"{self.cores} cores; ten million additions {self.loop_ms:.0f} ms; a million numbers"
            f" hashed by PostgreSQL {self.statement_ms:.0f} ms"
        )


def pace() -> Pace:
    """Measure the machine, and the server of the database in use."""
    return Pace(size.cores(), _median_ms(_loop), _median_ms(_statement))


def _median_ms(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(TURNS):
        begun = time.perf_counter()
        work()
        taken.append((time.perf_counter() - begun) * 1000)
    return sorted(taken)[TURNS // 2]


def _loop() -> int:
    total = 0
    for number in range(STEPS):
        total += number
    return total


def _statement() -> None:
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT)
        cursor.fetchone()
