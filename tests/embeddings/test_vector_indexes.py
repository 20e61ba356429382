"""Approximate indexes of large instances: creation, use and removal."""

from collections.abc import Iterator
from uuid import uuid4

import numpy as np
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from numpy.typing import NDArray
from pgvector import HalfVector
from pytest_django import Settings

from instances.models import Instance
from memoryapp.embeddings import vector_indexes
from memoryapp.embeddings.vector_indexes import maintain_indexes
from memoryapp.models import (
    EmbeddingSpace,
    Memory,
    MemoryEmbedding,
    VectorIndex,
    embedding_spaces,
)
from memoryapp.models.fact_matches import SoughtFact, find_matches
from memoryapp.models.vectors import QueryVector
from memoryapp.providers.builtin_embedder import SPACE
from memoryapp.tasks import tend_vector_indexes
from tests.recall.test_isolation import unit_vectors

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small")]

FROM = 200


@pytest.fixture
def small(
    settings: Settings, transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Lower the thresholds, and drop all indexes after the test."""
    monkeypatch.setattr(embedding_spaces, "CACHE_SECONDS", 5.0)
    settings.VECTOR_INDEX_FROM = FROM
    VectorIndex.forget_known()
    yield
    for name in built():
        vector_indexes.drop_index(name)
    VectorIndex.forget_known()


def built() -> dict[str, bool]:
    return vector_indexes.built_indexes()


def store(instance: Instance, count: int, *, seed: int = 1) -> NDArray[np.float32]:
    """Store memories with vectors in the space of *instance*, half of them of bob."""
    space, _ = EmbeddingSpace.objects.get_or_create(instance=instance, name=SPACE)
    vectors = unit_vectors(count, 384, seed)
    memories = Memory.objects.bulk_create(
        Memory(instance=instance, content=f"memory {seed}-{n}", end_user="bob" if n % 2 else "")
        for n in range(count)
    )
    MemoryEmbedding.objects.bulk_create(
        [
            MemoryEmbedding(
                memory=memory, instance=instance, space=space, embedding=HalfVector(vector)
            )
            for memory, vector in zip(memories, vectors, strict=True)
        ],
        batch_size=500,
    )
    return vectors


def plan(instance: Instance, question: NDArray[np.float32]) -> str:
    """Return the query plan of a search of *instance* where indexes are preferred.

    A table of this size is as quickly read whole, the more so while autovacuum keeps its pages
    from being marked as visible to all.
    """
    seen: list[str] = []

    def explain(execute, sql, params, many, context):  # type: ignore[no-untyped-def]
        if "<#>" in sql:
            with transaction.atomic(), connection.connection.cursor() as cursor:
                for slower in ("sort", "seqscan", "bitmapscan"):
                    cursor.execute(f"SET LOCAL enable_{slower} = off")
                cursor.execute(f"EXPLAIN {sql}", params)
                seen.extend(line for (line,) in cursor.fetchall())
        return execute(sql, params, many, context)

    with connection.cursor() as cursor:
        # As autovacuum does; otherwise PostgreSQL has no row estimates.
        cursor.execute("ANALYZE memoryapp_memoryembedding, memoryapp_embeddingspace")
    with connection.execute_wrapper(explain):
        MemoryEmbedding.objects.nearest(QueryVector(instance, SPACE, question), limit=10)
    return "\n".join(seen)


def test_large_instance_gets_an_index_and_small_one_does_not(
    instance: Instance, private: Instance
) -> None:
    vectors = store(instance, FROM)
    store(private, FROM - 1, seed=2)
    tend_vector_indexes()
    index = VectorIndex.objects.get()
    assert index.instance == instance
    assert index.is_in_use
    assert built() == {index.name: True}
    assert index.name in plan(instance, vectors[0])
    assert "embedding_small" in plan(private, vectors[0])


def test_repeated_maintenance_changes_nothing(instance: Instance) -> None:
    store(instance, FROM)
    maintain_indexes()
    first = VectorIndex.objects.get()
    maintain_indexes()
    assert VectorIndex.objects.get().built_at == first.built_at


def test_index_reflects_later_inserts_and_deletes(instance: Instance) -> None:
    store(instance, FROM)
    maintain_indexes()
    later = store(instance, 5, seed=3)
    newest = Memory.objects.order_by("-pk")[0]
    assert (
        MemoryEmbedding.objects.nearest(QueryVector(instance, SPACE, later[4]), limit=1)[0][0]
        == newest.pk
    )
    newest.delete()
    nearest = MemoryEmbedding.objects.nearest(QueryVector(instance, SPACE, later[4]), limit=10)
    assert newest.pk not in [pk for pk, _ in nearest]


def test_distant_results_are_omitted(instance: Instance) -> None:
    vectors = store(instance, FROM)
    maintain_indexes()
    nearest = MemoryEmbedding.objects.nearest(
        QueryVector(instance, SPACE, vectors[0]), limit=10, least=0.99
    )
    assert [round(similarity, 2) for _, similarity in nearest] == [1.0]


@pytest.mark.parametrize("few", [3, 90])
def test_filtered_search_is_complete(instance: Instance, few: int) -> None:
    vectors = store(instance, 2 * FROM)
    maintain_indexes()
    assert VectorIndex.in_use(instance, SPACE, "memory")
    # The rows farthest from the query, which the index reaches last.
    question = vectors[0]
    far = [int(at) for at in np.argsort(vectors @ question)[:few]]
    ids = list(Memory.objects.order_by("pk").values_list("pk", flat=True))
    among = Memory.objects.filter(pk__in=[ids[at] for at in far])
    nearest = MemoryEmbedding.objects.nearest(
        QueryVector(instance, SPACE, question), limit=50, among=among
    )
    truth = sorted(far, key=lambda at: -(vectors[at] @ question))[:50]
    assert [pk for pk, _ in nearest] == [ids[at] for at in truth]


def test_new_facts_are_compared_with_the_same_memories_with_and_without_an_index(
    instance: Instance,
) -> None:
    vectors = store(instance, 2 * FROM)
    facts = [
        SoughtFact("bob" if n % 3 else "carol", f"a new fact {n}", vector=vectors[n])
        for n in range(20)
    ]
    exact = find_matches(instance, facts, SPACE, least=0.1, batch=uuid4())
    maintain_indexes()
    VectorIndex.forget_known()
    assert VectorIndex.in_use(instance, SPACE, "memory")
    with CaptureQueriesContext(connection) as queries:
        found = find_matches(instance, facts, SPACE, least=0.1, batch=uuid4())
    assert [sorted(match.near) for match in found] == [sorted(match.near) for match in exact]
    assert [bool(match.near) for match in found] == [bool(n % 3) for n in range(20)]
    # Begin, the options of the index, the index, exact searches where it is not sure, and commit.
    assert len(queries) == 5


def test_filtered_search_is_not_slower_without_near_rows(
    instance: Instance,
) -> None:
    """As when a new fact is compared with the memories of one person."""
    vectors = store(instance, 2 * FROM)
    maintain_indexes()
    bobs = Memory.objects.filter(end_user="bob")
    with CaptureQueriesContext(connection) as queries:
        nearest = MemoryEmbedding.objects.nearest(
            QueryVector(instance, SPACE, vectors[1]), limit=5, least=0.7, among=bobs
        )
        nothing = MemoryEmbedding.objects.nearest(
            QueryVector(instance, SPACE, vectors[0]), limit=5, least=0.7, among=bobs
        )
    ids = list(Memory.objects.order_by("pk").values_list("pk", flat=True)[:2])
    assert [pk for pk, _ in nearest] == ids[1:]
    assert nothing == []
    exact = [query for query in queries.captured_queries if "vector_dims" in query["sql"]]
    assert not exact


def test_index_is_dropped_when_the_instance_shrinks(instance: Instance, private: Instance) -> None:
    vectors = store(instance, FROM)
    store(private, FROM - 1, seed=2)
    maintain_indexes()
    ids = list(instance.memories.order_by("pk").values_list("pk", flat=True))
    Memory.objects.filter(pk__in=ids[: FROM // 4]).delete()
    maintain_indexes()
    assert built(), "the index was dropped with three quarters left"
    Memory.objects.filter(pk=ids[-1]).delete()
    maintain_indexes()
    assert not built()
    assert not VectorIndex.objects.exists()
    assert "embedding_small" in plan(instance, vectors[0])


def test_index_is_dropped_with_its_instance(instance: Instance) -> None:
    store(instance, FROM)
    maintain_indexes()
    instance.delete()
    maintain_indexes()
    assert not built()


def test_index_is_dropped_with_its_space(instance: Instance) -> None:
    store(instance, FROM)
    maintain_indexes()
    Instance.objects.update(embedding_provider="openai", embedding_model="text-embedding-3-small")
    maintain_indexes()
    assert not built()


def test_setting_disables_indexes(instance: Instance, settings: Settings) -> None:
    store(instance, FROM)
    maintain_indexes()
    settings.VECTOR_INDEX_FROM = 0
    maintain_indexes()
    assert not built()
    assert not VectorIndex.objects.exists()


def test_incomplete_index_of_a_dead_worker_is_rebuilt(instance: Instance) -> None:
    store(instance, FROM)
    maintain_indexes()
    index = VectorIndex.objects.get()
    with connection.cursor() as cursor:
        # The state after an interrupted build: an invalid index.
        cursor.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s::regclass", [index.name]
        )
    VectorIndex.objects.update(state=VectorIndex.State.BUILDING)
    VectorIndex.forget_known()
    assert VectorIndex.in_use(instance, SPACE, "memory") is None
    maintain_indexes()
    assert built() == {index.name: True}
    assert VectorIndex.in_use(instance, SPACE, "memory") == index


def test_missing_index_is_rebuilt(instance: Instance) -> None:
    store(instance, FROM)
    maintain_indexes()
    vector_indexes.drop_index(VectorIndex.objects.get().name)
    maintain_indexes()
    assert list(built().values()) == [True]


def test_maintenance_runs_once_at_a_time(instance: Instance) -> None:
    store(instance, FROM)
    with vector_indexes.maintenance_lock() as mine:
        assert mine
        maintain_indexes()
        assert not VectorIndex.objects.exists()
    maintain_indexes()
    assert VectorIndex.objects.get().is_in_use
