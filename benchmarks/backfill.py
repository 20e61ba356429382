"""``python -m benchmarks.backfill [--json]``: how fast are vectors made, and who notices?

Fills an instance in a database of its own, takes half of its vectors away, and lets ``manage.py
backfill`` make them again with the built-in embedder, in a process of its own. Meanwhile, as before
it, one question after the other is recalled. A change of model makes its vectors by the same job.

With ``--messages N``, N chat messages are imported instead, and the time until search finds all of
them by meaning is measured, and how fast screens answer before and meanwhile.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks import command
from benchmarks.metrics import percentile
from benchmarks.screens import QUESTIONS, database_url

if TYPE_CHECKING:
    from instances.models import Instance

DATABASE = "keepsake_benchmark_backfill"


@dataclass(frozen=True)
class Measured:
    """Vectors that were made, and what a question took before and meanwhile, in milliseconds."""

    vectors: int
    seconds: float
    before: list[float]
    meanwhile: list[float]

    def figures(self) -> dict[str, float]:
        """Return the figures by name, for programs."""
        before, meanwhile = percentile(self.before, 0.5), percentile(self.meanwhile, 0.5)
        return {
            "vectors": self.vectors,
            "vectors_per_second": round(self.vectors / self.seconds, 1),
            "recall_before_ms": round(before, 1),
            "recall_meanwhile_ms": round(meanwhile, 1),
            "recall_meanwhile_p95_ms": round(percentile(self.meanwhile, 0.95), 1),
            "ratio": round(meanwhile / before, 2),
        }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.backfill", description=__doc__)
    command.add_json(parser)
    parser.add_argument("--memories", type=int, default=10_000, metavar="N")
    parser.add_argument(
        "--messages", type=int, default=0, metavar="N", help="import N chat messages instead"
    )
    parser.add_argument(
        "--rounds", type=int, default=60, metavar="N", help="ask N questions before it begins"
    )
    command.add_database(parser, DATABASE)
    options = parser.parse_args(arguments)

    with command.running(parser):
        # Only now: these need the set-up.
        from benchmarks import chat_import
        from benchmarks.databases import fresh_database

        with fresh_database(options.database):
            if options.messages:
                figures = chat_import.run(options.messages).figures()
            else:
                figures = measure(_furnished(options.memories), options.rounds).figures()
    for name, value in figures.items():
        print(f"{name.replace('_', ' '):32}{value:>10,}")
    if options.json:
        print(json.dumps(figures))
    return 0


def _furnished(memories: int) -> "Instance":
    """An instance of which half the memories have no vector."""
    from benchmarks.single_tenant_dataset import Size, fill
    from instances.models import Instance, User
    from memoryapp.models import Memory, MemoryEmbedding

    instance = Instance.objects.create(slug="plenty", name="Plenty")
    fill(instance, User.objects.create(username="benchmark"), Size(memories=memories))
    half = Memory.objects.in_instance(instance).order_by("?").values("pk")[: memories // 2]
    MemoryEmbedding.objects.filter(memory__in=list(half.values_list("pk", flat=True))).delete()
    return instance


def measure(instance: "Instance", rounds: int) -> Measured:
    """Ask before the back-fill, and while it goes on."""
    from memoryapp.models import EmbeddingJob

    left = iter(range(rounds + 5))
    # The first ones load the model.
    before = _ask(instance, lambda: next(left, None) is not None)[5:]
    filling = subprocess.Popen(
        [sys.executable, "manage.py", "backfill"],
        env={**os.environ, "DATABASE_URL": database_url()},
        stdout=subprocess.DEVNULL,
    )
    try:
        while filling.poll() is None and not EmbeddingJob.objects.filter(done__gt=0).exists():
            time.sleep(0.05)
        meanwhile = _ask(instance, lambda: filling.poll() is None)
    finally:
        filling.terminate()
        filling.wait()
    job: Any = EmbeddingJob.objects.get()
    seconds = (job.finished_at - job.created_at).total_seconds()
    return Measured(job.done, seconds, before, meanwhile)


def _ask(instance: "Instance", goes_on: Callable[[], bool]) -> list[float]:
    """Recall one question after the other, at least one, and return what each took."""
    from memoryapp.recall import recall

    taken: list[float] = []
    while goes_on() or not taken:
        began = time.perf_counter()
        recall(instance, QUESTIONS[len(taken) % len(QUESTIONS)])
        taken.append(1000 * (time.perf_counter() - began))
    return taken


if __name__ == "__main__":
    sys.exit(main())
