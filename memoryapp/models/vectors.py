"""Vectors of memories, drawers and documents, in narrow tables, and nearest-neighbour search.

Reasons for this design, measured on 300,000 memories in 300 instances:

- A vector in the wide memory row is moved out of line by PostgreSQL half of the time, and a scan
  then costs ten times as much. Here the row holds the vector and three ids, and nothing else.
- ``halfvec`` stores every length in use (384, 768, 1536 … 4000) at half the bytes; its rounding
  moves a cosine by less than 0.001.
- Up to 1,024 dimensions a row fits a B-tree page, and the covering index (`…_small`)
  answers an exact search from the instance's own part of one index. Longer vectors are read from
  the table through `…_large`.
- An approximate (HNSW) index over the whole table would be wrong: it finds neighbours of all
  instances, so that a small instance gets only a few of its own. A large instance gets its own
  index: see `memoryapp.models.embedding_spaces`.
- One row per space, so that vectors of two models never mix, and search continues during a
  re-embedding. Without a row, the text is not embedded yet; the back-fill does it later.
"""

from collections.abc import Iterable, Mapping, Sequence
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
from instances.models.content_keys import ContentKey, InstanceContent
from memoryapp.models.embedding_spaces import EmbeddingSpace, VectorIndex
from memoryapp.models.memory import Memory, MemoryRevision
from memoryapp.models.palace import Drawer
from memoryapp.models.prepared_statements import prepared
from memoryapp.models.stored_documents import StoredDocument

#: Vectors up to this length are in the covering index.
COVERED_DIMENSIONS = 1024

#: Looking one vector up takes as long as comparing this many in order with a filter: rows of a
#: filter count as few up to this share of a space, and up to this number.
FEW_SHARE, FEW = 8, 5_000

#: Indexes that Django's migrations cannot create; see the module's docstring.
CREATE_INDEXES = "".join(
    f"""
ALTER TABLE memoryapp_{owner}embedding ALTER COLUMN embedding SET STORAGE PLAIN;
CREATE INDEX {prefix}embedding_small ON memoryapp_{owner}embedding (instance_id, space_id)
    INCLUDE ({owner}_id, embedding) WHERE vector_dims(embedding) <= {COVERED_DIMENSIONS};
CREATE INDEX {prefix}embedding_large ON memoryapp_{owner}embedding (instance_id, space_id)
    WHERE vector_dims(embedding) > {COVERED_DIMENSIONS};
"""
    for owner, prefix in (("memory", ""), ("drawer", "drawer_"), ("document", "document_"))
)


