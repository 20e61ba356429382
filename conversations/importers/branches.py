"""Which of a conversation's messages were its course: an export holds every answer that was made
anew and every question that was edited, as a tree. Pure functions.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Branch:
    """The ids from the first message to the last, and what was wrong on the way, in words."""

    ids: list[str]
    problem: str = ""


def follow_branch(parents: Mapping[str, str], leaf: str) -> Branch:
    """Go from *leaf* up to the root along *parents*: id to parent's id, empty for a root."""
    course: list[str] = []
    seen: set[str] = set()
    at = leaf
    while at:
        if at in seen:
            return Branch(course[::-1], "its messages answer each other in a circle.")
        if at not in parents:
            return Branch(course[::-1], "the message before its first one is missing.")
        seen.add(at)
        course.append(at)
        at = parents[at]
    return Branch(course[::-1])


def newest_leaf(parents: Mapping[str, str], dates: Mapping[str, float]) -> str:
    """Return the id that nothing follows and that has the latest of *dates*; among equals the one
    that stands last. When everything is followed by something, the newest of all.
    """
    followed = set(parents.values())
    leaves = [key for key in parents if key not in followed] or list(parents)
    newest = ""
    for leaf in leaves:
        if not newest or dates.get(leaf, 0.0) >= dates.get(newest, 0.0):
            newest = leaf
    return newest
