"""Putting memories together that say the same: one keeps its text, the others go into its history.

Each of the others becomes a statement of a revision of the one that is kept, with all that it takes
to have it back as it was: row, vectors, links, history. So it can be taken apart at any time, the
last one first, as any other change.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, models, transaction

from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Activity, Memory, MemoryRevision, MemorySource, Mention, Statement
from memoryapp.models.vectors import copy_vectors
from memoryapp.pipeline.candidates import MAX_TAGS, Changed, Rejected
from memoryapp.pipeline.keyed_rows import key_is_taken
from memoryapp.pipeline.storage import new_version
from memoryapp.runs.locks import lock_out_writers

#: What hangs on a memory and goes over to the one that is kept, unless that has the same already.
HANGING: Mapping[str, type[MemorySource | Mention | Statement]] = {
    "sources": MemorySource,
    "mentions": Mention,
    "statements": Statement,
}


@dataclass(frozen=True)
class DuplicateGroup:
    """Memories that say the same: the one whose text stays, and the others."""

    kept: int
    others: Sequence[int]


def best_of(memories: Iterable[Memory]) -> Memory:
    """Whose text stays, unless somebody says otherwise: a fact with a key, by which programs look
    it up; of the rest, what was said last, as where a fact is said again.
    """
    return max(memories, key=lambda memory: (bool(memory.key), memory.updated_at, memory.pk))


def join(
    instance: Instance, groups: Sequence[DuplicateGroup], seen: Mapping[int, datetime], *, by: Actor
) -> list[MemoryRevision]:
    """Put each of *groups* together; return the revisions that this leaves, in their order.

    All or none. *seen* says of each memory when it was last changed: raises `Changed` when one has
    been changed since, or is gone. Raises `Rejected` for memories of two people, or with two keys.
    """
    ids = [pk for group in groups for pk in (group.kept, *group.others)]
    left = []
    with transaction.atomic():
        lock_out_writers(instance)
        rows = Memory.objects.in_instance(instance).as_seen(seen).filter(pk__in=ids)
        memories = {
            memory.pk: memory
            for memory in rows.order_by("pk").select_for_update(of=("self",)).defer("search")
        }
        if len(memories) != len(ids):
            raise Changed
        for group in groups:
            kept = memories[group.kept]
            for pk in group.others:
                left.append(_into(kept, memories[pk], by))
            instance.activity.record(
                by, Activity.Action.JOINED_UP, memory_id=kept.pk, count=1 + len(group.others)
            )
    return left


def _into(kept: Memory, other: Memory, by: Actor) -> MemoryRevision:
    """Let *kept* stand for *other* as well."""
    if kept.end_user != other.end_user:
        raise Rejected("They are about two people, and stay apart.")
    if kept.key and other.key and kept.key != other.key:
        raise Rejected("They are facts with two different keys, and stay apart.")
    if kept.external_id and other.external_id:
        raise Rejected("Both are known to a program by ids of their own, and stay apart.")
    packed = _packed(other)
    revision = new_version(
        kept,
        _of_both(kept, other),
        reason=MemoryRevision.Reason.JOINED,
        by=by.user,
        statement=other.content,
        statement_as={"row": packed},
    )
    copy_vectors(other, revision)
    moved = {name: _moved(model, other, kept) for name, model in HANGING.items()}
    revision.statement_as |= moved | {"said_twice": _said_twice(other, kept)}
    revision.statement_as["revisions"] = _history_moved(other, kept)
    revision.save(update_fields=["statement_as"])
    other.delete()
    kept.recall_count += other.recall_count
    kept.external_id = kept.external_id or other.external_id
    if other.key and not kept.key and not key_is_taken(kept, other.key):
        kept.key, kept.value = other.key, other.value
    kept.save(update_fields=["recall_count", "external_id", "key", "value"])
    return revision


def _of_both(kept: Memory, other: Memory) -> dict[str, Any]:
    """What *kept* is to be when it stands for both: the tags of both, the higher importance, the
    later end.
    """
    ends = [kept.valid_until, other.valid_until]
    return {
        "content": kept.content,
        "tags": list(dict.fromkeys([*kept.tags, *other.tags]))[:MAX_TAGS],
        "importance": max(kept.importance, other.importance),
        "valid_until": max(end for end in ends if end) if all(ends) else None,
        "metadata": other.metadata | kept.metadata,
    }


def apart(revision: MemoryRevision, kept: Memory) -> Memory:
    """Bring back, as it was, what *kept* has stood for since *revision*. Part of taking that back:
    the caller holds the lock of the person and the row of *kept*, which is what it was already.
    """
    what = dict(revision.statement_as)
    other = Memory(
        instance_id=kept.instance_id, content=revision.statement, **_unpacked(what["row"])
    )
    if kept.external_id == other.external_id:
        kept.external_id = ""
    kept.recall_count -= min(kept.recall_count, other.recall_count)
    kept.save(update_fields=["external_id", "recall_count"])
    if key_is_taken(other, other.key):
        # A new fact has got it meanwhile: both stay, and a person decides between them.
        other.key = other.value = ""
    other.save(force_insert=True)
    copy_vectors(revision, other)
    for name, model in HANGING.items():
        model._default_manager.filter(pk__in=what[name], memory=kept).update(memory=other)
    for source in MemorySource.objects.filter(pk__in=what["said_twice"]):
        source.pk, source.memory = None, other
        source.save(force_insert=True)
    for pk, reason in what["revisions"].items():
        kept.revisions.filter(pk=pk).update(memory=other, reason=reason)
    return other


def _fields() -> Iterable[models.Field[Any, Any]]:
    """The columns of a memory that are kept as JSON: all but those that stand elsewhere."""
    return (
        field
        for field in Memory._meta.concrete_fields
        if not isinstance(field, models.GeneratedField)
        and field.name not in ("instance", "content")
    )


def _packed(memory: Memory) -> dict[str, Any]:
    plain = (str, int, bool, list, dict, type(None))
    values = {field.name: field.value_from_object(memory) for field in _fields()}
    return {
        name: value if isinstance(value, plain) else value.isoformat()
        for name, value in values.items()
    }


def _unpacked(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        field.name: field.to_python(row[field.name]) for field in _fields() if field.name in row
    }


def _moved(
    model: type[MemorySource | Mention | Statement], other: Memory, kept: Memory
) -> list[int]:
    """Let what hangs on *other* hang on *kept*; return the ids of what does. What *kept* has
    already goes with *other*.
    """
    moved = []
    for pk in model._default_manager.filter(memory=other).values_list("pk", flat=True):
        with suppress(IntegrityError), transaction.atomic():
            model._default_manager.filter(pk=pk).update(memory=kept)
            moved.append(pk)
    return moved


def _said_twice(other: Memory, kept: Memory) -> list[int]:
    """The links of *kept* to messages in which *other* was said as well."""
    twins = [
        kept.sources.filter(conversation=source.conversation_id, message=source.message_id)
        for source in other.sources.all()
    ]
    return [source.pk for twin in twins for source in twin]


def _history_moved(other: Memory, kept: Memory) -> dict[str, str]:
    """Keep what *other* said before with *kept*, of which it is no version; return the reasons."""
    reasons = {str(pk): reason for pk, reason in other.revisions.values_list("pk", "reason")}
    other.revisions.update(memory=kept, reason=MemoryRevision.Reason.OF_ANOTHER)
    return reasons
