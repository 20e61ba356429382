"""Penalties for expired and stale memories: a share of the score, so that a match stays a match and
the penalty shows as a part of the score like any other. Pure.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TypeVar

from memoryapp.recall.fusion import Fused

Item = TypeVar("Item")


class DecayPenalty(StrEnum):
    """Why an item loses score; the name of that part of its score."""

    #: Past the last day on which it holds.
    EXPIRED = "expired"
    #: Not asked for within the instance's window.
    STALE = "stale"


def apply_penalties(
    fused: Iterable[Fused[Item]],
    penalties: Mapping[Item, DecayPenalty],
    shares: Mapping[DecayPenalty, float],
) -> list[Fused[Item]]:
    """Take its share of the score from each item with a penalty, and rank all again; ties keep
    their order.
    """
    ranked = list(fused)
    for entry in ranked:
        why = penalties.get(entry.item)
        # A score of nothing, or below, has nothing to lose.
        if why is not None and shares[why] and entry.score > 0:
            entry.parts[why.value] = -shares[why] * entry.score
    return sorted(ranked, key=lambda entry: -entry.score) if penalties else ranked
