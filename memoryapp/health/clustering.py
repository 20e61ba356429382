"""Nearest pairs of vectors, and groups of connected items. Pure functions."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Neighbours that are stored for each vector, if they are near enough.
MAX_NEIGHBOURS = 5
#: The lowest cosine at which two texts may say the same.
MIN_SIMILARITY = 0.80


@dataclass(frozen=True)
class SimilarPair:
    """Two rows and the cosine of their vectors."""

    one: int
    other: int
    similarity: float
    #: True if no other row is nearer to `one`.
    nearest: bool


@dataclass(frozen=True)
class SimilarPairs:
    """The result of comparing some rows with all."""

    #: For each compared row: its nearest row, then others that are near.
    pairs: list[SimilarPair]
    #: For other rows: a compared row that is nearer than the nearest known so far.
    nearer: list[SimilarPair]


def compare_vectors(
    vectors: NDArray[np.float32],
    rows: NDArray[np.intp],
    *,
    keys: NDArray[np.int64],
    known: NDArray[np.float32],
) -> SimilarPairs:
    """Compare *rows* with all *vectors*, which have shape (n, d) and length 1.

    Rows whose *keys* are both not 0 and different are never compared: they are different facts.
    *known* is the cosine of the nearest row that each row has so far: -inf if it has none, inf for
    a row that has not been compared itself.
    """
    cosines = vectors[rows] @ vectors.T
    cosines[np.arange(len(rows)), rows] = -np.inf
    own = keys[rows][:, None]
    cosines[(own != 0) & (keys != 0)[None, :] & (own != keys[None, :])] = -np.inf
    most = min(MAX_NEIGHBOURS, cosines.shape[1])
    top = np.argpartition(-cosines, most - 1, axis=1)[:, :most]
    pairs = []
    for number, row in enumerate(rows):
        best = sorted(top[number], key=lambda other: (-cosines[number, other], other))
        for place, other in enumerate(best):
            similarity = float(cosines[number, other])
            if similarity > -np.inf and (place == 0 or similarity >= MIN_SIMILARITY):
                pairs.append(_pair(row, other, similarity, nearest=place == 0))
    nearest = cosines.max(axis=0)
    of = rows[cosines.argmax(axis=0)]
    nearest[rows] = -np.inf
    improved = np.flatnonzero(nearest > known)
    nearer = [_pair(row, of[row], float(nearest[row]), nearest=True) for row in improved]
    return SimilarPairs(pairs, nearer)


def connected_groups(pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Group the items that *pairs* connect, directly or indirectly; the largest group first."""
    above: dict[int, int] = {}

    def top_of(item: int) -> int:
        above.setdefault(item, item)
        while above[item] != item:
            above[item] = above[above[item]]
            item = above[item]
        return item

    for one, other in pairs:
        first, second = sorted((top_of(one), top_of(other)))
        above[second] = first
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for item in sorted(above):
        groups[top_of(item)].append(item)
    return sorted(groups.values(), key=lambda group: (-len(group), group))


def histogram(counts: Sequence[tuple[int, int]], bins: int) -> list[int]:
    """Counts for *bins* + 1 places: below the first bin, and in each bin."""
    places = [0] * (bins + 1)
    for place, count in counts:
        places[min(max(place, 0), bins)] += count
    return places


def _pair(one: np.intp, other: np.intp, similarity: float, *, nearest: bool) -> SimilarPair:
    return SimilarPair(int(one), int(other), min(1.0, max(-1.0, similarity)), nearest)
