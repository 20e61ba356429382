"""Reciprocal Rank Fusion: one ranking out of several, by ranks alone.

Cormack, Clarke, Büttcher: "Reciprocal Rank Fusion outperforms Condorcet and individual Rank
Learning Methods", SIGIR 2009.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

#: The constant of the paper: the higher, the less the first ranks stand out.
K = 60

Item = TypeVar("Item", bound=Hashable)


@dataclass(slots=True)
class Fused(Generic[Item]):
    """An item with its rank (from 0) in each list that holds it, and what each rank is worth."""

    item: Item
    ranks: dict[str, int] = field(default_factory=dict)
    parts: dict[str, float] = field(default_factory=dict)

    @property
    def score(self) -> float:
        return sum(self.parts.values())


def fuse(lists: Mapping[str, Sequence[Item]]) -> list[Fused[Item]]:
    """Fuse ranked *lists*, best item first: ``score = Σ 1 / (K + rank + 1)``, rank from 0.

    An item that is in a list twice counts once, at its better rank. Ties keep the order of the
    lists.
    """
    fused: dict[Item, Fused[Item]] = {}
    for name, items in lists.items():
        for rank, item in enumerate(dict.fromkeys(items)):
            entry = fused.setdefault(item, Fused(item))
            entry.ranks[name] = rank
            entry.parts[name] = 1 / (K + rank + 1)
    return sorted(fused.values(), key=lambda entry: -entry.score)
