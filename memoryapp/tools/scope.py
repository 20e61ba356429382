"""For whom a tool runs, and what came of it."""

from dataclasses import dataclass

from conversations.models import Conversation, Message
from instances.models import Instance


@dataclass(frozen=True)
class Scope:
    """The conversation that a tool is called in: it reaches no further than that may."""

    instance: Instance
    conversation: Conversation
    #: The message that is being answered.
    message: Message


@dataclass(frozen=True)
class Result:
    """What came of a call: ``text`` for the model, ``outcome`` for people, without any memory's
    text in it.
    """

    text: str
    outcome: str
    memory_ids: tuple[int, ...] = ()
    ok: bool = True
