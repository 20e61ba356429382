"""The input and output types of the write path."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime
from typing import Any, Self
from uuid import UUID

from instances.actor import Actor
from instances.tiers import Tier
from instances.translatable import translatable, translated
from memoryapp.models import Category, HeldStatement, Memory, MemoryRevision, Origin
from memoryapp.models.memory_choices import ImportanceBy
from memoryapp.policy.dedup import Action
from memoryapp.policy.sensitivity import SensitiveArea

#: Maximum length of a memory: one sentence, possibly a long one.
MAX_CONTENT = 4_000
MAX_TAGS = 12
#: The most days for which a fact can be stored, if it is stored for a number of days.
MAX_EXPIRES_DAYS = 36_500
#: The name in the metadata of a short text that says where a fact comes from.
SOURCE_CONTEXT = "source_context"
MAX_SOURCE_CONTEXT = 300
#: Characters of attached metadata, as JSON.
MAX_METADATA = 10_000


class Rejected(ValueError):
    """The candidate cannot become a memory. ``str()`` says what to change, in the language of the
    request; ``text`` says it in English for storing, and can be translated later.

    ``code`` is the reason for programs, such as ``pii_rejected``.
    """

    def __init__(self, text: str, code: str = "invalid") -> None:
        super().__init__(text)
        self.text = text
        self.code = code

    def __str__(self) -> str:
        return translated(self.text)


class KeyTaken(Rejected):
    """Another fact about the same person has this key, which has one value at a time."""

    def __init__(self, key: str) -> None:
        super().__init__(
            translatable(
                "There is another memory with the key %(key)s. Change that one, or give this one "
                "another key.",
                key=key,
            ),
            "key_taken",
        )


class Outranked(Rejected):
    """The memory was stated by a higher tier than that of who would change it."""

    def __init__(self) -> None:
        super().__init__(
            translatable(
                "It comes from a source of a higher tier than this caller, and stays as it is. "
                "People can change it on its page, and a manager can create a key of the user’s "
                "tier."
            ),
            "outranked",
        )


class Changed(Exception):
    """The memory has changed since the caller loaded it."""


@dataclass(frozen=True)
class Candidate:
    """A sentence that is to become a memory."""

    content: str
    #: None: its source gives none, and the write path fills it in.
    category: str | None = None
    #: 1 to 10; None as above.
    importance: int | None = None
    tags: Sequence[str] = ()
    #: Its end; see `memoryapp.models.end_dates`. Where its source gives none, the write path may
    #: fill in the day, unless the source says that it has none.
    valid_until: date | None = None
    expires_at: datetime | None = None
    has_no_end: bool = False
    #: The names of the fields that the write path has filled in by rules, and who gave the
    #: importance; see `filled_in`.
    by_rules: frozenset[str] = frozenset()
    importance_by: ImportanceBy = ImportanceBy.RULES
    #: What the fact is about: both, or neither.
    key: str = ""
    value: str = ""
    end_user: str = ""
    #: The person from whose memory it is shared with a group.
    shared_by: str | None = None
    #: None: that of the writer.
    origin: Origin | None = None
    #: The most that it is believed; the writer's tier lowers it further.
    tier: Tier = Tier.PERSON
    #: 0 to 100; None: the default of its origin. It counts only among statements of one tier.
    confidence: int | None = None
    #: When it was stated; None: now.
    said_at: datetime | None = None
    #: When it was stored and last changed in the system that it comes from; None: now.
    created_at: datetime | None = None
    updated_at: datetime | None = None
    #: The sensitive area that the model which read it sees in it, besides those of its words.
    area: SensitiveArea | None = None
    #: True if it stands beside memories that it would otherwise reword or replace.
    keep_apart: bool = False
    #: True if a person has approved it, so that it does not wait for review.
    approved: bool = False
    conversation_id: int | None = None
    message_id: int | None = None
    #: The entry point and the batch that it came with, if it waited for a person's decision since;
    #: empty: those of the writer.
    via: str = ""
    batch: UUID | None = None
    #: What the calling program attaches. Ids of agents, apps and runs in it become labels.
    metadata: Mapping[str, Any] = field(default_factory=dict)
    #: Who states it; see `policy.labels`.
    labels: Sequence[str] = ()
    #: Its id in the system that it comes from: given again, it is the same memory.
    external_id: str = ""
    #: True if it is pinned, once it is a memory of its own.
    pinned: bool = False
    #: The text that it was learned from, which is not stored: secrets in it are redacted here too,
    #: however this is worded.
    source_text: str = field(default="", repr=False)
    #: The number of secrets of each kind that have been redacted.
    redactions: Mapping[str, int] = field(default_factory=dict)

    @property
    def assessed_importance(self) -> int | None:
        """The importance that its source or the model gives; None if neither does."""
        return None if "importance" in self.by_rules else self.importance


@dataclass(frozen=True)
class Outcome:
    """Result of storing a candidate."""

    memory: Memory
    action: Action
    #: Why it has no vector yet, in words; empty when it has one.
    problem: str = ""
    #: The number of secrets of each kind that were redacted.
    redactions: Mapping[str, int] = field(default_factory=dict)
    #: True if a correction has changed the text of the memory.
    reworded: bool = False
    #: True if it would have changed a memory of a higher tier, or the later value of a key: that
    #: stays, and the history has the new one.
    not_taken: bool = False
    #: The ids of memories that may contradict it, and stand beside it.
    contradicts: tuple[int, ...] = ()
    #: What waits for review instead; then ``memory`` is not stored.
    held: HeldStatement | None = None


@dataclass(frozen=True)
class Writer:
    """The writer of memories, as the activity log records it."""

    origin: Origin
    by: Actor
    reason: MemoryRevision.Reason = MemoryRevision.Reason.SAVED
    #: How far what comes through this door is believed at most. A door says so itself.
    tier: Tier = Tier.DOCUMENT
    #: The file that is stored in several calls; None: each call is a batch of its own.
    batch: UUID | None = None


@dataclass(frozen=True)
class Changes:
    """The columns of a memory that a person can edit, with their new values."""

    content: str
    category: str
    importance: int
    tags: Sequence[str] = field(default_factory=list)
    valid_until: date | None = None
    expires_at: datetime | None = None
    #: None: unchanged.
    metadata: Mapping[str, Any] | None = None
    #: None: unchanged.
    key: str | None = None
    value: str | None = None

    @classmethod
    def of(cls, row: Memory | MemoryRevision) -> Self:
        """The values of *row*."""
        return cls(**{field.name: getattr(row, field.name) for field in fields(cls)})


def importance_given_by(actor: Actor) -> ImportanceBy:
    """Giver of the importance of a memory that *actor* changes."""
    return ImportanceBy.PERSON if actor.via == "screen" else ImportanceBy.SOURCE


def attributed(candidate: Candidate, writer: Writer) -> Candidate:
    """Return *candidate* with its origin, tier and confidence filled in. What it says of a pin
    counts only where the writer is believed as a person is.
    """
    origin = Origin(candidate.origin or writer.origin)
    return replace(
        candidate,
        origin=origin,
        tier=min(candidate.tier, writer.tier),
        confidence=origin.confidence if candidate.confidence is None else candidate.confidence,
        pinned=candidate.pinned and writer.tier is Tier.PERSON,
    )


#: The columns that a statement gives its memory as they are; `stated_columns` has the others.
_AS_GIVEN = ("importance_by", "valid_until", "expires_at", "tier", "confidence")


def stated_columns(candidate: Candidate) -> dict[str, Any]:
    """The columns of *candidate* as a memory of its own, besides its text, person, key, id and
    times.
    """
    return {
        **{name: getattr(candidate, name) for name in _AS_GIVEN},
        "category": candidate.category or Category.GENERAL,
        "importance": candidate.importance or 5,
        "assessed": candidate.assessed_importance is not None,
        "tags": list(candidate.tags),
        "origin": candidate.origin or Origin.API,
        "metadata": dict(candidate.metadata),
        "labels": list(candidate.labels),
    }
