"""Gives memories new versions, and keeps the former ones as revisions with their vectors."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from instances.models import User
from memoryapp.language.words import language_of
from memoryapp.models import Contradiction, Memory, MemoryEmbedding, MemoryRevision
from memoryapp.models.vectors import add_vectors, delete_vectors, keep_vectors
from memoryapp.models.versions import REVISED_FIELDS

#: The columns that `reinstate` sets.
REINSTATED = (*REVISED_FIELDS, "language", "updated_at")


@dataclass(frozen=True)
class UnsavedVersion:
    """A former version of a memory, not stored yet."""

    revision: MemoryRevision
    #: The columns that the new version changes.
    fields: Collection[str]
    #: True if the new version has another text: then its vectors are others, too.
    reworded: bool


def revised(
    memory: Memory,
    changed: Mapping[str, Any],
    *,
    reason: MemoryRevision.Reason,
    by: User | None,
    statement: str = "",
    statement_as: Mapping[str, Any] | None = None,
) -> UnsavedVersion:
    """Change columns of *memory* without storing it; return its former version, with the
    *statement* that led to the change. Without a batch among the columns, the change is one of its
    own.
    """
    changed = {"batch": uuid4()} | dict(changed)
    now = timezone.now()
    revision = MemoryRevision(
        instance_id=memory.instance_id,
        memory=memory,
        **{name: getattr(memory, name) for name in REVISED_FIELDS},
        valid_from=memory.updated_at,
        replaced_at=now,
        reason=reason,
        by=by,
        statement=statement,
        statement_as=dict(statement_as or {}),
    )
    reworded = changed["content"] != memory.content
    for name, value in changed.items():
        setattr(memory, name, value)
    memory.language = language_of(memory.content, usual=memory.language)
    memory.updated_at = now
    memory.stale_since = None
    return UnsavedVersion(revision, [*changed, "language", "updated_at", "stale_since"], reworded)


def store_version(memory: Memory, version: UnsavedVersion) -> MemoryRevision:
    """Store *memory* and its former *version*."""
    store_versions([version])
    memory.instance.note_languages([memory.language])
    memory.save(update_fields=version.fields)
    return version.revision


def store_versions(versions: Sequence[UnsavedVersion]) -> None:
    """Store former versions of stored memories, each with the vectors of its text in every space.
    The caller stores the memories.
    """
    MemoryRevision.objects.bulk_create([version.revision for version in versions])
    reworded = {
        version.revision.pk: version.revision.memory_id for version in versions if version.reworded
    }
    if reworded:
        instances = {version.revision.instance_id for version in versions}
        keep_vectors(reworded, instances)
        pairs = Contradiction.objects.filter(instance__in=instances)
        pairs.about(*reworded.values()).delete()


def reinstate(memory: Memory, revision: MemoryRevision) -> None:
    """Give *memory* the columns of *revision*, without storing it."""
    for name in REVISED_FIELDS:
        setattr(memory, name, getattr(revision, name))
    memory.language = language_of(memory.content, usual=memory.language)
    memory.updated_at = revision.valid_from


def set_vector(memory: Memory, space: str, vector: NDArray[np.float32] | None) -> None:
    """Replace the vectors of *memory*, in every space: no vector is better than that of an older
    text, and the back-fill makes missing ones.
    """
    delete_vectors(memory.instance_id, [memory.pk])
    if vector is not None:
        add_vectors(MemoryEmbedding, memory.instance_id, space, {memory.pk: vector})
