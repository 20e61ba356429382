"""Forgets memories, with their vectors, revisions and links."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Model, QuerySet

from conversations.models import Message
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.forgetting import suppressing, undo_buffer, undo_copy
from memoryapp.forgetting.other_rows import filters_stating, merges_stating, undecided_stating
from memoryapp.models import Activity, Memory, MemoryRevision, Summary
from memoryapp.runs.locks import lock_memories


@dataclass(frozen=True)
class DeletionResult:
    """The result of a deletion."""

    count: int
    #: Undoes it within ten seconds; None if it cannot be undone.
    undo_token: undo_buffer.UndoToken | None = None


def forget(
    instance: Instance,
    memories: QuerySet[Memory],
    *,
    by: Actor,
    never_again: bool = False,
    asked_in: Message | None = None,
) -> int:
    """Delete *memories* of *instance* for good; return how many there were.

    The messages that state them are muted, as is the one in which their deletion was ``asked_in``,
    and they are not learned again from these; with ``never_again``, from nowhere. The activity log
    keeps their number, never the text.
    """
    with transaction.atomic():
        ids = lock_memories(instance, memories)
        delete_rows(instance, ids, by=by, never_again=never_again, asked_in=asked_in)
        instance.activity.record_memories(by, Activity.Action.DELETED, ids)
    return len(ids)


def forget_undoably(
    instance: Instance,
    memories: QuerySet[Memory],
    *,
    by: User,
    never_again: bool = False,
    take_out: bool = False,
    asked_in: Message | None = None,
    then: Callable[[list[int]], None] | None = None,
) -> DeletionResult:
    """Delete *memories* of *instance* as `forget` does; with ``take_out``, also the sentences that
    state them, out of the conversations. *by* can undo it for ten seconds, unless it is too much or
    Redis does not answer. In the same transaction, ``then`` is called with their ids.
    """
    with transaction.atomic():
        ids = lock_memories(instance, memories)
        copied = delete_rows(
            instance,
            ids,
            by=Actor(by),
            never_again=never_again,
            asked_in=asked_in,
            take_out=take_out,
            undoable=True,
        )
        instance.activity.record_memories(Actor(by), Activity.Action.DELETED, ids)
        if then is not None:
            then(ids)
    # After the commit: what was not deleted after all must not be restored a second time.
    return DeletionResult(len(ids), undo_buffer.keep(copied, instance, by))


def delete_rows(
    instance: Instance,
    ids: list[int],
    *,
    by: Actor,
    never_again: bool = False,
    asked_in: Message | None = None,
    take_out: bool = False,
    everywhere: bool = True,
    undoable: bool = False,
) -> bytes | None:
    """Delete locked memories with everything that tells what they say, ``everywhere`` or where they
    were learned; see `forget`. If it is to be ``undoable``, return what was deleted, unless that is
    too much. The caller records the activity.
    """
    wordings = suppressing.wordings_of(ids)
    merges = merges_stating(instance, wordings) if everywhere else {}
    copied = undo_copy.pack(instance, [*ids, *merges.values()]) if undoable else None
    suppressing.suppress(
        instance, wordings, asked_in=asked_in, take_out=take_out, everywhere=everywhere
    )
    if never_again:
        suppressing.add_rules(instance, wordings, by=by)
    MemoryRevision.objects.filter(pk__in=merges).delete()
    others: list[Model] = [*undecided_stating(instance, wordings, everywhere=everywhere)]
    if everywhere:
        others += filters_stating(instance, wordings)
    if copied is not None:
        copied += undo_copy.pack_others(instance, others)
    for row in others:
        row.delete()
    delete_with_summaries(instance, ids)
    return copied


def delete_with_summaries(instance: Instance, ids: Collection[int]) -> None:
    """Delete locked memories, and what was written from them."""
    memories = Memory.objects.filter(pk__in=ids)
    Summary.objects.drop(memories)
    memories.delete()
    Summary.objects.of_nobody(instance).delete()
