"""Sharing of a memory of one person with a group: proposed, and approved under Review.

What is shared is a memory of its own, in words that may be others: the person's memory stays as it
is. It is erased with the person whose it was.
"""

import re
from uuid import uuid4

from django.db.models import QuerySet

from instances.actor import Actor
from instances.models import Group
from instances.tiers import Tier
from instances.translatable import translatable
from memoryapp.models import Activity, HeldStatement, Memory, Origin
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
        raise Rejected(translatable("It is shared already."), "shared_already")
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
