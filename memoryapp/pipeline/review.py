"""What people decide about held statements: to approve them, or to reject them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance
from instances.tiers import Tier
from memoryapp.models import Activity, Contradiction, HeldStatement, Memory, Origin
from memoryapp.pipeline.candidates import Changes, Outcome, Writer
from memoryapp.pipeline.editing import revise
from memoryapp.pipeline.packed_candidates import unpacked
from memoryapp.pipeline.write import remember
from memoryapp.policy.dedup import Action


class DecidedAlready(Exception):
    """Another person has decided about the statement meanwhile."""


def approve(held: HeldStatement, *, by: Actor) -> Outcome:
    """Store *held* as a memory of its tier, approved by a person, beside what it may contradict.

    Raises `DecidedAlready`, and `Rejected`.
    """
    candidate = replace(
        unpacked(
            held.as_memory,
            held.content,
            held.end_user,
            conversation_id=held.conversation_id,
            message_id=held.message_id,
            tier=Tier(held.tier),
        ),
        via=held.via,
        batch=held.batch,
    )
    disputed = list(Memory.objects.filter(pk__in=held.contradicts).values_list("pk", flat=True))
    if disputed:
        # Both stand: the key stays with what was said by a higher tier.
        candidate = replace(candidate, key="", value="", keep_apart=True)

    def decide(outcomes: list[Outcome]) -> None:
        _take(held)
        memory = outcomes[0].memory
        if outcomes[0].action is Action.STORED:
            Memory.objects.filter(pk=memory.pk).update(approved_at=timezone.now())
        Contradiction.objects.note(memory, [pk for pk in disputed if pk != memory.pk])

    (outcome,) = remember(
        held.instance,
        [replace(candidate, approved=True)],
        Writer(Origin(candidate.origin or Origin.API), by, tier=Tier(held.tier)),
        in_same_transaction=decide,
        lifting=True,
    )
    return outcome


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
        _take(held)
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


def _take(held: HeldStatement) -> None:
    """Delete *held*, of which a person has decided."""
    deleted, _ = HeldStatement.objects.waiting().filter(pk=held.pk).delete()
    if not deleted:
        raise DecidedAlready
