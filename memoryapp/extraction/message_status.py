"""How far conversations have been read for facts, and what became of each message."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Prefetch, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.models import Conversation, Message, Role
from instances.translatable import translated
from memoryapp.models import Answer, MemorySource, Run

#: The states of a run that is not over.
_UNDER_WAY = [Run.State.QUEUED, Run.State.RUNNING]


class MessageState(StrEnum):
    """Result of extraction for a message."""

    #: Memories came of it, or say it already.
    REMEMBERED = "remembered"
    #: Read, with nothing in it worth keeping.
    NOTHING_KEPT = "nothing_kept"
    #: Read, and what was proposed could not be kept.
    REJECTED = "rejected"
    #: Read for what others said: an assistant's words are not remembered.
    CONTEXT = "context"
    #: It states what was forgotten: it is not recalled, and nothing is learned from it.
    MUTED = "muted"
    #: System messages are left out.
    LEFT_OUT = "left_out"
    UNREAD = "unread"
    WAITING = "waiting"
    READING = "reading"
    FAILED = "failed"


@dataclass(frozen=True)
class MessageStatus:
    """Outcome of one message, in words, with the memories that came of it."""

    state: MessageState
    words: str
    sources: list[MemorySource] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        return self.state is MessageState.FAILED


@dataclass(frozen=True)
class ExtractionProgress:
    """How far extraction has come in a conversation."""

    watermark: int
    run: Run | None
    #: Position to the reasons for which proposals from that message were dropped.
    rejected: dict[int, list[str]]
    #: Proposals that pointed to no message that was new.
    unplaced: int
    memory_enabled: bool
    without_memory: bool = False

    @classmethod
    def of(cls, conversation: Conversation) -> "ExtractionProgress":
        """Load it, in one query over the conversation's runs."""
        rejected: dict[int, list[str]] = {}
        # In one look: a run that ends meanwhile is not over before it has read anything.
        runs: list[Any] = list(
            Run.objects.extractions()
            .filter(conversation=conversation)
            .annotate(read_to=F("conversation__watermark"))
            .order_by("-pk")
        )
        for run in runs:
            for item in run.rejected:
                rejected.setdefault(item["position"], []).append(item["reason"])
        return cls(
            watermark=runs[0].read_to if runs else conversation.watermark,
            run=runs[0] if runs else None,
            unplaced=len(rejected.pop(0, ())),
            rejected=rejected,
            memory_enabled=conversation.instance.memory_enabled,
            without_memory=conversation.without_memory,
        )

    @property
    def state(self) -> str:
        """The conversation's own state: failed, running, queued, read or unread."""
        if self.run is not None and self.run.state != Run.State.SUCCEEDED:
            return self.run.state
        return "read" if self.watermark else "unread"

    @property
    def is_idle(self) -> bool:
        """True if no run is about to read what is unread, or has failed to."""
        return self.run is None or self.run.state == Run.State.SUCCEEDED

    @property
    def is_under_way(self) -> bool:
        """True if a run reads it, or waits to."""
        return self.run is not None and not self.run.is_over

    @property
    def is_left_by_switch(self) -> bool:
        """True if what is unread waits for nothing but the memory switch."""
        return not self.memory_enabled and self.is_idle

    def outcome_of(self, message: Message) -> MessageStatus:
        """Return the status of *message*, which is loaded with its links to memories."""
        return self.status_of(message, list(message.memory_sources.all()))

    def status_of(self, message: Message, sources: Sequence[MemorySource]) -> MessageStatus:
        """Say what became of *message*, whose links to memories are *sources*."""
        if message.role == Role.SYSTEM:
            return MessageStatus(MessageState.LEFT_OUT, _("Not read: system message."))
        if sources:
            return MessageStatus(MessageState.REMEMBERED, "", list(sources))
        if hasattr(message, "muted"):
            text = _("Not recalled: it states something forgotten.")
            return MessageStatus(MessageState.MUTED, text)
        if message.position in self.rejected:
            reasons = "; ".join(dict.fromkeys(map(translated, self.rejected[message.position])))
            text = _("Nothing kept. The proposed fact %(reasons)s.")
            return MessageStatus(MessageState.REJECTED, text % {"reasons": reasons.rstrip(".")})
        if message.position <= self.watermark:
            if message.role == Role.USER:
                return MessageStatus(MessageState.NOTHING_KEPT, _("Nothing to remember."))
            return MessageStatus(MessageState.CONTEXT, _("Read for context only."))
        return self._status_of_unread()

    def _status_of_unread(self) -> MessageStatus:
        if self.without_memory:
            text = _("Not read: this conversation is without memory.")
            return MessageStatus(MessageState.LEFT_OUT, text)
        if self.is_left_by_switch:
            return MessageStatus(MessageState.UNREAD, _("Not read: memory is off."))
        if self.is_idle or self.run is None:
            return MessageStatus(MessageState.UNREAD, _("Not read yet."))
        if self.run.state == Run.State.FAILED:
            text = _("Failed: %(error)s") % {"error": translated(self.run.error)}
            return MessageStatus(MessageState.FAILED, text)
        if self.run.state == Run.State.RUNNING:
            return MessageStatus(MessageState.READING, _progress(self.run))
        if self.run.error:
            text = _("Waiting for attempt %(attempt)s of %(limit)s. Last error: %(error)s") % {
                "attempt": self.run.attempts + 1,
                "limit": self.run.MAX_ATTEMPTS,
                "error": translated(self.run.error),
            }
            return MessageStatus(MessageState.WAITING, text)
        return MessageStatus(MessageState.WAITING, _("Waiting to be read."))


