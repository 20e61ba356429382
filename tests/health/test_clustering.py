"""Blockwise comparison of vectors finds the same neighbours as a full comparison."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memoryapp.health.clustering import (
    MAX_NEIGHBOURS,
    MIN_SIMILARITY,
    compare_vectors,
    connected_groups,
    histogram,
)


def vectors(seed: int, count: int) -> NDArray[np.float32]:
    """Return unit vectors, some of which are near each other."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(max(1, count // 3), 8))
    made = centres[random.integers(len(centres), size=count)] + random.normal(
        scale=0.2, size=(count, 8)
    )
    unit: NDArray[np.float32] = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit.astype(np.float32)


@given(
    seed=st.integers(0, 10_000),
    count=st.integers(1, 24),
    block=st.integers(1, 24),
    kinds=st.integers(1, 4),
)
def test_nearest_neighbours_do_not_depend_on_the_step_size(
    seed: int, count: int, block: int, kinds: int
) -> None:
    everything = vectors(seed, count)
    keys = np.random.default_rng(seed).integers(kinds, size=count)
    known = np.full(count, np.inf, dtype=np.float32)
    nearest: dict[int, int] = {}
    kept: set[tuple[int, int]] = set()
    order = np.random.default_rng(seed + 1).permutation(count)
    for begin in range(0, count, block):
        rows = order[begin : begin + block]
        # As if only the vectors compared so far existed.
        there = np.sort(order[: begin + block])
        found = compare_vectors(
            everything[there], np.searchsorted(there, rows), keys=keys[there], known=known[there]
        )
        known[rows] = -np.inf
        for pair in [*found.pairs, *found.nearer]:
            one, other = int(there[pair.one]), int(there[pair.other])
            kept.add((min(one, other), max(one, other)))
            if pair.nearest:
                nearest[one] = other
                known[one] = pair.similarity

    cosines = everything @ everything.T
    np.fill_diagonal(cosines, -np.inf)
    apart = (keys[:, None] != 0) & (keys[None, :] != 0) & (keys[:, None] != keys[None, :])
    cosines[apart] = -np.inf
    for row in range(count):
        best = cosines[row].max()
        if best == -np.inf:
            assert row not in nearest
        else:
            assert cosines[row, nearest[row]] == pytest.approx(best, abs=1e-5)
    assert not any(apart[one, other] for one, other in kept)


def test_only_the_few_nearest_above_the_threshold_are_kept() -> None:
    many = np.repeat(vectors(1, 1), 20, axis=0)
    far = np.array([[1, 0], [0, 1], [-1, 0]], dtype=np.float32)
    none = np.zeros(20, dtype=np.int64)
    first = np.array([0])
    new = np.full(20, np.inf, dtype=np.float32)
    assert len(compare_vectors(many, first, keys=none, known=new).pairs) == MAX_NEIGHBOURS
    found = compare_vectors(far, first, keys=none[:3], known=new[:3]).pairs
    assert [(pair.other, pair.nearest) for pair in found] == [(1, True)]
    assert found[0].similarity < MIN_SIMILARITY


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=20))
def test_connected_components(pairs: list[tuple[int, int]]) -> None:
    groups = connected_groups(pairs)
    items = {item for pair in pairs for item in pair}
    assert sorted(item for group in groups for item in group) == sorted(items)
    of = {item: number for number, group in enumerate(groups) for item in group}
    assert all(of[one] == of[other] for one, other in pairs)
    for group in groups:
        reached, edge = {group[0]}, {group[0]}
        while edge:
            edge = {b for p in pairs for a, b in (p, p[::-1]) if a in edge} - reached
            reached |= edge
        assert reached == set(group)
    assert [len(group) for group in groups] == sorted(map(len, groups), reverse=True)


def test_spread_assigns_each_to_its_group() -> None:
    assert histogram([(0, 2), (1, 3), (10, 4), (11, 1)], 10) == [2, 3, *[0] * 8, 5]
