"""The measures, by hand-computed cases."""

import math

import pytest

from benchmarks import metrics


@pytest.mark.parametrize(
    ("raw", "ids"),
    [
        (["D8:6; D9:17"], ["D8:6", "D9:17"]),
        (["D30:05"], ["D30:5"]),
        (["D:11:26"], ["D11:26"]),
        (["D1:3", "D1:3", "D01:03"], ["D1:3"]),
        (["D2:1 D2:2,D2:3"], ["D2:1", "D2:2", "D2:3"]),
        (["D"], []),
        ([""], []),
        ([], []),
        (["D99:1", "D1:3"], ["D1:3"]),
    ],
)
def test_evidence(raw: list[str], ids: list[str]) -> None:
    known = {"D1:3", "D2:1", "D2:2", "D2:3", "D8:6", "D9:17", "D30:5", "D11:26"}
    assert metrics.evidence(raw, known) == ids


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
        # More relevant ones than places: the best that is possible is still 1.
        (2, {"a", "b", "x"}, 1.0),
        (10, {"x"}, 0.0),
    ],
)
def test_ndcg_at(k: int, relevant: set[str], gain: float) -> None:
    assert metrics.ndcg_at(k, ["a", "b", "c"], relevant) == pytest.approx(gain)


def test_sessions_by_first_appearance() -> None:
    assert metrics.sessions(["D3:1", "D12:4", "D3:9", "D1:1"]) == ["D3", "D12", "D1"]
    assert metrics.sessions([]) == []


@pytest.mark.parametrize(
    ("share", "value"), [(0.0, 1.0), (0.5, 2.0), (0.51, 3.0), (0.95, 4.0), (1.0, 4.0)]
)
def test_percentile(share: float, value: float) -> None:
    assert metrics.percentile([4.0, 2.0, 1.0, 3.0], share) == value
