"""Questions to the app above, which reads conversations for facts."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.db.models import QuerySet

from conversations.models import Conversation, Import, Message, Nature
from instances.hooks import Hook
from instances.models import Instance


class ReadingProgress(Protocol):
    """How far a conversation has been read for facts."""

    @property
    def watermark(self) -> int: ...

    @property
    def is_idle(self) -> bool: ...

    @property
    def is_under_way(self) -> bool: ...

    @property
    def is_left_by_switch(self) -> bool: ...

    def outcome_of(self, message: Message) -> object: ...


@Hook
def reading_progress(conversation: Conversation) -> ReadingProgress:
    """Return how far *conversation* has been read."""
    raise NotImplementedError


@Hook
def messages_with_outcomes(conversation: Conversation) -> QuerySet[Message]:
    """Return its messages, each with its memories and its place in the palace."""
    raise NotImplementedError


@Hook
def mute_repeated(
    conversation: Conversation, added: Sequence[Message], *, anew: Message | None
) -> None:
    """Mute those of the *added* messages that repeat what was forgotten, apart from the one that a
    person says *anew*.
    """
    raise NotImplementedError


@Hook
def spoken(message: Message) -> str:
    """Return the text of *message*, also if it is muted; load many with ``muted``."""
    raise NotImplementedError


@Hook
def with_text(message: Message) -> Message:
    """Return *message* with its text, also if it is muted, to show it to people."""
    raise NotImplementedError


@Hook
def is_muted(message: Message) -> bool:
    """True if *message* states what was forgotten, so that only the transcript shows it."""
    raise NotImplementedError


@Hook
def sayable_anew(messages: Sequence[Message]) -> Collection[int]:
    """Return the ids of those of *messages* that state what a program has deleted altogether: when
    it sends them again, they are said anew.
    """
    raise NotImplementedError


class DisclosedMessage(Protocol):
    """Text of a message that others may read."""

    @property
    def content(self) -> str: ...

    @property
    def has_secrets(self) -> bool: ...

    @property
    def is_cut(self) -> bool: ...


@Hook
def disclosed_page(instance: Instance, rows: Sequence[Message]) -> Sequence[DisclosedMessage]:
    """Return what others may read of *rows* on one page."""
    raise NotImplementedError


@Hook
def masked(instance: Instance, text: str) -> str:
    """Return *text* with placeholders for what is secret."""
    raise NotImplementedError


@Hook
def language_of(text: str, usual: str) -> str:
    """Return the language of *text*, or the *usual* one if it is too short to tell."""
    raise NotImplementedError


@Hook
def nature_of(text: str, *, role: str, language: str, before: str) -> Nature:
    """Return what a message with this *text* does, said by *role* in this *language* after the text
    *before*.
    """
    raise NotImplementedError


@Hook
def with_reading_state(
    conversations: QuerySet[Conversation], only: str = ""
) -> QuerySet[Conversation]:
    """Annotate ``run_state``, the state of the last run, and ``learned``, the number of memories.
    Narrow to those whose reading has *failed* or is *waiting*, if *only* says so.
    """
    raise NotImplementedError


@Hook
def unread_and_waiting(conversations: QuerySet[Conversation]) -> tuple[int, int]:
    """Return how many have messages that were not read for facts and have no run, and how many such
    have one that is queued or running.
    """
    raise NotImplementedError


@dataclass(frozen=True)
class VectorProgress:
    """The work under way until search finds all messages by meaning."""

    #: The estimated time until it is done; None while it is not known, or while it waits.
    seconds_left: float | None
    #: Why it waits, as a sentence; empty if nothing is wrong.
    problem: str = ""


@Hook
def vector_progress(instance: Instance) -> VectorProgress | None:
    """Return the progress of *instance*; None if nothing is under way."""
    raise NotImplementedError


@Hook
def import_preview(import_: Import, fate: str, number: str) -> dict[str, Any]:
    """Return the context of page *number* of what will become of the memories of *import_*: of all
    rows, or of those with this *fate*.
    """
    raise NotImplementedError
