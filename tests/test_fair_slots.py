"""Fair slots: one holder never takes all of them, and none leak."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from instances.models import Instance
from memoryapp.process.fair_slots import (
    AllSlotsTaken,
    FairSlots,
    NoSlot,
    ShareUsed,
)


def fill(slots: FairSlots, holder: str) -> int:
    """Take slots until *holder* gets no more; return their number."""
    count = 0
    while True:
        try:
            slots.take(holder)
        except NoSlot:
            return count
        count += 1


def test_one_holder_gets_half_and_later_holders_get_some() -> None:
    slots = FairSlots(12, what="answers")
    assert [fill(slots, holder) for holder in ("a", "b", "c", "d")] == [6, 3, 2, 1]
    with pytest.raises(AllSlotsTaken, match="The server is busy: 12 answers are under way"):
        slots.take("e")


def test_exhausted_share_is_reported() -> None:
    slots = FairSlots(12, what="answers")
    fill(slots, "a")
    with pytest.raises(ShareUsed, match="Your share is used up: 6 answers are under way"):
        slots.take("a")
    slots.give_back("a")
    slots.take("a")


def test_fixed_share_is_the_maximum_and_part_of_it_can_be_reserved() -> None:
    slots = FairSlots(100, what="tasks", share=4)
    for _ in range(3):
        slots.take("a", leaving=1)
    with pytest.raises(ShareUsed):
        slots.take("a", leaving=1)
    slots.take("a")
    with pytest.raises(ShareUsed):
        slots.take("a")
    assert slots.held_by("a") == 4


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.booleans()), max_size=60))
def test_newcomer_always_gets_a_slot_and_none_leak(steps: list[tuple[str, bool]]) -> None:
    slots = FairSlots(16, what="answers")
    held: dict[str, int] = {}
    for holder, takes in steps:
        if takes:
            try:
                slots.take(holder)
            except ShareUsed:
                assert held.get(holder)
                continue
            held[holder] = held.get(holder, 0) + 1
        elif held.get(holder):
            slots.give_back(holder)
            held[holder] -= 1
    # Four holders always leave a slot for a fifth.
    with slots.taken("e"):
        pass
    for holder, count in held.items():
        for _ in range(count):
            slots.give_back(holder)
    assert fill(slots, "f") == 8


def test_concurrent_threads_leak_no_slots() -> None:
    slots = FairSlots(8, what="answers")

    def fight(holder: str) -> None:
        for _ in range(500):
            try:
                with slots.taken(holder):
                    pass
            except NoSlot:
                continue

    threads = [threading.Thread(target=fight, args=(f"{n % 3}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [slots.held_by(f"{n}") for n in range(3)] == [0, 0, 0]
    assert fill(slots, "a") == 4


def test_private_instances_of_one_person_share_slots(private: Instance, instance: Instance) -> None:
    second = Instance.objects.create(slug="notes", name="Notes", private_to=private.private_to)
    assert private.holder == second.holder
    assert instance.holder not in (private.holder, second.holder)
