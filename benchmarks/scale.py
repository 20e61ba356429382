"""``python -m benchmarks.scale --memories N --instances M [--json]``: does it stay quick?

Fills a database of its own with many instances, one of them with a fifth of all memories or with
as many as ``--largest`` says, and measures what people wait for: a whole search, apart from the
embedding of its question; the screen's list and its filters; the write path, apart from the
embedding of the fact. ``--table`` puts these figures into a page, and before and after them, the
machine's own pace is measured: see `benchmarks.machine`. Also measured:

- exact search, computed here from the stored vectors, as the truth that search by meaning is
  compared with: recall@10;
- how far search by words, which ranks a selection of texts in a large instance, agrees with a
  ranking of all of them;
- the same statements through a bare database cursor, in turns with the product: as text, as one
  sends them by hand, which is what ``floor_ratio`` compares with; and planned once where the
  product has them planned once, which leaves what the product itself takes;
- how long it takes to build each approximate index, and how much longer a search takes meanwhile;
- what tables and indexes take on disk.

With ``--compare`` and the JSON of another run it says how cost grows with the size of the tables
for an instance that stays the same.
"""

import argparse
import json
import logging
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from benchmarks import command, documentation_tables
from benchmarks.scale_figures import (
    ALONE,
    BEFORE,
    BY_HAND,
    HEADINGS,
    IN_GROUPS,
    MEANWHILE,
    PLANNED,
    Found,
    Times,
    growth,
    row,
    table,
)
from instances.actor import Actor
from instances.tiers import Tier

if TYPE_CHECKING:
    from benchmarks.multi_tenant_dataset import Crowd, Question
    from instances.models import Instance
    from memoryapp.models import DrawerEmbedding, MemoryEmbedding

DATABASE = "keepsake_benchmark_scale"
#: Results of a search.
LIMIT = 10
#: Vectors that are compared at a time.
BATCH_SIZE = 5_000
#: Questions before it counts: what the first ones find is not in memory yet.
WARM_UP = 5
#: Times as many questions for recall@10: of sixty, it would only be known to a hundredth.
MORE_FOR_RECALL = 5

