"""The plan for one candidate, to which each stage of the write path adds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from instances.models import Instance
from memoryapp.pipeline.candidates import Candidate
from memoryapp.policy.dedup import Decision, Neighbour, decide


class MergeChoice(StrEnum):
    """Treatment of a new fact beside a known one."""

    MERGE = "merge"
    REPLACE = "replace"
    KEEP_BOTH = "keep_both"


def may_take(choice: MergeChoice, tiers_above: int) -> bool:
    """True if a new fact may do this to a known one, whose tier is so many above its own. A text
    made of both would have the lower tier, so only those of one tier are merged.
    """
    return {
        MergeChoice.MERGE: tiers_above == 0,
        MergeChoice.REPLACE: tiers_above <= 0,
        MergeChoice.KEEP_BOTH: True,
    }[choice]


@dataclass(frozen=True)
class Judgement:
    """The model's judgement of a new fact."""

    choice: MergeChoice
    #: The ids and texts of the memories that it was compared with.
    seen: Mapping[int, str]
    #: The memory that it is merged into, or that it replaces.
    existing_id: int | None = None
    #: The text of a merged memory, with its vector.
    content: str = ""
    vector: NDArray[np.float32] | None = field(default=None, repr=False)


@dataclass
class Plan:
    """A validated candidate, its vector, and what is decided before the lock.

    The early decision shows whether a model has to be asked. `storage` decides again under the
    lock, since another writer may have come first.
    """

    candidate: Candidate
    #: The file, call or reading that it comes from.
    batch: UUID
    space: str = ""
    vector: NDArray[np.float32] | None = field(default=None, repr=False)
    #: The memories that may be the same fact, or be merged with it; None: not looked up yet.
    near: list[Neighbour] | None = None
    judgement: Judgement | None = None

    def early_decision(self, instance: Instance) -> Decision:
        """Decide by the similarity of the texts alone, to the memories that were looked up."""
        return decide_by_similarity(instance, self.candidate, self.near or ())


def decide_by_similarity(
    instance: Instance, candidate: Candidate, neighbours: Sequence[Neighbour]
) -> Decision:
    """Decide about *candidate* with the thresholds of *instance*."""
    return decide(
        candidate.content,
        neighbours,
        exact=instance.dedup_exact,
        update=instance.dedup_update,
        keep_apart=candidate.keep_apart,
    )
