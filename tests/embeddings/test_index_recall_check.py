"""An approximate index is used only while its results are right."""

from concurrent.futures import Future
from typing import Any

import numpy as np
import pytest
from django.db import connection, transaction
from numpy.typing import NDArray

from instances.models import Instance
from memoryapp.embeddings import index_recall_check, vector_indexes
from memoryapp.embeddings.embedder import Vectors
from memoryapp.embeddings.index_recall_check import overlap_percent
from memoryapp.embeddings.vector_indexes import maintain_indexes
from memoryapp.models import VectorIndex
from memoryapp.providers.builtin_embedder import SPACE
from memoryapp.recall import vector_search
from memoryapp.recall.results import MEANING
from memoryapp.recall.retrieval import retrieve, searchable_in
from memoryapp.recall.search_scope import SearchScope
from tests.embeddings.test_vector_indexes import FROM, small, store
from tests.recall.test_isolation import unit_vectors

__all__ = ["small"]


@pytest.mark.parametrize(
    ("truth", "found", "share"),
    [
        ([(1, 0.9), (2, 0.8)], [(1, 0.9), (2, 0.8)], 100),
        ([(1, 0.9), (2, 0.8)], [(1, 0.9), (3, 0.5)], 50),
        ([(1, 0.9), (2, 0.8)], [(1, 0.9)], 50),
        ([(1, 0.9)], [], 0),
        # One of two equally near rows.
        ([(1, 0.9), (2, 0.8)], [(1, 0.9), (3, 0.8)], 100),
    ],
)
def test_recall_is_the_share_of_expected_results(
    truth: list[tuple[int, float]], found: list[tuple[int, float]], share: int
) -> None:
    assert overlap_percent(truth, found) == share


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> list["Future[None]"]:
    """Have every search checked; return the futures."""
    checks: list[Future[None]] = []

    def check_some(*args: Any, **kwargs: Any) -> None:
        future = index_recall_check.check_sample(*args, **kwargs)
        if future is not None:
            checks.append(future)

    monkeypatch.setattr(index_recall_check, "SAMPLE_RATE", 1.0)
    monkeypatch.setattr(vector_search, "check_sample", check_some)
    return checks


@pytest.fixture
def indexed(instance: Instance, small: None) -> Instance:
    store(instance, FROM)
    maintain_indexes()
    return instance


def ask(instance: Instance, vector: NDArray[np.float32]) -> list[tuple[int, float]]:
    held = searchable_in(instance)
    with transaction.atomic(), connection.cursor() as cursor:
        # With so few rows, the planner might prefer sorting to the index.
        cursor.execute("SET LOCAL enable_sort = off")
        found = retrieve(
            SearchScope(instance),
            Vectors(SPACE, vector[None, :]),
            held,
            depth=20,
            filed_twice=False,
        )
    return [(ref.pk, found.traits[ref].cosine or 0) for ref in found.lists[MEANING]]


def spoil(instance: Instance) -> NDArray[np.float32]:
    """Remove rows from the index of *instance* as if it were damaged, while PostgreSQL considers it
    valid; return their vectors.
    """

    def is_ready(ready: bool) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE pg_index SET indisready = %s WHERE indexrelid = %s::regclass",
                [ready, VectorIndex.objects.get().name],
            )

    is_ready(False)
    missing = store(instance, 2 * FROM, seed=5)
    is_ready(True)
    return missing


@pytest.mark.django_db(transaction=True)
def test_good_index_passes_the_check(indexed: Instance, always: list["Future[None]"]) -> None:
    for question in unit_vectors(FROM, 384, seed=1)[:5]:
        ask(indexed, question)
        always[-1].result(30)
    index = VectorIndex.objects.get()
    assert index.recall == 1.0
    assert index.checks == [100] * 5
    assert index.checked_at is not None


@pytest.mark.django_db(transaction=True)
def test_index_with_low_recall_is_not_used_until_rebuilt(
    indexed: Instance, always: list["Future[None]"]
) -> None:
    questions = spoil(indexed)[: VectorIndex.CHECKS_NEEDED]
    for question in questions:
        ask(indexed, question)
        always[-1].result(30)
    index = VectorIndex.objects.get()
    assert index.recall is not None
    assert index.recall < 0.95
    assert index.state == VectorIndex.State.DOUBTED

    # Exact search is used again immediately.
    assert VectorIndex.in_use(indexed, SPACE, "memory") is None
    for question in questions:
        assert round(ask(indexed, question)[0][1], 2) == 1.0

    maintain_indexes()
    index.refresh_from_db()
    assert index.is_in_use
    assert index.checks == []
    assert index.effort == 2 * VectorIndex.EFFORT
    assert VectorIndex.in_use(indexed, SPACE, "memory") == index
    assert round(ask(indexed, questions[0])[0][1], 2) == 1.0


@pytest.mark.django_db(transaction=True)
def test_check_of_a_previous_index_does_not_count(indexed: Instance) -> None:
    former = VectorIndex.objects.get()
    vector_indexes.drop_index(former.name)
    maintain_indexes()
    former.note_check(10)
    assert VectorIndex.objects.get().checks == []


@pytest.mark.django_db(transaction=True)
def test_only_the_latest_checks_count(indexed: Instance) -> None:
    index = VectorIndex.objects.get()
    VectorIndex.objects.update(checks=[90] * VectorIndex.CHECKS_KEPT)
    index.note_check(100)
    assert VectorIndex.objects.get().checks == [90] * (VectorIndex.CHECKS_KEPT - 1) + [100]


@pytest.mark.django_db(transaction=True)
def test_exact_search_is_not_checked(
    small: None, instance: Instance, always: list["Future[None]"]
) -> None:
    vectors = store(instance, FROM - 1)
    ask(instance, vectors[0])
    assert always == []


@pytest.mark.django_db(transaction=True)
def test_index_that_misses_some_is_searched_with_more_effort(indexed: Instance) -> None:
    index = VectorIndex.objects.get()
    VectorIndex.objects.update(checks=[97] * (VectorIndex.CHECKS_KEPT - 2))
    index.note_check(97)
    assert VectorIndex.objects.get().effort == VectorIndex.EFFORT
    index.note_check(97)
    index.refresh_from_db()
    assert index.is_in_use
    assert index.effort == VectorIndex.RAISE * VectorIndex.EFFORT
    assert index.checks == []
    found = VectorIndex.in_use(indexed, SPACE, "memory")
    assert found is not None
    assert found.effort == index.effort


@pytest.mark.django_db(transaction=True)
def test_effort_has_a_limit(indexed: Instance) -> None:
    VectorIndex.objects.update(effort=VectorIndex.MAX_EFFORT - 1)
    for _ in range(2):
        VectorIndex.objects.update(checks=[97] * VectorIndex.CHECKS_KEPT)
        VectorIndex.objects.get().note_check(97)
    index = VectorIndex.objects.get()
    assert index.effort == VectorIndex.MAX_EFFORT
    assert index.is_in_use
    assert len(index.checks) == VectorIndex.CHECKS_KEPT
