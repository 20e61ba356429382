"""Approximate indexes of large instances: built when they pay, dropped when they do not.

What should be there follows from how many vectors there are; what is there, PostgreSQL's catalogue
says. Whoever tends brings the two together, so that a worker may die at any moment: an index that
is half built is dropped and built anew, and one whose instance has gone is dropped. Building and
dropping keep nobody waiting, neither who searches nor who writes.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection
from django.db.models import Count
from django.utils import timezone
from psycopg import sql

from memoryapp.models import DrawerEmbedding, EmbeddingSpace, MemoryEmbedding, VectorIndex
from memoryapp.models.vectors import Embedding
from memoryapp.providers.configured import space_of
from memoryapp.runs.locks import try_lock

logger = logging.getLogger(__name__)

#: An index is dropped when this share of the vectors that it takes to build one is left, so that
#: none is built and dropped in turns.
DROPPED_AT = 0.75
#: What pgvector can index of `halfvec`, and since when it goes on where a filter lets too few pass.
MAX_DIMENSIONS, SINCE = 4_000, (0, 8)
#: Links of a vector, and candidates that are looked at to find them: pgvector's own defaults.
LINKS, CARE = 16, 64
#: For building: an index that does not fit takes many times as long. Of the cores, one.
MEMORY = "512MB"

TABLES: dict[str, type[MemoryEmbedding] | type[DrawerEmbedding]] = {
    VectorIndex.Of.MEMORY: MemoryEmbedding,
    VectorIndex.Of.DRAWER: DrawerEmbedding,
}


def maintain_indexes() -> None:
    """Build and drop what is due, one index at a time; somebody else who tends is left to it.

    Not inside a transaction: PostgreSQL builds beside the work only outside of one.
    """
    if not (settings.VECTOR_INDEX_FROM or VectorIndex.objects.exists()) or not _can_index():
        return
    with _only_one() as mine:
        if not mine:
            return
        due = _due()
        _drop_needless(due)
        for space, of in due:
            _see_to(space, of)


def _can_index() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        (version,) = cursor.fetchone()
    return tuple(map(int, version.split(".")[:2])) >= SINCE


@contextmanager
def _only_one() -> Iterator[bool]:
    """Hold the lock of those who tend, and tell whether the caller has it.

    In a transaction of a connection of its own, so that it goes with the worker, and works through
    a pooler that lends connections by the transaction. It looks at no row, so that nobody who
    builds has to wait for it to end.
    """
    beside = connection.copy()
    try:
        beside.set_autocommit(False)
        yield try_lock(__name__, beside)
    finally:
        beside.close()


def _due() -> list[tuple[EmbeddingSpace, str]]:
    """The spaces that are to have an index, and of what: large ones that their instance searches.
    Those that it has left, or is only about to go over to, are not searched by anybody.
    """
    due = []
    for of, table in TABLES.items():
        indexed = set(VectorIndex.objects.filter(of=of).values_list("space_id", flat=True))
        # By a column that an index holds: to count the vectors, none is read.
        rows = table.objects.order_by().values_list("space").annotate(rows=Count("*"))
        enough = {
            space: count
            for space, count in rows
            if settings.VECTOR_INDEX_FROM
            and count >= settings.VECTOR_INDEX_FROM * (DROPPED_AT if space in indexed else 1)
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
    for name in _built():
        if name not in names:
            _drop(name)


def _see_to(space: EmbeddingSpace, of: str) -> None:
    """Have the index of *space* built, if it is not there, is not whole, or finds too little."""
    table = TABLES[of]
    row = VectorIndex.objects.filter(space=space, of=of).first()
    if row is None:
        vector = table.objects.filter(instance=space.instance_id, space=space).first()
        if vector is None or len(vector.embedding) > MAX_DIMENSIONS:
            return
        row = VectorIndex.objects.create(
            instance_id=space.instance_id, space=space, of=of, dimensions=len(vector.embedding)
        )
    if row.is_in_use and _built().get(row.name):
        return
    if row.state == VectorIndex.State.DOUBTED:
        # The same vectors make about the same graph: look at more of it from now on.
        row.effort = min(2 * row.effort, VectorIndex.MOST_EFFORT)
    row.state, row.checks = VectorIndex.State.BUILDING, []
    row.save(update_fields=["state", "checks", "effort"])
    VectorIndex.forget_known()
    _drop(row.name)
    begun = timezone.now()
    _build(row, table)
    # Gone meanwhile when somebody has deleted the instance: the index goes the next time.
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
        links=sql.Literal(LINKS),
        care=sql.Literal(CARE),
        instance=sql.Literal(row.instance_id),
        space=sql.Literal(row.space_id),
    )
    settings_of_it = {"maintenance_work_mem": MEMORY, "max_parallel_maintenance_workers": "0"}
    with connection.cursor() as cursor:
        try:
            for name, value in settings_of_it.items():
                cursor.execute("SELECT set_config(%s, %s, false)", [name, value])
            cursor.execute(statement)
        finally:
            for name in settings_of_it:
                cursor.execute(sql.SQL("RESET {}").format(sql.Identifier(name)))


def _built() -> dict[str, bool]:
    """The indexes of this kind that PostgreSQL has, and whether each is whole."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
            " WHERE c.relnamespace = current_schema()::regnamespace"
            r" AND c.relname ~ '^(memory|drawer)_near_\d+$'"
        )
        return dict(cursor.fetchall())


def _drop(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}").format(sql.Identifier(name)))
