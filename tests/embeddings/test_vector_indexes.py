"""Approximate indexes of large instances: creation, use and removal."""

import re
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
from instances.partitions import partitions
from memoryapp.embeddings import vector_indexes
from memoryapp.embeddings.vector_indexes import maintain_indexes
from memoryapp.models import (
    DocumentEmbedding,
    EmbeddingSpace,
    Memory,
    MemoryEmbedding,
    VectorIndex,
    embedding_spaces,
    fact_matches,
)
from memoryapp.models import vectors as table_of_vectors
from memoryapp.models.fact_matches import SoughtFact, find_matches
from memoryapp.models.stored_documents import StoredDocument
from memoryapp.models.vectors import QueryVector
from memoryapp.providers.builtin_embedder import SPACE
from memoryapp.tasks import tend_vector_indexes
from tests.partitions.plans import nodes, table_of
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


def compares_all(plan: str) -> bool:
    """True if all vectors of the space are compared, by the index that covers them. In a small
    partition, other indexes that hold the instance are as good.
    """
    return "memory_near" not in plan and ("embedding_small" in plan or partitions() > 0)


def plan(instance: Instance, question: NDArray[np.float32]) -> str:
    """Return the query plan of a search of *instance* where indexes are preferred: a table of this
    size is as quickly read whole.
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
        # What earlier tests deleted would make each index as dear as it once was large.
        cursor.execute("VACUUM (FULL) memoryapp_memoryembedding, memoryapp_embeddingspace")
        # As autovacuum does in its time: without estimates of rows, and pages that are marked as
        # visible to all, an index that covers a query is worth no more than another.
        cursor.execute("VACUUM (ANALYZE) memoryapp_memoryembedding, memoryapp_embeddingspace")
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
    assert compares_all(plan(private, vectors[0]))


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


@pytest.mark.parametrize(
    ("few", "statements"),
    [
        # How many memories, begin, the options of the index, the index, exact searches where it is
        # not sure, and commit.
        (0, 6),
        # How many memories, and all of these.
        (10_000, 2),
    ],
)
def test_new_facts_are_compared_with_the_same_memories_with_and_without_an_index(
    few: int, statements: int, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fact_matches, "FEW_MEMORIES", few)
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
    assert len(queries) == statements


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
    assert compares_all(plan(instance, vectors[0]))


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


def test_index_of_documents_is_kept_and_dropped(instance: Instance) -> None:
    space, _ = EmbeddingSpace.objects.get_or_create(instance=instance, name=SPACE)
    documents = StoredDocument.objects.bulk_create(
        StoredDocument(instance=instance, namespace=["notes"], key=f"{n}", body="{}", size=2)
        for n in range(FROM)
    )
    DocumentEmbedding.objects.bulk_create(
        DocumentEmbedding(
            document=document, instance=instance, space=space, embedding=HalfVector(vector)
        )
        for document, vector in zip(documents, unit_vectors(FROM, 384, 1), strict=True)
    )
    maintain_indexes()
    index = VectorIndex.objects.get()
    assert built() == {index.name: True}
    maintain_indexes()
    assert VectorIndex.objects.get().built_at == index.built_at
    StoredDocument.objects.all().delete()
    maintain_indexes()
    assert not built()


def test_grown_index_is_searched_with_more_effort(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(instance, FROM)
    maintain_indexes()
    before = VectorIndex.objects.get()
    assert (before.rows, before.effort) == (FROM, VectorIndex.EFFORT)
    monkeypatch.setattr(VectorIndex, "effort_for", lambda rows: rows)
    store(instance, FROM, seed=2)
    maintain_indexes()
    index = VectorIndex.in_use(instance, SPACE, "memory")
    assert index is not None
    assert (index.rows, index.effort) == (2 * FROM, 2 * FROM)
    assert index.built_at == before.built_at
    # What checks have raised stays.
    monkeypatch.setattr(VectorIndex, "effort_for", lambda rows: 1)
    store(instance, 1, seed=3)
    maintain_indexes()
    index.refresh_from_db()
    assert (index.rows, index.effort) == (2 * FROM + 1, 2 * FROM)


def test_effort_grows_with_size_within_limits() -> None:
    efforts = [VectorIndex.effort_for(10**power) for power in range(9)]
    assert efforts == sorted(efforts)
    assert (efforts[0], efforts[-1]) == (VectorIndex.EFFORT, VectorIndex.MAX_EFFORT)
    assert VectorIndex.effort_for(200_000) > VectorIndex.effort_for(20_000)


@pytest.mark.parametrize(("allowed", "taken"), [(10_000, 323), (100, 100), (1, 64)])
def test_building_takes_the_memory_that_it_needs_within_limits(
    instance: Instance,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    allowed: int,
    taken: int,
) -> None:
    store(instance, FROM)
    settings.VECTOR_INDEX_MEMORY = allowed
    needed = vector_indexes.memory_needed
    monkeypatch.setattr(
        vector_indexes, "memory_needed", lambda rows, length: needed(1_000 * rows, length)
    )
    with CaptureQueriesContext(connection) as queries:
        maintain_indexes()
    assert VectorIndex.objects.get().is_in_use
    (set_,) = (query["sql"] for query in queries if "'maintenance_work_mem'," in query["sql"])
    (megabytes,) = re.findall(r"'(\d+)MB'", set_)
    assert int(megabytes) == pytest.approx(taken, rel=0.05)


def test_index_is_built_by_one_process_where_shared_memory_is_short(
    instance: Instance, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(instance, FROM)
    settings.VECTOR_INDEX_MEMORY = megabytes = 2_000_000
    # More than any machine has.
    monkeypatch.setattr(vector_indexes, "memory_needed", lambda rows, length: megabytes)
    monkeypatch.setattr(vector_indexes, "_helpers", lambda: 1)
    with CaptureQueriesContext(connection) as queries, connection.cursor() as cursor:
        # Otherwise nothing helps with so small a table.
        cursor.execute("SET min_parallel_table_scan_size = 0")
        try:
            maintain_indexes()
        finally:
            cursor.execute("RESET min_parallel_table_scan_size")
    assert VectorIndex.objects.get().is_in_use
    assert list(built().values()) == [True]
    created = [query for query in queries if query["sql"].startswith("CREATE INDEX")]
    assert len(created) == 2


def test_wider_search_of_the_index_finds_what_a_filter_leaves(instance: Instance) -> None:
    vectors = store(instance, 4 * FROM)
    maintain_indexes()
    question = vectors[0]
    ids = np.array(Memory.objects.order_by("pk").values_list("pk", flat=True))
    every_eighth = ids[np.argsort(-(vectors @ question))][::8].tolist()
    among = Memory.objects.filter(pk__in=every_eighth)
    with CaptureQueriesContext(connection) as queries:
        found = MemoryEmbedding.objects.nearest(
            QueryVector(instance, SPACE, question), limit=40, among=among
        )
    assert [pk for pk, _ in found] == every_eighth[:40]
    assert not [query for query in queries if "passing" in query["sql"]]


@pytest.mark.parametrize(("few", "scans"), [(3 * FROM, False), (10, True)])
def test_vectors_of_few_rows_are_looked_up_and_those_of_many_compared_in_order(
    instance: Instance, monkeypatch: pytest.MonkeyPatch, few: int, scans: bool
) -> None:
    monkeypatch.setattr(table_of_vectors, "FEW", few)
    vectors = store(instance, 2 * FROM)
    question = vectors[0]
    ids = list(Memory.objects.order_by("pk").values_list("pk", flat=True))
    plans = []

    def explain(execute, sql, params, many, context):  # type: ignore[no-untyped-def]
        if "<#>" in sql:
            with connection.connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
                plans.append(cursor.fetchone()[0][0]["Plan"])
        return execute(sql, params, many, context)

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE memoryapp_memoryembedding, memoryapp_memory")
    with connection.execute_wrapper(explain):
        found = MemoryEmbedding.objects.exactly_nearest(
            QueryVector(instance, SPACE, question),
            limit=30,
            among=Memory.objects.filter(end_user="bob"),
        )
    truth = sorted(range(1, 2 * FROM, 2), key=lambda at: -(vectors[at] @ question))[:30]
    assert [pk for pk, _ in found] == [ids[at] for at in truth]
    (plan_,) = plans
    rows = sum(
        node["Actual Rows"] * node["Actual Loops"]
        for node in nodes(plan_)
        if table_of(node.get("Relation Name", "")) == MemoryEmbedding._meta.db_table
    )
    # All of them, or those of bob one by one.
    assert rows == (2 * FROM if scans else FROM)
