"""Merges duplicates: one memory keeps its text, the others become revisions of it.

Such a revision holds everything that is needed to restore the other memory: row, vectors, links and
history. So a merge can be undone at any time, whatever has been changed since.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Activity, Memory, MemoryRevision, MemorySource, Mention, Statement
from memoryapp.models.stored_rows import as_json, from_json
from memoryapp.models.vectors import copy_vectors
from memoryapp.pipeline.candidates import Changed, Rejected
from memoryapp.pipeline.keyed_rows import clear_taken_ids, key_is_taken
from memoryapp.pipeline.storage import combined
from memoryapp.pipeline.versions import revised, store_version
from memoryapp.policy.fact_signature import repeats
from memoryapp.policy.labels import united
from memoryapp.runs.locks import lock_out_writers

#: Related rows, which move to the memory that is kept unless it has the same already.
RELATED: Mapping[str, type[MemorySource | Mention | Statement]] = {
    "sources": MemorySource,
    "mentions": Mention,
    "statements": Statement,
}


@dataclass(frozen=True)
class DuplicateGroup:
    """Duplicates: the memory whose text is kept, and the others."""

    kept: int
    others: Sequence[int]


def best_of(memories: Iterable[Memory]) -> Memory:
    """The memory to keep by default: one with a key, by which programs look it up; else the one
    that changed last.
    """
    return max(memories, key=lambda memory: (bool(memory.key), memory.updated_at, memory.pk))


def join(
    instance: Instance, groups: Sequence[DuplicateGroup], seen: Mapping[int, datetime], *, by: Actor
) -> list[MemoryRevision]:
    """Merge each of *groups*, all or none; return the new revisions in order.

    *seen* tells when each memory was last changed: raises `Changed` if one has been changed since,
    or deleted. Raises `Rejected` for memories of two people, or with two keys.
    """
    ids = [pk for group in groups for pk in (group.kept, *group.others)]
    revisions = []
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
                revisions.append(_merge_into(kept, memories[pk], by))
            instance.activity.record(
                by,
                Activity.Action.JOINED_UP,
                memory_id=kept.pk,
                count=1 + len(group.others),
                end_user=kept.end_user,
            )
    return revisions


def _merge_into(kept: Memory, other: Memory, by: Actor) -> MemoryRevision:
    """Delete *other*, and let *kept* stand for both."""
    if kept.end_user != other.end_user:
        raise Rejected(_("They are about two different people."))
    if kept.key and other.key and kept.key != other.key:
        raise Rejected(_("They are facts with two different keys."))
    if kept.external_id and other.external_id:
        raise Rejected(_("Both have an external ID of their own."))
    row = as_json(other)
    # The revision has the text, and whom it is about can change.
    del row["content"], row["end_user"]
    metadata = other.metadata | kept.metadata
    labels = united(kept.labels, other.labels)
    brought = [label for label in labels if label not in kept.labels]
    version = revised(
        kept,
        {
            "content": kept.content,
            "metadata": metadata,
            "labels": labels,
            "said_at": max(kept.said_at, other.said_at),
            **combined(kept, other),
        },
        reason=MemoryRevision.Reason.JOINED,
        by=by.user,
        statement=other.content,
        statement_as={
            "row": row,
            "labels": brought,
            "pinned": other.pinned and not kept.pinned,
            # Whether the sources of the other are counted as having stated this one, too.
            "repeats": repeats(kept.content, other.content),
        },
    )
    revision = store_version(kept, version)
    copy_vectors(other, revision)
    moved = {name: _moved(model, other, kept) for name, model in RELATED.items()}
    revision.statement_as |= moved | {"said_twice": _common_sources(other, kept)}
    revision.statement_as["revisions"] = _history_moved(other, kept)
    revision.save(update_fields=["statement_as"])
    other.delete()
    kept.recall_count += other.recall_count
    kept.external_id = kept.external_id or other.external_id
    kept.pinned_at = kept.pinned_at or other.pinned_at
    if other.key and not kept.key and not key_is_taken(kept, other.key):
        kept.key, kept.value = other.key, other.value
    kept.save(update_fields=["recall_count", "external_id", "pinned_at", "key", "value"])
    return revision


def split(revision: MemoryRevision, kept: Memory) -> Memory:
    """Restore the memory that was merged into *kept* with *revision*. Part of an undo: the caller
    has locked the person and *kept*, and restored *kept* itself.
    """
    stored = revision.statement_as
    other = from_json(Memory, stored["row"])
    other.content, other.end_user = revision.statement, kept.end_user
    if kept.external_id == other.external_id:
        kept.external_id = ""
    kept.recall_count -= min(kept.recall_count, other.recall_count)
    # A label that was taken away meanwhile does not come back.
    other.labels = [label for label in other.labels if label in kept.labels]
    kept.labels = [label for label in kept.labels if label not in stored["labels"]]
    if stored["pinned"]:
        kept.pinned_at = None
    kept.save(update_fields=["external_id", "recall_count", "labels", "pinned_at"])
    clear_taken_ids(kept.instance, [other])
    other.save(force_insert=True)
    copy_vectors(revision, other)
    for name, model in RELATED.items():
        model._default_manager.filter(pk__in=stored[name], memory=kept).update(memory=other)
    for source in MemorySource.objects.filter(pk__in=stored["said_twice"]):
        source.pk, source.memory = None, other
        source.save(force_insert=True)
    for pk, reason in stored["revisions"].items():
        kept.revisions.filter(pk=pk).update(memory=other, reason=reason)
    return other


def _moved(
    model: type[MemorySource | Mention | Statement], other: Memory, kept: Memory
) -> list[int]:
    """Move the rows of *model* from *other* to *kept*, except for those that it has already; return
    their ids.
    """
    moved = []
    for pk in model._default_manager.filter(memory=other).values_list("pk", flat=True):
        with suppress(IntegrityError), transaction.atomic():
            model._default_manager.filter(pk=pk).update(memory=kept)
            moved.append(pk)
    return moved


def _common_sources(other: Memory, kept: Memory) -> list[int]:
    """The links of *kept* to messages that *other* has a link to as well."""
    twins = [
        kept.sources.filter(conversation=source.conversation_id, message=source.message_id)
        for source in other.sources.all()
    ]
    return [source.pk for twin in twins for source in twin]


def _history_moved(other: Memory, kept: Memory) -> dict[str, str]:
    """Move the revisions of *other* to *kept* as no versions of it; return their reasons."""
    reasons = {str(pk): reason for pk, reason in other.revisions.values_list("pk", "reason")}
    other.revisions.update(memory=kept, reason=MemoryRevision.Reason.OF_ANOTHER)
    return reasons
