"""Undoes edits, merges and restores, with the revisions that they left."""

from collections.abc import Collection
from copy import copy
from itertools import chain
from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext as _

from instances.actor import Actor
from instances.translatable import translated
from memoryapp.embeddings import embedder
from memoryapp.language.words import language_of
from memoryapp.models import Activity, Memory, MemoryRevision, MemorySource, Summary
from memoryapp.models.stored_rows import columns_from_json
from memoryapp.models.vectors import copy_vectors
from memoryapp.models.versions import REVISED_FIELDS
from memoryapp.pipeline.candidates import KeyTaken
from memoryapp.pipeline.duplicate_merge import split
from memoryapp.pipeline.keyed_rows import key_is_taken
from memoryapp.pipeline.versions import REINSTATED, reinstate, set_vector
from memoryapp.runs.locks import lock_for_write


class NotTheNewest(ValueError):
    """The change cannot be undone: the memory has been changed again, the change has been undone
    already, or another fact has its key. The message says what to do.
    """

    def __init__(self, reason: str = "") -> None:
        super().__init__(
            reason
            or _(
                "The memory has changed since. Undo its newest change first, or restore the text "
                "you want."
            )
        )

    def __str__(self) -> str:
        return translated(super().__str__())


def undo(revision: MemoryRevision, *, by: Actor) -> Memory:
    """Undo the change that left *revision*, the newest of its memory: the memory is restored with
    its vectors and dates, and the revision is deleted.

    A second click on the same button raises `NotTheNewest`, and does not undo the change before. If
    the change came from a message, the link to it stays and is marked as undone. A merge becomes
    two memories again.
    """
    return _taken_back(revision, by)[0]


def _taken_back(revision: MemoryRevision, by: Actor) -> tuple[Memory, Memory | None]:
    """Also return the other memory, if the change was a merge of two."""
    memory, other = revision.memory, None
    with transaction.atomic():
        lock_for_write(memory.instance, memory.end_user)
        # The row lock decides races with an edit, another undo, or a deletion.
        locked = memory.row().select_for_update(of=("self",)).first()
        newest = MemoryRevision.objects.versions().filter(memory=memory).first()
        if locked is None or newest is None or newest.pk != revision.pk:
            raise NotTheNewest
        joined = newest.reason == MemoryRevision.Reason.JOINED
        if key_is_taken(locked, newest.key):
            raise NotTheNewest(KeyTaken(newest.key).text)
        Summary.objects.drop(memory.row())
        if newest.content != locked.content:
            locked.embeddings.all().delete()
            copy_vectors(newest, locked)
        said_at = locked.said_at
        reinstate(locked, newest)
        if _is_correction(newest):
            # It may have been stated again since.
            locked.said_at = said_at
        locked.save(update_fields=REINSTATED)
        if newest.source_id is not None:
            MemorySource.objects.filter(pk=newest.source_id).update(
                action=MemorySource.Action.UNDONE
            )
        if joined:
            other = split(newest, locked)
        newest.delete()
        memory.instance.activity.record(
            by, Activity.Action.UNDONE, memory_id=locked.pk, end_user=locked.end_user
        )
    return locked, other


def separate(merge: MemoryRevision, *, by: Actor) -> tuple[Memory, Memory]:
    """Undo the merge that left the revision *merge*, and return the two memories. What has been
    changed since stays; the rest becomes as it was before the merge, in the later versions as well.
    A second click raises `NotTheNewest`.
    """
    memory = merge.memory
    with transaction.atomic():
        lock_for_write(memory.instance, memory.end_user)
        kept = memory.row().select_for_update(of=("self",)).first()
        versions = list(MemoryRevision.objects.versions().filter(memory=memory).order_by("-pk"))
        before = next((version for version in versions if version.pk == merge.pk), None)
        if kept is None or before is None or before.reason != MemoryRevision.Reason.JOINED:
            raise NotTheNewest
        later = versions[: versions.index(before)]
        if not later:
            kept, other = _taken_back(merge, by)
            return kept, other or kept
        Summary.objects.drop(memory.row())
        after = copy(later[-1])
        # Tags that other memories have brought since.
        brought: set[str] = set()
        for version in reversed(later):
            _take_out(version, before, after, brought)
            if version.reason == MemoryRevision.Reason.JOINED:
                brought |= {*version.statement_as["row"]["tags"]}
        _take_out(kept, before, after, brought)
        later[-1].valid_from = before.valid_from
        MemoryRevision.objects.bulk_update(later, [*REVISED_FIELDS, "valid_from"])
        kept.save(update_fields=REVISED_FIELDS)
        other = split(before, kept)
        before.delete()
        memory.instance.activity.record(
            by, Activity.Action.UNDONE, memory_id=kept.pk, end_user=kept.end_user
        )
    return kept, other


#: Columns that only change together.
_TOGETHER = (("key", "value"), ("valid_until", "expires_at"), ("importance", "importance_by"))


def _take_out(
    row: Memory | MemoryRevision,
    before: MemoryRevision,
    after: MemoryRevision,
    brought: Collection[str],
) -> None:
    """Take out of *row* what a merge has changed, and nothing has changed since. *before* and
    *after* are the versions before and after it, *brought* the tags that stay.
    """
    alone = [(name,) for name in REVISED_FIELDS if name not in {"tags", *chain(*_TOGETHER)}]
    for names in (*_TOGETHER, *alone):
        if all(getattr(row, name) == getattr(after, name) for name in names):
            for name in names:
                setattr(row, name, getattr(before, name))
    added = {*after.tags} - {*before.tags} - {*brought}
    row.tags = [tag for tag in row.tags if tag not in added]


def _is_correction(change: MemoryRevision) -> bool:
    """True if *change* corrected the memory and stated nothing new."""
    if change.reason != MemoryRevision.Reason.EDITED or change.source is None:
        return False
    return change.source.action == MemorySource.Action.EDITED


def keep_both(revision: MemoryRevision, *, by: Actor) -> tuple[Memory, Memory]:
    """Undo the change that left *revision*, and store the statement that led to it as a memory of
    its own, linked to its message. Return the old and the new memory. Raises `NotTheNewest`, also
    for a change without a statement.
    """
    memory = revision.memory
    if not revision.statement:
        raise NotTheNewest
    if revision.reason == MemoryRevision.Reason.JOINED:
        return separate(revision, by=by)
    vectors = embedder.embed(memory.instance, [revision.statement], about=[memory.end_user])
    with transaction.atomic():
        old = undo(revision, by=by)
        new = Memory.objects.create(
            instance_id=old.instance_id,
            end_user=old.end_user,
            content=revision.statement,
            **columns_from_json(Memory, revision.statement_as),
            batch=uuid4(),
            language=language_of(revision.statement, memory.instance.language),
            said_at=memory.said_at,
            created_at=revision.replaced_at,
            updated_at=revision.replaced_at,
        )
        memory.instance.note_languages([new.language])
        set_vector(new, vectors.space, None if vectors.vectors is None else vectors.vectors[0])
        for source in MemorySource.objects.filter(pk=revision.source_id or 0):
            new.sources.create(
                instance_id=source.instance_id,
                conversation_id=source.conversation_id,
                message_id=source.message_id,
                via=source.via,
                batches=[new.batch, *source.batches],
                created_at=source.created_at,
            )
        memory.instance.activity.record(
            by, Activity.Action.CREATED, memory_id=new.pk, end_user=new.end_user
        )
    return old, new
