"""The last stage: a candidate becomes a row, or the new version of one."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from conversations.models import Message
from instances.models import Instance, User
from memoryapp.models import Activity, Memory, MemoryEmbedding, MemoryRevision, MemorySource, Origin
from memoryapp.models.vectors import copy_vectors
from memoryapp.models.versions import REVISED_FIELDS
from memoryapp.pipeline import keyed_rows
from memoryapp.pipeline.candidates import MAX_TAGS, Candidate, Outcome, Writer, as_own_memory
from memoryapp.pipeline.neighbours import neighbours_of
from memoryapp.pipeline.plan import MergeChoice, MergeDecision, Plan
from memoryapp.policy.dedup import Action, Decision, decide
from memoryapp.policy.keyed_facts import KeyedVerdict

#: What is on record where the model's judgement was followed.
_JUDGED = {
    MergeChoice.MERGE: MemoryRevision.Reason.MERGED,
    MergeChoice.REPLACE: MemoryRevision.Reason.REPLACED,
}


def store(instance: Instance, plan: Plan, writer: Writer) -> Outcome:
    """Make the candidate of *plan* a memory of its own, or part of the one that says the same: as
    the model's judgement has it, while that holds. The caller holds the lock of its person.
    """
    candidate = keyed_rows.supported(plan.candidate, writer)
    space, vector, judgement = plan.space, plan.vector, plan.judgement
    plain = _plain_decision(instance, candidate, space, vector)
    decision = _followed(judgement, plain)
    if decision is None:
        decision, judgement = plain, None
    existing, action, not_taken = _becomes(decision, candidate)
    revision = None
    if existing is None:
        memory = _new(instance, candidate)
        add_vector(memory, space, vector)
    else:
        memory = existing
        _adopt(memory, candidate)
        if not_taken:
            revision = keyed_rows.note_heard(memory, candidate, writer)
        elif action is Action.UPDATED:
            changed = _said_by(candidate, memory)
            if judgement and judgement.choice is MergeChoice.MERGE:
                changed |= _merged(memory, candidate, judgement)
                vector = judgement.vector
            # A fact with a key has one value at a time, and cannot stand beside itself.
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
                set_vector(memory, space, vector)
        elif memory.key or candidate.key:
            keyed_rows.confirm(memory, candidate)
    if candidate.conversation_id is not None:
        how = MemorySource.Action.HEARD if not_taken else MemorySource.Action(action.value)
        _link(memory, candidate.conversation_id, candidate.message_id, how, revision)
    if action is not Action.DUPLICATE:
        created = action is Action.STORED
        instance.activity.record(
            writer.by,
            Activity.Action.CREATED if created else Activity.Action.UPDATED,
            memory_id=memory.pk,
            conversation_id=candidate.conversation_id,
        )
    return Outcome(memory, action, not_taken=not_taken)


def _plain_decision(
    instance: Instance, candidate: Candidate, space: str, vector: NDArray[np.float32] | None
) -> Decision:
    """What becomes of *candidate* by its id, its key, or the similarity of the texts."""
    return (
        _known_by_id(instance, candidate)
        or keyed_rows.decision(instance, candidate)
        or decide(
            candidate.content,
            neighbours_of(instance, candidate, space, vector),
            exact=instance.dedup_exact,
            update=instance.dedup_update,
        )
    )


def _followed(judgement: MergeDecision | None, plain: Decision) -> Decision | None:
    """What *judgement* comes to; None when there is none, or it does not hold any more: what it was
    about has been changed or deleted since, or somebody has brought another memory that is nearer.
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
    if judgement.choice is MergeChoice.KEEP_BOTH:
        return Decision(Action.STORED)
    return Decision(Action.UPDATED, judgement.existing_id)


def _becomes(decision: Decision, candidate: Candidate) -> tuple[Memory | None, Action, bool]:
    """What becomes of *candidate*: the memory that it belongs to, locked; what is done with it; and
    whether that memory stays as it is because it is better supported.
    """
    if decision.existing_id is None:
        return None, Action.STORED, False
    existing = (
        Memory.objects.select_for_update(of=("self",)).filter(pk=decision.existing_id).first()
    )
    # It may have been deleted meanwhile: then the fact is new.
    if existing is None:
        return None, Action.STORED, False
    action = decision.action
    if existing.key and (candidate.key or action is Action.UPDATED):
        verdict = keyed_rows.verdict(existing, candidate)
        if verdict is KeyedVerdict.IS_HEARD:
            return existing, Action.DUPLICATE, True
        if verdict is not KeyedVerdict.CONFIRMS:
            action = Action.UPDATED
    if action is Action.UPDATED and _was_taken_back(existing, candidate):
        action = Action.DUPLICATE
    return existing, action, False


