"""The results of a search: hits, and the lists in which they were found."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from django.db.models import Case, F, When
from django.utils import timezone

from conversations.models import Message
from instances.models import Instance
from memoryapp.models import Drawer, Memory

if TYPE_CHECKING:
    from memoryapp.recall.query import RecallQuery

#: The lists of a search: over memories, over messages that are not filed, over drawers.
MEANING, WORDS, MESSAGE_WORDS = "meaning", "words", "said"
DRAWER_MEANING, DRAWER_WORDS = "drawer_meaning", "drawer_words"
LISTS = (MEANING, WORDS, MESSAGE_WORDS, DRAWER_MEANING, DRAWER_WORDS)


class HitRef(NamedTuple):
    """A row in a list. A message is a ``message`` even if it is filed in a drawer; a ``drawer`` is
    a note.
    """

    kind: Literal["memory", "message", "drawer"]
    pk: int


@dataclass(frozen=True)
class Hit:
    """One result: a memory, a message that no memory stands for, or a note of the palace."""

    memory: Memory | None
    message: Message | None
    score: float
    #: List name to rank, from 1.
    ranks: dict[str, int]
    #: The parts of the score by the name of a list, a signal or a penalty.
    parts: dict[str, float]
    #: Cosine similarity to the question, where both have a vector.
    similarity: float | None = None
    #: The drawer of a message that is filed; or the note.
    drawer: Drawer | None = None
    #: True if it passes the floor of relevance.
    is_relevant: bool = True

    @property
    def said(self) -> Message:
        """The message of a hit that is neither a memory nor a note."""
        assert self.message is not None  # noqa: S101 - a hit is one of the three
        return self.message

    @property
    def filed(self) -> Drawer:
        """The drawer of a hit that is a note."""
        assert self.drawer is not None  # noqa: S101 - a hit is one of the three
        return self.drawer

    @property
    def row(self) -> HitRef:
        """The row that the hit is, as the lists call it."""
        if self.memory:
            return HitRef("memory", self.memory.pk)
        if self.message:
            return HitRef("message", self.message.pk)
        return HitRef("drawer", self.filed.pk)

    @property
    def content(self) -> str:
        row = self.memory or self.message or self.drawer
        return row.content if row else ""

    @property
    def end_user(self) -> str:
        """The person whom the hit is about."""
        if self.message and not self.memory:
            return self.message.conversation.end_user
        return (self.memory or self.filed).end_user

    @property
    def shared_with(self) -> str | None:
        """The id of the group with which the conversation or the note is shared."""
        if self.memory:
            return None
        return (self.message.conversation if self.message else self.filed).shared_with


@dataclass(frozen=True)
class RecallResult:
    """The hits of a question, best first."""

    hits: list[Hit] = field(default_factory=list)
    #: Those below the floor of relevance, best first, if they were asked for.
    weaker: list[Hit] = field(default_factory=list)
    #: Why there was no search by meaning, in words; else empty.
    problem: str = ""
    #: True if these are all the hits.
    complete: bool = True
    #: Why the hits were not reranked although they should be, in words; else empty.
    rerank_problem: str = ""
    #: None for an empty question, and for a search in the past.
    query: "RecallQuery | None" = None

    @property
    def degraded(self) -> str | None:
        """The API's code for an answer by words alone."""
        return "embedding_unavailable" if self.problem else None


def note_recalled(instance: Instance, hits: Sequence[Hit]) -> None:
    """Count that these memories of *instance* were shown to a model."""
    shown = [hit.memory.pk for hit in hits if hit.memory]
    Memory.objects.in_instance(instance).filter(pk__in=shown).update(
        recall_count=F("recall_count") + 1,
        last_recalled_at=timezone.now(),
        # A recalled memory is no longer stale; an expired one stays expired.
        stale_since=Case(When(valid_until=None, then=None), default=F("stale_since")),
    )
