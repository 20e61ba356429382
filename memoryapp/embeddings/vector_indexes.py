"""Builds approximate indexes for large instances, and drops those that are no longer needed.

The number of vectors decides which indexes should exist, and how thoroughly they are searched;
PostgreSQL's catalogue tells which exist. `maintain_indexes` makes the two agree, so a worker can
die at any moment: an index that is half built is dropped and built again, and that of a deleted
instance is dropped. Neither building nor dropping blocks searches or writes.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from django.conf import settings
from django.db import OperationalError, connection
from django.db.models import Count
from django.utils import timezone
from psycopg import sql
from psycopg.errors import DiskFull, OutOfMemory

from instances.partitions import partition_of
from memoryapp.models import (
    DocumentEmbedding,
    DrawerEmbedding,
    EmbeddingSpace,
    MemoryEmbedding,
    VectorIndex,
)
from memoryapp.models.vectors import Embedding
from memoryapp.providers.configured import space_of
from memoryapp.runs.locks import try_lock

logger = logging.getLogger(__name__)

#: An index is dropped below this share of the number of vectors that it takes to build one, so that
#: it is not built and dropped in turns.
DROP_BELOW = 0.75
#: The longest `halfvec` that pgvector can index, and the first version with iterative scans, which
#: continue if a filter leaves too few rows.
MAX_DIMENSIONS, MIN_PGVECTOR = 4_000, (0, 8)
#: HNSW parameters `m`, as pgvector has it by default, and `ef_construction`. Measured on 200,000
#: messages, recall@10: .985 with the default of 64 and an effort of 400, .989 with 96 and 365.
M, EF_CONSTRUCTION = 16, 96
#: Bytes of a vector in a graph that is being built, beside the vector itself: its links with their
#: distances, and what goes with them, with a tenth to spare.
GRAPH_BYTES = 40 * M + 200
#: Megabytes for building, at least.
MIN_MEMORY = 64

TABLES: dict[str, type[MemoryEmbedding] | type[DrawerEmbedding] | type[DocumentEmbedding]] = {
    VectorIndex.Of.MEMORY: MemoryEmbedding,
    VectorIndex.Of.DRAWER: DrawerEmbedding,
    VectorIndex.Of.DOCUMENT: DocumentEmbedding,
}


class DueIndex(NamedTuple):
    """An index that should exist."""

    space: EmbeddingSpace
    #: The kind of its vectors, and their number.
    of: str
    rows: int


def maintain_indexes() -> None:
    """Build and drop the indexes that are due, one at a time, unless another worker does so.

    Do not call it inside a transaction: PostgreSQL builds concurrently only outside of one.
    """
    if not (settings.VECTOR_INDEX_FROM or VectorIndex.objects.exists()) or not _can_index():
        return
    with maintenance_lock() as mine:
        if not mine:
            return
        due = _due()
        _drop_needless(due)
        for index in due:
            _build_if_needed(index)


def _can_index() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        (version,) = cursor.fetchone()
    return tuple(map(int, version.split(".")[:2])) >= MIN_PGVECTOR


@contextmanager
def maintenance_lock() -> Iterator[bool]:
    """Hold the lock of index maintenance if it is free; yield whether the caller has it.

    A transaction on a connection of its own holds it, so that it ends with the worker, and works
    with a transaction pooler. It reads no row: a concurrent index build would wait for its
    snapshot.
    """
    own = connection.copy()
    try:
        own.set_autocommit(False)
        yield try_lock(__name__, own)
        # A pool warns of a transaction that a returned connection has left open.
        own.rollback()
    finally:
        own.close()


def _due() -> list[DueIndex]:
    """The indexes of the large spaces that are searched."""
    due: list[DueIndex] = []
    for of, table in TABLES.items():
        indexed = set(VectorIndex.objects.filter(of=of).values_list("space_id", flat=True))
        # An index-only scan: counting does not read the vectors.
        rows = table.objects.order_by().values_list("space").annotate(rows=Count("*"))
        enough = {
            space: count
            for space, count in rows
            if settings.VECTOR_INDEX_FROM
            and count >= settings.VECTOR_INDEX_FROM * (DROP_BELOW if space in indexed else 1)
        }
        spaces = EmbeddingSpace.objects.filter(pk__in=enough).select_related("instance")
        due += [
            DueIndex(space, of, enough[space.pk])
            for space in spaces
            if space.name == space_of(space.instance.embeddings)
        ]
    return due


def _drop_needless(due: list[DueIndex]) -> None:
    wanted = {(index.space.pk, index.of) for index in due}
    for row in VectorIndex.objects.all():
        if (row.space_id, row.of) not in wanted:
            row.delete()
            logger.info("vector index not needed", extra={"index": row.name})
    VectorIndex.forget_known()
    names = {row.name for row in VectorIndex.objects.all()}
    for name in built_indexes():
        if name not in names:
            drop_index(name)


def _build_if_needed(due: DueIndex) -> None:
    """Build an index if it is missing or invalid, or its recall is too low; note what it holds."""
    space, of, rows = due
    table = TABLES[of]
    row = VectorIndex.objects.filter(space=space, of=of).first()
    if row is None:
        vector = table.objects.filter(instance=space.instance_id, space=space).first()
        if vector is None or len(vector.embedding) > MAX_DIMENSIONS:
            return
        row = VectorIndex.objects.create(
            instance_id=space.instance_id, space=space, of=of, dimensions=len(vector.embedding)
        )
    if row.is_in_use and built_indexes().get(row.name):
        _note_growth(row, rows)
        return
    if row.state == VectorIndex.State.DOUBTED:
        # A new build gives about the same graph: search more of it from now on.
        row.effort = min(2 * row.effort, VectorIndex.MAX_EFFORT)
    row.rows, row.effort = rows, max(row.effort, VectorIndex.effort_for(rows))
    row.state, row.checks = VectorIndex.State.BUILDING, []
    row.save(update_fields=["state", "checks", "effort", "rows"])
    VectorIndex.forget_known()
    begun = timezone.now()
    _build(row, table)
    # If the instance was deleted meanwhile, the index is dropped next time.
    row.row().update(state=VectorIndex.State.READY, built_at=timezone.now())
    VectorIndex.forget_known()
    seconds = (timezone.now() - begun).total_seconds()
    logger.info("vector index built", extra={"index": row.name, "seconds": seconds})


def _note_growth(row: VectorIndex, rows: int) -> None:
    """Note that an index has so many *rows* by now, and let it be searched accordingly."""
    if rows == row.rows:
        return
    mine = row.row()
    mine.update(rows=rows)
    # A check may have raised it meanwhile.
    if mine.filter(effort__lt=VectorIndex.effort_for(rows)).update(
        effort=VectorIndex.effort_for(rows)
    ):
        VectorIndex.forget_known()


def _build(row: VectorIndex, table: type[Embedding]) -> None:
    """Build an index anew, by several cores if there are enough."""
    drop_index(row.name)
    helpers = _helpers()
    try:
        _create(row, table, helpers=helpers)
    except OperationalError as error:
        # Several processes share a graph in shared memory, of which containers have little.
        if not (helpers and isinstance(error.__cause__, DiskFull | OutOfMemory)):
            raise
        logger.info("vector index is built by one process", extra={"index": row.name})
        drop_index(row.name)
        _create(row, table, helpers=0)


def _helpers() -> int:
    """The processes that help to build an index: half of the cores are for everything else."""
    return max(0, (os.cpu_count() or 1) // 2 - 1)


def memory_needed(rows: int, dimensions: int) -> int:
    """Return the megabytes that it takes to build an index of so many *rows* in memory. One that
    does not fit takes many times as long.
    """
    return 1 + (rows * (2 * dimensions + GRAPH_BYTES) >> 20)


def _create(row: VectorIndex, table: type[Embedding], *, helpers: int) -> None:
    statement = sql.SQL(
        "CREATE INDEX CONCURRENTLY {name} ON {table}"
        " USING hnsw ((embedding::halfvec({dimensions})) halfvec_ip_ops)"
        " WITH (m = {links}, ef_construction = {care})"
        " WHERE instance_id = {instance} AND space_id = {space}"
    ).format(
        name=sql.Identifier(row.name),
        # No index is built concurrently for all partitions, and this one has rows of one only.
        table=sql.Identifier(partition_of(table._meta.db_table, row.instance_id)),
        dimensions=sql.Literal(row.dimensions),
        links=sql.Literal(M),
        care=sql.Literal(EF_CONSTRUCTION),
        instance=sql.Literal(row.instance_id),
        space=sql.Literal(row.space_id),
    )
    megabytes = min(memory_needed(row.rows, row.dimensions), settings.VECTOR_INDEX_MEMORY)
    parameters = {
        # PostgreSQL starts a helper only if there are 32 MB for each process.
        "maintenance_work_mem": f"{max(megabytes, MIN_MEMORY)}MB",
        "max_parallel_maintenance_workers": str(helpers),
    }
    with connection.cursor() as cursor:
        try:
            for name, value in parameters.items():
                cursor.execute("SELECT set_config(%s, %s, false)", [name, value])
            cursor.execute(statement)
        finally:
            for name in parameters:
                cursor.execute(sql.SQL("RESET {}").format(sql.Identifier(name)))


def built_indexes() -> dict[str, bool]:
    """The vector indexes in PostgreSQL, and whether each is valid."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
            " WHERE c.relnamespace = current_schema()::regnamespace"
            r" AND c.relname ~ %s",
            [rf"^({'|'.join(VectorIndex.Of.values)})_near_\d+$"],
        )
        return dict(cursor.fetchall())


def drop_index(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}").format(sql.Identifier(name)))
