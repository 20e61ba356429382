"""Queues runs that file messages in the palace."""

from django.db import transaction
from django.db.models import OuterRef, QuerySet

from conversations.models import Conversation, ConversationOrigin, Message
from instances.models import ExtractWhen, Instance
from memoryapp.models import Run, awaiting_filing
from memoryapp.runs import execution


def wanted_by(instance: Instance) -> bool:
    """True if *instance* has its messages filed."""
    return instance.memory_enabled and instance.palace_enabled


def may_ask(conversation: Conversation) -> bool:
    """True if *conversation* may be filed with a model without a request: an imported one only if
    the instance reads everything.
    """
    imported = conversation.origin == ConversationOrigin.IMPORT
    return not imported or conversation.instance.extract_when == ExtractWhen.AFTER_RESPONSE


def queue(conversation: Conversation, *, with_model: bool = True) -> Run | None:
    """Queue a run over the unfiled messages of *conversation*, unless one waits already or its
    instance has no palace. Belongs in the transaction that stores the messages.
    """
    if not wanted_by(conversation.instance):
        return None
    return Run.objects.queue(conversation, Run.Kind.MINING, with_model=with_model)


def queue_arrived(conversation: Conversation, *, with_model: bool) -> Run | None:
    """Queue a run over an imported *conversation*, if it has unfiled messages."""
    with transaction.atomic():
        # The conversation is locked first, as by all that append to it.
        conversation.locked()
        if not awaiting_filing(conversation.messages.all()).exists():
            return None
        return queue(conversation, with_model=with_model)


def queue_all(conversations: QuerySet[Conversation], *, with_model: bool) -> int:
    """Queue a run over each of *conversations* with unfiled messages; see `execution.queue_all`."""
    unfiled = awaiting_filing(Message.objects.filter(conversation=OuterRef("pk")))
    return execution.queue_all(conversations, Run.Kind.MINING, unfiled, with_model=with_model)
