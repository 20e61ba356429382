"""What is known of one candidate on its way into the store: each stage adds its part."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from instances.models import Instance
from memoryapp.pipeline.candidates import Candidate
from memoryapp.pipeline.neighbours import neighbours_of
from memoryapp.policy.dedup import Decision, Neighbour, decide


class MergeChoice(StrEnum):
    """What is to become of a new fact and a known one."""

    MERGE = "merge"
    REPLACE = "replace"
    KEEP_BOTH = "keep_both"


@dataclass(frozen=True)
class MergeDecision:
    """What the model said of a new fact."""

    choice: MergeChoice
    #: The memories that it was compared with, and what they said then.
    seen: Mapping[int, str]
    #: The memory that it is merged into, or that it replaces.
    existing_id: int | None = None
    #: What that memory is to say after a merge, with the vector of it.
    content: str = ""
    vector: NDArray[np.float32] | None = field(default=None, repr=False)


@dataclass
class Plan:
    """One validated candidate, its vector, and what is decided before the lock.

    The early decision saves calls to a model and gives it something to judge. `storage` decides
    again under the lock, since another writer may have come first.
    """

    candidate: Candidate
    space: str = ""
    vector: NDArray[np.float32] | None = field(default=None, repr=False)
    #: The memories near it, looked up once for all stages before the lock; None: not yet.
    near: list[Neighbour] | None = None
    #: What a model says of it and of them.
    judgement: MergeDecision | None = None

    def neighbours(self, instance: Instance) -> list[Neighbour]:
        """The memories that may be the same fact, or one with it."""
        if self.near is None:
            # A model is asked about more distant ones than those that count for `decide`.
            least = instance.dedup_merge if instance.merge_with_model else 1.0
            self.near = neighbours_of(
                instance, self.candidate, self.space, self.vector, least=least
            )
        return self.near

    def early_decision(self, instance: Instance) -> Decision:
        """What the similarity of the texts alone would make of the candidate."""
        return decide(
            self.candidate.content,
            self.neighbours(instance),
            exact=instance.dedup_exact,
            update=instance.dedup_update,
        )
