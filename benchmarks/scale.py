"""``python -m benchmarks.scale --memories N --instances M [--json]``: does it stay quick?

Fills a database of its own with many instances, one of them with a fifth of all memories or with
as many as ``--largest`` says, and measures what people wait for: a whole search, apart from the
embedding of its question; the screen's list and its filters; the write path, apart from the
embedding of the fact. Also measured:

- exact search, computed here from the stored vectors, as the truth that search by meaning is
  compared with: recall@10;
- the same statements through a bare database cursor, in turns with the product: as text, as one
  sends them by hand, which is what ``floor_ratio`` compares with; and planned once where the
  product has them planned once, which leaves what the product itself takes;
- what tables and indexes take on disk.

With ``--compare`` and the JSON of another run it says how cost grows with the size of the tables
for an instance that stays the same.
"""

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

from benchmarks.metrics import percentile
from instances.actor import Actor
from instances.tiers import Tier

if TYPE_CHECKING:
    from benchmarks.multi_tenant_dataset import Crowd, Question
    from instances.models import Instance

DATABASE = "keepsake_benchmark_scale"
#: Results of a search.
LIMIT = 10
#: The same statements without the product: sent as text, or planned once.
BY_HAND, PLANNED = "by hand", "planned"
#: Questions before it counts: what the first ones find is not in memory yet.
WARM_UP = 5

#: Addresses of the screen's list, by what they ask for.
LISTS = ("", "page=2", "page=100", "page=9999")
FILTERS = (
    *("category=fact", "category=decision", "origin=manual", "state=current", "state=expired"),
    *("state=stale", "state=changed", "state=unrecalled", "state=waiting"),
)


@dataclass
class Times:
    """Milliseconds, by what was done."""

    of: dict[str, list[float]] = field(default_factory=dict)

    @contextmanager
    def taking(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.of.setdefault(name, []).append((time.perf_counter() - begun) * 1000)

    def at(self, share: float, name: str) -> float:
        return percentile(self.of[name], share)

    def p95(self, *names: str) -> float | None:
        """The worst 95th percentile among *names*; None without any."""
        return max((self.at(0.95, name) for name in names if name in self.of), default=None)

    def names(self, begin: str) -> list[str]:
        return [name for name in self.of if name.startswith(begin)]


@dataclass
class Found:
    """All that one run has found out."""

    times: Times
    #: Recall@10 of search by meaning, by instance.
    recall: dict[str, float]
    #: Megabytes, by table or index.
    sizes: dict[str, float]

    def summary(self) -> dict[str, float | None]:
        """The figures by which runs are compared; None: there was no instance of that size."""
        whole = {name: self.times.p95(f"search {name}") for name in ("1k", "10k", "largest")}
        floors = [
            self.times.at(0.95, f"search {name}") / self.times.at(0.95, f"{BY_HAND} {name}")
            for name, measured in whole.items()
            if measured is not None
        ]
        figures = {
            **{f"p95_ms_{name}": measured for name, measured in whole.items()},
            "floor_ratio": max(floors),
            "recall_at_10_smallest": self.recall["smallest"],
            "recall_at_10_largest": self.recall["largest"],
            "list_p95_ms": self.times.p95(*self.times.names("list ")),
            "filter_p95_ms": self.times.p95(*self.times.names("filter ")),
            "store_p95_ms": self.times.p95(*self.times.names("store ")),
        }
        return {
            name: figure if figure is None else round(figure, 4) for name, figure in figures.items()
        }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000, metavar="N")
    parser.add_argument("--instances", type=int, default=300, metavar="M")
    parser.add_argument(
        "--largest",
        type=int,
        metavar="L",
        help="memories of the largest instance (default: a fifth)",
    )
    parser.add_argument(
        "--turns", type=float, default=1.0, metavar="T", help="turns said for each memory"
    )
    parser.add_argument(
        "--questions", type=int, default=60, metavar="Q", help="searches in each instance"
    )
    parser.add_argument("--json", action="store_true", help="end with one JSON object in a line")
    parser.add_argument(
        "--compare", type=Path, metavar="FILE", help="what another run has printed with --json"
    )
    parser.add_argument(
        "--database", default=DATABASE, help="dropped and made anew (default: %(default)s)"
    )
    parser.add_argument("--keep", action="store_true", help="do not drop the database at the end")
    parser.add_argument(
        "--reuse", action="store_true", help="measure a database that an earlier run has kept"
    )
    options = parser.parse_args(arguments)
    before = _read(parser, options.compare) if options.compare else None

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    django.setup()
    # Only now: these need the set-up.
    from django.db import OperationalError

    from benchmarks.databases import fresh_database, kept_database
    from memoryapp.embedded.paths import ServerError
    from memoryapp.embeddings.vector_indexes import maintain_indexes

    database = (
        kept_database(options.database)
        if options.reuse
        else fresh_database(options.database, keep=options.keep)
    )
    try:
        with database:
            crowd = _crowd(options)
            begun = time.perf_counter()
            maintain_indexes()
            told(f"{time.perf_counter() - begun:.0f} s to build the indexes of large instances")
            found = measure(crowd, options.questions)
    except (ValueError, OperationalError, ServerError) as error:
        parser.error(str(error))
    print(table(found))
    if before is not None:
        print(growth(before, found.summary()))
    if options.json:
        print(json.dumps(found.summary()))
    return 0


