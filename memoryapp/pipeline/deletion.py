"""Deleting memories, for real: rows, vectors, revisions and links go at once."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Activity, Answer, Drawer, Memory, MemorySource, Run, Summary
from memoryapp.pipeline import suppression, undo_buffer
from memoryapp.runs.locks import lock_out_writers


@dataclass(frozen=True)
class DeletionResult:
    """A deletion that has been done."""

    count: int
    #: What undoes it for ten seconds; None when nothing does.
    ticket: undo_buffer.UndoToken | None = None


def forget(
    instance: Instance,
    memories: QuerySet[Memory],
    *,
    by: Actor,
    for_good: bool = False,
    asked_in: Message | None = None,
) -> int:
    """Delete *memories* of *instance*; return how many there were. The ledger keeps their number
    and, for a single one, its id, never the text.

    They do not come back from the messages that they were learned from, nor from the one that they
    were ``asked_in`` to be deleted; ``for_good``, they are not learned again from anywhere.
    """
    with transaction.atomic():
        ids = _locked(instance, memories)
        _delete(instance, ids, by, for_good, asked_in)
    return len(ids)


def forget_undoably(
    instance: Instance, memories: QuerySet[Memory], *, by: User, for_good: bool = False
) -> DeletionResult:
    """Delete *memories* of *instance* as `forget` does, and let *by* take that back for ten
    seconds, if there is not too much of it and Redis answers.
    """
    parcel = None
    with transaction.atomic():
        ids = _locked(instance, memories)
        if ids and undo_buffer.weight(ids) <= undo_buffer.MAX_BYTES:
            parcel = undo_buffer.pack(ids)
        _delete(instance, ids, Actor(by), for_good)
    # Only now: what was not deleted after all must not be brought back beside itself.
    return DeletionResult(len(ids), undo_buffer.keep(parcel, instance, by) if parcel else None)


def _locked(instance: Instance, memories: QuerySet[Memory]) -> list[int]:
    """Lock *memories* until the transaction ends, and return their ids."""
    lock_out_writers(instance)
    return list(
        memories.filter(instance=instance)
        .order_by("pk")
        .select_for_update(of=("self",))
        .values_list("pk", flat=True)
    )


def _delete(
    instance: Instance, ids: list[int], by: Actor, for_good: bool, asked_in: Message | None = None
) -> None:
    suppression.bury(instance, ids, asked_in=asked_in)
    if for_good:
        suppression.forbid(instance, ids, by=by)
    gone = Memory.objects.filter(pk__in=ids)
    Summary.objects.drop(gone)
    gone.delete()
    Summary.objects.of_nobody(instance).delete()
    if ids:
        instance.activity.record(
            by, Activity.Action.DELETED, memory_id=ids[0] if len(ids) == 1 else None, count=len(ids)
        )


def learned_from(conversation: Conversation) -> QuerySet[Memory]:
    """The memories that came from *conversation*."""
    return Memory.objects.filter(
        instance=conversation.instance_id,
        pk__in=_links(conversation).filter(conversation=conversation).values("memory"),
    )


def only_from(conversation: Conversation) -> QuerySet[Memory]:
    """The memories that came from *conversation* and from no other one."""
    elsewhere = _links(conversation).exclude(conversation=conversation)
    return learned_from(conversation).exclude(pk__in=elsewhere.values("memory"))


def _links(conversation: Conversation) -> QuerySet[MemorySource]:
    # A link whose change was taken back is an account of a message, and no origin any more.
    return MemorySource.objects.filter(instance=conversation.instance_id).exclude(
        action=MemorySource.Action.UNDONE
    )


def _nothing_is_added_to(conversation: Conversation) -> None:
    """Block writers that add to *conversation* until the transaction ends.

    Else an answer or a run could add a row between the search for what belongs to the conversation
    and its deletion, which would fail. The order of locks is that of those who add: a run takes
    itself, then the conversation and then the palace, an answer the conversation and then itself.
    """
    lock_out_writers(conversation.instance)
    this = {"conversation": conversation}
    list(Run.objects.select_for_update(of=("self",)).filter(**this, state=Run.State.RUNNING))
    list(Conversation.objects.select_for_update(of=("self",)).filter(pk=conversation.pk))
    list(Answer.objects.select_for_update(of=("self",)).filter(**this))
    Drawer.objects.filter(message__conversation=conversation).hold(conversation.instance_id)


def forget_conversation(conversation: Conversation, *, with_memories: bool, by: Actor) -> int:
    """Delete *conversation*, and on demand the memories that came from it and from no other one;
    those that stay lose their link to it. Returns how many memories were deleted.
    """
    with transaction.atomic():
        _nothing_is_added_to(conversation)
        gone = 0
        if with_memories:
            gone = forget(conversation.instance, only_from(conversation), by=by)
        conversation.delete()
    return gone
