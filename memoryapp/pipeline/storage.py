"""The last stage of the write path: a candidate becomes a row, or a new version of one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from conversations.models import Message
from instances.models import Instance, User
from memoryapp.models import (
    Activity,
    Contradiction,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
)
from memoryapp.models.vectors import copy_vectors
from memoryapp.models.versions import REVISED_FIELDS
from memoryapp.pipeline import keyed_rows
from memoryapp.pipeline.candidates import MAX_TAGS, Candidate, Outcome, Writer, as_own_memory
from memoryapp.pipeline.neighbours import neighbours_of
from memoryapp.pipeline.plan import MergeChoice, MergeDecision, Plan, decide_by_similarity, may_take
from memoryapp.policy.dedup import Action, Decision
from memoryapp.policy.keyed_facts import KeyedVerdict

#: The reasons of revisions for which the model's judgement was followed.
_JUDGED = {
    MergeChoice.MERGE: MemoryRevision.Reason.MERGED,
    MergeChoice.REPLACE: MemoryRevision.Reason.REPLACED,
}


def store(instance: Instance, plan: Plan, writer: Writer) -> Outcome:
    """Store the candidate of *plan* as a memory of its own, or as part of a known one: as the model
    judged, while that holds. The caller holds the lock of its person.
    """
    # Of two writers at the same time, the one that gets the lock last speaks last.
    candidate = replace(plan.candidate, said_at=plan.candidate.said_at or timezone.now())
    vector, judgement = plan.vector, plan.judgement
    plain = _plain_decision(instance, candidate, plan)
    decision = _judged_decision(judgement, plain, candidate, plan.batch)
    if decision is None:
        decision, judgement = plain, None
    effect = _effect(decision, candidate, plan.batch)
    action, revision = effect.action, None
    if effect.existing is None:
        if effect.loses_key:
            candidate = replace(candidate, key="", value="")
        memory = _new(instance, candidate, plan.batch)
        add_vector(memory, plan.space, vector)
    else:
        memory = effect.existing
        if effect.not_taken:
            revision = keyed_rows.record_outweighed(memory, candidate, writer)
            _add_repetition(memory, candidate, stated_again=False)
        elif action is Action.UPDATED:
            changed = _columns_from(candidate, memory) | {"batch": plan.batch}
            if judgement and judgement.choice is MergeChoice.MERGE:
                changed |= {"content": judgement.content, "category": memory.category}
                changed |= combined(memory, candidate)
                vector = judgement.vector
            # A single-valued key has one value at a time, so both cannot be kept.
            own = {} if memory.key or candidate.key else as_own_memory(candidate)
            revision = new_version(
                memory,
                changed,
                reason=_JUDGED[judgement.choice] if judgement else writer.reason,
                by=writer.by.user,
                statement=candidate.content if own else "",
                statement_as=own,
            )
            if revision.content != memory.content:
                set_vector(memory, plan.space, vector)
        elif not effect.undone:
            _add_repetition(memory, candidate)
    Contradiction.objects.note(memory, effect.contradicts)
    if candidate.conversation_id is not None:
        how = MemorySource.Action.HEARD if effect.not_taken else MemorySource.Action(action.value)
        _link(memory, candidate.conversation_id, candidate.message_id, how, revision)
    if action is not Action.DUPLICATE:
        created = action is Action.STORED
        instance.activity.record(
            writer.by,
            Activity.Action.CREATED if created else Activity.Action.UPDATED,
            memory_id=memory.pk,
            conversation_id=candidate.conversation_id,
        )
    return Outcome(memory, action, not_taken=effect.not_taken, contradicts=effect.contradicts)


def _plain_decision(instance: Instance, candidate: Candidate, plan: Plan) -> Decision:
    """Decide by the id, the key, or the similarity of the texts."""
    return (
        _known_by_id(instance, candidate)
        or keyed_rows.decision(instance, candidate)
        or decide_by_similarity(
            instance,
            candidate,
            neighbours_of(instance, candidate, plan.batch, plan.space, plan.vector),
        )
    )


def _judged_decision(
    judgement: MergeDecision | None, plain: Decision, candidate: Candidate, batch: UUID
) -> Decision | None:
    """Decide as the model judged; None if it did not, or its judgement is out of date: the memory
    it is about has been changed or deleted since, or a nearer one has been added.
    """
    if judgement is None or plain.action is Action.DUPLICATE:
        return None
    if plain.existing_id is not None and plain.existing_id not in judgement.seen:
        return None
    about = judgement.existing_id or plain.existing_id
    if about is not None:
        row = Memory.objects.select_for_update(of=("self",)).filter(pk=about).first()
        if row is None or row.content != judgement.seen[about]:
            return None
        if judgement.choice is MergeChoice.REPLACE and row.batch == batch:
            return None
        if not may_take(judgement.choice, row.tier - candidate.tier):
            return None
    if judgement.choice is MergeChoice.KEEP_BOTH:
        return Decision(Action.STORED)
    return Decision(Action.UPDATED, judgement.existing_id)


@dataclass(frozen=True)
class _Effect:
    """What a decision does to the stored memories."""

    #: The memory that stands for the candidate already, locked.
    existing: Memory | None
    action: Action
    #: Whether it stays as it is, because it has a higher tier or was stated later.
    not_taken: bool = False
    #: Whether a person undid what the same message did before.
    undone: bool = False
    #: The ids of memories that the candidate may contradict.
    contradicts: tuple[int, ...] = ()
    #: Whether the key of the candidate stays with the memory that it contradicts.
    loses_key: bool = False


def _effect(decision: Decision, candidate: Candidate, batch: UUID) -> _Effect:
    existing = (
        Memory.objects.select_for_update(of=("self",)).filter(pk=decision.existing_id).first()
        if decision.existing_id is not None
        else None
    )
    # It may have been deleted meanwhile: then the fact is new.
    if existing is None:
        return _Effect(None, Action.STORED, contradicts=decision.contradicts)
    action = decision.action
    if existing.key and (candidate.key or action is Action.UPDATED):
        verdict = keyed_rows.verdict(existing, candidate)
        if verdict is KeyedVerdict.OUTWEIGHED:
            return _Effect(existing, Action.DUPLICATE, not_taken=True)
        if verdict is KeyedVerdict.REPLACES and (existing.batch == batch or candidate.keep_apart):
            return _Effect(
                None, Action.STORED, contradicts=(existing.pk,), loses_key=bool(candidate.key)
            )
        if verdict is not KeyedVerdict.CONFIRMS:
            action = Action.UPDATED
    if action is Action.UPDATED and existing.tier > candidate.tier:
        return _Effect(existing, Action.DUPLICATE, not_taken=True)
    if action is Action.UPDATED and _was_taken_back(existing, candidate):
        return _Effect(existing, Action.DUPLICATE, undone=True)
    return _Effect(existing, action, contradicts=decision.contradicts)


def _new(instance: Instance, candidate: Candidate, batch: UUID) -> Memory:
    return Memory.objects.create(
        instance=instance,
        end_user=candidate.end_user,
        content=candidate.content,
        key=candidate.key,
        value=candidate.value,
        language=instance.language,
        said_at=candidate.said_at or timezone.now(),
        batch=batch,
        external_id=_free_id(instance, candidate.external_id),
        **(as_own_memory(candidate) | {"valid_until": candidate.valid_until}),
    )


def _columns_from(candidate: Candidate, memory: Memory) -> dict[str, Any]:
    """The columns of *memory* that *candidate* replaces, with their new values. What it does not
    speak of stays.
    """
    changed: dict[str, Any] = {
        "content": candidate.content,
        "category": candidate.category,
        "origin": candidate.origin,
        "tier": candidate.tier,
        "confidence": candidate.confidence,
        **_stated_again(memory, candidate),
        "metadata": memory.metadata | dict(candidate.metadata),
    }
    if candidate.valid_until or memory.is_expired(timezone.localdate()):
        changed["valid_until"] = candidate.valid_until
    if candidate.importance is not None:
        changed |= {"importance": candidate.importance, "assessed": True}
    if candidate.tags:
        changed["tags"] = list(candidate.tags)
    return changed | keyed_rows.changes(memory, candidate)


def _stated_again(memory: Memory, candidate: Candidate) -> dict[str, Any]:
    """The columns that change whenever *candidate* states *memory*, in whatever words."""
    changed: dict[str, Any] = {"metadata": dict(candidate.metadata) | memory.metadata}
    if candidate.tier >= memory.tier:
        changed["tier"] = candidate.tier
        changed["said_at"] = max(memory.said_at, candidate.said_at or memory.said_at)
    if candidate.external_id and not memory.external_id:
        changed["external_id"] = _free_id(memory.instance, candidate.external_id)
    return changed


def _add_repetition(memory: Memory, candidate: Candidate, *, stated_again: bool = True) -> None:
    """Add what *candidate* knows besides the text of *memory*, which stays."""
    changed = _stated_again(memory, candidate)
    if not stated_again:
        changed = {name: changed[name] for name in changed.keys() - {"said_at", "tier"}}
    elif (memory.key or candidate.key) and candidate.tier >= memory.tier:
        changed |= keyed_rows.confirmed(memory, candidate)
        changed["stale_since"] = None
    for name, value in changed.items():
        setattr(memory, name, value)
    memory.save(update_fields=list(changed))


def combined(memory: Memory, other: Memory | Candidate) -> dict[str, Any]:
    """Columns of a memory that stands for both: all tags, the higher importance, the later end."""
    ends = [memory.valid_until, other.valid_until]
    return {
        "tags": list(dict.fromkeys([*memory.tags, *other.tags]))[:MAX_TAGS],
        "importance": max(memory.importance, other.importance or 1),
        "valid_until": max(end for end in ends if end) if all(ends) else None,
    }


def _known_by_id(instance: Instance, candidate: Candidate) -> Decision | None:
    """Decide about a candidate whose id a memory of the same person has. A text that the memory had
    once is not new: importing a file again must not undo later corrections.
    """
    if not candidate.external_id:
        return None
    known = Memory.objects.in_instance(instance).filter(
        external_id=candidate.external_id, end_user=candidate.end_user
    )
    for memory in known:
        earlier = memory.revisions.filter(content=candidate.content)
        same = memory.content == candidate.content or earlier.exists()
        return Decision(Action.DUPLICATE if same else Action.UPDATED, memory.pk)
    return None


def _free_id(instance: Instance, external_id: str) -> str:
    """Return *external_id*, unless another person's memory has it: memories never change person."""
    taken = Memory.objects.in_instance(instance).filter(external_id=external_id)
    return "" if external_id and taken.exists() else external_id


