"""Takes back everything that a batch has stored and changed, such as an imported file.

What the batch has stored is deleted, and what it has changed gets back the version before. Memories
that others have changed since stay as they are: a correction is worth more than the rollback.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Activity, HeldStatement, Memory, MemoryRevision, MemorySource, Summary
from memoryapp.models.vectors import bring_back_vectors
from memoryapp.pipeline import undo_buffer
from memoryapp.pipeline.deletion import DeletionResult, delete_rows
from memoryapp.pipeline.versions import REINSTATED, reinstate
from memoryapp.policy.keyed_facts import is_single_valued
from memoryapp.runs.locks import lock_out_writers

#: Memories that are updated in one statement.
CHUNK_SIZE = 500
#: The reasons of changes that the write path makes itself; others are those of people.
_UNASKED = frozenset(
    {
        MemoryRevision.Reason.SAVED,
        MemoryRevision.Reason.EXTRACTED,
        MemoryRevision.Reason.MERGED,
        MemoryRevision.Reason.REPLACED,
    }
)


@dataclass(frozen=True)
class BatchEffect:
    """What a batch has done, and what taking it back would do."""

    #: The memories that it has stored, to be deleted.
    stored: list[int]
    #: The memories that it has changed, each with the revisions that it left, the newest first: the
    #: last of them is the version to bring back.
    changed: dict[int, list[int]]
    #: The number of memories that stay, since they have been changed again or their former key
    #: belongs to another memory now.
    staying: int
    #: The number of its statements that wait for review, to be deleted as well.
    waiting: int = 0

    @property
    def count(self) -> int:
        return len(self.stored) + len(self.changed)


def effect_of(instance: Instance, batch: UUID) -> BatchEffect:
    """Return what taking back *batch* would do; nothing changes."""
    memories = Memory.objects.in_instance(instance).filter(batch=batch)
    history: dict[int, list[MemoryRevision]] = {
        pk: [] for pk in memories.values_list("pk", flat=True)
    }
    versions = MemoryRevision.objects.versions().filter(memory__in=memories)
    for revision in versions.only("memory_id", "batch", "reason", "key").iterator():
        history[revision.memory_id].append(revision)
    stored, changed = [], {}
    for pk, revisions in history.items():
        # Its own changes stand first, up to the version that it found.
        own = next((n for n, each in enumerate(revisions) if each.batch != batch), len(revisions))
        undone = revisions[: own + 1]
        if any(each.reason not in _UNASKED for each in undone):
            continue
        if own == len(revisions):
            stored.append(pk)
        else:
            changed[pk] = undone
    blocked = _with_taken_keys(instance, {pk: undone[-1] for pk, undone in changed.items()})
    changed_ids = {
        pk: [each.pk for each in undone] for pk, undone in changed.items() if pk not in blocked
    }
    later = MemoryRevision.objects.versions().filter(memory__instance=instance, batch=batch)
    changed_later = later.exclude(memory__batch=batch).values("memory").distinct().count()
    staying = len(history) - len(stored) - len(changed_ids) + changed_later
    return BatchEffect(stored, changed_ids, staying, _waiting(instance, batch).count())


def _waiting(instance: Instance, batch: UUID) -> QuerySet[HeldStatement]:
    return HeldStatement.objects.waiting().filter(instance=instance, batch=batch)


def _with_taken_keys(instance: Instance, former: dict[int, MemoryRevision]) -> set[int]:
    """The memories whose former single-valued key belongs to another memory now."""
    keys = {
        each.key
        for each in former.values()
        if is_single_valued(each.key, instance.single_valued_keys)
    }
    if not keys:
        return set()
    people = dict(Memory.objects.filter(pk__in=former).values_list("pk", "end_user"))
    owners: dict[tuple[str, str], set[int]] = {}
    rows = Memory.objects.in_instance(instance).filter(key__in=keys)
    for pk, person, key in rows.values_list("pk", "end_user", "key"):
        owners.setdefault((person, key), set()).add(pk)
    return {
        pk
        for pk, revision in former.items()
        if owners.get((people[pk], revision.key), set()) - {pk}
    }


def take_back(instance: Instance, batch: UUID, *, by: User) -> tuple[BatchEffect, DeletionResult]:
    """Take back what *batch* has stored and changed; return what was done, and a token that undoes
    it for ten seconds, unless it is too much or Redis does not answer. Doing it twice does nothing.
    """
    with transaction.atomic():
        lock_out_writers(instance)
        effect = effect_of(instance, batch)
        ids = [*effect.stored, *effect.changed]
        copied = undo_buffer.pack(ids)
        _bring_back(effect.changed)
        # Whoever else says the same has not been taken back.
        delete_rows(instance, effect.stored, by=Actor(by), everywhere=False)
        heard = MemoryRevision.objects.heard().filter(memory__instance=instance, batch=batch)
        heard.delete()
        _waiting(instance, batch).delete()
        if ids:
            instance.activity.record(Actor(by), Activity.Action.UNDONE, count=len(ids), batch=batch)
    # After the commit: what was not taken back after all must not be restored.
    return effect, DeletionResult(len(ids), undo_buffer.keep(copied, instance, by))


def _bring_back(changed: dict[int, list[int]]) -> None:
    """Restore memories from the last of their *changed* revisions, and delete these."""
    Summary.objects.drop(Memory.objects.filter(pk__in=changed))
    for ids in _chunks(changed):
        targets = {changed[pk][-1]: pk for pk in ids}
        memories = Memory.objects.defer("search").in_bulk(ids)
        reworded = {}
        revisions = MemoryRevision.objects.filter(pk__in=targets)
        for revision in revisions:
            memory = memories[targets[revision.pk]]
            if memory.content != revision.content:
                reworded[memory.pk] = revision.pk
            reinstate(memory, revision)
        Memory.objects.bulk_update(memories.values(), REINSTATED)
        if reworded:
            bring_back_vectors(reworded)
        undone = MemoryRevision.objects.filter(pk__in=[pk for each in ids for pk in changed[each]])
        sources = MemorySource.objects.filter(pk__in=undone.values("source"))
        sources.update(action=MemorySource.Action.UNDONE)
        undone.delete()


def _chunks(ids: Iterable[int]) -> Iterable[list[int]]:
    every = sorted(ids)
    return (every[at : at + CHUNK_SIZE] for at in range(0, len(every), CHUNK_SIZE))
