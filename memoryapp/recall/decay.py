"""Penalties for expired and stale memories, as a share of the score that shows like any other part.
Pure.
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
    #: Not recalled within the instance's window.
    STALE = "stale"


def apply_penalties(
    fused: Iterable[Fused[Item]],
    penalties: Mapping[Item, DecayPenalty],
    shares: Mapping[DecayPenalty, float],
) -> list[Fused[Item]]:
    """Subtract its share of the score from each item with a penalty, and sort again; ties keep
    their order.
    """
    ranked = list(fused)
    for entry in ranked:
        why = penalties.get(entry.item)
        # A score of zero or less cannot lose a share.
        if why is not None and shares[why] and entry.score > 0:
            entry.parts[why.value] = -shares[why] * entry.score
    return sorted(ranked, key=lambda entry: -entry.score) if penalties else ranked
