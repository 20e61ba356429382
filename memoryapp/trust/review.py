"""Review of held statements: people approve or reject them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from instances.actor import Actor
from instances.models import Group, Instance, User
from instances.tiers import Tier
from instances.translatable import translatable
from memoryapp.embeddings.embedder import Vectors
from memoryapp.forgetting import undo_buffer, undo_copy
from memoryapp.models import Activity, Contradiction, HeldStatement, Memory, Origin
from memoryapp.pipeline import suppression
from memoryapp.pipeline.candidates import Candidate, Changes, Outcome, Rejected, Writer
from memoryapp.pipeline.editing import revise
from memoryapp.pipeline.packed_candidates import unpacked
from memoryapp.pipeline.validation import Admitted, admitted
from memoryapp.pipeline.write import RememberOptions, remember
from memoryapp.policy.dedup import Action
from memoryapp.trust.sharing import share


class DecidedAlready(Exception):
    """Another person has decided about the statement meanwhile."""


#: Statements that are approved in one transaction; and how many at most get their vectors in it,
#: while the person waits.
MAX_AT_ONCE, MAX_EMBEDDED = 500, 20


@dataclass(frozen=True)
class ReviewResult:
    """Result of a decision about held statements."""

    count: int
    #: Why the others could not be approved; they still wait.
    problems: Sequence[Rejected] = ()
    #: Undoes it within ten seconds; None if it cannot be undone.
    undo_token: undo_buffer.UndoToken | None = None
    #: True if the new memories are without vectors: the caller has those made in the background.
    lacks_vectors: bool = False


def approve(held: HeldStatement, *, by: Actor) -> Outcome:
    """Store *held* as a memory of its tier, approved by a person, beside what it may contradict.

    Raises `DecidedAlready`, and `Rejected`.
    """
    if held.to_share:
        raise ValueError("what is shared as it is becomes no memory: see approve_sharing")
    disputed = _present(held.instance, [held])
    candidate = _candidate_of(held, disputed)

    def decide(outcomes: list[Outcome]) -> None:
        _settle(held.instance, [held], outcomes, disputed)

    (outcome,) = remember(
        held.instance,
        [candidate],
        _writer(by),
        RememberOptions(lift_rules=True),
        in_same_transaction=decide,
    )
    return outcome


@transaction.atomic
def approve_sharing(held: HeldStatement, *, by: Actor) -> Group:
    """Share the conversation or note that *held* proposes to share; return the group. Raises
    `DecidedAlready`, and `Rejected`.
    """
    row = held.to_share
    group = Group.objects.filter(instance=held.instance_id, shared_id=held.end_user).first()
    if row is None or group is None:
        raise Rejected(translatable("The group was removed."), "no_group")
    _take([held])
    share(row, group, by=by)
    return group


def approve_all(instance: Instance, rows: Iterable[HeldStatement], *, by: User) -> ReviewResult:
    """Store up to `MAX_AT_ONCE` statements as `approve` does, with as many queries as for one. *by*
    can undo it for ten seconds, unless it is too much or Redis does not answer.

    A model is asked about one statement only, and only for one is a rule lifted by which it must
    not be learned again. Those that may not be stored still wait. More than `MAX_EMBEDDED` are
    compared by their words, and have no vectors yet. Raises `DecidedAlready` if another person has
    decided about one of them meanwhile: then nothing has changed.
    """
    held = list(rows)
    shared, problems_of_sharing = _share_all([each for each in held if each.to_share], by=by)
    held = [each for each in held if not each.to_share]
    disputed = _present(instance, held)
    fit, candidates, problems = _fit(instance, held, disputed)
    problems = [*problems_of_sharing, *problems]
    if not fit:
        return ReviewResult(shared, problems)
    copied: bytes | None = None

    def copy(changed: list[int]) -> None:
        nonlocal copied
        copied = undo_copy.pack_decision(instance, fit, changed)

    def decide(outcomes: list[Outcome]) -> None:
        nonlocal copied
        added = _settle(instance, fit, outcomes, disputed)
        copied = copied and undo_copy.with_added(copied, added)

    later = len(fit) > MAX_EMBEDDED
    remember(
        instance,
        [Admitted(each) for each in candidates],
        _writer(Actor(by)),
        RememberOptions(ask_model=len(held) == 1, lift_rules=True),
        before_changes=copy,
        in_same_transaction=decide,
        vectors=Vectors("", None) if later else None,
    )
    # After the commit: what was not approved after all must not be undone.
    undo_token = None if shared else undo_buffer.keep(copied, instance, by)
    return ReviewResult(shared + len(fit), problems, undo_token, lacks_vectors=later)


def _share_all(proposals: Sequence[HeldStatement], *, by: User) -> tuple[int, list[Rejected]]:
    """Approve *proposals* to share; return how many, and the reasons against the others."""
    shared, problems = 0, list[Rejected]()
    for held in proposals:
        try:
            approve_sharing(held, by=Actor(by))
        except Rejected as problem:
            problems.append(problem)
        else:
            shared += 1
    return shared, problems


def _writer(by: Actor) -> Writer:
    # Each candidate has its tier, and those that are known by it their origin.
    return Writer(Origin.API, by, tier=Tier.PERSON)


def _present(instance: Instance, held: Sequence[HeldStatement]) -> set[int]:
    """The ids of the memories that *held* may contradict, and which still exist."""
    ids = {pk for each in held for pk in each.contradicts}
    rows = Memory.objects.in_instance(instance).filter(pk__in=ids)
    return set(rows.order_by().values_list("pk", flat=True)) if ids else set()


def _candidate_of(held: HeldStatement, disputed: Collection[int]) -> Candidate:
    candidate = unpacked(
        held.as_memory,
        held.content,
        held.end_user,
        conversation_id=held.conversation_id,
        message_id=held.message_id,
        tier=Tier(held.tier),
    )
    if not set(disputed).isdisjoint(held.contradicts):
        # Both stand: the key stays with what was said by a higher tier.
        candidate = replace(candidate, key="", value="", keep_apart=True)
    return replace(candidate, via=held.via, batch=held.batch, approved=True)


def _fit(
    instance: Instance, held: Sequence[HeldStatement], disputed: Collection[int]
) -> tuple[list[HeldStatement], list[Candidate], list[Rejected]]:
    """Statements of *held* that may be stored, their candidates, and the reasons against the
    others.
    """
    fit, candidates, problems = list[HeldStatement](), list[Candidate](), list[Rejected]()
    for each in held:
        try:
            candidates.append(admitted(instance, _candidate_of(each, disputed)))
        except Rejected as problem:
            problems.append(problem)
        else:
            fit.append(each)
    if len(held) == 1:
        return fit, candidates, problems
    suppressed = suppression.kept_out(instance, candidates)
    by_rule = {number for number, reason in suppressed.items() if reason.suppression.rules}
    return (
        [each for number, each in enumerate(fit) if number not in by_rule],
        [each for number, each in enumerate(candidates) if number not in by_rule],
        [*problems, *(suppressed[number] for number in by_rule)],
    )


def _settle(
    instance: Instance,
    held: Sequence[HeldStatement],
    outcomes: Sequence[Outcome],
    disputed: Collection[int],
) -> list[int]:
    """Delete *held*, and note of what they have become that a person approved it, and what it may
    contradict; return the ids of new memories.
    """
    _take(held)
    added = [each.memory.pk for each in outcomes if each.action is Action.STORED]
    Memory.objects.in_instance(instance).filter(pk__in=added).update(approved_at=timezone.now())
    pairs = [
        (outcome.memory.pk, pk)
        for each, outcome in zip(held, outcomes, strict=True)
        for pk in each.contradicts
        if pk in disputed and pk != outcome.memory.pk
    ]
    if pairs:
        Contradiction.objects.note_all(instance.pk, pairs)
    return added


def _take(held: Sequence[HeldStatement]) -> None:
    """Delete *held*, of which a person has decided."""
    ids = [each.pk for each in held]
    deleted, _ = HeldStatement.objects.waiting().filter(pk__in=ids).delete()
    if deleted != len(ids):
        raise DecidedAlready


def approve_instead(held: HeldStatement, *, by: Actor) -> Outcome:
    """Give the one memory that *held* contradicts its text, as a person's correction. Raises
    `DecidedAlready`, and `Rejected`.
    """
    memory = Memory.objects.filter(pk__in=held.contradicts).defer("search").first()
    if memory is None:
        raise DecidedAlready
    columns = held.as_memory
    at = columns.get("said_at")
    said_at = datetime.fromisoformat(at) if at else held.created_at
    same_key = memory.key and columns.get("key") == memory.key
    changes = replace(
        Changes.of(memory),
        content=held.content,
        key=memory.key if same_key else "",
        value=columns["value"] if same_key else "",
    )
    with transaction.atomic():
        _take([held])
        return revise(memory, changes, by=by, said_at=said_at)


def reject(instance: Instance, ids: Sequence[int], *, by: Actor) -> int:
    """Reject held statements of *instance*; return how many. Their text is gone, and they are not
    held again.
    """
    with transaction.atomic():
        rows = HeldStatement.objects.waiting().filter(instance=instance, pk__in=ids)
        count = rows.reject()
        if count:
            instance.activity.record(by, Activity.Action.REJECTED, count=count)
    return count


def reject_undoably(instance: Instance, ids: Sequence[int], *, by: User) -> ReviewResult:
    """Reject held statements of *instance* as `reject` does. *by* can undo it for ten seconds,
    unless it is too much or Redis does not answer.
    """
    with transaction.atomic():
        rows = HeldStatement.objects.waiting().filter(instance=instance, pk__in=ids)
        held = list(rows.order_by("pk").select_for_update().only("pk"))
        copied = undo_copy.pack_decision(instance, held) if held else None
        count = reject(instance, [each.pk for each in held], by=Actor(by))
    return ReviewResult(count, undo_token=undo_buffer.keep(copied, instance, by))
