"""Vectors of memories and of drawers, in narrow tables, and the search over them.

Why so, measured on 300,000 memories in 300 instances:

- A vector in the wide memory row is moved out of line by PostgreSQL half of the time, and a scan
  then costs ten times as much. Here the row holds the vector and three ids, and nothing else.
- ``halfvec`` stores every length in use (384, 768, 1536 … 4000) at half the bytes; its rounding
  moves a cosine by less than 0.001.
- Up to 1,024 dimensions a row fits a B-tree page, and the covering index (`…_small`)
  answers an exact search from the instance's own part of one index. Longer vectors are read from
  the table through `…_large`.
- An approximate (HNSW) index over the whole table would be wrong: its neighbours are everybody's,
  and a small instance gets a few of the rows that it asked for. A large instance gets one of its
  own: see `memoryapp.models.embedding_spaces`.
- A row a space, so that vectors of two models never meet, and re-embedding can go on beside a
  search. No row: not embedded yet, and back-filled later.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

import numpy as np
from django.core.exceptions import EmptyResultSet
from django.db import connection, models, transaction
from django.db.models import F, Func, Lookup, QuerySet
from django.db.models.lookups import GreaterThan, LessThanOrEqual
from numpy.typing import NDArray
from pgvector.django import HalfVectorField

from conversations.search import Sql
from instances.models import Instance
from memoryapp.models.embedding_spaces import EmbeddingSpace, VectorIndex
from memoryapp.models.memory import Memory, MemoryRevision
from memoryapp.models.palace import Drawer

#: A memory below this cosine has nothing to do with the question. Measured with the built-in
#: embedder on 24 questions and 32 facts: 88% of the facts that answer are kept, and 8% of those
#: that do not. At 0.20 it is 88% and 3%, but "what should I not cook?" and "the user is allergic to
#: peanuts" have 0.17: to miss such a fact costs more than a weak result at the end of the list.
MIN_SIMILARITY = 0.15

#: Vectors up to this length are searched in the covering index.
COVERED_DIMENSIONS = 1024

#: What Django's migrations cannot say; see the module's docstring.
CREATE_INDEXES = "".join(
    f"""
ALTER TABLE memoryapp_{owner}embedding ALTER COLUMN embedding SET STORAGE PLAIN;
CREATE INDEX {prefix}embedding_small ON memoryapp_{owner}embedding (instance_id, space_id)
    INCLUDE ({owner}_id, embedding) WHERE vector_dims(embedding) <= {COVERED_DIMENSIONS};
CREATE INDEX {prefix}embedding_large ON memoryapp_{owner}embedding (instance_id, space_id)
    WHERE vector_dims(embedding) > {COVERED_DIMENSIONS};
