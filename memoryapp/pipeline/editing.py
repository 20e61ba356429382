"""Edits memories, and restores their earlier versions."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from instances.actor import Actor
from instances.tiers import Tier
from memoryapp.embeddings import embedder
from memoryapp.models import Activity, Memory, MemoryRevision, MemorySource, Origin, Summary
from memoryapp.pipeline.candidates import (
    Candidate,
    Changed,
    Changes,
    KeyTaken,
    Outcome,
    Outranked,
    importance_given_by,
)
from memoryapp.pipeline.keyed_rows import key_is_taken
from memoryapp.pipeline.validation import admitted
from memoryapp.pipeline.versions import revised, set_vector, store_version
from memoryapp.policy.dedup import Action
from memoryapp.runs.locks import lock_for_write


def revise(
    memory: Memory,
    changes: Changes,
    *,
    by: Actor,
    reason: MemoryRevision.Reason = MemoryRevision.Reason.EDITED,
    version: datetime | None = None,
    tier: Tier = Tier.PERSON,
    said_at: datetime | None = None,
) -> Outcome:
    """Change *memory*, and keep its former version as a revision if anything differs.

    A correction is no statement: *memory* keeps the time at which it was last stated, unless
    *said_at* tells when its new text was stated. Another value of its key is stated now.

    Raises `Changed` if *version* is given and *memory* was changed after it: the version is the
    ``updated_at`` that the changes are based on. Raises `Rejected` for what cannot be stored, for a
    key that another fact has, and `Outranked` if *memory* is above the *tier* of who changes it.
    """
    wanted, redactions = _admitted(memory, changes)
    if wanted == Changes.of(memory):
        return Outcome(memory, Action.DUPLICATE, redactions=redactions)
    reworded = wanted.content != memory.content
    vectors = embedder.embed(
        memory.instance, [wanted.content] if reworded else [], about=[memory.end_user]
    )
    with transaction.atomic():
        lock_for_write(memory.instance, memory.end_user)
        seen, memory = memory, memory.locked()
        if version not in (None, memory.updated_at):
            raise Changed
        if memory.tier > tier:
            raise Outranked
        # Checked again under the lock: the vector must belong to the text.
        reworded = wanted.content != memory.content
        if wanted.key and key_is_taken(memory, wanted.key):
            raise KeyTaken(wanted.key)
        columns = _columns(memory, wanted, by=by, tier=tier, said_at=said_at)
        Summary.objects.filter(instance=memory.instance).drop(memory.row())
        restored = reason == MemoryRevision.Reason.RESTORED
        is_statement = "said_at" in columns and not restored
        made = revised(memory, columns, reason=reason, by=by.user)
        made.revision.source = memory.sources.create(
            instance=memory.instance,
            via=by.via,
            batches=[memory.batch],
            action=MemorySource.Action.UPDATED if is_statement else MemorySource.Action.EDITED,
        )
        store_version(memory, made)
        if reworded:
            vector = None if vectors.vectors is None else vectors.vectors[0]
            set_vector(memory, vectors.space, vector)
        action = Activity.Action.RESTORED if restored else Activity.Action.UPDATED
        record = seen.instance.activity.record
        record(by, action, memory_id=memory.pk, end_user=memory.end_user)
    return Outcome(memory, Action.UPDATED, vectors.problem, redactions, reworded=reworded)


def _admitted(memory: Memory, changes: Changes) -> tuple[Changes, Mapping[str, int]]:
    """Return *changes* in the form in which they may be stored, with every column, and the number
    of secrets of each kind that were redacted; raises `Rejected`.
    """
    checked = admitted(
        memory.instance,
        Candidate(
            changes.content,
            tags=changes.tags,
            metadata=memory.metadata if changes.metadata is None else changes.metadata,
            key=memory.key if changes.key is None else changes.key,
            value=memory.value if changes.value is None else changes.value,
        ),
        former=f"{memory.content}\n{memory.key.replace('_', ' ')} {memory.value}",
    )
    wanted = replace(
        changes,
        content=checked.content,
        tags=list(checked.tags),
        metadata=checked.metadata,
        key=checked.key,
        value=checked.value,
    )
    return wanted, checked.redactions


def _columns(
    memory: Memory, wanted: Changes, *, by: Actor, tier: Tier, said_at: datetime | None
) -> dict[str, Any]:
    """The columns of *memory* with the *wanted* values, and those that follow from them."""
    columns = asdict(wanted) | {"assessed": True}
    if wanted.importance != memory.importance:
        columns["importance_by"] = importance_given_by(by)
    if said_at is None and memory.value and wanted.value:
        same_value = wanted.value.casefold() == memory.value.casefold()
        said_at = None if same_value else timezone.now()
    if said_at is not None:
        columns["said_at"] = said_at
    fact = memory.content, memory.key, memory.value
    if (wanted.content, wanted.key, wanted.value) != fact:
        columns |= {"tier": tier, "approved_at": None}
    if wanted.key and by.via == "screen":
        # A person has confirmed it.
        columns |= {
            "origin": Origin.MANUAL,
            "confidence": Origin.MANUAL.confidence,
            "verified_at": timezone.now(),
        }
    return columns


def restore(revision: MemoryRevision, *, by: Actor, tier: Tier = Tier.PERSON) -> Outcome:
    """Make *revision* the present version of its memory; the present one becomes a revision."""
    return revise(
        revision.memory,
        Changes.of(revision),
        by=by,
        reason=MemoryRevision.Reason.RESTORED,
        tier=tier,
        said_at=revision.said_at,
    )
