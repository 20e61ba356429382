"""The context in which a tool runs, and its result."""

from dataclasses import dataclass
from typing import Self

from pydantic import BaseModel

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance
from memoryapp.context.placement import nonce_of
from memoryapp.models import Memory, Origin
from memoryapp.models.memory import MemoryQuerySet
from memoryapp.pipeline import Writer


@dataclass(frozen=True)
class ToolContext:
    """The memory that a tool can reach, and on whose behalf it is called."""

    instance: Instance
    #: The caller, for the activity log.
    writer: Writer
    #: The person whom it is about. None: the whole instance is searched, and what is saved is about
    #: no particular person.
    end_user: str | None = None
    #: The conversation in which it is called, if that is stored here, and the message that is being
    #: answered.
    conversation: Conversation | None = None
    message: Message | None = None

    @classmethod
    def answering(cls, instance: Instance, conversation: Conversation, message: Message) -> Self:
        """The context of the assistant that answers *message* in *conversation*."""
        writer = Writer(Origin.USER_EXPLICIT, Actor(via="assistant"))
        return cls(instance, writer, conversation.end_user, conversation, message)

    @property
    def nonce(self) -> str:
        """The id in the tags of what the model is shown."""
        return nonce_of(self.instance, self.end_user, self.conversation)

    def memories(self) -> MemoryQuerySet:
        """The memories within reach."""
        memories = Memory.objects.in_instance(self.instance)
        return memories if self.end_user is None else memories.filter(end_user=self.end_user)


@dataclass(frozen=True)
class ToolResult:
    """The result of a call: ``text`` for the model, ``outcome`` for people, without the text of any
    memory, and ``data`` for programs, with the content of ``text``.
    """

    text: str
    outcome: str
    memory_ids: tuple[int, ...] = ()
    ok: bool = True
    #: Of the type that the tool `returns`; None when it failed.
    data: BaseModel | None = None
