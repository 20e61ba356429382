"""What is past its day, or has long not been asked for, stands a little further back.

A share of what an item has earned, so that it is told like any other part of its score and never
turns a match into none. Pure: who is what is for the caller to know.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TypeVar

from memoryapp.recall.fusion import Fused

Item = TypeVar("Item")


class DecayPenalty(StrEnum):
    """Why an item stands further back; the name of that part of its score."""

    #: Past the last day on which it holds.
    EXPIRED = "expired"
    #: Not asked for within the instance's window.
    STALE = "stale"


def apply_penalties(
    fused: Iterable[Fused[Item]],
    fading: Mapping[Item, DecayPenalty],
    shares: Mapping[DecayPenalty, float],
) -> list[Fused[Item]]:
    """Let those of *fused* that are *fading* lose their share, and rank all anew; ties and what
    does not fade keep their order.
    """
    ranked = list(fused)
    for entry in ranked:
        why = fading.get(entry.item)
        # What is worth nothing has nothing to lose.
        if why is not None and shares[why] and entry.score > 0:
            entry.parts[why.value] = -shares[why] * entry.score
    return sorted(ranked, key=lambda entry: -entry.score) if fading else ranked