def _was_taken_back(memory: Memory, candidate: Candidate) -> bool:
    """Whether the message of *candidate* changed *memory* before, and a person undid that: reading
    the message again must not redo it.
    """
    if candidate.message_id is None:
        return False
    return memory.sources.filter(
        message=candidate.message_id, action=MemorySource.Action.UNDONE
    ).exists()


def new_version(
    memory: Memory,
    changed: dict[str, Any],
    *,
    reason: MemoryRevision.Reason,
    by: User | None,
    statement: str = "",
    statement_as: Mapping[str, Any] | None = None,
) -> MemoryRevision:
    """Change columns of *memory*, and keep its former version as a revision, with the *statement*
    that led to the change. Vectors of a former text, in every space, go with the revision.
    """
    now = timezone.now()
    revision = MemoryRevision.objects.create(
        memory=memory,
        **{name: getattr(memory, name) for name in REVISED_FIELDS},
        valid_from=memory.updated_at,
        replaced_at=now,
        reason=reason,
        by=by,
        statement=statement,
        statement_as=dict(statement_as or {}),
    )
    if changed["content"] != memory.content:
        copy_vectors(memory, revision)
        Contradiction.objects.about(memory.pk).delete()
    for name, value in changed.items():
        setattr(memory, name, value)
    memory.updated_at = now
    memory.stale_since = None
    memory.save(update_fields=[*changed, "updated_at", "stale_since"])
    return revision


