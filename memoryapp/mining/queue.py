"""Queueing runs that file turns."""

from django.db import transaction
from django.db.models import OuterRef, QuerySet

from conversations.models import Conversation, ConversationOrigin, Message
from instances.models import ExtractWhen, Instance
from memoryapp.models import Run, awaiting_filing
from memoryapp.runs import execution


def wanted_by(instance: Instance) -> bool:
    """Whether *instance* has its turns filed."""
    return instance.memory_enabled and instance.palace_enabled


def may_ask(conversation: Conversation) -> bool:
    """Whether filing *conversation* may take calls that nobody has asked for: an export of years
    is not read by a model unless somebody wants that.
    """
    imported = conversation.origin == ConversationOrigin.IMPORT
    return not imported or conversation.instance.extract_when == ExtractWhen.AFTER_RESPONSE


def queue(conversation: Conversation, *, with_model: bool = True) -> Run | None:
    """Queue a run over the turns of *conversation* that are not yet filed, unless one waits already
    or its instance has no palace.

    Belongs in the transaction that stores what is new.
    """
    if not wanted_by(conversation.instance):
        return None
    return Run.objects.queue(conversation, Run.Kind.MINING, with_model=with_model)


def queue_arrived(conversation: Conversation, *, with_model: bool) -> Run | None:
    """Queue a run over *conversation*, which has come in from a file, if anything in it is new."""
    with transaction.atomic():
        # In the order of locks of everybody who adds to a conversation: the conversation first.
        Conversation.objects.select_for_update(of=("self",)).get(pk=conversation.pk)
        if not awaiting_filing(conversation.messages.all()).exists():
            return None
        return queue(conversation, with_model=with_model)


def queue_all(conversations: QuerySet[Conversation], *, with_model: bool) -> int:
    """Queue a run over each of *conversations* with turns that are not yet filed; see
    `execution.queue_all`.
    """
    turns = awaiting_filing(Message.objects.filter(conversation=OuterRef("pk")))
    return execution.queue_all(conversations, Run.Kind.MINING, turns, with_model=with_model)
