"""The last stage of the write path: candidates become rows, or new versions of rows."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.utils import timezone

from instances.models import Instance
from memoryapp.language.words import language_of
from memoryapp.models import Activity, Category, Memory, MemoryRevision, MemorySource
from memoryapp.models.end_dates import later_end
from memoryapp.models.stored_rows import plain_columns
from memoryapp.pipeline import keyed_rows
from memoryapp.pipeline.candidates import MAX_TAGS, Candidate, Outcome, Writer, stated_columns
from memoryapp.pipeline.effects import Effect, EffectKind
from memoryapp.pipeline.neighbours import known_memories
from memoryapp.pipeline.plan import Judgement, MergeChoice, Plan, decide_by_similarity, may_take
from memoryapp.pipeline.working_set import WorkingSet
from memoryapp.policy.dedup import Action, Decision
from memoryapp.policy.keyed_facts import KeyedVerdict, is_single_valued
from memoryapp.policy.labels import united

#: The reasons of revisions for which the model's judgement was followed.
_JUDGED = {
    MergeChoice.MERGE: MemoryRevision.Reason.MERGED,
    MergeChoice.REPLACE: MemoryRevision.Reason.REPLACED,
}


def store(
    instance: Instance,
    plans: Sequence[Plan],
    writer: Writer,
    before_changes: Callable[[list[int]], None] | None = None,
) -> list[Outcome]:
    """Store the candidates of *plans*, all of one call: each as a memory of its own, or as part of
    a known one; as the model judged, while that holds. The caller holds the locks of their people.

    Before anything is stored, ``before_changes`` is called with the ids of the known memories that
    change, or are stated once more.
    """
    working = WorkingSet(instance, plans, writer, known_memories(instance, plans))
    effects = apply(working, writer)
    if before_changes is not None:
        before_changes(sorted({pk for effect in effects for pk in effect.changed if pk > 0}))
    working.store()
    outcomes = [
        Outcome(
            working.require(effect.memory),
            effect.action,
            redactions=plan.candidate.redactions,
            not_taken=effect.not_taken,
            contradicts=tuple(working.require(pk).pk for pk in effect.contradicts),
        )
        for plan, effect in zip(plans, effects, strict=True)
    ]
    _record(instance, plans, outcomes, writer)
    return outcomes


def apply(working: WorkingSet, writer: Writer) -> list[Effect]:
    """Decide about each candidate of *working*, and change it accordingly; nothing is stored."""
    return [_applied(working, number, plan, writer) for number, plan in enumerate(working.plans)]


def _record(
    instance: Instance, plans: Sequence[Plan], outcomes: Sequence[Outcome], writer: Writer
) -> None:
    """Add a line of activity for each memory that was stored or changed; one for a whole file.
    Lines of one call have one time, by which the screen shows them as one.
    """
    if writer.batch:
        count = sum(outcome.action is not Action.DUPLICATE for outcome in outcomes)
        Activity.objects.add_to_batch(
            instance, writer.by, Activity.Action.IMPORTED, count=count, batch=writer.batch
        )
        return
    now = timezone.now()
    entries = [
        Activity(
            instance=instance,
            at=now,
            action=_activity_of(plan.candidate, outcome),
            by=writer.by.user,
            via=writer.by.via,
            memory_id=outcome.memory.pk,
            conversation_id=plan.candidate.conversation_id,
            # The file that waited for review.
            batch=plan.candidate.batch if plan.candidate.approved else None,
            about=_group_of(instance, plan.candidate),
        )
        for plan, outcome in zip(plans, outcomes, strict=True)
        if outcome.action is not Action.DUPLICATE
    ]
    people = {outcome.memory.pk: outcome.memory.end_user for outcome in outcomes}
    Activity.objects.record_all(instance, entries, people)


def _group_of(instance: Instance, candidate: Candidate) -> str:
    """The name of the group with which *candidate* is shared; empty if it is with none."""
    if candidate.shared_by is None:
        return ""
    group = instance.groups.filter(shared_id=candidate.end_user).first()
    return str(group or "")[:150]


def _activity_of(candidate: Candidate, outcome: Outcome) -> Activity.Action:
    if outcome.action is not Action.STORED:
        return Activity.Action.UPDATED
    if candidate.shared_by is not None:
        return Activity.Action.SHARED
    return Activity.Action.APPROVED if candidate.approved else Activity.Action.CREATED


def _applied(working: WorkingSet, number: int, plan: Plan, writer: Writer) -> Effect:
    """Decide about one candidate, and apply the decision."""
    # Of two writers at the same time, the one that gets the lock last speaks last.
    candidate = replace(plan.candidate, said_at=plan.candidate.said_at or timezone.now())
    judgement = plan.judgement
    plain = _plain_decision(working, number, candidate, plan.batch)
    decision = _judged_decision(working, number, plain, candidate)
    if decision is None:
        decision, judgement = plain, None
    effect = _effect(working, number, decision, candidate)
    revision = None
    match effect.kind:
        case EffectKind.STORED | EffectKind.SUCCEEDED:
            if effect.kind is EffectKind.SUCCEEDED:
                (former,) = effect.contradicts
                _release_key(working, number, former, writer)
            if _key_is_taken(working, 0, candidate):
                candidate = replace(candidate, key="", value="")
            new = _new(working, candidate, plan.batch)
            effect = replace(effect, memory=working.add(new, number, plan.vector))
        case EffectKind.UPDATED:
            revision = _revise(working, number, effect.memory, candidate, judgement, writer)
        case EffectKind.REPEATED:
            _add_repetition(working, effect.memory, candidate)
        case EffectKind.HEARD:
            revision = working.add_rejected_value(effect.memory, candidate)
            _add_repetition(working, effect.memory, candidate, stated_again=False)
    working.contradict(effect.memory, effect.contradicts)
    action = MemorySource.Action(effect.action.value)
    heard = MemorySource.Action.HEARD if effect.not_taken else action
    working.sources.add(working.require(effect.memory), effect.memory, candidate, heard, revision)
    return effect


def _plain_decision(
    working: WorkingSet, number: int, candidate: Candidate, batch: UUID
) -> Decision:
    """Decide by the id, the key, or the similarity of the texts."""
    return (
        _known_by_id(working, candidate, batch)
        or _known_by_key(working, candidate)
        or decide_by_similarity(working.instance, candidate, working.neighbours(number))
    )


def _known_by_id(working: WorkingSet, candidate: Candidate, batch: UUID) -> Decision | None:
    """Decide about a candidate whose id a memory of the same person has. A text that the memory had
    once is not new: importing a file again must not undo later corrections.
    """
    pk = working.id_for_external_id(candidate.external_id)
    if pk is None or working.require(pk).end_user != candidate.end_user:
        return None
    if working.was_ever_text(pk, candidate.content):
        return Decision(Action.DUPLICATE, pk)
    if candidate.keep_apart or working.require(pk).batch == batch:
        return Decision(Action.STORED, contradicts=(pk,))
    return Decision(Action.UPDATED, pk)


def _known_by_key(working: WorkingSet, candidate: Candidate) -> Decision | None:
    """Decide by the key; None if no memory has it, if it may have several values, or if the text
    tells more than its value.
    """
    if not is_single_valued(candidate.key, working.instance.single_valued_keys):
        return None
    pk = working.id_for_key(candidate.end_user, candidate.key)
    if pk is None or keyed_rows.verdict(working.require(pk), candidate) is KeyedVerdict.ADDS:
        return None
    return Decision(Action.DUPLICATE, pk)


def _judged_decision(
    working: WorkingSet, number: int, plain: Decision, candidate: Candidate
) -> Decision | None:
    """Decide as the model judged; None if it did not, or its judgement is out of date: the memory
    it is about has been changed or deleted since, or a nearer one has been added.
    """
    judgement = working.plans[number].judgement
    if judgement is None or plain.action is Action.DUPLICATE:
        return None
    if plain.existing_id is not None and plain.existing_id not in judgement.seen:
        return None
    about = judgement.existing_id or plain.existing_id
    if about is not None:
        memory = working.get(about)
        if memory is None or memory.content != judgement.seen[about]:
            return None
        if judgement.choice is MergeChoice.REPLACE and working.is_in_list_with(about, number):
            return None
        if not may_take(judgement.choice, memory.tier - candidate.tier):
            return None
    if judgement.choice is MergeChoice.KEEP_BOTH:
        return Decision(Action.STORED)
    return Decision(Action.UPDATED, judgement.existing_id)


def _effect(working: WorkingSet, number: int, decision: Decision, candidate: Candidate) -> Effect:
    pk, action = decision.existing_id, decision.action
    existing = working.get(pk)
    # It may have been deleted meanwhile: then the fact is new.
    if pk is None or existing is None:
        return Effect(EffectKind.STORED, contradicts=decision.contradicts)
    if existing.key and (candidate.key or action is Action.UPDATED):
        verdict = keyed_rows.verdict(existing, candidate)
        if verdict is KeyedVerdict.OUTWEIGHED:
            return Effect(EffectKind.HEARD, pk)
        apart = candidate.keep_apart or working.is_in_list_with(pk, number)
        if not verdict.confirms and (apart or verdict is KeyedVerdict.BESIDE):
            return Effect(EffectKind.STORED, contradicts=(pk,))
        if verdict is KeyedVerdict.SUCCEEDS:
            return Effect(EffectKind.SUCCEEDED, contradicts=(pk,))
        if verdict not in (KeyedVerdict.CONFIRMS, KeyedVerdict.ADDS):
            action = Action.UPDATED
    if action is not Action.UPDATED:
        return Effect(EffectKind.REPEATED, pk, decision.contradicts)
    if existing.tier > candidate.tier:
        return Effect(EffectKind.HEARD, pk)
    if working.sources.was_taken_back(pk, candidate.message_id):
        return Effect(EffectKind.LEFT, pk)
    return Effect(EffectKind.UPDATED, pk, decision.contradicts)


def _new(working: WorkingSet, candidate: Candidate, batch: UUID) -> Memory:
    created_at = candidate.created_at or timezone.now()
    return Memory(
        instance=working.instance,
        end_user=candidate.end_user,
        shared_by=candidate.shared_by,
        content=candidate.content,
        key=candidate.key,
        value=candidate.value,
        language=language_of(candidate.content, working.instance.language),
        said_at=candidate.said_at or timezone.now(),
        batch=batch,
        external_id=_free_id(working, candidate),
        pinned_at=timezone.now() if candidate.pinned else None,
        created_at=created_at,
        updated_at=max(created_at, candidate.updated_at or created_at),
        **stated_columns(candidate),
    )


def _release_key(working: WorkingSet, number: int, pk: int, writer: Writer) -> None:
    """Take the key from the memory *pk*, whose text stays, for that of the fact *number*."""
    columns = {
        "content": working.require(pk).content,
        "key": "",
        "value": "",
        "batch": working.plans[number].batch,
    }
    working.revise(pk, columns, number, None, reason=writer.reason)


def _revise(
    working: WorkingSet,
    number: int,
    pk: int,
    candidate: Candidate,
    judgement: Judgement | None,
    writer: Writer,
) -> MemoryRevision:
    """Give the memory *pk* the text of *candidate*, or that of a merge with it."""
    memory, plan = working.require(pk), working.plans[number]
    columns = _columns_from(working, pk, candidate) | {"batch": plan.batch}
    vector = plan.vector
    if judgement and judgement.choice is MergeChoice.MERGE:
        columns |= {"content": judgement.content, "category": memory.category}
        columns |= combined(memory, candidate)
        vector = judgement.vector
    # A single-valued key has one value at a time, so both cannot be kept.
    own = {} if memory.key or candidate.key else plain_columns(stated_columns(candidate))
    return working.revise(
        pk,
        columns,
        number,
        vector,
        reason=_JUDGED[judgement.choice] if judgement else writer.reason,
        statement=candidate.content if own else "",
        statement_as=own,
    )


def _columns_from(working: WorkingSet, pk: int, candidate: Candidate) -> dict[str, Any]:
    """The columns of the memory *pk* that *candidate* replaces, with their new values. What it does
    not speak of stays.
    """
    memory = working.require(pk)
    changed: dict[str, Any] = {
        "content": candidate.content,
        "category": _category(memory, candidate),
        "origin": candidate.origin,
        "tier": candidate.tier,
        "confidence": candidate.confidence,
        "approved_at": timezone.now() if candidate.approved else None,
        **_stated_again(working, pk, candidate),
        "metadata": memory.metadata | dict(candidate.metadata),
    }
    if candidate.valid_until or memory.is_expired(timezone.localdate()):
        changed |= {"valid_until": candidate.valid_until, "expires_at": candidate.expires_at}
    if candidate.assessed_importance is not None:
        changed |= {
            "importance": candidate.assessed_importance,
            "importance_by": candidate.importance_by,
            "assessed": True,
        }
    elif candidate.importance is not None and not memory.assessed:
        changed["importance"] = candidate.importance
    if candidate.tags:
        changed["tags"] = list(candidate.tags)
    return changed | keyed_rows.changes(
        memory, candidate, taken=_key_is_taken(working, pk, candidate)
    )


def _category(memory: Memory, candidate: Candidate) -> str:
    """The category of *memory* with the text of *candidate*: what somebody chose is not replaced by
    what rules say.
    """
    given = candidate.category and "category" not in candidate.by_rules
    is_general = memory.category == Category.GENERAL
    return str(candidate.category if given or is_general else memory.category)


def _stated_again(working: WorkingSet, pk: int, candidate: Candidate) -> dict[str, Any]:
    """The columns that change whenever *candidate* states the memory *pk*, in whatever words."""
    memory = working.require(pk)
    changed: dict[str, Any] = {
        "metadata": dict(candidate.metadata) | memory.metadata,
        "labels": united(memory.labels, candidate.labels),
    }
    if candidate.tier >= memory.tier:
        changed["tier"] = candidate.tier
        changed["said_at"] = max(memory.said_at, candidate.said_at or memory.said_at)
    if candidate.external_id and not memory.external_id:
        changed["external_id"] = _free_id(working, candidate)
    return changed


def _add_repetition(
    working: WorkingSet, pk: int, candidate: Candidate, *, stated_again: bool = True
) -> None:
    """Add what *candidate* knows besides the text of the memory *pk*, which stays."""
    memory = working.require(pk)
    changed = _stated_again(working, pk, candidate)
    if not stated_again:
        changed = {name: changed[name] for name in changed.keys() - {"said_at", "tier"}}
    elif (memory.key or candidate.key) and candidate.tier >= memory.tier:
        taken = _key_is_taken(working, pk, candidate)
        changed |= keyed_rows.confirmed(memory, candidate, taken=taken)
        changed["stale_since"] = None
    working.change(pk, changed)


def combined(memory: Memory, other: Memory | Candidate) -> dict[str, Any]:
    """Columns of a memory that stands for both: all tags, the higher importance, the later end."""
    importance = other.importance if isinstance(other, Memory) else other.assessed_importance
    more_important = other if (importance or 1) > memory.importance else memory
    end = later_end((memory.valid_until, memory.expires_at), (other.valid_until, other.expires_at))
    return {
        "tags": list(dict.fromkeys([*memory.tags, *other.tags]))[:MAX_TAGS],
        "importance": max(memory.importance, importance or 1),
        "importance_by": more_important.importance_by,
        "valid_until": end[0],
        "expires_at": end[1],
    }


def _key_is_taken(working: WorkingSet, pk: int, candidate: Candidate) -> bool:
    """True if another memory of the same person than *pk* has the key of *candidate*, which has one
    value at a time.
    """
    if not is_single_valued(candidate.key, working.instance.single_valued_keys):
        return False
    return working.id_for_key(candidate.end_user, candidate.key) not in (None, pk)


def _free_id(working: WorkingSet, candidate: Candidate) -> str:
    """The external id of *candidate*, unless another memory has it."""
    taken = working.id_for_external_id(candidate.external_id) is not None
    return "" if taken else candidate.external_id