#: Addresses of the screen's list, by what they ask for.
LISTS = ("", "page=2", "page=100", "page=9999")
FILTERS = (
    *("category=fact", "category=decision", "origin=manual", "state=current", "state=expired"),
    *("state=stale", "state=changed", "state=unrecalled", "state=waiting"),
    *("category=fact&state=current", "category=fact&state=waiting", "category=fact&origin=manual"),
    *("category=fact&page=50", "state=current&page=9999", "sort=important", "sort=changed&page=50"),
)
#: The same with the names of `a_tag_and_a_person`: a frequent tag, a rare one, an end user.
OWN_FILTERS = (
    *("tag={tag}", "tag={rare}", "user={user}", "tag={tag}&page=50", "tag={tag}&category=fact"),
    *("tag={tag}&user={user}", "tag={tag}&state=current", "user={user}&category=fact"),
)


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
    command.add_json(parser)
    parser.add_argument(
        "--compare", type=Path, metavar="FILE", help="what another run has printed with --json"
    )
    command.add_database(parser, DATABASE)
    parser.add_argument(
        "--table", type=Path, metavar="FILE", help="put the figures into this Markdown page"
    )
    parser.add_argument("--keep", action="store_true", help="do not drop the database at the end")
    parser.add_argument(
        "--reuse", action="store_true", help="measure a database that an earlier run has kept"
    )
    options = parser.parse_args(arguments)
    before = _read(parser, options.compare) if options.compare else None

    with command.running(parser):
        # Only now: these need the set-up.
        from benchmarks.databases import fresh_database, kept_database
        from benchmarks.machine import pace
        from memoryapp.tasks import count_words

        database = (
            kept_database(options.database)
            if options.reuse
            else fresh_database(options.database, keep=options.keep)
        )
        with database:
            crowd = _crowd(options)
            before_it = pace()
            told(f"the machine: {before_it}")
            begun = time.perf_counter()
            count_words()
            told(f"{time.perf_counter() - begun:.0f} s to count the words of large instances")
            found = measure(crowd, options.questions)
            found.paces = [before_it, pace()]
        print(table(found))
        if options.table:
            documentation_tables.write(options.table, "scale", HEADINGS, row(found))
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
    from benchmarks.multi_tenant_dataset import a_tag_and_a_person, ready_vectors, sizes_on_disk
    from benchmarks.word_agreement import agreement
    from memoryapp.embeddings.vector_indexes import maintain_indexes
    from memoryapp.models import DrawerEmbedding, MemoryEmbedding

    found = Found(Times(), largest=crowd.sizes[0])
    with noted_builds(found.built):
        maintain_indexes()
    told(f"built the indexes of large instances: {found.built}")
    found.sizes = sizes_on_disk()
    instances = {
        "1k": crowd.of_size(1_000),
        "10k": crowd.of_size(10_000),
        "largest": crowd.instances[0],
        "smallest": crowd.instances[-1],
    }
    for name, instance in instances.items():
        if instance is None:
            continue
        asked = crowd.questions(instance, MORE_FOR_RECALL * questions)
        found.recall[name] = recall_at_10(instance, asked, MemoryEmbedding)
        found.recall[f"{name}, messages"] = recall_at_10(instance, asked, DrawerEmbedding)
        asked = crowd.questions(instance, questions + WARM_UP)
        with ready_vectors({each.text: each.vector for each in asked}):
            search(name, instance, [each.text for each in asked], found.times)
            if name == "largest":
                found.agreement = agreement(instance, [each.text for each in asked])
        told(f"searched the instance “{name}”")
    largest = crowd.instances[0]
    names = a_tag_and_a_person(largest)
    asked = crowd.questions(largest, questions + WARM_UP)
    with ready_vectors({each.text: each.vector for each in asked}):
        texts = [each.text for each in asked]
        search("person", largest, texts, found.times, end_user=names["user"])
        search_in_groups(largest, texts, found.times, end_user=names["user"])
    screen(largest, names, found.times, max(3, questions // 3))
    told("listed and filtered")
    facts = crowd.facts(largest, questions + WARM_UP)
    with ready_vectors(facts):
        store(largest, list(facts), found.times)
    asked = crowd.questions(largest, questions + WARM_UP)
    with ready_vectors({each.text: each.vector for each in asked}):
        search_during_a_build(largest, [each.text for each in asked], found)
    return found


@contextmanager
def noted_builds(seconds: dict[str, float]) -> Iterator[None]:
    """Note how many *seconds* each build of an index takes, by its name."""
    from memoryapp.embeddings import vector_indexes

    class Notes(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if hasattr(record, "seconds"):
                seconds[record.index] = record.seconds  # type: ignore[attr-defined]

    notes, logger = Notes(), vector_indexes.logger
    level = logger.level
    logger.addHandler(notes)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(notes)
        logger.setLevel(level)


def search_during_a_build(instance: "Instance", questions: Sequence[str], found: Found) -> None:
    """Build the index of the memories of *instance* again, if it has one, and search meanwhile.

    Until it is there, every memory is compared. So are they before, for the sake of comparison.
    """
    from django.db import connection

    from memoryapp.embeddings.vector_indexes import maintain_indexes
    from memoryapp.models import MemoryEmbedding, VectorIndex
    from memoryapp.recall import RecallOptions, recall

    indexes = VectorIndex.objects.filter(instance=instance, of=MemoryEmbedding.OWNER)
    if not indexes.delete()[0]:
        return
    VectorIndex.forget_known()

    def build() -> None:
        try:
            maintain_indexes()
        finally:
            connection.close()

    def ask(name: str, number: int, times: Times) -> None:
        with times.taking(name):
            recall(instance, questions[number % len(questions)], RecallOptions(limit=LIMIT))

    for number in range(len(questions)):
        ask(BEFORE, number, Times() if number < WARM_UP else found.times)
    builder = Thread(target=build)
    with noted_builds(found.built):
        builder.start()
        number = 0
        while not number or builder.is_alive():
            ask(MEANWHILE, number, found.times)
            number += 1
        builder.join()
    told(f"built an index again during {number} searches")


def search(
    name: str,
    instance: "Instance",
    questions: Sequence[str],
    times: Times,
    *,
    end_user: str | None = None,
) -> None:
    """Ask every question of the product and, in turns with it, of the database alone; maybe only of
    what is known of one *end_user*.
    """
    from memoryapp.recall import RecallOptions, recall

    for number, question in enumerate(questions):
        watch = Watch(Times() if number < WARM_UP else times, name)
        ask = partial(recall, instance, question, RecallOptions(limit=LIMIT, end_user=end_user))
        with watch.statements():
            ask()
        turns: list[Callable[[], None]] = [
            partial(watch.whole, ask),
            partial(watch.floor, BY_HAND),
            partial(watch.floor, PLANNED),
        ]
        for turn in turns if number % 2 else turns[::-1]:
            turn()


def search_in_groups(
    instance: "Instance", questions: Sequence[str], times: Times, *, end_user: str
) -> None:
    """Ask what one person may see, in turns without groups, and in two that share what is kept of
    two other people.
    """
    from django.db import transaction

    from instances.models import Group
    from memoryapp.recall import RecallOptions, recall

    others = instance.memories.exclude(end_user__in=["", end_user]).order_by()
    with transaction.atomic():
        for number, (shared_id,) in enumerate(others.values_list("end_user").distinct()[:2]):
            group = Group.objects.create(
                instance=instance, name=f"Group {number}", shared_id=shared_id
            )
            group.members.create(instance=instance, end_user=end_user)
        for number, question in enumerate(questions):
            for name in (ALONE, IN_GROUPS) if number % 2 else (IN_GROUPS, ALONE):
                instance.has_groups = name == IN_GROUPS
                with (Times() if number < WARM_UP else times).taking(name):
                    recall(instance, question, RecallOptions(limit=LIMIT, end_user=end_user))
        instance.has_groups = False
        transaction.set_rollback(True)


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


def recall_at_10(
    instance: "Instance",
    questions: Sequence["Question"],
    table: "type[MemoryEmbedding] | type[DrawerEmbedding]",
) -> float:
    """Compare what is nearest to each question in *table* with what is by numpy, of all stored
    vectors.
    """
    import numpy as np

    from memoryapp.models.vectors import QueryVector
    from memoryapp.providers.builtin_embedder import SPACE

    asked = np.stack([question.vector for question in questions])
    # The ids and cosines of the nearest so far, by question.
    ids = np.empty((len(asked), 0), dtype=np.int64)
    cosines = np.empty((len(asked), 0), dtype=np.float32)
    rows = table.objects.filter(instance=instance)
    for some in batched(rows.values_list(f"{table.OWNER}_id", "embedding").iterator(), BATCH_SIZE):
        those, vectors = zip(*some, strict=True)
        matrix = np.array(vectors, dtype=np.float32)
        ids = np.hstack([ids, np.broadcast_to(those, (len(asked), len(those)))])
        cosines = np.hstack([cosines, asked @ matrix.T])
        best = np.argsort(-cosines, axis=1)[:, :10]
        ids = np.take_along_axis(ids, best, axis=1)
        cosines = np.take_along_axis(cosines, best, axis=1)
    shares = []
    for question, truth in zip(questions, ids.tolist(), strict=True):
        query = QueryVector(instance, SPACE, question.vector)
        nearest = table.objects.nearest(query, limit=10)
        shares.append(len(set(truth) & {pk for pk, _ in nearest}) / len(truth))
    return sum(shares) / len(shares)


def batched(rows: Iterator[Any], size: int) -> Iterator[list[Any]]:
    """Yield *rows* in lists of *size*, the last one shorter."""
    while some := list(islice(rows, size)):
        yield some


def screen(instance: "Instance", names: Mapping[str, str], times: Times, rounds: int) -> None:
    """Load pages of the screen's list, as the view does before it draws them, filtered by these
    *names* among others.
    """
    from django.http import QueryDict

    from memoryapp.web.memory.listing import MemoryList, load

    own = [query.format_map(names) for query in OWN_FILTERS]
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


def _read(parser: argparse.ArgumentParser, path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text().strip().splitlines()[-1])
    except (OSError, ValueError, IndexError):
        parser.error(f"{path} does not end with what a run prints with --json.")
    return dict(found)


if __name__ == "__main__":
    sys.exit(main())
