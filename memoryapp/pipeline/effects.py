"""Effects of candidates on the memories: what storing them does, or would do."""

from dataclasses import dataclass
from enum import Enum, auto

from memoryapp.policy.dedup import Action


class EffectKind(Enum):
    """Kind of an effect."""

    #: The candidate becomes a memory of its own.
    STORED = auto()
    #: The same, and takes the key of the one memory that it contradicts.
    SUCCEEDED = auto()
    #: A known memory gets the text of the candidate, or that of a merge with it.
    UPDATED = auto()
    #: A known memory says the same, and gets what else the candidate tells.
    REPEATED = auto()
    #: Only the history of a known memory takes the candidate: that memory has a higher tier, or was
    #: stated later.
    HEARD = auto()
    #: Nothing changes: a person has undone what the same message did before.
    LEFT = auto()
    #: The candidate waits for review.
    HELD = auto()
    #: The candidate is not stored: the instance ignores what comes from there, or a person has
    #: rejected it.
    IGNORED = auto()


_ACTIONS = {
    EffectKind.STORED: Action.STORED,
    EffectKind.SUCCEEDED: Action.STORED,
    EffectKind.UPDATED: Action.UPDATED,
    EffectKind.REPEATED: Action.DUPLICATE,
    EffectKind.HEARD: Action.DUPLICATE,
    EffectKind.LEFT: Action.DUPLICATE,
    EffectKind.HELD: Action.HELD,
    EffectKind.IGNORED: Action.IGNORED,
}


@dataclass(frozen=True)
class Effect:
    """Effect of a candidate. An id below zero is that of a memory that is not stored yet: -1 for
    the first fact of a call or a file, -2 for the second.
    """

    kind: EffectKind
    #: The memory that the candidate becomes, changes or repeats; 0: there is none yet.
    memory: int = 0
    #: The memories that it stands beside, although they may contradict it.
    contradicts: tuple[int, ...] = ()
    #: Why it waits for review; see `memoryapp.models.held_statements`.
    reason: str = ""

    @property
    def action(self) -> Action:
        """The treatment of the candidate, as callers are told."""
        return _ACTIONS[self.kind]

    @property
    def not_taken(self) -> bool:
        """True if the known memory stays as it is, since it has a higher tier or was stated
        later.
        """
        return self.kind is EffectKind.HEARD

    @property
    def changed(self) -> tuple[int, ...]:
        """The memories that become others, or are stated once more."""
        former = self.contradicts if self.kind is EffectKind.SUCCEEDED else ()
        return (self.memory, *former)
