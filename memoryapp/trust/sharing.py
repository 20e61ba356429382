"""Sharing with a group of what one person has said: proposed, and approved under Review.

What is shared of a memory is a memory of its own, in words that may be others: the person's memory
stays as it is. It is erased with the person whose it was. A conversation goes on and a note is
edited, so they are not copied: the group is told them where they are, as long as they are shared.
"""

import hashlib
import re
from collections.abc import Collection
from typing import Any, TypeAlias
from uuid import uuid4

from django.db import transaction
from django.db.models import QuerySet

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Group, Instance
from instances.tiers import Tier
from instances.translatable import translatable
from memoryapp.models import Activity, Drawer, HeldStatement, Memory, Origin
from memoryapp.pipeline.candidates import Candidate, Rejected, Writer
from memoryapp.pipeline.holding import hold_statement
from memoryapp.pipeline.validation import admitted
from memoryapp.policy.review import Hold, ReviewReason

#: As memories in English begin that are about the person who was speaking.
_USER = re.compile(r"The user(?=[\s’'])", re.IGNORECASE)


def groups_for(memory: Memory) -> QuerySet[Group]:
    """The groups with which *memory* can be shared."""
    groups = Group.objects.filter(instance=memory.instance)
    if not memory.instance.has_groups or groups.filter(shared_id=memory.end_user).exists():
        return groups.none()
    return groups


def wording(memory: Memory) -> str:
    """The text of *memory* for others: it names the person, where it can be told how."""
    if not memory.end_user:
        return memory.content
    return _USER.sub(lambda _: memory.end_user, memory.content)


def propose(memory: Memory, group: Group, text: str, *, by: Actor) -> HeldStatement:
    """Propose to share *memory* with *group*, in the words of *text*; a manager decides about it.

    Its key and its sources are left out: of two members, each has a home, and what is shared no
    longer must not hide what was said. Raises `Rejected` for a text
    that may not be stored, and for one that was rejected before.
    """
    if not groups_for(memory).filter(pk=group.pk).exists():
        raise _shared_already()
    candidate = admitted(
        memory.instance,
        Candidate(
            text,
            category=memory.category,
            importance=memory.importance,
            tags=memory.tags,
            valid_until=memory.valid_until,
            expires_at=memory.expires_at,
            has_no_end=memory.valid_until is None,
            end_user=group.shared_id,
            shared_by=memory.end_user,
            origin=Origin.MANUAL,
            tier=Tier(memory.tier),
            said_at=memory.said_at,
        ),
    )
    writer = Writer(Origin.MANUAL, by)
    outcome = hold_statement(memory.instance, candidate, Hold(ReviewReason.SHARED), writer, uuid4())
    if outcome.held is None or outcome.held.rejected_at is not None:
        raise Rejected(translatable("A manager has rejected this before."), "rejected")
    memory.instance.activity.record(
        by,
        Activity.Action.SHARING_PROPOSED,
        memory_id=memory.pk,
        about=str(group)[:150],
        end_user=memory.end_user,
    )
    return outcome.held


#: Rows that a group is told where they are.
Shareable: TypeAlias = Conversation | Drawer


def groups_to_tell(row: Shareable) -> QuerySet[Group]:
    """The groups with which *row* can be shared."""
    groups = Group.objects.filter(instance=row.instance)
    if not row.instance.has_groups:
        return groups.none()
    is_told = row.shared_with is not None or groups.filter(shared_id=row.end_user).exists()
    # Nothing is recalled of the one; the other is shared with its conversation.
    is_silent = row.without_memory if isinstance(row, Conversation) else row.message_id is not None
    return groups.none() if is_silent or is_told else groups


def propose_to_tell(row: Shareable, group: Group, *, by: Actor) -> HeldStatement:
    """Propose to share *row* with *group*; a manager decides about it. Raises `Rejected`."""
    _check(row, group)
    instance, via = row.instance, by.via
    kind = "conversation" if isinstance(row, Conversation) else "drawer"
    parts = [group.shared_id, f"share {kind} {row.pk}"]
    held, is_new = HeldStatement.objects.get_or_create(
        instance=instance,
        digest=hashlib.sha256("\n".join(parts).encode()).hexdigest(),
        defaults={
            "end_user": group.shared_id,
            "tier": Tier.PERSON,
            "reason": ReviewReason.SHARED.value,
            kind: row,
            "via": via,
        },
    )
    if held.rejected_at is not None:
        raise Rejected(translatable("A manager has rejected this before."), "rejected")
    if is_new:
        _record(row, group, Activity.Action.SHARING_PROPOSED, by)
    return held


@transaction.atomic
def share(row: Shareable, group: Group, *, by: Actor) -> None:
    """Have *group* told *row*; proposals to share it are settled. Raises `Rejected`."""
    _check(row, group)
    # Decides the race of two: the second one finds it shared.
    if not _rows(row).filter(shared_with=None).update(shared_with=group.shared_id):
        raise _shared_already()
    row.shared_with = group.shared_id
    is_conversation = isinstance(row, Conversation)
    proposed = HeldStatement.objects.waiting().filter(
        instance=row.instance, reason=ReviewReason.SHARED.value, as_memory={}
    )
    proposed.filter(**{"conversation" if is_conversation else "drawer": row}).delete()
    action = Activity.Action.CONVERSATION_SHARED if is_conversation else Activity.Action.NOTE_SHARED
    _record(row, group, action, by)


@transaction.atomic
def stop_sharing(row: Shareable, *, by: Actor) -> bool:
    """Have the group told *row* no longer; False if it was not shared."""
    group = Group.objects.filter(instance=row.instance, shared_id=row.shared_with).first()
    if not _rows(row).exclude(shared_with=None).update(shared_with=None):
        return False
    _record(row, group or row.shared_with, Activity.Action.SHARING_ENDED, by)
    row.shared_with = None
    return True


def end_sharing_with(instance: Instance, ids: Collection[str]) -> None:
    """Have the groups with these *ids*, which are gone, told no conversation and no note."""
    for model in (Conversation, Drawer):
        model.objects.filter(instance=instance, shared_with__in=ids).update(shared_with=None)


def _rows(row: Shareable) -> QuerySet[Any]:
    return type(row)._base_manager.filter(instance=row.instance_id, pk=row.pk)


def _check(row: Shareable, group: Group) -> None:
    if not groups_to_tell(row).filter(pk=group.pk).exists():
        raise _shared_already()


def _shared_already() -> Rejected:
    return Rejected(translatable("It is shared already."), "shared_already")


def _record(row: Shareable, group: object, action: str, by: Actor) -> None:
    row.instance.activity.record(
        by,
        action,
        conversation_id=row.pk if isinstance(row, Conversation) else None,
        about=str(group)[:150],
        end_user=row.end_user,
    )
