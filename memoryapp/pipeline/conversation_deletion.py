"""Deletes conversations, and on request what they did to the memories."""

from contextlib import suppress
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery

from conversations.models import Conversation
from instances.actor import Actor
from memoryapp.models import Answer, Drawer, Memory, MemoryRevision, MemorySource, Run
from memoryapp.pipeline.archive import archive
from memoryapp.pipeline.deletion import forget
from memoryapp.pipeline.undo import NotTheNewest, undo
from memoryapp.runs.locks import lock_out_writers


@dataclass(frozen=True)
class DeletedConversation:
    """What was done with the memories that came from a deleted conversation."""

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
        _lock_out_writers_of(conversation)
        if with_memories:
            taken_back = _undo_changes(conversation, by)
            remove = forget if for_good else archive
            deleted = remove(conversation.instance, made_by(conversation), by=by)
            done = DeletedConversation(deleted, taken_back)
        conversation.delete()
    return done


def learned_from(conversation: Conversation) -> QuerySet[Memory]:
    """The memories that came from *conversation*, or were changed there."""
    return Memory.objects.filter(
        instance=conversation.instance_id,
        pk__in=_links(conversation).filter(conversation=conversation).values("memory"),
    )


def made_by(conversation: Conversation) -> QuerySet[Memory]:
    """The memories that *conversation* made: they were learned there, no other conversation states
    them, and no person has edited them.
    """
    elsewhere = _links(conversation).exclude(conversation=conversation)
    learned = MemorySource.objects.filter(
        memory=OuterRef("pk"), conversation=conversation, action=MemorySource.Action.STORED
    )
    edited = MemoryRevision.objects.filter(
        memory=OuterRef("pk"), reason=MemoryRevision.Reason.EDITED
    )
    return learned_from(conversation).filter(
        Exists(learned), ~Exists(edited), ~Exists(elsewhere.filter(memory=OuterRef("pk")))
    )


def changed_by(conversation: Conversation) -> QuerySet[Memory]:
    """The memories whose present text comes from *conversation*, and that had another before."""
    versions = MemoryRevision.objects.versions().filter(memory=OuterRef("pk"))
    return (
        learned_from(conversation)
        .alias(changed_in=Subquery(versions.values("source__conversation")[:1]))
        .filter(changed_in=conversation.pk)
    )


def _undo_changes(conversation: Conversation, by: Actor) -> int:
    """Undo the latest changes of memories, as long as they come from *conversation*."""
    undone = set[int]()
    changed = list(changed_by(conversation).order_by("pk"))
    while changed:
        for memory in changed:
            revision = MemoryRevision.objects.versions().filter(memory=memory)[0]
            # Another memory may have got the key of the former text: then this one keeps its text.
            with suppress(NotTheNewest):
                undo(revision, by=by)
                undone.add(memory.pk)
        before = {memory.pk: memory.updated_at for memory in changed}
        changed = [
            memory
            for memory in changed_by(conversation).filter(pk__in=before)
            if memory.updated_at != before[memory.pk]
        ]
    return len(undone)


def _links(conversation: Conversation) -> QuerySet[MemorySource]:
    # After an undo, the message is no origin of the memory any more.
    return MemorySource.objects.filter(instance=conversation.instance_id).exclude(
        action=MemorySource.Action.UNDONE
    )


def _lock_out_writers_of(conversation: Conversation) -> None:
    """Block writers that add to *conversation* until the transaction ends.

    Otherwise an answer or a run could add a row between the search for what belongs to the
    conversation and its deletion, which would fail. The order of locks is that of the writers: a
    run locks itself, the conversation and the palace, an answer the conversation and itself.
    """
    lock_out_writers(conversation.instance)
    this = {"conversation": conversation}
    list(Run.objects.select_for_update(of=("self",)).filter(**this, state=Run.State.RUNNING))
    list(Conversation.objects.select_for_update(of=("self",)).filter(pk=conversation.pk))
    list(Answer.objects.select_for_update(of=("self",)).filter(**this))
    Drawer.objects.filter(message__conversation=conversation).hold(conversation.instance_id)
