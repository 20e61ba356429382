"""Metrics of rankings. Pure functions."""

import math
from collections.abc import Collection, Sequence


def recall_at(k: int, ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Return the share of the *relevant* among the first *k* of *ranked*, 0 to 1."""
    return len(set(ranked[:k]) & set(relevant)) / len(set(relevant))


def recall_any_at(k: int, ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Return 1 if any of the *relevant* is among the first *k* of *ranked*, and 0 if none is."""
    return float(not set(relevant).isdisjoint(ranked[:k]))


def recall_all_at(k: int, ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Return 1 if all of the *relevant* are among the first *k* of *ranked*, and else 0."""
    return float(set(relevant) <= set(ranked[:k]))


def ndcg_at(k: int, ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Return the normalised discounted cumulative gain with binary gain, 0 to 1.

    ``DCG = Σ gain / log2(rank + 1)``, rank from 1 (Järvelin and Kekäläinen, 2002).
    """
    relevant = set(relevant)
    found = sum(
        1 / math.log2(rank + 1) for rank, item in enumerate(ranked[:k], 1) if item in relevant
    )
    return found / sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(relevant)) + 1))


def lenient_ndcg_at(k: int, ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Return the gain as LongMemEval's evaluation discounts it: the second place costs nothing.

    ``DCG = gain_1 + Σ gain_r / log2(r)``, rank r from 2 (Järvelin and Kekäläinen, 2000).
    """
    relevant = set(relevant)
    discounts = [1 / max(1.0, math.log2(rank)) for rank in range(1, k + 1)]
    found = sum(d for d, item in zip(discounts, ranked, strict=False) if item in relevant)
    return found / sum(discounts[: len(relevant)])


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest of *values* that at least *share* (0 to 1) of them do not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
