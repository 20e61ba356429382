"""Finds the current branch of a conversation. Pure.

Exports hold a tree: with every regenerated answer and every edited question.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from instances.translatable import translatable


@dataclass(frozen=True)
class Branch:
    """The ids from the first message to the last, and what is wrong with them, in words."""

    ids: list[str]
    problem: str = ""


def follow_branch(parents: Mapping[str, str], leaf: str) -> Branch:
    """Follow *parents* from *leaf* up to the root. They map ids to ids, a root to an empty one."""
    ids: list[str] = []
    seen: set[str] = set()
    at = leaf
    while at:
        if at in seen:
            return Branch(ids[::-1], translatable("its messages answer each other in a circle"))
        if at not in parents:
            return Branch(ids[::-1], translatable("the message before its first one is missing"))
        seen.add(at)
        ids.append(at)
        at = parents[at]
    return Branch(ids[::-1])


def newest_leaf(parents: Mapping[str, str], dates: Mapping[str, float]) -> str:
    """Return the id with the latest of *dates*, of those without children if there are any."""
    followed = set(parents.values())
    leaves = [key for key in parents if key not in followed] or list(parents)
    newest = ""
    for leaf in leaves:
        if not newest or dates.get(leaf, 0.0) >= dates.get(newest, 0.0):
            newest = leaf
    return newest
