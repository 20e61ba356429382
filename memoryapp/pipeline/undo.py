"""Taking changes back: edits, merges and restores, from the revision that each of them left."""

from django.db import transaction

from instances.models import User
from memoryapp.models import (
    Activity,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
    Summary,
)
from memoryapp.pipeline.candidates import KeyTaken
from memoryapp.pipeline.keyed import key_is_taken
from memoryapp.pipeline.locks import one_writer_for

#: What a memory says, and how surely. The rest of the row is not changed by changes of its text.
SAID = (
    "content",
    "category",
    "importance",
    "tags",
    "key",
    "value",
    "valid_until",
    "origin",
    "confidence",
    "assessed",
    "metadata",
)


class NotTheNewest(ValueError):
    """The change cannot be taken back, since the memory has been changed again, or taken back
    further, or another fact has got its key; the message says what to do.
    """

    def __init__(self, reason: str = "") -> None:
        super().__init__(
            reason
            or "The memory has been changed since. Take back its newest change first, or restore "
            "the wording you want."
        )


def undo(revision: MemoryRevision, *, by: User | None) -> Memory:
    """Take back the change that left *revision*, the newest of its memory: the memory is again
    what it was, to the vectors and the dates, and the revision is gone.

    Naming the revision makes a second press of the same button harmless: it raises `NotTheNewest`
    and does not take back the change before. Where the change came from a message, the link to it
    stays and says that it was taken back.
    """
    memory = revision.memory
    with transaction.atomic():
        one_writer_for(memory.instance, memory.end_user)
        # The row lock decides between this and an edit, another undo, or a deletion.
        locked = Memory.objects.select_for_update(of=("self",)).filter(pk=memory.pk).first()
        newest = MemoryRevision.objects.versions().filter(memory=memory.pk).first()
        if locked is None or newest is None or newest.pk != revision.pk:
            raise NotTheNewest
        if key_is_taken(locked, newest.key, newest.category):
            raise NotTheNewest(str(KeyTaken(newest.key, newest.category)))
        Summary.objects.drop(Memory.objects.filter(pk=memory.pk))
        if newest.content != locked.content:
            _bring_vectors_back(locked, newest)
        for name in SAID:
            setattr(locked, name, getattr(newest, name))
        locked.updated_at = newest.valid_from
        locked.save(update_fields=[*SAID, "updated_at"])
        if newest.source_id is not None:
            MemorySource.objects.filter(pk=newest.source_id).update(
                action=MemorySource.Action.UNDONE
            )
        newest.delete()
        Activity.objects.create(
            instance_id=locked.instance_id,
            action=Activity.Action.UNDONE,
            by=by,
            via="screen",
            memory_id=locked.pk,
        )
    return locked


def _bring_vectors_back(memory: Memory, revision: MemoryRevision) -> None:
    memory.embeddings.all().delete()
    MemoryEmbedding.objects.bulk_create(
        MemoryEmbedding(
            memory=memory,
            instance_id=old.instance_id,
            space_id=old.space_id,
            embedding=old.embedding,
        )
        for old in revision.embeddings.all()
    )
