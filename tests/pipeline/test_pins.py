"""Pins: who is told what always, how many there may be, and what they outlive."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.forgetting.deletion import forget_undoably
from memoryapp.forgetting.undo_buffer import restore_deleted
from memoryapp.health.decay import mark_stale
from memoryapp.models import Activity, Memory, MemoryRevision
from memoryapp.models.memory import MAX_PINS
from memoryapp.pipeline import Changes, Rejected, revise, set_pinned, undo
from memoryapp.pipeline.duplicate_merge import DuplicateGroup, join
from memoryapp.pipeline.pins import MAX_PINNED_CHARACTERS

Remember = Callable[..., Memory]


def pin(memory: Memory) -> None:
    assert set_pinned(memory, True, by=Actor(via="test"))


def is_pinned(memory: Memory) -> bool:
    return Memory.objects.get(pk=memory.pk).pinned


def test_pin_is_no_version_and_in_the_activity(store_memory: Remember, alice: User) -> None:
    memory = store_memory("The user is called Captain.")
    assert set_pinned(memory, True, by=Actor(alice))
    assert not set_pinned(memory, True, by=Actor(alice))
    pinned = Memory.objects.get()
    assert pinned.pinned
    assert pinned.updated_at == memory.updated_at
    assert not MemoryRevision.objects.exists()
    assert set_pinned(memory, False, by=Actor(alice))
    assert not is_pinned(memory)
    lines = Activity.objects.filter(by=alice).order_by("id")
    assert list(lines.values_list("action", "memory_id")) == [
        ("pinned", memory.pk),
        ("unpinned", memory.pk),
    ]


def test_limit_is_for_each_person(store_memory: Remember) -> None:
    kinds = "oak elm ash fir yew box bay fig may nut".split()
    for kind in kinds:
        pin(store_memory(f"The user planted one {kind} in the garden.", keep_apart=True))
    assert len(kinds) == MAX_PINS
    further = store_memory("The user speaks Basque.")
    with pytest.raises(Rejected, match="10 memories are pinned already") as refused:
        pin(further)
    assert refused.value.code == "too_many_pins"
    assert not is_pinned(further)
    pin(store_memory("Ana speaks Basque.", end_user="ana"))
    set_pinned(Memory.objects.pinned().earliest("pinned_at"), False, by=Actor(via="test"))
    pin(further)


def test_what_is_too_long_or_over_is_not_pinned(store_memory: Remember) -> None:
    long = store_memory("The user knows " + "x" * MAX_PINNED_CHARACTERS)
    with pytest.raises(Rejected, match="more than 300 characters"):
        pin(long)
    past = timezone.localdate() - timedelta(days=2)
    with pytest.raises(Rejected, match="expired"):
        pin(store_memory("The user is in Oslo.", valid_until=past))
    assert not Memory.objects.pinned().exists()


def test_pin_outlives_a_correction_and_a_deletion(
    store_memory: Remember, instance: Instance, alice: User
) -> None:
    memory = store_memory("The user is called Captain.")
    pin(memory)
    revise(memory, Changes("The user is called Admiral.", "fact", 5), by=Actor(alice))
    assert is_pinned(memory)
    undo(MemoryRevision.objects.select_related("memory__instance").get(), by=Actor(alice))
    assert is_pinned(memory)
    token = forget_undoably(instance, memory.row(), by=alice).undo_token
    assert token is not None
    restore_deleted(token, instance, alice)
    assert is_pinned(memory)


@pytest.mark.parametrize("which", ["kept", "other", "both"])
def test_merge_keeps_a_pin_and_gives_it_back(
    which: str, store_memory: Remember, instance: Instance, alice: User
) -> None:
    kept = store_memory("The user is allergic to peanuts.")
    other = store_memory("The user paints in oil.")
    chosen = {"kept": [kept], "other": [other], "both": [kept, other]}[which]
    for each in chosen:
        pin(each)
    seen = {each.pk: each.updated_at for each in (kept, other)}
    (merge,) = join(instance, [DuplicateGroup(kept.pk, [other.pk])], seen, by=Actor(alice))
    assert is_pinned(kept)
    undo(merge, by=Actor(alice))
    assert [each for each in (kept, other) if is_pinned(each)] == chosen


def test_pinned_memories_are_in_use(store_memory: Remember, instance: Instance) -> None:
    old = timezone.now() - timedelta(days=400)
    pinned, other, over = (
        store_memory("The user is called Captain.", importance=1),
        store_memory("The user owns a kite.", importance=1),
        store_memory("The user is in Oslo.", valid_until=date(2999, 1, 1)),
    )
    for each in (pinned, over):
        pin(each)
    Memory.objects.update(created_at=old, updated_at=old)
    Memory.objects.filter(pk=over.pk).update(valid_until=timezone.localdate() - timedelta(days=2))
    assert list(Memory.objects.unused(timezone.now())) == [other]
    mark_stale(instance)
    assert set(Memory.objects.stale()) == {other, over}
