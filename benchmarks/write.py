"""``python -m benchmarks.write --mem0 PYTHON [--facts N] [--json]``: how long one fact takes.

Adds N facts one by one with `remember`, and in turns with it the same facts with mem0's ``add``
without inference and with pgvector, to two databases of the same server. The vectors are known to
both: embedding is not measured. PYTHON is the interpreter of an environment with mem0::

    python3 -m venv mem0 && mem0/bin/pip install mem0ai 'psycopg[binary,pool]'

mem0 has no locks, no redaction of secrets, and no comparison with what is known; it also writes its
history to SQLite. Prints the median and the 95th percentile of both, and the ratio of the medians.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg import sql

from benchmarks import command
from benchmarks.bulk import rows
from benchmarks.metrics import percentile

DATABASE, MEM0_DATABASE = "keepsake_benchmark_write", "keepsake_benchmark_write_mem0"
DIMENSIONS = 384
#: Facts before it counts: code is loaded and caches are filled.
WARM_UP = 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.write", description=__doc__)
    parser.add_argument("--mem0", metavar="PYTHON", help="interpreter that has mem0ai")
    parser.add_argument("--facts", type=int, default=300, metavar="N")
    command.add_json(parser)
    options = parser.parse_args(arguments)
    with command.running(parser):
        # Only now: these need the set-up.
        from benchmarks.databases import fresh_database

        with fresh_database(DATABASE):
            found = measure(options.facts + WARM_UP, options.mem0)
    for name, figure in found.items():
        print(f"{name:<20}{figure:>8}")
    if not options.mem0:
        print("mem0 was not measured: see --help for how to install it.")
    if options.json:
        print(json.dumps(found))
    return 0


def measure(count: int, python: str | None) -> dict[str, float]:
    """Store *count* facts in the database in use, and with mem0 of *python* in another one."""
    from django.db import connection

    from benchmarks.multi_tenant_dataset import ready_vectors
    from instances.actor import Actor
    from instances.models import Instance
    from instances.tiers import Tier
    from memoryapp.models import Origin
    from memoryapp.pipeline import Candidate, Writer, remember

    instance = Instance.objects.create(slug="write", name="Write")
    writer = Writer(Origin.API, Actor(via="benchmark"), tier=Tier.USER)
    facts = list(rows(count))
    vectors = dict(zip(facts, unit_vectors(count), strict=True))
    ours, theirs = [], []
    mem0 = Mem0(python) if python else None
    with ready_vectors(vectors):
        for number, fact in enumerate(facts):
            if number == WARM_UP:
                # As autovacuum does within a minute.
                with connection.cursor() as cursor:
                    cursor.execute("ANALYZE")
            begun = time.perf_counter()
            remember(instance, [Candidate(fact)], writer)
            ours.append(time.perf_counter() - begun)
            if mem0:
                theirs.append(mem0.add(fact, vectors[fact]))
    figures = milliseconds("keepsake", ours[WARM_UP:])
    if mem0:
        mem0.close()
        figures |= milliseconds("mem0", theirs[WARM_UP:])
        figures["ratio"] = round(figures["keepsake_p50_ms"] / figures["mem0_p50_ms"], 2)
    return figures


def milliseconds(name: str, seconds: Sequence[float]) -> dict[str, float]:
    """Return the median and the 95th percentile."""
    return {
        f"{name}_p{share}_ms": round(1_000 * percentile(seconds, share / 100), 2)
        for share in (50, 95)
    }


def unit_vectors(count: int) -> NDArray[np.float32]:
    """Return random vectors of length 1, of shape (count, 384); always the same."""
    drawn = np.random.default_rng(7).standard_normal((count, DIMENSIONS)).astype(np.float32)
    vectors: NDArray[np.float32] = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return vectors


class Mem0:
    """mem0 in an environment of its own, with an empty database on the same server."""

    def __init__(self, python: str) -> None:
        self._server = server_of_django()
        self._execute("DROP DATABASE IF EXISTS {} WITH (FORCE)")
        self._execute("CREATE DATABASE {}")
        self._process = subprocess.Popen(  # noqa: S603 - The interpreter is given on the command line.
            [python, str(Path(__file__).with_name("mem0_writer.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            # It has packages of its own.
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        )
        options: dict[str, Any] = {
            "connection_string": psycopg.conninfo.make_conninfo(
                **self._server, dbname=MEM0_DATABASE
            ),
            "collection_name": "memories",
            "embedding_model_dims": DIMENSIONS,
        }
        if self._answer(json.dumps(options)) != "ready":
            raise ValueError(f"{python} does not run mem0. Install mem0ai in its environment.")

    def add(self, text: str, vector: NDArray[np.float32]) -> float:
        """Add *text*; return the seconds that it took."""
        return float(self._answer(json.dumps({"text": text, "vector": vector.tolist()})))

    def close(self) -> None:
        self._process.communicate()
        self._execute("DROP DATABASE {} WITH (FORCE)")

    def _answer(self, line: str) -> str:
        given, told = self._process.stdin, self._process.stdout
        assert given is not None and told is not None  # noqa: S101 - Both are pipes.
        print(line, file=given, flush=True)
        return told.readline().strip()

    def _execute(self, statement: str) -> None:
        with psycopg.connect(**self._server, dbname="postgres", autocommit=True) as server:
            server.execute(sql.SQL(statement).format(sql.Identifier(MEM0_DATABASE)))


def server_of_django() -> dict[str, Any]:
    """Where the server of the settings is."""
    from django.db import connection

    params = connection.get_connection_params()
    return {name: params[name] for name in ("host", "port", "user", "password") if name in params}


if __name__ == "__main__":
    sys.exit(main())