#: Insert vectors into the space of that name, if it exists.
_ADDED = """
INSERT INTO {table} ({owner}_id, instance_id, space_id, embedding)
SELECT added.owner, space.instance_id, space.id, added.vector::halfvec
FROM memoryapp_embeddingspace AS space,
    unnest(%s::bigint[], %s::text[]) WITH ORDINALITY AS added (owner, vector, place)
WHERE space.instance_id = %s AND space.name = %s
ORDER BY added.place
"""
#: Copy the vectors of memories to their revisions.
_KEPT = """
INSERT INTO memoryapp_revisionembedding (revision_id, instance_id, space_id, embedding)
SELECT kept.revision, vector.instance_id, vector.space_id, vector.embedding
FROM unnest(%s::bigint[], %s::bigint[]) AS kept (revision, memory)
JOIN memoryapp_memoryembedding AS vector
    ON vector.memory_id = kept.memory AND vector.instance_id = ANY(%s)
"""
#: Delete the vectors of memories, and their likenesses, whose foreign keys are checked at commit.
_DELETED = """
WITH vector AS MATERIALIZED (
    SELECT id FROM memoryapp_memoryembedding
    WHERE instance_id = %(instance)s AND memory_id = ANY(%(memories)s)
), likenesses AS (
    DELETE FROM memoryapp_likeness WHERE instance_id = %(instance)s AND (
        embedding_id = ANY(ARRAY(SELECT id FROM vector))
        OR other_id = ANY(ARRAY(SELECT id FROM vector))
    )
)
DELETE FROM memoryapp_memoryembedding
WHERE instance_id = %(instance)s AND memory_id = ANY(%(memories)s)
"""
#: Copy the vectors of revisions to their memories.
_BROUGHT_BACK = """
INSERT INTO memoryapp_memoryembedding (memory_id, instance_id, space_id, embedding)
SELECT back.memory, vector.instance_id, vector.space_id, vector.embedding
FROM unnest(%s::bigint[], %s::bigint[]) AS back (memory, revision)
JOIN memoryapp_revisionembedding AS vector ON vector.revision_id = back.revision
"""
#: The common table expressions of a statement that compares with a query: its vector and its space.
#: Hand-written SQL because the ORM sends the vector each time that it is used, and takes as long to
#: build the statement as PostgreSQL to answer it in an instance with a thousand memories.
_QUESTION = """
question AS MATERIALIZED (SELECT %s::halfvec AS vector),
space AS MATERIALIZED (
    SELECT id FROM memoryapp_embeddingspace WHERE instance_id = %s AND name = %s
)
"""
#: Used in such a statement. Without OFFSET 0, the distance of near rows is computed twice.
_EXACTLY_NEAREST = """
SELECT id, distance FROM (
    SELECT {owner}_id AS id, embedding <#> (SELECT vector FROM question) AS distance FROM {table}
    WHERE vector_dims(embedding) {length} AND instance_id = %s
        AND space_id = (SELECT id FROM space)
    OFFSET 0
) AS near
WHERE distance <= %s
ORDER BY distance LIMIT %s
"""
#: The same among the rows of a filter: if few pass, their vectors are looked up one by one. If many
#: do, those of the whole space are compared, and the filter is asked about one after the other, the
#: nearest first, until enough have passed. Only one of the two is executed: how many pass is known
#: first. A join would leave it to an estimate, and compare the whole space again for each of them.
_EXACTLY_NEAREST_AMONG = """
WITH passing AS MATERIALIZED (SELECT id FROM ({within}) AS among (id) LIMIT {few} + 1)
SELECT id, distance FROM (
    SELECT id, (
        SELECT embedding <#> (SELECT vector FROM question) FROM {table}
        WHERE instance_id = %s AND space_id = (SELECT id FROM space) AND {owner}_id = passing.id
    ) AS distance
    FROM (SELECT DISTINCT id FROM passing) AS passing
    WHERE (SELECT count(*) FROM passing) <= {few}
    OFFSET 0
) AS looked_up
WHERE distance <= %s
UNION ALL (
    SELECT id, distance FROM (
        SELECT id, distance FROM (
            SELECT {owner}_id AS id, embedding <#> (SELECT vector FROM question) AS distance
            FROM {table}
            WHERE vector_dims(embedding) {length} AND instance_id = %s
                AND space_id = (SELECT id FROM space) AND (SELECT count(*) FROM passing) > {few}
            OFFSET 0
        ) AS compared
        WHERE distance <= %s ORDER BY distance OFFSET 0
    ) AS sorted
    WHERE (SELECT true FROM ({within}) AS among (id) WHERE among.id = sorted.id LIMIT 1)
    LIMIT %s
)
ORDER BY distance LIMIT %s
"""
#: One of the two as a statement of its own.
_ALONE = "WITH {question}, near AS ({near}) SELECT id, distance FROM near ORDER BY distance"
#: The same for a known result.
_KNOWN = "SELECT * FROM unnest(%s::bigint[], %s::float[])"
#: Condition and expression are exactly those of the index, so that PostgreSQL can use it.
_NEAREST_BY_INDEX = """
SELECT {owner}_id, embedding::halfvec({dimensions}) <#> %s::halfvec AS distance FROM {table}
WHERE instance_id = %s AND space_id = %s
ORDER BY embedding::halfvec({dimensions}) <#> %s::halfvec LIMIT %s
"""


