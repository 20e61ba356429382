"""What else states a forgotten memory: merges with other memories, and statements that wait."""

from collections.abc import Callable

import pytest

from instances.actor import Actor
from instances.models import Instance, User
from instances.tiers import Tier
from memoryapp.forgetting.archive import archive
from memoryapp.forgetting.deletion import forget, forget_undoably
from memoryapp.forgetting.undo_buffer import restore_deleted
from memoryapp.models import HeldStatement, Memory, MemoryRevision, Origin
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.pipeline.duplicate_merge import DuplicateGroup, join
from memoryapp.pipeline.undo import undo

Store = Callable[..., Memory]
CAT, DOG = "The user keeps a cat called Miso.", "The user keeps a dog called Rex."


def merged(instance: Instance, kept: Memory, other: Memory) -> MemoryRevision:
    seen = {memory.pk: memory.updated_at for memory in (kept, other)}
    (revision,) = join(instance, [DuplicateGroup(kept.pk, [other.pk])], seen, by=Actor())
    return revision


@pytest.fixture
def cat(instance: Instance, store_memory: Store) -> Memory:
    """A memory whose text another one still has, as that of a memory merged into it."""
    merged(instance, store_memory(DOG), store_memory(CAT))
    return store_memory(CAT)


def only(memory: Memory) -> object:
    return Memory.objects.filter(pk=memory.pk)


@pytest.mark.parametrize("way", [forget, archive])
def test_merge_with_another_memory_is_forgotten(
    way: Callable[..., int], instance: Instance, cat: Memory
) -> None:
    way(instance, only(cat), by=Actor())
    dog = Memory.objects.get()
    assert dog.content == DOG
    assert not dog.revisions.exists()


def test_undo_brings_the_merge_back(instance: Instance, cat: Memory, alice: User) -> None:
    done = forget_undoably(instance, only(cat), by=alice)  # type: ignore[arg-type]
    assert not MemoryRevision.objects.exists()
    assert done.undo_token
    restore_deleted(done.undo_token, instance, alice)
    assert Memory.objects.count() == 2
    undo(MemoryRevision.objects.get(), by=Actor(alice))
    assert sorted(Memory.objects.values_list("content", flat=True)) == [CAT, CAT, DOG]


def test_other_merges_stay(instance: Instance, cat: Memory, store_memory: Store) -> None:
    merged(instance, store_memory("Ana rows."), store_memory("Ana plays chess."))
    forget(instance, Memory.objects.filter(content=CAT), by=Actor())
    assert MemoryRevision.objects.get().statement == "Ana plays chess."


def test_waiting_statement_of_a_program_is_forgotten(
    instance: Instance, store_memory: Store
) -> None:
    dose = store_memory("The daily dose is 10 mg of Ramipril.")
    program = Writer(Origin.API, Actor(via="api x"), tier=Tier.TOOL)
    remember(instance, [Candidate("The daily dose is 100 mg of Ramipril.")], program)
    remember(instance, [Candidate("The daily dose is 20 mg of Aspirin.")], program)
    wrong = HeldStatement.objects.get(content__contains="Ramipril")
    copy = store_memory(wrong.content, keep_apart=True)
    assert copy.pk != dose.pk
    forget(instance, Memory.objects.filter(pk=copy.pk), by=Actor())
    assert not HeldStatement.objects.filter(content__contains="Ramipril").exists()
