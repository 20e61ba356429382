"""For whom a tool runs, and what came of it."""

from dataclasses import dataclass
from typing import Self

from pydantic import BaseModel

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Memory, Origin
from memoryapp.models.memory import MemoryQuerySet
from memoryapp.pipeline import Writer


@dataclass(frozen=True)
class ToolContext:
    """Whose memory a tool is called for: it reaches no further than that."""

    instance: Instance
    #: Who calls, for the ledger.
    writer: Writer
    #: Whom it is about. None: nobody in particular, so that all of the instance is looked at, and
    #: what is saved is about nobody in particular.
    end_user: str | None = None
    #: Where it is called, when that is a conversation which is kept here, and the message that is
    #: being answered.
    conversation: Conversation | None = None
    message: Message | None = None

    @classmethod
    def answering(cls, instance: Instance, conversation: Conversation, message: Message) -> Self:
        """For the assistant that answers *message* in *conversation*, and does as it is told."""
        writer = Writer(Origin.USER_EXPLICIT, Actor(via="assistant"))
        return cls(instance, writer, conversation.end_user, conversation, message)

    def memories(self) -> MemoryQuerySet:
        """The memories within reach."""
        memories = Memory.objects.in_instance(self.instance)
        return memories if self.end_user is None else memories.filter(end_user=self.end_user)


@dataclass(frozen=True)
class ToolResult:
    """What came of a call: ``text`` for the model, ``outcome`` for people, without any memory's
    text in it, and ``data`` for programs, which says the same as the text.
    """

    text: str
    outcome: str
    memory_ids: tuple[int, ...] = ()
    ok: bool = True
    #: Of the type that the tool `returns`; None when it failed.
    data: BaseModel | None = None
