"""Merging duplicate memories and splitting them again, which restores them exactly."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.forgetting.deletion import forget
from memoryapp.models import (
    Activity,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
    RevisionEmbedding,
)
from memoryapp.pipeline import Changes, NotTheNewest, Rejected, keep_both, revise, separate, undo
from memoryapp.pipeline.bulk_edit import BulkChange, change_all, undo_all
from memoryapp.pipeline.candidates import Changed
from memoryapp.pipeline.duplicate_merge import DuplicateGroup, best_of, join
from memoryapp.pipeline.labelling import take_labels

KEPT, OTHER = "The user is allergic to peanuts.", "The user paints in oil."


def merge(instance: Instance, by: User, kept: Memory, *merged: Memory) -> list[MemoryRevision]:
    seen_at = {memory.pk: memory.updated_at for memory in (kept, *merged)}
    return join(
        instance,
        [DuplicateGroup(kept.pk, [other.pk for other in merged])],
        seen_at,
        by=Actor(by),
    )


def as_it_is(memory_id: int) -> dict[str, Any]:
    """Return everything stored about a memory except its last change."""
    memory = Memory.objects.get(pk=memory_id)
    row = {
        field.name: field.value_from_object(memory)
        for field in Memory._meta.concrete_fields
        if field.name != "search"
    }
    vectors = memory.embeddings.order_by("space").values_list("space", "embedding")
    return row | {
        "vectors": list(vectors),
        "sources": sorted(
            memory.sources.in_conversations().values_list("conversation", "message", "action")
        ),
        "history": list(memory.revisions.values_list("pk", "content", "reason")),
    }


@pytest.fixture
def two(
    instance: Instance, store_memory: Callable[..., Memory], conversation: Conversation
) -> tuple[Memory, Memory]:
    """Two memories with every kind of related row, and a common source message."""
    said, answered = conversation.messages.order_by("position")
    kept = store_memory(
        KEPT,
        tags=["food"],
        importance=4,
        metadata={"seat": 1},
        labels=["agent:coach"],
        conversation_id=conversation.pk,
        message_id=said.pk,
    )
    other = store_memory(
        OTHER,
        tags=["health", "food"],
        importance=8,
        category="fact",
        valid_until=date(2031, 5, 1),
        external_id="mem0-7",
        metadata={"seat": 2, "説明": "東京"},
        labels=["agent:coach", "agent:cook", "run:r-1"],
        conversation_id=conversation.pk,
        message_id=said.pk,
    )
    other.sources.create(instance=instance, conversation=conversation, message=answered)
    revise(
        other,
        Changes(OTHER + " Often.", "fact", 8, ["health", "food"], date(2031, 5, 1)),
        by=Actor(),
    )
    Memory.objects.filter(pk=other.pk).update(recall_count=3, last_recalled_at=timezone.now())
    kept.refresh_from_db()
    other.refresh_from_db()
    return kept, other


def test_merge_keeps_one_memory(
    instance: Instance, alice: User, two: tuple[Memory, Memory]
) -> None:
    kept, other = two
    (revision,) = merge(instance, alice, kept, other)
    kept = Memory.objects.get()
    assert kept.content == KEPT
    assert (kept.tags, kept.importance) == (["food", "health"], 8)
    assert kept.valid_until is None
    assert kept.recall_count == 3
    assert kept.external_id == "mem0-7"
    assert kept.metadata == {"seat": 1, "説明": "東京"}
    assert kept.stated_by == ["agent:coach", "agent:cook", "run:r-1"]
    assert kept.sources.in_conversations().count() == 2
    assert kept.embeddings.count() == 1
    assert (revision.statement, revision.reason) == (other.content, "joined")
    line = Activity.objects.filter(action="joined_up").get()
    assert (line.memory_id, line.count, str(line.by)) == (kept.pk, 2, "alice")


@pytest.mark.parametrize("way", [undo, keep_both])
def test_split_restores_both_memories(
    way: Callable[..., Any], instance: Instance, alice: User, two: tuple[Memory, Memory]
) -> None:
    kept, other = two
    before = as_it_is(kept.pk), as_it_is(other.pk)
    (revision,) = merge(instance, alice, kept, other)
    way(revision, by=Actor(alice))
    assert (as_it_is(kept.pk), as_it_is(other.pk)) == before
    assert not RevisionEmbedding.objects.filter(revision=revision.pk).exists()


def test_label_taken_away_after_the_merge_does_not_come_back(
    instance: Instance, alice: User, two: tuple[Memory, Memory]
) -> None:
    kept, other = two
    (revision,) = merge(instance, alice, kept, other)
    taken = take_labels(instance, Memory.objects.all(), ["agent:coach"], by=Actor(alice))
    assert (taken, Memory.objects.get().stated_by) == (1, ["agent:cook", "run:r-1"])
    undo(revision, by=Actor(alice))
    labels = dict(Memory.objects.values_list("pk", "labels"))
    assert labels == {kept.pk: [], other.pk: ["agent:cook", "run:r-1"]}


def test_several_merges_are_split_one_by_one(
    instance: Instance, alice: User, two: tuple[Memory, Memory], store_memory: Callable[..., Memory]
) -> None:
    kept, other = two
    third = store_memory("The user rows.", tags=["sport"])
    before = [as_it_is(memory.pk) for memory in (kept, other, third)]
    first, second = merge(instance, alice, kept, other, third)
    with pytest.raises(NotTheNewest):
        undo(first, by=Actor(alice))
    assert Memory.objects.count() == 1
    undo(second, by=Actor(alice))
    undo(first, by=Actor(alice))
    assert [as_it_is(memory.pk) for memory in (kept, other, third)] == before
    with pytest.raises(NotTheNewest):
        undo(first, by=Actor(alice))


def test_repeated_merge_can_be_split_again(
    instance: Instance, alice: User, two: tuple[Memory, Memory], store_memory: Callable[..., Memory]
) -> None:
    kept, other = two
    third = store_memory("The user rows.")
    before = [as_it_is(memory.pk) for memory in (kept, other, third)]
    (inner,) = merge(instance, alice, other, kept)
    (outer,) = merge(instance, alice, third, Memory.objects.get(pk=other.pk))
    assert Memory.objects.get() == third
    undo(outer, by=Actor(alice))
    undo(MemoryRevision.objects.get(pk=inner.pk), by=Actor(alice))
    assert [as_it_is(memory.pk) for memory in (kept, other, third)] == before


def test_versions_of_the_merged_memory_are_not_mixed(
    instance: Instance, alice: User, two: tuple[Memory, Memory]
) -> None:
    kept, other = two
    merge(instance, alice, kept, other)
    assert kept.revisions.count() == 2
    assert [revision.content for revision in kept.revisions.versions()] == [KEPT]


def test_key_moves_with_the_merge_and_back(
    instance: Instance, alice: User, store_memory: Callable[..., Memory]
) -> None:
    plain = store_memory("The user sails.")
    fact = store_memory("The user paints in oil.", key="hobby", value="oil")
    assert best_of([plain, fact]) == best_of([fact, plain]) == fact
    (revision,) = merge(instance, alice, plain, fact)
    plain.refresh_from_db()
    assert (plain.key, plain.value) == ("hobby", "oil")
    undo(revision, by=Actor(alice))
    plain.refresh_from_db()
    assert plain.key == ""
    assert Memory.objects.get(key="hobby") == fact


def test_latest_memory_is_kept_without_a_key(
    store_memory: Callable[..., Memory],
) -> None:
    first, second = store_memory("The user sails."), store_memory("The user paints in oil.")
    assert best_of([first, second]) == best_of([second, first]) == second


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"end_user": "ana"}, {}),
        ({"key": "a", "value": "x"}, {"key": "b", "value": "y"}),
        ({"external_id": "1"}, {"external_id": "2"}),
    ],
)
def test_distinct_facts_are_not_merged(
    one: dict[str, str],
    other: dict[str, str],
    instance: Instance,
    alice: User,
    store_memory: Callable[..., Memory],
) -> None:
    memories = (
        store_memory("The user sails.", **one),
        store_memory("The user paints in oil.", **other),
    )
    with pytest.raises(Rejected):
        merge(instance, alice, *memories)
    assert Memory.objects.count() == 2
    assert not MemoryRevision.objects.exists()


@pytest.mark.parametrize("change", ["changed", "deleted", "another instance's"])
def test_changed_memories_are_not_merged(
    change: str,
    instance: Instance,
    private: Instance,
    alice: User,
    two: tuple[Memory, Memory],
    store_memory: Callable[..., Memory],
) -> None:
    kept, other = two
    third = store_memory(
        "The user rows.", into=private if change.startswith("another") else instance
    )
    if change == "changed":
        Memory.objects.filter(pk=third.pk).update(updated_at=timezone.now() + timedelta(1))
    elif change == "deleted":
        Memory.objects.filter(pk=third.pk).delete()
    left = Memory.objects.count()
    with pytest.raises(Changed):
        merge(instance, alice, kept, other, third)
    assert Memory.objects.count() == left


def test_deleting_a_merged_memory_deletes_both(
    instance: Instance, alice: User, two: tuple[Memory, Memory]
) -> None:
    kept, other = two
    merge(instance, alice, kept, other)
    forget(instance, Memory.objects.filter(pk=kept.pk), by=Actor(alice), never_again=True)
    for model in (Memory, MemoryRevision, MemorySource, MemoryEmbedding, RevisionEmbedding):
        assert not model._default_manager.exists()
    # Neither is learned again: the rule covers the words of both.
    assert len(instance.suppression_rules.get().words) > 128


def set_end(memory: Memory, by: User) -> None:
    memory.refresh_from_db()
    changes = Changes.of(memory)
    revise(memory, replace(changes, valid_until=date(2032, 1, 1)), by=Actor(by))


def test_merge_is_separated_after_a_change(
    instance: Instance, alice: User, two: tuple[Memory, Memory]
) -> None:
    kept, other = two
    before = as_it_is(kept.pk), as_it_is(other.pk)
    (merged,) = merge(instance, alice, kept, other)
    set_end(kept, alice)
    separate(merged, by=Actor(alice))
    assert as_it_is(other.pk) == before[1]
    kept.refresh_from_db()
    # What was changed since stays, and what the merge had brought goes.
    assert kept.valid_until == date(2032, 1, 1)
    assert (kept.tags, kept.importance, kept.metadata) == (["food"], 4, {"seat": 1})
    (change,) = kept.revisions.all()
    assert (change.tags, change.importance, change.valid_from) == (["food"], 4, merged.valid_from)
    undo(change, by=Actor(alice))
    assert as_it_is(kept.pk) == before[0]
    with pytest.raises(NotTheNewest):
        separate(merged, by=Actor(alice))


def test_merge_is_separated_after_a_new_wording(
    instance: Instance, alice: User, two: tuple[Memory, Memory]
) -> None:
    kept, other = two
    (merged,) = merge(instance, alice, kept, other)
    kept.refresh_from_db()
    changes = replace(Changes.of(kept), content="The user is allergic to all nuts.", tags=["nuts"])
    revise(kept, changes, by=Actor(alice))
    keep_both(merged, by=Actor(alice))
    kept.refresh_from_db()
    assert (kept.content, kept.tags) == (changes.content, ["nuts"])
    assert Memory.objects.get(pk=other.pk).content == other.content
    assert kept.embeddings.count() == Memory.objects.get(pk=other.pk).embeddings.count() == 1


def test_bulk_change_after_a_merge_can_still_be_undone_when_it_was_separated(
    instance: Instance, alice: User, two: tuple[Memory, Memory]
) -> None:
    kept, other = two
    before = as_it_is(kept.pk), as_it_is(other.pk)
    (merged,) = merge(instance, alice, kept, other)
    result = change_all(
        instance, Memory.objects.all(), BulkChange(add_tags=["seen"]), by=Actor(alice)
    )
    separate(merged, by=Actor(alice))
    assert Memory.objects.get(pk=kept.pk).tags == ["food", "seen"]
    assert undo_all(instance, result.batch, by=Actor(alice)) == 1
    assert (as_it_is(kept.pk), as_it_is(other.pk)) == before


def test_earlier_of_two_merges_is_separated_first(
    instance: Instance, alice: User, two: tuple[Memory, Memory], store_memory: Callable[..., Memory]
) -> None:
    kept, other = two
    third = store_memory("The user rows.", tags=["health", "sport"])
    before = [as_it_is(memory.pk) for memory in (kept, other, third)]
    first, second = merge(instance, alice, kept, other, third)
    separate(first, by=Actor(alice))
    kept.refresh_from_db()
    assert kept.tags == ["food", "health", "sport"]
    separate(MemoryRevision.objects.get(pk=second.pk), by=Actor(alice))
    assert [as_it_is(memory.pk) for memory in (kept, other, third)] == before


def test_key_goes_back_after_a_change(
    instance: Instance, alice: User, store_memory: Callable[..., Memory]
) -> None:
    plain = store_memory("The user sails.")
    fact = store_memory("The user paints in oil.", key="hobby", value="oil")
    (merged,) = merge(instance, alice, plain, fact)
    set_end(plain, alice)
    separate(merged, by=Actor(alice))
    plain.refresh_from_db()
    assert (plain.key, plain.value) == ("", "")
    assert Memory.objects.get(key="hobby") == fact
