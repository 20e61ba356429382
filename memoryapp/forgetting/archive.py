"""Archives memories: what a program may do instead of forgetting them. People can restore them for
30 days; then they are forgotten.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils import timezone

from conversations.models import Message
from instances.actor import Actor
from instances.models import Instance
from memoryapp.forgetting import suppressing
from memoryapp.forgetting.deletion import delete_rows
from memoryapp.forgetting.holds import delete_unless_on_hold
from memoryapp.models import (
    Activity,
    ArchivedMemory,
    Memory,
    MemoryRevision,
    MemorySource,
    Summary,
)
from memoryapp.models.stored_rows import from_json, grouped_as_json, with_present_references
from memoryapp.pipeline.keyed_rows import clear_taken_ids
from memoryapp.runs.locks import lock_memories, lock_out_writers

#: The tables that an archived memory is copied from, parents first, with the column of its id.
#: Vectors are made again.
TABLES: list[tuple[type[Model], str]] = [
    (Memory, "id"),
    (MemorySource, "memory_id"),
    (MemoryRevision, "memory_id"),
]


def archive(
    instance: Instance, memories: QuerySet[Memory], *, by: Actor, asked_in: Message | None = None
) -> int:
    """Put *memories* of *instance* in the bin; return how many there were.

    Like forgotten ones, they are found nowhere, and the messages that state them are muted.
    """
    with transaction.atomic():
        ids = lock_memories(instance, memories)
        copy_to_bin(instance, ids, by=by)
        delete_rows(instance, ids, by=by, asked_in=asked_in)
        instance.activity.record_memories(by, Activity.Action.ARCHIVED, ids)
    return len(ids)


def copy_to_bin(
    instance: Instance, ids: Sequence[int], *, by: Actor, batch: UUID | None = None
) -> None:
    """Put copies of locked memories in the bin; *batch* is that of the rollback that deletes them.
    The caller deletes the memories.
    """
    ArchivedMemory.objects.bulk_create(
        (
            ArchivedMemory(
                instance=instance,
                end_user=rows["memory"][0]["end_user"],
                memory_id=pk,
                content=rows["memory"][0]["content"],
                category=rows["memory"][0]["category"],
                rows=rows,
                by=by.user,
                via=by.via,
                batch=batch,
            )
            for pk, rows in _copies(ids).items()
        ),
        batch_size=500,
    )


def unarchive(instance: Instance, archived: QuerySet[ArchivedMemory], *, by: Actor) -> int:
    """Restore *archived* memories of *instance*, and return how many there were. Links to messages
    that have been deleted meanwhile are left out; a key that another memory has got, too.
    """
    with transaction.atomic():
        lock_out_writers(instance)
        rows = list(archived.filter(instance=instance).select_for_update(of=("self",)))
        _restore(instance, rows)
        ids = [row.memory_id for row in rows]
        suppressing.lift(instance, ids)
        if ids:
            Summary.objects.want(instance, {row.end_user for row in rows})
        instance.activity.record_memories(by, Activity.Action.UNARCHIVED, ids)
        ArchivedMemory.objects.filter(pk__in=[row.pk for row in rows]).delete()
    return len(rows)


def empty(instance: Instance, archived: QuerySet[ArchivedMemory], *, by: Actor) -> int:
    """Forget *archived* memories of *instance*, and return how many there were."""
    with transaction.atomic():
        count, _ = archived.filter(instance=instance).delete()
        if count:
            instance.activity.record(by, Activity.Action.DELETED, count=count)
    return count


def forget_overdue() -> int:
    """Forget what has been in the bin for 30 days, and return how much that was."""
    overdue = ArchivedMemory.objects.overdue(timezone.now())
    instances = Instance.objects.filter(pk__in=overdue.values("instance"))
    return sum(_forget_unless_on_hold(instance, overdue) for instance in instances)


def _forget_unless_on_hold(instance: Instance, archived: QuerySet[ArchivedMemory]) -> int:
    """Forget what of *archived* is under no hold: all at once, or else one by one."""
    by = Actor(via="bin")
    if number := delete_unless_on_hold(partial(empty, instance, archived, by=by)):
        return number
    rows = archived.filter(instance=instance).values_list("pk", flat=True)
    each = (archived.filter(pk=pk) for pk in rows)
    return sum(delete_unless_on_hold(partial(empty, instance, row, by=by)) for row in each)


def _copies(ids: Sequence[int]) -> dict[int, dict[str, list[Any]]]:
    """Return the rows of memories, by their id and by the name of the table."""
    rows = {
        _name(model): grouped_as_json(model._base_manager.filter(**{f"{owner}__in": ids}), owner)
        for model, owner in TABLES
    }
    return {pk: {name: of_table[pk] for name, of_table in rows.items()} for pk in ids}


def _restore(instance: Instance, archived: Sequence[ArchivedMemory]) -> None:
    # Two ids of a person may have been joined meanwhile.
    people = {each.memory_id: each.end_user for each in archived}
    for model, _ in TABLES:
        stored = [columns for each in archived for columns in each.rows[_name(model)]]
        rows = with_present_references(from_json(model, columns) for columns in stored)
        memories = [row for row in rows if isinstance(row, Memory)]
        for memory in memories:
            memory.end_user = people[memory.pk]
        clear_taken_ids(instance, memories)
        model._base_manager.bulk_create(rows, batch_size=500)


def _name(model: type[Model]) -> str:
    return str(model._meta.model_name)
