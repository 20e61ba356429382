"""Builds approximate indexes for large instances, and drops those that are no longer needed.

The number of vectors decides which indexes should exist; PostgreSQL's catalogue tells which do.
`maintain_indexes` makes the two agree, so a worker can die at any moment: an index that is half
built is dropped and built again, and that of a deleted instance is dropped. Neither building nor
dropping blocks searches or writes.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection
from django.db.models import Count
from django.utils import timezone
from psycopg import sql

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
#: HNSW parameters `m` and `ef_construction`: the defaults of pgvector.
M, EF_CONSTRUCTION = 16, 64
#: Memory for building: an index that does not fit takes many times as long.
MAINTENANCE_WORK_MEM = "512MB"

TABLES: dict[str, type[MemoryEmbedding] | type[DrawerEmbedding] | type[DocumentEmbedding]] = {
    VectorIndex.Of.MEMORY: MemoryEmbedding,
    VectorIndex.Of.DRAWER: DrawerEmbedding,
    VectorIndex.Of.DOCUMENT: DocumentEmbedding,
}


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
        for space, of in due:
            _build_if_needed(space, of)


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


def _due() -> list[tuple[EmbeddingSpace, str]]:
    """The large spaces that are searched, each with the kind of its vectors."""
    due = []
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
            (space, of) for space in spaces if space.name == space_of(space.instance.embeddings)
        ]
    return due


def _drop_needless(due: list[tuple[EmbeddingSpace, str]]) -> None:
    wanted = {(space.pk, of) for space, of in due}
    for row in VectorIndex.objects.all():
        if (row.space_id, row.of) not in wanted:
            row.delete()
            logger.info("vector index not needed", extra={"index": row.name})
    VectorIndex.forget_known()
    names = {row.name for row in VectorIndex.objects.all()}
    for name in built_indexes():
        if name not in names:
            drop_index(name)


def _build_if_needed(space: EmbeddingSpace, of: str) -> None:
    """Build the index of *space* if it is missing or invalid, or its recall is too low."""
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
        return
    if row.state == VectorIndex.State.DOUBTED:
        # A new build gives about the same graph: search more of it from now on.
        row.effort = min(2 * row.effort, VectorIndex.MAX_EFFORT)
    row.state, row.checks = VectorIndex.State.BUILDING, []
    row.save(update_fields=["state", "checks", "effort"])
    VectorIndex.forget_known()
    drop_index(row.name)
    begun = timezone.now()
    _build(row, table)
    # If the instance was deleted meanwhile, the index is dropped next time.
    VectorIndex.objects.filter(pk=row.pk).update(
        state=VectorIndex.State.READY, built_at=timezone.now()
    )
    VectorIndex.forget_known()
    seconds = (timezone.now() - begun).total_seconds()
    logger.info("vector index built", extra={"index": row.name, "seconds": seconds})


def _build(row: VectorIndex, table: type[Embedding]) -> None:
    statement = sql.SQL(
        "CREATE INDEX CONCURRENTLY {name} ON {table}"
        " USING hnsw ((embedding::halfvec({dimensions})) halfvec_ip_ops)"
        " WITH (m = {links}, ef_construction = {care})"
        " WHERE instance_id = {instance} AND space_id = {space}"
    ).format(
        name=sql.Identifier(row.name),
        table=sql.Identifier(table._meta.db_table),
        dimensions=sql.Literal(row.dimensions),
        links=sql.Literal(M),
        care=sql.Literal(EF_CONSTRUCTION),
        instance=sql.Literal(row.instance_id),
        space=sql.Literal(row.space_id),
    )
    parameters = {
        "maintenance_work_mem": MAINTENANCE_WORK_MEM,
        "max_parallel_maintenance_workers": "0",
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
            r" AND c.relname ~ '^(memory|drawer)_near_\d+$'"
        )
        return dict(cursor.fetchall())


def drop_index(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}").format(sql.Identifier(name)))
