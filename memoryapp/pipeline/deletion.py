"""Deletes memories, with their vectors, revisions and links, and conversations."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Activity, Answer, Drawer, Memory, MemorySource, Run, Summary
from memoryapp.pipeline import refusals, suppression, undo_buffer
from memoryapp.runs.locks import lock_out_writers


@dataclass(frozen=True)
class DeletionResult:
    """The result of a deletion."""

    count: int
    #: Undoes it within ten seconds; None if it cannot be undone.
    ticket: undo_buffer.UndoToken | None = None


def forget(
    instance: Instance,
    memories: QuerySet[Memory],
    *,
    by: Actor,
    never_again: bool = False,
    asked_in: Message | None = None,
) -> int:
    """Delete *memories* of *instance*; return how many there were.

    They are not learned again from their messages, nor from the message in which their deletion was
    ``asked_in``; with ``never_again``, from nowhere. The activity log keeps their number, never the
    text.
    """
    with transaction.atomic():
        ids = _locked(instance, memories)
        _delete(instance, ids, by, never_again, asked_in)
    return len(ids)


def forget_undoably(
    instance: Instance, memories: QuerySet[Memory], *, by: User, never_again: bool = False
) -> DeletionResult:
    """Delete *memories* of *instance* as `forget` does. *by* can undo it for ten seconds, unless it
    is too much or Redis does not answer.
    """
    copied = None
    with transaction.atomic():
        ids = _locked(instance, memories)
        if ids and undo_buffer.estimate_bytes(ids) <= undo_buffer.MAX_BYTES:
            copied = undo_buffer.pack(ids)
        _delete(instance, ids, Actor(by), never_again)
    # After the commit: what was not deleted after all must not be restored a second time.
    return DeletionResult(len(ids), undo_buffer.keep(copied, instance, by) if copied else None)


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
    instance: Instance,
    ids: list[int],
    by: Actor,
    never_again: bool,
    asked_in: Message | None = None,
) -> None:
    delete_rows(instance, ids, by, never_again=never_again, asked_in=asked_in)
    if ids:
        instance.activity.record(
            by, Activity.Action.DELETED, memory_id=ids[0] if len(ids) == 1 else None, count=len(ids)
        )


def delete_rows(
    instance: Instance,
    ids: list[int],
    by: Actor,
    *,
    never_again: bool = False,
    asked_in: Message | None = None,
) -> None:
    """Delete memories with all that belongs to them. The caller holds the lock of *instance*, and
    records the activity.
    """
    suppression.bury(instance, ids, asked_in=asked_in)
    if never_again:
        suppression.forbid(instance, ids, by=by)
    memories = Memory.objects.filter(pk__in=ids)
    refusals.delete_suppressed(instance, memories)
    Summary.objects.drop(memories)
    memories.delete()
    Summary.objects.of_nobody(instance).delete()


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


def forget_conversation(conversation: Conversation, *, with_memories: bool, by: Actor) -> int:
    """Delete *conversation*, and with ``with_memories`` the memories that came from it alone; the
    others lose their link to it. Return how many memories were deleted.
    """
    with transaction.atomic():
        _lock_out_writers_of(conversation)
        deleted = 0
        if with_memories:
            deleted = forget(conversation.instance, only_from(conversation), by=by)
        conversation.delete()
    return deleted
