"""Deletes conversations, and on request what they did to the memories."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from conversations.models import Conversation
from instances.actor import Actor
from memoryapp.forgetting.archive import archive
from memoryapp.forgetting.deletion import forget
from memoryapp.models import Activity, Drawer, Memory, MemorySource
from memoryapp.runs.locks import lock_out_writers_of
from memoryapp.trust.change_source import ChangeSource
from memoryapp.trust.rollback import RollbackEffect, bring_back, effect_of


@dataclass(frozen=True)
class DeletedConversation:
    """Effect of deleting a conversation on the memories that came from it."""

    deleted: int = 0
    #: Memories that were given the text that they had before.
    taken_back: int = 0


def forget_conversation(
    conversation: Conversation, *, with_memories: bool, by: Actor, for_good: bool = True
) -> DeletedConversation:
    """Delete *conversation*. With ``with_memories``, also undo the changes that it made to known
    memories, and delete those that it made itself; unless it is ``for_good``, they are archived.
    Memories that came from elsewhere, too, lose their link to it.
    """
    done = DeletedConversation()
    with transaction.atomic():
        lock_out_writers_of(conversation.instance, [conversation.pk])
        Drawer.objects.filter(message__conversation=conversation).hold(conversation.instance_id)
        if with_memories:
            source, instance = _source(conversation), conversation.instance
            effect = effect_of(source)
            bring_back(source, effect)
            if changed := len(effect.changed):
                instance.activity.record(by, Activity.Action.UNDONE, count=changed)
            remove = forget if for_good else archive
            deleted = remove(instance, Memory.objects.filter(pk__in=effect.stored), by=by)
            done = DeletedConversation(deleted, changed)
        conversation.delete()
    return done


def learned_from(conversation: Conversation) -> QuerySet[Memory]:
    """The memories that came from *conversation*, or were changed there."""
    # After an undo, the message is no origin of the memory any more.
    links = MemorySource.objects.counting().filter(
        instance=conversation.instance_id, conversation=conversation
    )
    return Memory.objects.filter(
        instance=conversation.instance_id, pk__in=links.order_by().values("memory")
    )


def effect_of_deleting(conversation: Conversation) -> RollbackEffect:
    """Effect that deleting *conversation* with its memories would have on these."""
    return effect_of(_source(conversation))


def _source(conversation: Conversation) -> ChangeSource:
    return ChangeSource(conversation.instance, conversation=conversation)
