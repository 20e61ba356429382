"""What goes into the write path, and what comes out of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Any, Self

from instances.actor import Actor
from memoryapp.models import Category, Memory, MemoryRevision, Origin
from memoryapp.policy.dedup import Action

#: Maximum length of a memory: one sentence, possibly a long one.
MAX_CONTENT = 4_000
MAX_TAGS = 12
#: What may be attached and is an id, not something said: to group memories by.
IDS_ATTACHED = ("agent_id", "app_id", "run_id")
#: Characters of what a program attaches to a memory, written as JSON.
MAX_METADATA = 10_000


class Rejected(ValueError):
    """The candidate cannot become a memory; the message says what to change.

    ``code`` names the reason for programs: ``invalid`` unless a stage has a word of its own, such
    as ``pii_rejected``.
    """

    def __init__(self, message: str, code: str = "invalid") -> None:
        super().__init__(message)
        self.code = code


class KeyTaken(Rejected):
    """Another fact about the same person has this key in this category."""

    def __init__(self, key: str, category: str) -> None:
        super().__init__(
            f"There is another {category} with the key {key}. Change that one, or give this one "
            "another key.",
            "key_taken",
        )


class Changed(Exception):
    """The memory is no longer what the caller has seen."""


@dataclass(frozen=True)
class Candidate:
    """A sentence that wants to be remembered."""

    content: str
    category: str = Category.GENERAL
    #: 1 to 10; None: not assessed.
    importance: int | None = None
    tags: Sequence[str] = ()
    valid_until: date | None = None
    #: Of a fact that has one value at a time: both, or neither.
    key: str = ""
    value: str = ""
    end_user: str = ""
    #: Who says so; None: whom the writer names.
    origin: Origin | None = None
    #: 0 to 100; None: as sure as its origin usually is.
    confidence: int | None = None
    conversation_id: int | None = None
    message_id: int | None = None
    #: What the program that brings it attaches.
    metadata: Mapping[str, Any] = field(default_factory=dict)
    #: Its id in the system that it comes from: brought again, it is the same memory.
    external_id: str = ""
    #: The text that it was learned from, which is not stored: secrets in it are redacted here too,
    #: however this is worded.
    source_text: str = field(default="", repr=False)
    #: How many secrets of each kind have been taken out of it. The values are nowhere.
    redactions: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What became of a candidate."""

    memory: Memory
    action: Action
    #: Why it has no vector yet, in words; empty when it has one.
    problem: str = ""
    #: How many secrets of each kind were taken out of what was brought.
    redactions: Mapping[str, int] = field(default_factory=dict)
    #: It gave another value to the key, and what was there is better supported: that stands, and
    #: the history tells what was heard.
    not_taken: bool = False


@dataclass(frozen=True)
class Writer:
    """Who writes, for the ledger: a person, or a part of the machine."""

    origin: Origin
    by: Actor
    reason: MemoryRevision.Reason = MemoryRevision.Reason.SAVED


@dataclass(frozen=True)
class Changes:
    """What a person may correct on a memory."""

    content: str
    category: str
    importance: int
    tags: Sequence[str] = field(default_factory=list)
    valid_until: date | None = None
    #: None: it keeps what is attached to it.
    metadata: Mapping[str, Any] | None = None
    #: None: as they are.
    key: str | None = None
    value: str | None = None

    @classmethod
    def of(cls, row: Memory | MemoryRevision) -> Self:
        """What *row* says at present, or said."""
        return cls(**{field.name: getattr(row, field.name) for field in fields(cls)})


def as_own_memory(candidate: Candidate) -> dict[str, Any]:
    """What *candidate* would be as a memory of its own, but for its text, as JSON."""
    return {
        "category": str(candidate.category),
        "importance": candidate.importance or 5,
        "assessed": candidate.importance is not None,
        "tags": list(candidate.tags),
        "valid_until": candidate.valid_until.isoformat() if candidate.valid_until else None,
        "origin": str(candidate.origin or Origin.API),
        "confidence": candidate.confidence,
        "metadata": dict(candidate.metadata),
    }
