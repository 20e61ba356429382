"""Retrieval metrics, with hand-computed cases."""

import math

import pytest

from benchmarks import metrics


@pytest.mark.parametrize(
    ("k", "relevant", "share"),
    [
        (1, {"a"}, 1.0),
        (1, {"b"}, 0.0),
        (2, {"a", "b"}, 1.0),
        (2, {"a", "c"}, 0.5),
        (3, {"x", "y", "c"}, 1 / 3),
        (10, {"x"}, 0.0),
    ],
)
def test_recall_at(k: int, relevant: set[str], share: float) -> None:
    assert metrics.recall_at(k, ["a", "b", "c"], relevant) == share


@pytest.mark.parametrize(
    ("k", "relevant", "gain"),
    [
        (10, {"a"}, 1.0),
        (10, {"b"}, 1 / math.log2(3)),
        (10, {"c"}, 0.5),
        (10, {"a", "c"}, 1.5 / (1 + 1 / math.log2(3))),
        (10, {"a", "b", "c"}, 1.0),
        (2, {"c"}, 0.0),
        # With more relevant results than places, the best possible score is still 1.
        (2, {"a", "b", "x"}, 1.0),
        (10, {"x"}, 0.0),
    ],
)
def test_ndcg_at(k: int, relevant: set[str], gain: float) -> None:
    assert metrics.ndcg_at(k, ["a", "b", "c"], relevant) == pytest.approx(gain)


@pytest.mark.parametrize(
    ("k", "relevant", "some", "all_of_them"),
    [
        (1, {"a"}, 1.0, 1.0),
        (1, {"a", "b"}, 1.0, 0.0),
        (2, {"a", "b"}, 1.0, 1.0),
        (2, {"c"}, 0.0, 0.0),
        (5, {"c", "x"}, 1.0, 0.0),
    ],
)
def test_recall_any_and_all_at(k: int, relevant: set[str], some: float, all_of_them: float) -> None:
    ranked = ["a", "b", "c"]
    assert metrics.recall_any_at(k, ranked, relevant) == some
    assert metrics.recall_all_at(k, ranked, relevant) == all_of_them


@pytest.mark.parametrize(
    ("k", "relevant", "gain"),
    [
        (10, {"a"}, 1.0),
        (10, {"b"}, 1.0),
        (10, {"c"}, 1 / math.log2(3)),
        (10, {"b", "c"}, (1 + 1 / math.log2(3)) / 2),
        (10, {"a", "x", "y"}, 1 / (2 + 1 / math.log2(3))),
        (2, {"c"}, 0.0),
        (1, {"a", "x"}, 1.0),
    ],
)
def test_lenient_ndcg_at(k: int, relevant: set[str], gain: float) -> None:
    assert metrics.lenient_ndcg_at(k, ["a", "b", "c"], relevant) == pytest.approx(gain)


@pytest.mark.parametrize(
    ("share", "value"), [(0.0, 1.0), (0.5, 2.0), (0.51, 3.0), (0.95, 4.0), (1.0, 4.0)]
)
def test_percentile(share: float, value: float) -> None:
    assert metrics.percentile([4.0, 2.0, 1.0, 3.0], share) == value