def _crowd(options: argparse.Namespace) -> "Crowd":
    """Fill the database in use, unless that was done before."""
    from benchmarks.multi_tenant_dataset import fill, kept

    if options.reuse:
        return kept()
    begun = time.perf_counter()
    crowd = fill(
        options.memories,
        options.instances,
        largest=options.largest,
        turns_a_memory=options.turns,
    )
    told(
        f"{options.memories:,} memories and {crowd.turns:,} turns in {options.instances}"
        f" instances: {time.perf_counter() - begun:.0f} s to fill"
    )
    return crowd


def told(line: str) -> None:
    """Report progress on stderr, apart from the result."""
    print(line, file=sys.stderr, flush=True)


def measure(crowd: "Crowd", questions: int) -> Found:
    """Measure everything in the database in use, which *crowd* fills."""
    from benchmarks.multi_tenant_dataset import ready_vectors, sizes_on_disk

    found = Found(Times(), {}, sizes_on_disk())
    instances = {
        "1k": crowd.of_size(1_000),
        "10k": crowd.of_size(10_000),
        "largest": crowd.instances[0],
        "smallest": crowd.instances[-1],
    }
    for name, instance in instances.items():
        if instance is None:
            continue
        asked = crowd.questions(instance, questions + WARM_UP)
        found.recall[name] = recall_at_10(instance, asked)
        with ready_vectors({each.text: each.vector for each in asked}):
            search(name, instance, [each.text for each in asked], found.times)
        told(f"searched the instance “{name}”")
    largest = crowd.instances[0]
    screen(largest, found.times, max(3, questions // 3))
    told("listed and filtered")
    facts = crowd.facts(largest, questions + WARM_UP)
    with ready_vectors(facts):
        store(largest, list(facts), found.times)
    return found


def search(name: str, instance: "Instance", questions: Sequence[str], times: Times) -> None:
    """Ask every question of the product and, in turns with it, of the database alone."""
    from memoryapp.recall import RecallOptions, recall

    for number, question in enumerate(questions):
        watch = Watch(Times() if number < WARM_UP else times, name)
        ask = partial(recall, instance, question, RecallOptions(limit=LIMIT))
        with watch.statements():
            ask()
        turns: list[Callable[[], None]] = [
            partial(watch.whole, ask),
            partial(watch.floor, BY_HAND),
            partial(watch.floor, PLANNED),
        ]
        for turn in turns if number % 2 else turns[::-1]:
            turn()


class Watch:
    """Notes what one search asks of the database, to ask the same without the product."""

    def __init__(self, times: Times, name: str) -> None:
        self.times, self.name = times, name
        #: Each statement with what is in its places, and whether it is planned once.
        self.seen: list[tuple[str, Any, bool]] = []

    @contextmanager
    def statements(self) -> Iterator[None]:
        """Note each statement, and how long it takes: each list is one."""
        from django.db import connection
        from psycopg import ClientCursor

        def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            is_text = isinstance(context["cursor"].cursor, ClientCursor)
            self.seen.append((sql, params, not is_text))
            with self.times.taking(f"part {self.name}: {_asks_for(sql)}"):
                return execute(sql, params, many, context)

        with connection.execute_wrapper(note):
            yield

    def whole(self, ask: Callable[[], Any]) -> None:
        """Time the product's search."""
        with self.times.taking(f"search {self.name}"):
            ask()

    def floor(self, how: str) -> None:
        """Time the same statements, in one transaction if they were."""
        from django.db import connection, transaction

        from memoryapp.models.prepared_statements import prepared

        with (
            transaction.atomic(),
            connection.cursor() as text,
            prepared() as planned,
            self.times.taking(f"{how} {self.name}"),
        ):
            for sql, params, is_planned in self.seen:
                cursor = planned.cursor if is_planned and how == PLANNED else text.cursor
                cursor.execute(sql, params)
                for _ in cursor.results():
                    if cursor.description:
                        cursor.fetchall()


def _asks_for(sql: str) -> str:
    """The tables that a statement names, without their common beginning: what tells lists apart."""
    tables = dict.fromkeys(re.findall(r"\b(?:memoryapp|conversations|instances)_(\w+)", sql))
    how = "words of " if "tsquery" in sql else "nearest " if "<#>" in sql else ""
    return how + " + ".join(tables) if tables else sql.split()[0].lower()


def recall_at_10(instance: "Instance", questions: Sequence["Question"]) -> float:
    """Compare what is nearest to each question with what is by numpy, of all stored vectors."""
    import numpy as np

    from memoryapp.models import MemoryEmbedding
    from memoryapp.models.vectors import QueryVector
    from memoryapp.providers.builtin_embedder import SPACE

    rows = MemoryEmbedding.objects.filter(instance=instance).values_list("memory_id", "embedding")
    ids, vectors = zip(*rows.iterator(), strict=True)
    matrix = np.array(vectors, dtype=np.float32)
    shares = []
    for question in questions:
        cosines = matrix @ question.vector
        truth = {ids[at] for at in np.argsort(-cosines)[:10]}
        nearest = MemoryEmbedding.objects.nearest(
            QueryVector(instance, SPACE, question.vector), limit=10
        )
        shares.append(len(truth & {pk for pk, _ in nearest}) / len(truth))
    return sum(shares) / len(shares)


def screen(instance: "Instance", times: Times, rounds: int) -> None:
    """Load pages of the screen's list, as the view does before it draws them."""
    from django.http import QueryDict

    from benchmarks.multi_tenant_dataset import a_tag_and_a_person
    from memoryapp.web.memory.listing import MemoryList, load

    own = a_tag_and_a_person(instance)
    for number in range(-1, rounds):
        timed = times if number >= 0 else Times()
        for kind, queries in (("list", LISTS), ("filter", (*FILTERS, *own))):
            for query in queries:
                with timed.taking(f"{kind} {query or 'first page'}"):
                    load(MemoryList.parse(QueryDict(query), instance=instance))


def store(instance: "Instance", facts: Sequence[str], times: Times) -> None:
    """Take new facts through the write path, one by one."""
    from memoryapp.models import Origin
    from memoryapp.pipeline import Candidate, Writer, remember

    writer = Writer(Origin.API, Actor(via="benchmark"), tier=Tier.USER)
    for number, fact in enumerate(facts):
        timed = times if number >= WARM_UP else Times()
        with timed.taking("store a fact"):
            remember(instance, [Candidate(fact)], writer)


def table(found: Found) -> str:
    """Return all that was measured, as text."""
    lines = [f"{'milliseconds':<58}{'p50':>8}{'p95':>8}"]
    for name in found.times.of:
        lines.append(
            f"{name:<58}{found.times.at(0.5, name):>8.1f}{found.times.at(0.95, name):>8.1f}"
        )
    lines += ["", f"{'recall@10 of search by meaning':<58}"]
    lines += [f"{name:<58}{share:>8.3f}" for name, share in found.recall.items()]
    lines += ["", f"{'on disk':<58}{'MB':>8}"]
    lines += [f"{name:<58}{size:>8.1f}" for name, size in found.sizes.items()]
    return "\n".join(lines)


def growth(before: dict[str, Any], now: dict[str, Any]) -> str:
    """Say how much an instance of the same size costs now, compared with another run."""
    lines = []
    for name in ("p95_ms_1k", "p95_ms_10k"):
        if before.get(name) and now.get(name):
            lines.append(f"{name}: {now[name] / before[name]:.2f} times that of the other run")
    return "\n".join(lines) or "The two runs have no instance of the same size."


def _read(parser: argparse.ArgumentParser, path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text().strip().splitlines()[-1])
    except (OSError, ValueError, IndexError):
        parser.error(f"{path} does not end with what a run prints with --json.")
    return dict(found)


if __name__ == "__main__":
    sys.exit(main())
