"""Undoes edits, merges and restores, with the revisions that they left."""

from datetime import date
from uuid import uuid4

from django.db import transaction

from instances.actor import Actor
from memoryapp.embeddings import embedder
from memoryapp.models import Activity, Memory, MemoryRevision, MemorySource, Summary
from memoryapp.models.vectors import copy_vectors
from memoryapp.pipeline.candidates import KeyTaken
from memoryapp.pipeline.duplicate_merge import split
from memoryapp.pipeline.keyed_rows import key_is_taken
from memoryapp.pipeline.versions import REINSTATED, reinstate, set_vector
from memoryapp.runs.locks import lock_for_write
from memoryapp.text.function_words import language_of


class NotTheNewest(ValueError):
    """The change cannot be undone: the memory has been changed again, the change has been undone
    already, or another fact has its key. The message says what to do.
    """

    def __init__(self, reason: str = "") -> None:
        super().__init__(
            reason
            or "The memory has been changed since. Take back its newest change first, or restore "
            "the wording you want."
        )


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
        locked = Memory.objects.select_for_update(of=("self",)).filter(pk=memory.pk).first()
        newest = MemoryRevision.objects.versions().filter(memory=memory.pk).first()
        if locked is None or newest is None or newest.pk != revision.pk:
            raise NotTheNewest
        joined = newest.reason == MemoryRevision.Reason.JOINED
        if key_is_taken(locked, newest.key):
            raise NotTheNewest(str(KeyTaken(newest.key)))
        Summary.objects.drop(Memory.objects.filter(pk=memory.pk))
        if newest.content != locked.content:
            locked.embeddings.all().delete()
            copy_vectors(newest, locked)
        reinstate(locked, newest)
        locked.save(update_fields=REINSTATED)
        if newest.source_id is not None:
            MemorySource.objects.filter(pk=newest.source_id).update(
                action=MemorySource.Action.UNDONE
            )
        if joined:
            other = split(newest, locked)
        newest.delete()
        memory.instance.activity.record(by, Activity.Action.UNDONE, memory_id=locked.pk)
    return locked, other


def keep_both(revision: MemoryRevision, *, by: Actor) -> tuple[Memory, Memory]:
    """Undo the change that left *revision*, and store the statement that led to it as a memory of
    its own, linked to its message. Return the old and the new memory. Raises `NotTheNewest`, also
    for a change without a statement.
    """
    memory = revision.memory
    if not revision.statement:
        raise NotTheNewest
    if revision.reason == MemoryRevision.Reason.JOINED:
        old, new = _taken_back(revision, by)
        return old, new or old
    vectors = embedder.embed(memory.instance, [revision.statement])
    with transaction.atomic():
        old = undo(revision, by=by)
        own = dict(revision.statement_as)
        until = own.pop("valid_until")
        new = Memory.objects.create(
            instance_id=old.instance_id,
            end_user=old.end_user,
            content=revision.statement,
            **own,
            batch=uuid4(),
            valid_until=date.fromisoformat(until) if until else None,
            language=language_of(revision.statement, memory.instance.language),
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
        memory.instance.activity.record(by, Activity.Action.CREATED, memory_id=new.pk)
    return old, new
