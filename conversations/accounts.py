"""What became of each message: the account that a transcript gives."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from conversations.models import Conversation, Message, Role

if TYPE_CHECKING:
    from memoryapp.models import MemorySource, Run


@dataclass(frozen=True)
class Fate:
    """What became of one message, in words, with the memories that came of it."""

    words: str
    sources: list["MemorySource"] = field(default_factory=list)
    failed: bool = False


@dataclass(frozen=True)
class Reading:
    """How far extraction has come in a conversation."""

    watermark: int
    run: "Run | None"
    #: Position to the reasons for which proposals from that message were dropped.
    rejected: dict[int, list[str]]
    #: Proposals that pointed to no message that was new.
    unplaced: int
    memory_enabled: bool

    @classmethod
    def of(cls, conversation: Conversation) -> "Reading":
        """Look it up, in one query over the conversation's runs."""
        rejected: dict[int, list[str]] = {}
        runs = list(conversation.runs.order_by("-pk"))
        for run in runs:
            for item in run.rejected:
                rejected.setdefault(item["position"], []).append(item["reason"])
        return cls(
            watermark=conversation.watermark,
            run=runs[0] if runs else None,
            unplaced=len(rejected.pop(0, ())),
            rejected=rejected,
            memory_enabled=conversation.instance.memory_enabled,
        )

    @property
    def state(self) -> str:
        """The conversation's own state: failed, running, queued, read or unread."""
        if self.run is not None and self.run.state != "succeeded":
            return self.run.state
        return "read" if self.watermark else "unread"

    def fate(self, message: Message, sources: Sequence["MemorySource"]) -> Fate:
        """Say what became of *message*, whose links to memories are *sources*."""
        if message.role == Role.SYSTEM:
            return Fate("Not read: a system message.")
        if sources:
            return Fate("", list(sources))
        if message.position in self.rejected:
            reasons = "; ".join(dict.fromkeys(self.rejected[message.position]))
            return Fate(f"Nothing kept: what the model proposed {reasons}.")
        if message.position <= self.watermark:
            spoken_by_people = message.role == Role.USER
            return Fate("Nothing worth keeping." if spoken_by_people else "Read as context.")
        if self.run is None or self.run.state == "succeeded":
            return Fate("Not read yet." if self.memory_enabled else "Not read: memory is off.")
        if self.run.state == "failed":
            return Fate(f"Failed: {self.run.error}", failed=True)
        if self.run.state == "running":
            return Fate("Being read.")
        if self.run.error:
            return Fate(f"Waiting to be read again. Last time: {self.run.error}")
        return Fate("Waiting to be read.")
