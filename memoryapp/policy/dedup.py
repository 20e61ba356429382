"""Decides whether a new fact is a known one, by similarities, texts and thresholds. Pure.

Similarity alone cannot decide. With the built-in model a paraphrase of a fact scores 0.95 and more,
but a changed number still scores 0.98, and a negation often 0.90. So the particulars of the
texts (numbers, dates, negations, names) are compared as well. If they differ, both facts are kept,
unless the new one is a later statement of one quantity or state.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from memoryapp.policy.fact_signature import (
    mostly_same_words,
    same_particulars,
    same_words,
    tells_when,
)
from memoryapp.policy.statement_change import single_change
from memoryapp.policy.subjects import about_someone_else

#: How far below the threshold of a new wording a text with mostly the same words is one: "Ana is
#: somebody who paints" has a cosine of 0.88 to "Ana paints".
REWORDED = 0.15
#: Below this similarity no two statements differ in one thing only: "lives in Rome" has a cosine of
#: 0.7 to "lives in Paris".
SAME_SUBJECT = 0.5


class Action(StrEnum):
    """Treatment of a new fact."""

    #: A row of its own.
    STORED = "stored_new"
    #: The new version of an existing memory, whose old text becomes a revision.
    UPDATED = "updated_existing"
    #: Known already, with the same particulars: its text stays.
    DUPLICATE = "duplicate_exact"
    #: Not stored: it waits for a person; see `policy.review`.
    HELD = "held"
    #: Not stored: the instance ignores what comes from there, or a person has rejected it.
    IGNORED = "ignored"


@dataclass(frozen=True)
class Neighbour:
    """An existing memory near the new text, with their similarity: the cosine of the built-in
    model, or what corresponds to it; see `policy.similarity_scale`.
    """

    id: int
    content: str
    similarity: float
    #: True if it was stated before the new text.
    earlier: bool = True
    #: True if it stands in one list with the new text: a file of memories, a call, or a message.
    same_list: bool = False
    #: By how many tiers its source is above that of the new text; negative: below it.
    tiers_above: int = 0

    @property
    def replaceable(self) -> bool:
        """True if a later statement may take its place."""
        return self.earlier and not self.same_list and self.tiers_above <= 0


@dataclass(frozen=True)
class Decision:
    """Action for a new fact, with the existing memory that it concerns."""

    action: Action
    existing_id: int | None = None
    #: Memories that stay beside it, although only one of them and the new fact may be right.
    contradicts: tuple[int, ...] = ()


def decide(
    content: str,
    neighbours: Sequence[Neighbour],
    *,
    exact: float = 0.98,
    update: float = 0.90,
    keep_apart: bool = False,
) -> Decision:
    """Decide what becomes of *content*, given its *neighbours* in any order.

    - the same words: a duplicate, however similar the vectors say they are;
    - at ``exact`` or more, with the same particulars: a duplicate;
    - above ``update``, with the same particulars: a new wording;
    - at most `REWORDED` below that, with the same particulars and mostly the same words: likewise;
    - a later statement of one quantity or state: a new version;
    - otherwise: a memory of its own, beside those that it may contradict.

    No neighbour about another person counts. Of neighbours of the same list, only the same words
    are a duplicate, since a list says each of its facts once; with ``keep_apart``, of any. Neither
    is replaced.
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
    for near in [] if keep_apart else related:
        if (action := _as_wording(content, near, exact, update)) is not None:
            return Decision(action, near.id)
    changes = {
        near.id: change for near in related if (change := single_change(content, near.content))
    }
    for near in related:
        change = changes.get(near.id)
        if change and change.replaces and near.replaceable and not keep_apart:
            return Decision(Action.UPDATED, near.id, tuple(pk for pk in changes if pk != near.id))
    return Decision(Action.STORED, contradicts=tuple(changes))


def _as_wording(content: str, near: Neighbour, exact: float, update: float) -> Action | None:
    """Action for *content* as a wording of *near*; None if it is another fact."""
    if near.same_list or near.similarity < min(exact, update - REWORDED):
        return None
    if not same_particulars(content, near.content):
        return None
    is_wording = (
        near.similarity >= exact
        or (near.similarity > update and near.tiers_above <= 0)
        or mostly_same_words(content, near.content)
    )
    if not is_wording:
        return None
    # The wording stays that tells more.
    if near.tiers_above > 0 or tells_when(near.content, content):
        return Action.DUPLICATE
    is_fuller = near.similarity < exact or tells_when(content, near.content)
    return Action.UPDATED if is_fuller else Action.DUPLICATE


def nearest_that_counts(exact: float, update: float) -> float:
    """Return the similarity below which no neighbour matters to `decide`."""
    return min(exact, update - REWORDED, SAME_SUBJECT)