def set_vector(memory: Memory, space: str, vector: NDArray[np.float32] | None) -> None:
    """Replace the vectors of *memory*, in every space: no vector is better than that of an older
    text, and the back-fill makes missing ones.
    """
    memory.embeddings.all().delete()
    add_vector(memory, space, vector)


def add_vector(memory: Memory, space: str, vector: NDArray[np.float32] | None) -> None:
    """Add the vector of *memory*, which has none; if None, the back-fill makes it."""
    if vector is not None:
        MemoryEmbedding.objects.add(memory.instance_id, space, memory.pk, vector)


def _link(
    memory: Memory,
    conversation_id: int,
    message_id: int | None,
    action: MemorySource.Action,
    revision: MemoryRevision | None,
) -> None:
    """Link *memory* to its conversation and message. A message has one link: a later one changes
    nothing, unless the change of the first was undone and is now made again.
    """
    message = (
        Message.objects.filter(pk=message_id, conversation_id=conversation_id).first()
        if message_id
        else None
    )
    source, created = MemorySource.objects.get_or_create(
        memory=memory,
        conversation_id=conversation_id,
        message=message,
        defaults={"instance_id": memory.instance_id, "action": action},
    )
    if revision is None:
        return
    if source.action == MemorySource.Action.UNDONE:
        source.action = action
        source.save(update_fields=["action"])
        created = True
    if created:
        revision.source = source
        revision.save(update_fields=["source"])
