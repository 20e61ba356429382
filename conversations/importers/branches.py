"""Finds the current branch of a conversation. Pure; linear time.

Exports hold a tree: with every regenerated answer and every edited question.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from instances.translatable import translatable

_CIRCLE = translatable("its messages answer each other in a circle")
_NO_BEGINNING = translatable("the message before its first one is missing")
_LOST_WITHIN = translatable("a message within it is missing")
_NOT_CURRENT = translatable("its current message is missing; the newest branch was taken")


@dataclass(frozen=True)
class Branch:
    """The ids from the first message to the last, and what is wrong with them, in words."""

    ids: list[str]
    problem: str = ""


def current_branch(
    parents: Mapping[str, str],
    leaf: str | None,
    *,
    usable: Collection[str],
    dates: Mapping[str, float],
) -> Branch:
    """Return the branch that ends with *leaf*, if it holds a message that is *usable*; otherwise
    the one with the newest of these that goes back to a root, alone only if all are. Where a
    message of the branch is lost, the newest branch before it takes the place of its beginning.

    *parents* map ids to ids, a root to an empty one; *dates* are seconds. Where none is known, the
    last leaf counts as the newest. *leaf* is None in formats that name none.
    """
    branch = _follow(parents, leaf or "")
    is_usable = branch.problem != _CIRCLE and not set(usable).isdisjoint(branch.ids)
    if is_usable and not branch.problem:
        return branch
    depths, followed = _depths(parents), {parents.get(key, "") for key in usable}

    def rank(candidate: tuple[int, str]) -> tuple[bool, bool, bool, float, int]:
        place, key = candidate
        is_leaf = key not in followed
        return depths[key] > 0, depths[key] > 1, is_leaf, dates.get(key, 0.0), place

    candidates = [(place, key) for place, key in enumerate(parents) if key in usable]
    if is_usable:
        lost_at = dates.get(branch.ids[0], math.inf)
        candidates = [each for each in candidates if rank(each)[0] and rank(each)[3] <= lost_at]
    if not candidates:
        return branch
    newest = _follow(parents, max(candidates, key=rank)[1])
    if is_usable:
        return Branch(newest.ids + branch.ids, _LOST_WITHIN)
    return Branch(newest.ids, newest.problem or ("" if leaf is None else _NOT_CURRENT))


def _follow(parents: Mapping[str, str], leaf: str) -> Branch:
    """Follow *parents* from *leaf* up to the root."""
    ids: list[str] = []
    seen: set[str] = set()
    at = leaf
    while at:
        if at in seen:
            return Branch(ids[::-1], _CIRCLE)
        if at not in parents:
            return Branch(ids[::-1], _NO_BEGINNING)
        seen.add(at)
        ids.append(at)
        at = parents[at]
    return Branch(ids[::-1])


def _depths(parents: Mapping[str, str]) -> dict[str, int]:
    """How many messages each branch has up to its root; 0 if it does not get there."""
    depths: dict[str, int] = {}
    for key in parents:
        path: list[str] = []
        at = key
        while at in parents and at not in depths:
            # As long as it is on the way: in a circle, it does not get anywhere.
            depths[at] = 0
            path.append(at)
            at = parents[at]
        depth = depths.get(at, 0)
        reaches_root = not at or depth > 0
        for above, node in enumerate(reversed(path), start=1):
            depths[node] = depth + above if reaches_root else 0
    return depths
