"""Decides whether a new fact is a known one, by similarities, texts and thresholds. Pure.

Similarity alone cannot decide. With the built-in model a paraphrase of a fact scores 0.95 and more,
but a changed number still scores 0.98, and a negation often 0.90. So the particulars of the
texts (numbers, dates, negations, names) are compared as well: if they differ, the new text becomes
a new version of the fact, and the old one stays in its history.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from memoryapp.policy.fact_signature import (
    about_someone_else,
    mostly_same_words,
    same_particulars,
    same_words,
)

#: How far below the threshold of a new wording a text with mostly the same words is one: "Ana is
#: somebody who paints" has a cosine of 0.88 to "Ana paints".
REWORDED = 0.15


class Action(StrEnum):
    """What is done with a new fact."""

    #: A row of its own.
    STORED = "stored_new"
    #: The new version of an existing memory, whose old text becomes a revision.
    UPDATED = "updated_existing"
    #: Known already, with the same particulars: nothing is written.
    DUPLICATE = "duplicate_exact"


@dataclass(frozen=True)
class Neighbour:
    """An existing memory near the new text, with their cosine similarity (-1 to 1)."""

    id: int
    content: str
    similarity: float


@dataclass(frozen=True)
class Decision:
    """What to do with a new fact, and with which existing memory."""

    action: Action
    existing_id: int | None = None


def decide(
    content: str, neighbours: Sequence[Neighbour], *, exact: float = 0.98, update: float = 0.90
) -> Decision:
    """Decide what becomes of *content*, given its *neighbours* in any order.

    - the same words: a duplicate, however similar the vectors say they are;
    - at ``exact`` or more, with the same particulars: a duplicate;
    - above ``update``: a new version of that memory, unless the two are about different people;
    - at most `REWORDED` below that, with the same particulars and mostly the same words: a new
      wording, under the same condition;
    - otherwise: a memory of its own.

    A neighbour with the same particulars has precedence over a nearer one: of "has 3 cats" and "has
    two cats", "has 2 cats" repeats the second and is no new version of the first.
    """
    nearest_first = sorted(neighbours, key=lambda near: (-near.similarity, near.id))
    for near in nearest_first:
        if same_words(content, near.content):
            return Decision(Action.DUPLICATE, near.id)
    related = [
        near
        for near in nearest_first
        if near.similarity >= nearest_that_counts(exact, update)
        and not about_someone_else(content, near.content)
    ]
    for near in related:
        if same_particulars(content, near.content):
            if near.similarity >= exact:
                return Decision(Action.DUPLICATE, near.id)
            if near.similarity > update or mostly_same_words(content, near.content):
                return Decision(Action.UPDATED, near.id)
    for near in related:
        if near.similarity > update or near.similarity >= exact:
            return Decision(Action.UPDATED, near.id)
    return Decision(Action.STORED)


def nearest_that_counts(exact: float, update: float) -> float:
    """Return the similarity below which no neighbour matters to `decide`."""
    return min(exact, update - REWORDED)