@dataclass(frozen=True, eq=False)
class QueryVector:
    """The vector of a query, of shape (d,), in an embedding space of an instance. Like all stored
    vectors, it has length 1, so that the inner product is the cosine.
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
    return Sql(_QUESTION, (as_halfvec(query.vector), instance.pk, query.space))


def known_sql(near: Sequence[tuple[int, float]]) -> Sql:
    """Return the rows *near*, ids and similarities, as `EmbeddingManager.nearest_sql` does."""
    ids, similarities = zip(*near, strict=True) if near else ((), ())
    return Sql(_KNOWN, (list(ids), [-similarity for similarity in similarities]))


def as_halfvec(vector: NDArray[np.float32]) -> str:
    """Return *vector* in PostgreSQL's text format; cached, since several statements use the same
    ones.
    """
    return _written(vector.astype("<f2").tobytes())


# Enough for a portion of an import (250): about 1.5 MB with the built-in embedder.
@lru_cache(maxsize=300)
def _written(halves: bytes) -> str:
    numbers = np.frombuffer(halves, "<f2").tolist()
    # Five digits tell any two halves apart.
    return f"[{','.join(['%.5g'] * len(numbers)) % tuple(numbers)}]"


def _passing(near: Sequence[tuple[int, float]], among: QuerySet[Any]) -> list[tuple[int, float]]:
    """Return those of the rows *near* that pass the filter *among*, in their order."""
    if not near:
        return []
    rows = among.order_by().filter(pk__in=[pk for pk, _ in near])
    passing = set(rows.values_list("pk", flat=True))
    return [pair for pair in near if pair[0] in passing]


Row = TypeVar("Row", bound="Embedding")


def _length(*, covered: bool) -> Lookup[bool]:
    """The exact condition of one of the two indexes, so that PostgreSQL can use it."""
    dims = Func(F("embedding"), function="vector_dims", output_field=models.IntegerField())
    return (LessThanOrEqual if covered else GreaterThan)(dims, COVERED_DIMENSIONS)


class EmbeddingManager(models.Manager[Row]):
    """A table of vectors, with nearest-neighbour search."""

    model: "type[Row]"

    def in_space(self, instance: Instance, space: EmbeddingSpace) -> "QuerySet[Any, int]":
        """The ids of all vectors of *space*, from the indexes of short and long vectors."""
        mine = self.filter(instance=instance, space=space).values_list("pk", flat=True)
        return mine.filter(_length(covered=True)).union(
            mine.filter(_length(covered=False)), all=True
        )

    def nearest(
        self,
        query: QueryVector,
        *,
        limit: int,
        least: float = -1.0,
        among: QuerySet[Any] | None = None,
    ) -> list[tuple[int, float]]:
        """Return (id, cosine similarity) of the *limit* memories or drawers nearest to *query*,
        nearest first, none below the similarity *least*: by the approximate index of a space that
        has one, and otherwise exactly.
        """
        pairs = self.nearest_by_index(query, limit=limit, least=least, among=among)
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
    ) -> list[tuple[int, float]] | None:
        """Do the same with the approximate index of the space. None if the space has none, or if
        rows that pass the filter *among* may lie further away than the index was searched.
        """
        index = self._index_for(query)
        if index is None:
            return None
        effort = min(max(index.effort, limit), VectorIndex.MAX_EFFORT)
        if among is None:
            scanned = self._by_index(index, query.vector, limit=limit, effort=effort)
            return [pair for pair in scanned if pair[1] >= least]
        while True:
            # Take nearly as many as the index examines anyway. Not all of them: some of its entries
            # may be deleted rows, and for a single missing one the scan would start again.
            wanted = max(limit, effort * 3 // 4)
            scanned = self._by_index(index, query.vector, limit=wanted, effort=effort)
            near = [pair for pair in scanned if pair[1] >= least]
            passed = _passing(near, among)[:limit]
            if len(near) < len(scanned) or len(passed) == limit:
                # Everything near enough was examined, or enough rows passed the filter.
                return passed
            # Search all that the index can at once, if as large a share of it would be enough.
            most = VectorIndex.MAX_EFFORT * 3 // 4
            if effort == VectorIndex.MAX_EFFORT or most * len(passed) < limit * len(near):
                return None
            effort = VectorIndex.MAX_EFFORT

    def _index_for(self, query: QueryVector) -> VectorIndex | None:
        """The index of the space of *query*, if it holds vectors of this length."""
        index = VectorIndex.in_use(query.instance, query.space, self.model.OWNER)
        return index if index and len(query.vector) == index.dimensions else None

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
        text = _ALONE.format(question=question.text, near=near.text)
        return self._fetched(text, [*question.params, *near.params])

    def nearest_sql(
        self,
        query: QueryVector,
        *,
        limit: int,
        least: float,
        among: QuerySet[Any] | None,
    ) -> Sql:
        """Return the exact search as part of a statement with `query_sql`: ids and negative
        similarities, nearest first.

        A scan only touches columns of the covering index. See `_EXACTLY_NEAREST_AMONG` for what it
        does with a filter.
        """
        covers = "<=" if len(query.vector) <= COVERED_DIMENSIONS else ">"
        names = {
            "owner": self.model.OWNER,
            "table": self.model._meta.db_table,
            "length": f"{covers} {COVERED_DIMENSIONS}",
        }
        if among is None:
            return Sql(_EXACTLY_NEAREST.format(**names), (query.instance.pk, -least, limit))
        try:
            within, ids = among.order_by().values("pk").query.sql_with_params()
        except EmptyResultSet:
            return known_sql([])
        index = self._index_for(query)
        few = index.rows // FEW_SHARE if index else FEW
        scanned = (query.instance.pk, -least)
        return Sql(
            _EXACTLY_NEAREST_AMONG.format(**names, within=within, few=max(few, FEW)),
            (*ids, *scanned, *scanned, *ids, limit, limit),
        )

    def _by_index(
        self, index: VectorIndex, vector: NDArray[np.float32], *, limit: int, effort: int
    ) -> list[tuple[int, float]]:
        """Return about the *limit* nearest, as found by *index*."""
        sql = _NEAREST_BY_INDEX.format(
            owner=self.model.OWNER, table=self.model._meta.db_table, dimensions=index.dimensions
        )
        with transaction.atomic(savepoint=False), connection.cursor() as cursor:
            # The index still contains recently deleted rows: an iterative scan continues past them.
            cursor.execute(
                "SELECT set_config('hnsw.ef_search', %s, true),"
                " set_config('hnsw.iterative_scan', 'relaxed_order', true)",
                [str(effort)],
            )
            text = as_halfvec(vector)
            pairs = self._fetched(sql, [text, index.instance_id, index.space_id, text, limit])
        # An iterative scan does not keep the order.
        return sorted(pairs, key=lambda pair: -pair[1])

    def _fetched(self, sql: str, params: Sequence[Any]) -> list[tuple[int, float]]:
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            return [(pk, -negative_inner_product) for pk, negative_inner_product in cursor]


class Embedding(InstanceContent):
    """An L2-normalised vector in one embedding space."""

    #: The name of the column that refers to the owner.
    OWNER: ClassVar[str]

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    space = ContentKey(EmbeddingSpace, on_delete=models.CASCADE, db_index=False)
    embedding = HalfVectorField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.OWNER} {getattr(self, f'{self.OWNER}_id')} in {self.space_id}"


class MemoryEmbedding(Embedding):
    """The vector of a memory."""

    OWNER: ClassVar = "memory"

    memory = ContentKey(Memory, on_delete=models.CASCADE, related_name="embeddings")

    objects: ClassVar["EmbeddingManager[Any]"] = EmbeddingManager()

    class Meta:
        constraints: ClassVar = [
            # In this order, it also lists rows with a vector without reading the vectors.
            models.UniqueConstraint(fields=["space", "memory"], name="embedding_once_a_space"),
            models.UniqueConstraint(fields=["id", "instance"], name="embedding_in_instance"),
        ]


class DrawerEmbedding(Embedding):
    """The vector of a drawer: of its text without secrets."""

    OWNER: ClassVar = "drawer"

    drawer = ContentKey(Drawer, on_delete=models.CASCADE, related_name="embeddings")

    objects: ClassVar["EmbeddingManager[Any]"] = EmbeddingManager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["space", "drawer"], name="drawer_embedding_once_a_space"
            ),
        ]


class DocumentEmbedding(Embedding):
    """The vector of a stored document: of its key and the texts in its value."""

    OWNER: ClassVar = "document"

    document = ContentKey(StoredDocument, on_delete=models.CASCADE, related_name="embeddings")

    objects: ClassVar["EmbeddingManager[Any]"] = EmbeddingManager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["space", "document"], name="document_embedding_once_a_space"
            ),
        ]


class RevisionEmbedding(InstanceContent):
    """The vector of an earlier version, for undoing a change. Not searched."""

    OWNER: ClassVar = "revision"

    revision = ContentKey(MemoryRevision, on_delete=models.CASCADE, related_name="embeddings")
    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    space = ContentKey(EmbeddingSpace, on_delete=models.CASCADE, related_name="+")
    embedding = HalfVectorField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["revision", "space"], name="revision_embedding_once_a_space"
            ),
        ]

    def __str__(self) -> str:
        return f"revision {self.revision_id} in {self.space_id}"


def add_vectors(
    model: type[MemoryEmbedding] | type[RevisionEmbedding],
    instance_id: int,
    space: str,
    vectors: Mapping[int, NDArray[np.float32]],
) -> None:
    """Store *vectors*, each of shape (d,), by the ids of their owners, which have none in *space*
    yet.
    """
    if not vectors:
        return
    sql = _ADDED.format(owner=model.OWNER, table=model._meta.db_table)
    written = [as_halfvec(vector) for vector in vectors.values()]
    params: list[Any] = [list(vectors), written, instance_id, space]
    with prepared() as cursor:
        cursor.execute(sql, params)
        if not cursor.rowcount:
            EmbeddingSpace.objects.get_or_create(instance_id=instance_id, name=space)
            cursor.execute(sql, params)


def bring_back_vectors(memories: Mapping[int, int]) -> None:
    """Give each of *memories* the vectors of its revision, in every space, instead of its own: ids
    by ids.
    """
    MemoryEmbedding.objects.filter(memory__in=memories).delete()
    with connection.cursor() as cursor:
        cursor.execute(_BROUGHT_BACK, [list(memories), list(memories.values())])


def delete_vectors(instance_id: int, memories: Iterable[int]) -> None:
    """Delete the vectors of these memories of an instance, in every space."""
    with connection.cursor() as cursor:
        cursor.execute(_DELETED, {"instance": instance_id, "memories": list(memories)})


def keep_vectors(revisions: Mapping[int, int], instance_ids: Iterable[int]) -> None:
    """Give each of *revisions* the vectors of its memory, in every space: ids by ids. All are of
    these instances.
    """
    with connection.cursor() as cursor:
        cursor.execute(_KEPT, [list(revisions), list(revisions.values()), list(instance_ids)])


def copy_vectors(source: Memory | MemoryRevision, target: Memory | MemoryRevision) -> None:
    """Give *target* the vectors of *source*, in every space."""
    model: type[Any] = RevisionEmbedding
    owner = "revision"
    if isinstance(target, Memory):
        model, owner = MemoryEmbedding, "memory"
    model._default_manager.bulk_create(
        model(
            **{owner: target},
            instance_id=vector.instance_id,
            space_id=vector.space_id,
            embedding=vector.embedding,
        )
        for vector in source.embeddings.all()
    )
