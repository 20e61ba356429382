"""Archives memories: what a program may do instead of forgetting them. People can restore them for
30 days; then they are forgotten.
"""

import json
from collections.abc import Iterable
from typing import Any

from django.core import serializers
from django.db import models, transaction
from django.db.models import QuerySet
from django.utils import timezone

from conversations.models import Message
from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import (
    Activity,
    ArchivedMemory,
    Memory,
    MemoryRevision,
    MemorySource,
    Summary,
)
from memoryapp.pipeline import suppression
from memoryapp.pipeline.deletion import delete_rows, lock_memories, record
from memoryapp.pipeline.keyed_rows import key_is_taken
from memoryapp.runs.locks import lock_out_writers

#: The tables that an archived memory is copied from, parents first, with the column of its id.
#: Vectors are made again.
TABLES: list[tuple[type[models.Model], str]] = [
    (Memory, "pk"),
    (MemorySource, "memory"),
    (MemoryRevision, "memory"),
]


def archive(
    instance: Instance, memories: QuerySet[Memory], *, by: Actor, asked_in: Message | None = None
) -> int:
    """Put *memories* of *instance* in the bin; return how many there were.

    Like forgotten ones, they are found nowhere, and the messages that state them are muted.
    """
    with transaction.atomic():
        ids = lock_memories(instance, memories)
        copies: dict[int, list[Any]] = {pk: [] for pk in ids}
        for model, column in TABLES:
            rows = model._base_manager.filter(**{f"{column}__in": ids}).order_by("pk")
            for row in rows:
                owner = row.pk if model is Memory else row.memory_id  # type: ignore[attr-defined]
                copies[owner].append(row)
        ArchivedMemory.objects.bulk_create(
            ArchivedMemory(
                instance=instance,
                end_user=rows[0].end_user,
                memory_id=pk,
                content=rows[0].content,
                category=rows[0].category,
                rows=_serialized(rows),
                by=by.user,
                via=by.via,
            )
            for pk, rows in copies.items()
        )
        delete_rows(instance, ids, by=by, asked_in=asked_in)
        record(instance, ids, by=by, action=Activity.Action.ARCHIVED)
    return len(ids)


def unarchive(instance: Instance, archived: QuerySet[ArchivedMemory], *, by: Actor) -> int:
    """Restore *archived* memories of *instance*, and return how many there were. Links to messages
    that have been deleted meanwhile are left out; a key that another memory has got, too.
    """
    with transaction.atomic():
        lock_out_writers(instance)
        rows = list(archived.filter(instance=instance).select_for_update(of=("self",)))
        for row in rows:
            _restore(row)
        ids = [row.memory_id for row in rows]
        suppression.lift_for(instance, ids)
        if ids:
            Summary.objects.want(instance, {row.end_user for row in rows})
        record(instance, ids, by=by, action=Activity.Action.UNARCHIVED)
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
    return sum(empty(instance, overdue, by=Actor(via="bin")) for instance in instances)


def _serialized(rows: Iterable[models.Model]) -> Any:
    written: list[Any] = []
    for row in rows:
        written += serializers.serialize("python", [row], fields=_columns(type(row)))
    # Django's own encoder cuts microseconds, by which versions are recognised.
    return json.loads(json.dumps(written, default=str))


def _columns(model: type[models.Model]) -> list[str]:
    return [
        field.name
        for field in model._meta.concrete_fields
        if not isinstance(field, models.GeneratedField)
    ]


def _restore(archived: ArchivedMemory) -> None:
    objects = serializers.deserialize("python", archived.rows, ignorenonexistent=True)
    for each in objects:
        row: Any = each.object
        if not _connected(row):
            continue
        if isinstance(row, Memory):
            # Two ids of a person may have been joined meanwhile.
            row.end_user = archived.end_user
            if row.key and key_is_taken(row, row.key):
                row.key = row.value = ""
        row.save(force_insert=True)


def _connected(row: models.Model) -> bool:
    """Whether everything that *row* refers to exists; a reference that may be empty is emptied."""
    for field in row._meta.concrete_fields:
        if not isinstance(field, models.ForeignKey):
            continue
        pk = getattr(row, field.attname)
        if pk is None or field.related_model._base_manager.filter(pk=pk).exists():
            continue
        if field.remote_field.on_delete is not models.SET_NULL:
            return False
        setattr(row, field.attname, None)
    return True
