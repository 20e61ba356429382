"""Takes back everything that a source has stored and changed, such as a key or an imported file.

With an import go its conversations, their filings, and the readings that still wait. What only the
source has stated goes to the bin, and what it has changed gets back the version before. What others
have changed or said again since stays as it is: a correction is worth more than the rollback. The
messages that stated what goes are muted, and are not learned from again.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from conversations.models import Import, Message
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.forgetting import undo_buffer, undo_copy
from memoryapp.forgetting.archive import copy_to_bin
from memoryapp.forgetting.deletion import DeletionResult, delete_rows
from memoryapp.forgetting.import_removal import (
    ImportRemoval,
    conversations_of,
    removal_of,
    remove,
)
from memoryapp.forgetting.suppressing import suppress_wordings
from memoryapp.models import (
    Activity,
    Drawer,
    HeldStatement,
    Memory,
    MemoryRevision,
    MemorySource,
    Summary,
    SuppressedStatement,
)
from memoryapp.models.vectors import bring_back_vectors
from memoryapp.pipeline.versions import REINSTATED, reinstate
from memoryapp.policy.keyed_facts import is_single_valued
from memoryapp.policy.version_rollback import OtherStatements, WrittenVersion, versions_to_undo
from memoryapp.runs.locks import lock_out_writers_of
from memoryapp.trust.change_source import ChangeSource

#: Memories that are updated in one statement.
CHUNK_SIZE = 500
_HEARD = MemorySource.Action.HEARD


@dataclass(frozen=True)
class RollbackEffect:
    """Effect of a source, and of taking it back. Memories are told by their ids."""

    #: The memories that only it has stated: they go.
    stored: list[int] = field(default_factory=list)
    #: The memories that it has changed, each with the revisions that it left, the newest first: the
    #: last of them is the version to bring back.
    changed: dict[int, list[int]] = field(default_factory=dict)
    #: The memories that stay, since others have changed or said them, or their former key belongs
    #: to another memory now.
    staying: list[int] = field(default_factory=list)
    #: The number of its statements that wait for review, which go as well.
    waiting: int = 0
    #: The conversations and readings of an import, which go as well.
    removal: ImportRemoval = field(default_factory=ImportRemoval)

    def __bool__(self) -> bool:
        """True if anything would be taken back."""
        return bool(self.count or self.waiting or self.removal)

    @property
    def count(self) -> int:
        """How many memories change."""
        return len(self.stored) + len(self.changed)

    @property
    def ids(self) -> list[int]:
        """The memories that change."""
        return [*self.stored, *self.changed]

    @property
    def touched(self) -> list[int]:
        """The memories that the source has stored or changed, those that stay included."""
        return [*self.ids, *self.staying]


def effect_of(source: ChangeSource) -> RollbackEffect:
    """Return what taking back *source* would do; nothing changes."""
    statements = source.statements()
    own: dict[int, set[UUID]] = defaultdict(set)
    told = statements.exclude(action=_HEARD)
    for memory, batches in told.values_list("memory", "batches"):
        own[memory].update(batches)
    others = _others(source)
    present = dict(Memory.objects.filter(pk__in=own).order_by("pk").values_list("pk", "batch"))
    history: dict[int, list[MemoryRevision]] = {pk: [] for pk in present}
    versions = MemoryRevision.objects.versions().filter(memory__in=present)
    for revision in versions.only("memory_id", "batch", "key", "replaced_at").iterator():
        history[revision.memory_id].append(revision)
    stored, changed, staying = [], {}, []
    for pk, revisions in history.items():
        written = _written(present[pk], revisions)
        number = versions_to_undo(written, own[pk], others[pk])
        if number == len(written):
            stored.append(pk)
        elif number:
            changed[pk] = revisions[:number]
        elif any(version.batch in own[pk] for version in written):
            staying.append(pk)
    instance = source.instance
    blocked = _with_taken_keys(instance, {pk: undone[-1] for pk, undone in changed.items()})
    return RollbackEffect(
        stored,
        {pk: [each.pk for each in changed[pk]] for pk in changed if pk not in blocked},
        sorted([*staying, *blocked]),
        source.held().count(),
        removal_of(source.import_) if source.import_ else ImportRemoval(),
    )


def _written(batch: UUID | None, revisions: list[MemoryRevision]) -> list[WrittenVersion]:
    """The versions of a memory, the newest first: the present one, which *batch* wrote, and those
    that its revisions have kept.
    """
    batches = [batch, *(revision.batch for revision in revisions)]
    begins = [*(revision.replaced_at for revision in revisions), None]
    return [WrittenVersion(*each) for each in zip(batches, begins, strict=True)]


def _others(source: ChangeSource) -> dict[int, OtherStatements]:
    """Statements of others about the memories of *source*."""
    statements = source.statements()
    rows = MemorySource.objects.counting().filter(memory__in=statements.values("memory"))
    rows = rows.exclude(pk__in=statements.values("pk")).exclude(action=_HEARD).order_by()
    others: dict[int, OtherStatements] = defaultdict(OtherStatements)
    for memory, batches, at in rows.values_list("memory", "batches", "created_at"):
        others[memory].add(batches, at)
    return others


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


def take_back(source: ChangeSource, *, by: User) -> tuple[RollbackEffect, DeletionResult]:
    """Take back what *source* has stored and changed; return what was done, and a token that undoes
    it for ten seconds, unless it is too much or Redis does not answer. Doing it twice does nothing.
    """
    instance, actor = source.instance, Actor(by)
    batch = source.import_.batch if source.import_ else uuid4()
    with transaction.atomic():
        # Before the decision what goes: a message that is added later would go with it unseen.
        lock_out_writers_of(instance, conversations_of(source.import_) if source.import_ else ())
        effect = effect_of(source)
        if gone := effect.removal.conversations:
            Drawer.objects.filter(message__conversation__in=gone).hold(instance.pk)
        copied = undo_copy.pack(instance, effect.ids, effect.removal, source.import_)
        bring_back(source, effect)
        copy_to_bin(instance, effect.stored, by=actor, batch=batch)
        if source.import_:
            _take_out(source.import_, effect)
        # Whoever else says the same has not been taken back.
        delete_rows(instance, effect.stored, by=actor, everywhere=False)
        if effect:
            instance.activity.record(
                actor,
                Activity.Action.ROLLED_BACK,
                count=effect.count,
                batch=batch,
                about=source.in_words[:150],
            )
    # After the commit: what was not taken back after all must not be restored.
    return effect, DeletionResult(effect.count, undo_buffer.keep(copied, instance, by))


def _take_out(import_: Import, effect: RollbackEffect) -> None:
    """Take out what *import_* has brought besides memories. Its messages leave no suppressed
    statements, so that the same file can be imported again.
    """
    messages = Message.objects.filter(conversation__in=effect.removal.conversations)
    SuppressedStatement.objects.filter(message__in=messages, memory_id__in=effect.changed).delete()
    remove(effect.removal)
    if effect:
        import_.row().update(rolled_back_at=timezone.now())


def bring_back(source: ChangeSource, effect: RollbackEffect) -> None:
    """Undo what *source* has changed, and delete its statements that wait or were not adopted. The
    caller has locked out writers, and removes what it has stored.
    """
    statements = source.statements()
    heard = statements.filter(action=_HEARD).values("pk")
    MemoryRevision.objects.heard().filter(source__in=heard).delete()
    _bury_undone(source.instance, effect.changed, statements)
    _bring_back(effect.changed)
    _reject(source.held())


def _reject(held: QuerySet[HeldStatement]) -> None:
    """Delete statements that wait. Those of a conversation are not held again when that is read
    again; a file may be imported anew, and a program may say something anew.
    """
    ids = list(held.values_list("pk", flat=True))
    rows = HeldStatement.objects.filter(pk__in=ids)
    rows.filter(conversation=None).delete()
    rows.reject()


def _bury_undone(
    instance: Instance, changed: dict[int, list[int]], statements: QuerySet[MemorySource]
) -> None:
    """Mute the messages of the source that changed memories, and keep these from learning it again
    from there.
    """
    stated: dict[int, set[int]] = defaultdict(set)
    links = statements.filter(memory__in=changed).exclude(message=None).exclude(action=_HEARD)
    for memory, message in links.values_list("memory", "message"):
        stated[memory].add(message)
    if not stated:
        return
    # The last revision is the version to bring back, and no text of the source.
    undone = {pk for memory in stated for pk in changed[memory][:-1]}
    wordings: dict[int, tuple[str, list[str]]] = {
        memory.pk: (memory.end_user, [memory.content])
        for memory in Memory.objects.filter(pk__in=stated).only("end_user", "content")
    }
    texts = MemoryRevision.objects.filter(pk__in=undone).values_list("memory", "content")
    for pk, content in texts:
        wordings[pk][1].append(content)
    suppress_wordings(instance, wordings, stated)


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
