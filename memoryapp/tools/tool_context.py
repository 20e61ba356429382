"""The context in which a tool runs, and its result."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, auto
from functools import cached_property
from typing import Self

from pydantic import BaseModel

from conversations.models import Conversation, ConversationOrigin, Message, Role
from instances.actor import Actor
from instances.models import Agent, Instance, Reach
from instances.models.groups import seen_by
from instances.tiers import Tier
from memoryapp.context.placement import nonce_of
from memoryapp.models import Memory, Origin
from memoryapp.models.memory import MemoryQuerySet
from memoryapp.pipeline import Writer
from memoryapp.pipeline.gate_source import said_lines
from memoryapp.policy.gate import Source, is_usable_key, refusal
from memoryapp.policy.quotation import own_words
from memoryapp.recall import RecallOptions
from memoryapp.suppression.sending import UNKNOWN, Recipient, SendingPolicy, model_of

#: Messages of the user before the one that is answered, in which a wish may have been said.
MESSAGES_BEFORE = 5


class Removal(Enum):
    """Way in which `forget_memory` removes a memory."""

    #: Nothing: it proposes to forget it, and a person decides.
    PROPOSE = auto()
    #: It puts it in the bin.
    ARCHIVE = auto()
    #: It deletes it for good, as a person has agreed to.
    FORGET = auto()


@dataclass(frozen=True)
class ToolContext:
    """The memory that a tool can reach, and on whose behalf it is called."""

    instance: Instance
    #: The caller, for the activity log.
    writer: Writer
    #: The person whom it is about. None: the whole instance is searched, and what is saved is about
    #: no particular person.
    end_user: str | None = None
    #: The agent that calls it.
    agent: Agent | None = None
    #: The part of what the person may see that the caller is told.
    reach: Reach = Reach.ALL
    #: The conversation in which it is called, if that is stored here, and the message that is being
    #: answered.
    conversation: Conversation | None = None
    message: Message | None = None
    removal: Removal = Removal.ARCHIVE
    #: The memories that a person has agreed to remove, with the times of their last changes; None
    #: if nobody was asked.
    agreed: Mapping[int, datetime] | None = None
    #: The model that calls it.
    recipient: Recipient = UNKNOWN
    #: The address of this server for the caller, without a trailing slash.
    address: str = ""

    @classmethod
    def answering(
        cls,
        instance: Instance,
        conversation: Conversation,
        message: Message,
        *,
        reach: Reach = Reach.ALL,
    ) -> Self:
        """The context of the assistant that answers *message* in *conversation*, within *reach*. It
        removes nothing by itself, since what it reads may have led it to.
        """
        writer = Writer(Origin.USER_EXPLICIT, Actor(via="assistant"), tier=message.tier)
        person, propose = conversation.end_user, Removal.PROPOSE
        agent = conversation.agent
        return cls(
            instance,
            writer,
            person,
            agent,
            reach,
            conversation,
            message,
            propose,
            recipient=model_of(instance),
        )

    def tier_of(self, content: str) -> Tier:
        """How far *content*, which the model wrote, is believed: as the user, if the user's own
        latest words say it; else as the assistant.
        """
        if self.message is None or refusal(content, self._said_by_user, said_in=[0]):
            return Tier.ASSISTANT
        return self.message.tier

    def is_usable_key(self, key: str, value: str, content: str) -> bool:
        """True if *key* and *value* say no more than *content*, or what the user has said."""
        return is_usable_key(key, value, content, self._said_by_user)

    @cached_property
    def policy(self) -> SendingPolicy:
        """Policy for what the model that calls the tool may be shown."""
        return SendingPolicy(self.instance, self.recipient)

    @cached_property
    def _said_by_user(self) -> Source:
        """The user's own words: of the message that is answered, and of those shortly before."""
        if self.message is None or self.conversation is None:
            return Source([])
        before = self.conversation.messages.filter(
            role=Role.USER, position__lt=self.message.position, trust__gte=self.message.trust
        ).defer("search")
        messages = [self.message, *before.order_by("-position")[:MESSAGES_BEFORE]]
        lines = said_lines(messages, self.instance.time_zone)
        return Source([replace(line, text=own_words(line.text, line.speaker)) for line in lines])

    @property
    def nonce(self) -> str:
        """The id in the tags of what the model is shown."""
        return nonce_of(self.instance, self.end_user, self.conversation)

    @property
    def decided_in(self) -> str:
        """Where a person decides about a proposal, in words for the model."""
        conversation = self.conversation
        if conversation is None or conversation.origin == ConversationOrigin.CHAT:
            return "under your reply"
        return f"in Keepsake, in the transcript at {conversation.get_absolute_url()}"

    @property
    def options(self) -> RecallOptions:
        """The options of a search for what the person may see, by this agent."""
        return RecallOptions(end_user=self.end_user, agent=self.agent, reach=self.reach)

    def memories(self) -> MemoryQuerySet:
        """The memories that the person may see, by this agent."""
        memories = Memory.objects.in_instance(self.instance)
        return memories if self.people is None else memories.filter(end_user__in=self.people)

    def own_memories(self) -> MemoryQuerySet:
        """The memories that the person may have forgotten: those that are shared stay."""
        memories = Memory.objects.in_instance(self.instance)
        return memories if self.person is None else memories.filter(end_user=self.person)

    @cached_property
    def person(self) -> str | None:
        """The id under which what is about the person is stored; None as in `end_user`."""
        return None if self.end_user is None else self.instance.canonical_end_user(self.end_user)

    @cached_property
    def people(self) -> list[str] | None:
        """The ids whose memories and conversations the person may see; None for all."""
        if self.end_user is None:
            return None
        return seen_by(self.instance, self.end_user, agent=self.agent, reach=self.reach)


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
    #: Memories that it would forget, if a person agrees.
    proposed: tuple[Memory, ...] = ()