"""
    for owner, prefix in (("memory", ""), ("drawer", "drawer_"))
)


#: A vector in the space of that name, if there is one.
_ADDED = """
INSERT INTO {table} ({owner}_id, instance_id, space_id, embedding)
SELECT %s, instance_id, id, %s FROM memoryapp_embeddingspace WHERE instance_id = %s AND name = %s
"""
#: What stands behind the WITH of a statement that compares with a question: its vector and its
#: space. Written by hand because the ORM sends the vector once for each time that it is named, and
#: takes as long to write the statement as PostgreSQL to answer it in an instance of a thousand.
_QUESTION = """
question AS MATERIALIZED (SELECT %s::halfvec AS vector),
space AS MATERIALIZED (
    SELECT id FROM memoryapp_embeddingspace WHERE instance_id = %s AND name = %s
)
"""
#: Within such a statement. OFFSET 0: else each that is near enough is compared twice.
_EXACTLY_NEAREST = """
SELECT id, distance FROM (
    SELECT {owner}_id AS id, embedding <#> (SELECT vector FROM question) AS distance FROM {table}
    WHERE vector_dims(embedding) {length} AND instance_id = %s
        AND space_id = (SELECT id FROM space)
    OFFSET 0
) AS near
WHERE distance <= %s {narrowed}
ORDER BY distance LIMIT %s
"""
#: The same where it has been looked up, or where there is nothing to look for.
_KNOWN = "SELECT * FROM unnest(%s::bigint[], %s::float[])"
#: The condition and the expression are those of the index to the letter, so that PostgreSQL knows
#: that it may be used.
_NEAREST_BY_INDEX = """
SELECT {owner}_id, embedding::halfvec({dimensions}) <#> %s::halfvec AS distance FROM {table}
WHERE instance_id = %s AND space_id = %s
ORDER BY embedding::halfvec({dimensions}) <#> %s::halfvec LIMIT %s
"""


@dataclass(frozen=True, eq=False)
class QueryVector:
    """What the vectors of an instance are compared with: a vector of shape (d,) in one of its
    embedding spaces. It has length 1, as all stored vectors have, so that the inner product is the
    cosine.
    """

    instance: Instance
    space: str
    vector: NDArray[np.float32]


def query_sql(instance: Instance, query: QueryVector | None) -> Sql:
    """Return what follows the WITH of a statement that compares with *query*:
    ``question (vector)``, and ``space (id)``. Without a query, every comparison is NULL.
    """
    if query is None:
        return Sql(_QUESTION, (None, instance.pk, ""))
    return Sql(_QUESTION, (_halfvec(query.vector), instance.pk, query.space))


def known_sql(near: Sequence[tuple[int, float]]) -> Sql:
    """Return the statement that gives *near*, pairs of an id and a cosine similarity, as
    `EmbeddingManager.nearest_sql` does.
    """
    ids, similarities = zip(*near, strict=True) if near else ((), ())
    return Sql(_KNOWN, (list(ids), [-similarity for similarity in similarities]))


def _halfvec(vector: NDArray[np.float32]) -> str:
    """*vector* as PostgreSQL reads it. Memories and turns are compared with the same question, and
    to write it takes as long as a look-up: the last ones are kept.
    """
    return _written(vector.astype("<f2").tobytes())


@lru_cache(maxsize=8)
def _written(halves: bytes) -> str:
    # Five digits tell any two halves apart.
    return f"[{','.join(f'{number:.5g}' for number in np.frombuffer(halves, '<f2').tolist())}]"


Row = TypeVar("Row", bound="Embedding")


def _length(*, covered: bool) -> Lookup[bool]:
    """The condition of one of the two indexes, to the letter: so PostgreSQL knows that it may be
    used.
    """
    dims = Func(F("embedding"), function="vector_dims", output_field=models.IntegerField())
    return (LessThanOrEqual if covered else GreaterThan)(dims, COVERED_DIMENSIONS)


class EmbeddingManager(models.Manager[Row]):
    """A table of vectors, and what in it is nearest to a question."""

    #: Whose vectors they are.
    model: "type[Row]"

    def in_space(self, instance: Instance, space: EmbeddingSpace) -> "QuerySet[Any, int]":
        """The ids of all vectors of *space*, found in the indexes of short and of long ones."""
        mine = self.filter(instance=instance, space=space).values_list("pk", flat=True)
        return mine.filter(_length(covered=True)).union(
            mine.filter(_length(covered=False)), all=True
        )

    def add(self, instance_id: int, space: str, owner_id: int, vector: NDArray[np.float32]) -> None:
        """Store *vector*, of shape (d,), of a memory or drawer that has none in *space* so far."""
        sql = _ADDED.format(owner=self.model.OWNER, table=self.model._meta.db_table)
        params: list[Any] = [owner_id, _halfvec(vector), instance_id, space]
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            if not cursor.rowcount:
                EmbeddingSpace.objects.get_or_create(instance_id=instance_id, name=space)
                cursor.execute(sql, params)

    def nearest(
        self,
        query: QueryVector,
        *,
        limit: int,
        least: float = -1.0,
        among: QuerySet[Any] | None = None,
        effort: int | None = None,
    ) -> list[tuple[int, float]]:
        """Return (id, cosine similarity) of the *limit* memories or drawers nearest to *query*,
        nearest first, none below the similarity *least*: by the approximate index of a space that
        has one, searched with this *effort* or with its own, and otherwise exactly.
        """
        pairs = self.nearest_by_index(query, limit=limit, least=least, among=among, effort=effort)
        if pairs is not None:
            return pairs
        return self.exactly_nearest(query, limit=limit, least=least, among=among)

    def nearest_by_index(
        self,
        query: QueryVector,
        *,
        limit: int,
        least: float = -1.0,
        among: QuerySet[Any] | None = None,
        effort: int | None = None,
    ) -> list[tuple[int, float]] | None:
        """Do the same with the approximate index of the space. None if the space has none, or if
        rows that pass the filter *among* may lie further away than the index was searched.
        """
        index = VectorIndex.in_use(query.instance, query.space, self.model.OWNER)
        if index is None or len(query.vector) != index.dimensions:
            return None
        effort = effort or index.effort
        # With a filter, take nearly as many as the index examines anyway. Not all of them: some of
        # its entries may be deleted rows, and for a single missing one the scan would start again.
        wanted = limit if among is None else max(limit, effort * 3 // 4)
        scanned = self._by_index(index, query.vector, limit=wanted, effort=effort)
        near = [pair for pair in scanned if pair[1] >= least]
        if among is None:
            return near
        passing: set[int] = set()
        if near:
            rows = among.order_by().filter(pk__in=[pk for pk, _ in near])
            passing = set(rows.values_list("pk", flat=True))
        passed = [pair for pair in near if pair[0] in passing][:limit]
        # Everything near enough was examined, or enough rows passed the filter.
        return passed if len(near) < len(scanned) or len(passed) == limit else None

    def exactly_nearest(
        self,
        query: QueryVector,
        *,
        limit: int,
        least: float = -1.0,
        among: QuerySet[Any] | None = None,
    ) -> list[tuple[int, float]]:
        """Do the same by comparing *query* with all vectors of its space."""
        question = query_sql(query.instance, query)
        near = self.nearest_sql(query, limit=limit, least=least, among=among)
        return self._fetched(f"WITH {question.text} {near.text}", [*question.params, *near.params])

    def nearest_sql(
        self,
        query: QueryVector,
        *,
        limit: int,
        least: float,
        among: QuerySet[Any] | None,
    ) -> Sql:
        """Return that as part of a statement with a `query_sql`: ids and negative similarities,
        nearest first.

        The scan touches only columns of the covering index; what is far away is dropped in it,
        before *among* narrows the rest.
        """
        narrowed, ids = "", ()
        if among is not None:
            try:
                within, ids = among.order_by().values("pk").query.sql_with_params()
            except EmptyResultSet:
                return known_sql([])
            narrowed = f"AND id IN ({within})"
        covers = "<=" if len(query.vector) <= COVERED_DIMENSIONS else ">"
        return Sql(
            _EXACTLY_NEAREST.format(
                owner=self.model.OWNER,
                table=self.model._meta.db_table,
                length=f"{covers} {COVERED_DIMENSIONS}",
                narrowed=narrowed,
            ),
            (query.instance.pk, -least, *ids, limit),
        )

    def _by_index(
        self, index: VectorIndex, vector: NDArray[np.float32], *, limit: int, effort: int
    ) -> list[tuple[int, float]]:
        """Return the *limit* nearest that *index* leads to; some may not be the nearest."""
        effort = min(max(effort, limit), VectorIndex.MOST_EFFORT)
        sql = _NEAREST_BY_INDEX.format(
            owner=self.model.OWNER, table=self.model._meta.db_table, dimensions=index.dimensions
        )
        with transaction.atomic(savepoint=False), connection.cursor() as cursor:
            # Rows that have gone lately are still in the index: it is followed past them.
            cursor.execute(
                "SELECT set_config('hnsw.ef_search', %s, true),"
                " set_config('hnsw.iterative_scan', 'relaxed_order', true)",
                [str(effort)],
            )
            text = _halfvec(vector)
            found = self._fetched(sql, [text, index.instance_id, index.space_id, text, limit])
        # Followed on, it gives up the order.
        return sorted(found, key=lambda pair: -pair[1])

    def _fetched(self, sql: str, params: Sequence[Any]) -> list[tuple[int, float]]:
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            return [(pk, -negative_inner_product) for pk, negative_inner_product in cursor]


class Embedding(models.Model):
    """An L2-normalised vector in one embedding space."""

    #: The column that says whose it is.
    OWNER: ClassVar[str]

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    space = models.ForeignKey(EmbeddingSpace, on_delete=models.CASCADE, db_index=False)
    embedding = HalfVectorField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.OWNER} {getattr(self, f'{self.OWNER}_id')} in {self.space_id}"


class MemoryEmbedding(Embedding):
    """The vector of a memory."""

    OWNER: ClassVar = "memory"

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="embeddings")

    objects: ClassVar["EmbeddingManager[Any]"] = EmbeddingManager()

    class Meta:
        constraints: ClassVar = [
            # In this order, it also lists what has a vector without reading the vectors.
            models.UniqueConstraint(fields=["space", "memory"], name="embedding_once_a_space"),
            models.UniqueConstraint(fields=["id", "instance"], name="embedding_in_instance"),
        ]


class DrawerEmbedding(Embedding):
    """The vector of a drawer: of what was said there, without secrets."""

    OWNER: ClassVar = "drawer"

    drawer = models.ForeignKey(Drawer, on_delete=models.CASCADE, related_name="embeddings")

    objects: ClassVar["EmbeddingManager[Any]"] = EmbeddingManager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["space", "drawer"], name="drawer_embedding_once_a_space"
            ),
        ]


class RevisionEmbedding(models.Model):
    """The vector of what a memory said before, so that a change can be taken back without asking
    a provider. Apart from `MemoryEmbedding`, so that no search meets it.
    """

    revision = models.ForeignKey(
        MemoryRevision, on_delete=models.CASCADE, related_name="embeddings"
    )
    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    space = models.ForeignKey(EmbeddingSpace, on_delete=models.CASCADE, related_name="+")
    embedding = HalfVectorField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["revision", "space"], name="revision_embedding_once_a_space"
            ),
        ]

    def __str__(self) -> str:
        return f"revision {self.revision_id} in {self.space_id}"
