"""Pins: memories that the assistant is always told, whatever the message is; see `recall.pins`.

A pin changes what is told, not what is known: the memory keeps its version and its history, and the
activity log says who pinned it. It stays when the memory gets a new text, comes back with a memory
that is restored from the bin or a deletion, and tells nothing once the memory has ended.
"""

from django.db import transaction
from django.utils import timezone

from instances.actor import Actor
from instances.translatable import translatable
from memoryapp.models import Activity, Memory
from memoryapp.models.memory import MAX_PINS
from memoryapp.pipeline.candidates import Rejected
from memoryapp.runs.locks import lock_for_write

#: Characters of a memory that can be pinned: all pins together fit beside the answers to a message.
MAX_PINNED_CHARACTERS = 300


def is_pinnable(memory: Memory) -> bool:
    """True if *memory* itself may be pinned, however many others are."""
    is_over = memory.is_expired(memory.instance.date_of(timezone.now()))
    return not (is_over or memory.pinned or len(memory.content) > MAX_PINNED_CHARACTERS)


def set_pinned(memory: Memory, pinned: bool, *, by: Actor) -> bool:
    """Pin *memory*, or remove its pin; return whether that changed anything. The caller has checked
    that a manager wants it.

    Raises `Rejected` for a memory that has ended or is too long, and beyond `MAX_PINS` about its
    person. Raises `Memory.DoesNotExist` if it has been deleted.
    """
    instance = memory.instance
    with transaction.atomic():
        # Two people may pin the last one that fits at the same moment.
        lock_for_write(instance, memory.end_user)
        row = memory.locked()
        if row.pinned == pinned:
            return False
        if pinned:
            _check(row)
        memory.pinned_at = row.pinned_at = timezone.now() if pinned else None
        row.save(update_fields=["pinned_at"])
        action = Activity.Action.PINNED if pinned else Activity.Action.UNPINNED
        instance.activity.record(by, action, memory_id=row.pk, end_user=row.end_user)
    return True


def _check(memory: Memory) -> None:
    """Raise `Rejected` if *memory* cannot be pinned."""
    if memory.is_expired(memory.instance.date_of(timezone.now())):
        raise Rejected(translatable("It has expired, so the assistant is no longer told it."))
    if len(memory.content) > MAX_PINNED_CHARACTERS:
        raise Rejected(
            translatable(
                "It has more than %(most)s characters. Shorten it, or pin a shorter memory.",
                most=MAX_PINNED_CHARACTERS,
            ),
            "too_long",
        )
    others = Memory.objects.in_instance(memory.instance).pinned()
    if others.filter(end_user=memory.end_user).count() >= MAX_PINS:
        raise Rejected(
            translatable(
                "%(most)s memories are pinned already, and all of them are told with each message. "
                "Unpin one first.",
                most=MAX_PINS,
            ),
            "too_many_pins",
        )
