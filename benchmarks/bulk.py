"""``python -m benchmarks.bulk [--rows N] [--json]``: how fast a file of memories is imported.

Writes a file of N distinct rows, previews and imports it into an empty database with the built-in
embedder, and prints the seconds of both together, by how much the memory of the process grew, and
how many memories there are: as many as rows. The rows are lists of alike things (token words,
boxes, invoices, telephone extensions) and ordinary facts about a few hundred people.
"""

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil

from benchmarks import command

DATABASE = "keepsake_benchmark_bulk"

NAMES = (
    "Ana Ben Cleo Dan Eva Finn Greta Hugo Ida Jonas Kira Leo Mona Nils Olga Paul Rosa Sven Tara "
    "Uwe Vera Willem Xenia Yann Zoe"
).split()
TOWNS = "Ghent Lyon Porto Turin Graz Bergen Cork Delft Malaga Trieste Aarhus Leeds".split()
THINGS = "photographs letters stamps maps shells records buttons postcards coins keys".split()


def rows(count: int) -> Iterator[str]:
    """Yield *count* distinct sentences; every second is one of a list of alike ones."""
    for number in range(count):
        name = f"{NAMES[number % 25]} {NAMES[number // 25 % 25]}son"
        yield (
            f"The user has the token word tok{number:05}x.",
            f"{name} moved to {TOWNS[number % 12]} in {1950 + number % 70} with {number} books.",
            f"Box {number} with old {THINGS[number % 10]} is on shelf {number % 90}.",
            f"{name} and the user met at the fair in {TOWNS[number % 11]} on day {number}.",
            f"Invoice {20_000 + number} of the {THINGS[number % 9]} dealer is paid.",
            f"The user owes {name} a dinner since the trip number {number} to the sea.",
            f"{name} answers extension {7_000 + number} at the office in {TOWNS[number % 7]}.",
            f"The user read chapter {number} of a novel about {THINGS[number % 8]} to {name}.",
        )[number % 8]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bulk", description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000, metavar="N")
    command.add_json(parser)
    command.add_database(parser, DATABASE)
    options = parser.parse_args(arguments)
    with command.running(parser):
        # Only now: these need the set-up.
        from benchmarks.databases import fresh_database

        with tempfile.TemporaryDirectory() as folder, fresh_database(options.database):
            found = measure(options.rows, Path(folder))
    for name, figure in found.items():
        print(f"{name:<20}{figure:>10,}")
    if options.json:
        print(json.dumps(found))
    return 0


def measure(count: int, folder: Path) -> dict[str, Any]:
    """Preview and import a file of *count* rows in the database in use."""
    from django.core.management import call_command

    from instances.models import Instance
    from memoryapp.providers.builtin_embedder import BuiltinEmbedder

    file = folder / "memories.jsonl"
    with file.open("w") as lines:
        for content in rows(count):
            lines.write(json.dumps({"content": content, "importance": 5}) + "\n")
    instance = Instance.objects.create(slug="bulk", name="Bulk")
    # The model is loaded once for each process.
    BuiltinEmbedder().embed(["The user likes tea."])
    with open(os.devnull, "w") as nothing, MemoryGrowth() as growth:
        begun = time.perf_counter()
        call_command("import_memories", str(file), instance=instance.slug, stdout=nothing)
        seconds = time.perf_counter() - begun
    return {
        "rows": count,
        "memories": instance.memories.count(),
        "seconds": round(seconds, 2),
        "rows_a_second": round(count / seconds, 1),
        "memory_growth_mb": round(growth.megabytes, 1),
    }


class MemoryGrowth:
    """Measures by how much the memory of this process grows at most."""

    SECONDS_BETWEEN = 0.05

    def __init__(self) -> None:
        self.megabytes = 0.0
        self._process = psutil.Process()
        self._before = self._now()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "MemoryGrowth":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def _now(self) -> float:
        return float(self._process.memory_info().rss) / 2**20

    def _watch(self) -> None:
        while not self._over.wait(self.SECONDS_BETWEEN):
            self.megabytes = max(self.megabytes, self._now() - self._before)


if __name__ == "__main__":
    sys.exit(main())