def _new(instance: Instance, candidate: Candidate) -> Memory:
    return Memory.objects.create(
        instance=instance,
        end_user=candidate.end_user,
        content=candidate.content,
        category=candidate.category,
        importance=candidate.importance or 5,
        tags=list(candidate.tags),
        key=candidate.key,
        value=candidate.value,
        valid_until=candidate.valid_until,
        origin=candidate.origin or Origin.API,
        confidence=candidate.confidence,
        assessed=candidate.importance is not None,
        language=instance.language,
        external_id=_free_id(instance, candidate.external_id),
        metadata=dict(candidate.metadata),
    )


def _said_by(candidate: Candidate, memory: Memory) -> dict[str, Any]:
    """What *memory* is changed to by *candidate*: all that it says, and by whom."""
    changed: dict[str, Any] = {
        "content": candidate.content,
        "category": candidate.category,
        "valid_until": candidate.valid_until,
        "origin": candidate.origin,
        "confidence": candidate.confidence,
    }
    if candidate.importance is not None:
        changed |= {"importance": candidate.importance, "assessed": True}
    if candidate.tags:
        changed["tags"] = list(candidate.tags)
    if candidate.metadata:
        changed["metadata"] = memory.metadata | dict(candidate.metadata)
    return changed | keyed_rows.changes(memory, candidate)


def _merged(memory: Memory, candidate: Candidate, judgement: MergeDecision) -> dict[str, Any]:
    """What is different when *memory* is to stand for both: it keeps the tags of both, the higher
    importance and the later end.
    """
    ends = [memory.valid_until, candidate.valid_until]
    return {
        "content": judgement.content,
        "category": memory.category,
        "tags": list(dict.fromkeys([*memory.tags, *candidate.tags]))[:MAX_TAGS],
        "importance": max(memory.importance, candidate.importance or 1),
        "valid_until": max(end for end in ends if end) if all(ends) else None,
    }


def _known_by_id(instance: Instance, candidate: Candidate) -> Decision | None:
    """What becomes of a candidate whose id is known already, of the same person. A text that the
    memory had once is nothing new: to import a file again must not take back what somebody has
    corrected since.
    """
    if not candidate.external_id:
        return None
    known = Memory.objects.in_instance(instance).filter(
        external_id=candidate.external_id, end_user=candidate.end_user
    )
    for memory in known:
        said = memory.revisions.filter(content=candidate.content)
        same = memory.content == candidate.content or said.exists()
        return Decision(Action.DUPLICATE if same else Action.UPDATED, memory.pk)
    return None


def _free_id(instance: Instance, external_id: str) -> str:
    """*external_id*, unless a memory of somebody else has it: a memory never changes its person."""
    taken = Memory.objects.in_instance(instance).filter(external_id=external_id)
    return "" if external_id and taken.exists() else external_id


def _adopt(memory: Memory, candidate: Candidate) -> None:
    """Let *memory* be known by the candidate's id from now on, if it has none."""
    if candidate.external_id and not memory.external_id:
        memory.external_id = _free_id(memory.instance, candidate.external_id)
        memory.save(update_fields=["external_id"])


def _was_taken_back(memory: Memory, candidate: Candidate) -> bool:
    """Whether the very message that this comes from has changed *memory* before, and somebody took
    that back: reading it again must not bring it back behind their back.
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
    """Let *memory* say something else, and keep all that it was as a revision, with the *statement*
    that made it so. A vector goes with its text, in every space: where the text stays, the vector
    does.
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
    for name, value in changed.items():
        setattr(memory, name, value)
    memory.updated_at = now
    memory.stale_since = None
    memory.save(update_fields=[*changed, "updated_at", "stale_since"])
    return revision


def set_vector(memory: Memory, space: str, vector: NDArray[np.float32] | None) -> None:
    """Give *memory* its vector. Vectors of an older text go, in every space: none is better than
    a wrong one, and the back-fill makes it new.
    """
    memory.embeddings.all().delete()
    add_vector(memory, space, vector)


def add_vector(memory: Memory, space: str, vector: NDArray[np.float32] | None) -> None:
    """Give *memory*, which has none, its vector; None: it is made later."""
    if vector is not None:
        MemoryEmbedding.objects.add(memory.instance_id, space, memory.pk, vector)


def _link(
    memory: Memory,
    conversation_id: int,
    message_id: int | None,
    action: MemorySource.Action,
    revision: MemoryRevision | None,
) -> None:
    """Note where the fact was said. The same message says it once: the first note stands, unless
    it says that what was said there has been taken back, and now it holds after all.
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