def _progress(run: Run) -> str:
    """Say that *run* is under way, and for how long, once that is worth telling."""
    seconds = (timezone.now() - run.started_at).total_seconds() if run.started_at else 0.0
    values = {
        "attempt": run.attempts,
        "limit": run.MAX_ATTEMPTS,
        "seconds": int(seconds // 5 * 5),
    }
    if run.attempts > 1 and seconds >= 5:
        text = _("Being read, attempt %(attempt)s of %(limit)s, %(seconds)s s so far.")
    elif run.attempts > 1:
        text = _("Being read, attempt %(attempt)s of %(limit)s.")
    elif seconds >= 5:
        text = _("Being read, %(seconds)s s so far.")
    else:
        text = _("Being read.")
    return text % values


def messages_with_outcomes(conversation: Conversation) -> QuerySet[Message]:
    """The messages of *conversation*, each with its links to memories, its drawer, and what was
    refused of it, or proposed in answer to it.
    """
    sources = MemorySource.objects.filter(conversation=conversation).select_related("memory")
    proposing = Answer.objects.filter(proposed_deletions__isnull=False).distinct()
    return (
        conversation.messages.select_related("drawer__closet__room__wing", "muted")
        .defer("search", "drawer__search")
        .prefetch_related(
            Prefetch("memory_sources", sources),
            "refused",
            Prefetch("answers", proposing, to_attr="proposing"),
        )
    )


def with_reading_state(
    conversations: QuerySet[Conversation], only: str = ""
) -> QuerySet[Conversation]:
    """Annotate the state of the last run, ``run_state``, and the number of memories, ``learned``;
    narrow to those that have ``failed`` or are ``waiting``, if *only* says so.
    """
    runs = Run.objects.extractions().filter(conversation=OuterRef("pk")).order_by("-pk")
    # In a subquery: a join would multiply with the count of the messages.
    learned = (
        MemorySource.objects.filter(conversation=OuterRef("pk"))
        .order_by()
        .values("conversation")
        .annotate(number=Count("memory", distinct=True))
        .values("number")
    )
    rows = conversations.annotate(
        learned=Subquery(learned), run_state=Subquery(runs.values("state")[:1])
    )
    if only == "failed":
        return rows.filter(run_state=Run.State.FAILED)
    return rows.filter(run_state__in=_UNDER_WAY) if only == "waiting" else rows


def unread_and_waiting(conversations: QuerySet[Conversation]) -> tuple[int, int]:
    """The number of *conversations* with unread messages and without a run, and of those with
    unread messages and a run under way.
    """
    unread = Message.objects.filter(conversation=OuterRef("pk")).unread()
    rows = conversations.filter(Exists(unread))
    runs = Run.objects.extractions().filter(conversation=OuterRef("pk"), state__in=_UNDER_WAY)
    waiting = rows.filter(Exists(runs)).count()
    return rows.count() - waiting, waiting
