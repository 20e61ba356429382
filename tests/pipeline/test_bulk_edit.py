"""Changing many memories at once, and undoing that."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Activity, Memory, MemorySource
from memoryapp.pipeline import Changes, revise
from memoryapp.pipeline.bulk_edit import BulkChange, BulkResult, change_all, undo_all

Store = Callable[..., Memory]
EVERYTHING = BulkChange(
    add_tags=["Home ", "food"],
    remove_tags=["old"],
    category="event",
    importance=9,
    valid_until=date(2031, 2, 3),
)


def columns(memory: Memory) -> tuple[Any, ...]:
    memory.refresh_from_db()
    return memory.category, memory.importance, memory.tags, memory.valid_until


def run(instance: Instance, change: BulkChange, by: User) -> BulkResult:
    memories = Memory.objects.filter(instance=instance)
    return change_all(instance, memories, change, by=Actor(by))


def test_every_column_changes_and_keeps_its_version(
    instance: Instance, alice: User, store_memory: Store
) -> None:
    bees = store_memory("The user keeps bees.", tags=["old", "food"])
    before, version = columns(bees), bees.updated_at
    result = run(instance, EVERYTHING, alice)
    assert (result.count, result.full) == (1, 0)
    assert columns(bees) == ("event", 9, ["food", "home"], date(2031, 2, 3))
    revision = bees.revisions.get()
    assert (revision.tags, revision.by, revision.valid_from) == (["old", "food"], alice, version)
    assert revision.source is not None and revision.source.batches == [bees.batch]
    assert undo_all(instance, result.batch, by=Actor(alice)) == 1
    assert columns(bees) == before and bees.updated_at == version
    assert not bees.revisions.exists()
    assert bees.sources.latest("pk").action == MemorySource.Action.UNDONE
    # The second click does nothing.
    assert undo_all(instance, result.batch, by=Actor(alice)) == 0


def test_one_line_of_activity_tells_the_number(
    instance: Instance, alice: User, store_memory: Store
) -> None:
    for number in range(3):
        store_memory(f"Box {number} is on shelf {number}.")
    run(instance, BulkChange(importance=8), alice)
    run(instance, BulkChange(importance=8), alice)
    line = instance.activity.get(action=Activity.Action.UPDATED)
    assert (line.count, line.memory_id, line.by) == (3, None, alice)


def test_undo_leaves_what_was_changed_since(
    instance: Instance, alice: User, store_memory: Store
) -> None:
    bees, hives = store_memory("The user keeps bees."), store_memory("The user owns three hives.")
    result = run(instance, BulkChange(add_tags=["garden"]), alice)
    bees.refresh_from_db()
    revise(bees, Changes("The user keeps wasps.", "fact", 5, ["garden"]), by=Actor(alice))
    assert undo_all(instance, result.batch, by=Actor(alice)) == 1
    assert (columns(bees)[2], columns(hives)[2]) == (["garden"], [])


def test_another_instance_is_left_alone(
    instance: Instance, private: Instance, alice: User, store_memory: Store
) -> None:
    other = store_memory("The user sails.", into=private)
    change_all(instance, Memory.objects.all(), BulkChange(importance=9), by=Actor(alice))
    assert columns(other)[1] != 9
    result = change_all(private, Memory.objects.all(), BulkChange(importance=9), by=Actor(alice))
    assert undo_all(instance, result.batch, by=Actor(alice)) == 0


def test_full_memories_get_no_more_tags(
    instance: Instance, alice: User, store_memory: Store
) -> None:
    full = store_memory("The user keeps bees.", tags=[f"t{number}" for number in range(12)])
    other = store_memory("The user sails.")
    result = run(instance, BulkChange(add_tags=["home"]), alice)
    assert (result.count, result.full) == (1, 1)
    assert len(columns(full)[2]) == 12 and columns(other)[2] == ["home"]


@pytest.mark.parametrize(
    ("change", "tags"),
    [
        (BulkChange(rename_tags={"a": "c"}), ["c", "b"]),
        (BulkChange(rename_tags={"a": "b"}), ["b"]),
        (BulkChange(remove_tags=["a"]), ["b"]),
    ],
)
def test_tags_are_renamed_and_merged(
    change: BulkChange, tags: list[str], instance: Instance, alice: User, store_memory: Store
) -> None:
    memory = store_memory("The user keeps bees.", tags=["a", "b"])
    run(instance, change, alice)
    assert columns(memory)[2] == tags


def test_end_is_cleared(instance: Instance, alice: User, store_memory: Store) -> None:
    memory = store_memory("The user sails.", valid_until=date(2031, 2, 3))
    run(instance, BulkChange(clear_end=True), alice)
    assert columns(memory)[3] is None


def test_secrets_do_not_become_tags(instance: Instance, alice: User, store_memory: Store) -> None:
    memory = store_memory("The user sails.")
    run(instance, BulkChange(add_tags=["4111 1111 1111 1111", "boats"]), alice)
    assert columns(memory)[2] == ["boats"]


def test_number_of_statements_does_not_grow_with_the_rows(instance: Instance, alice: User) -> None:
    Memory.objects.bulk_create(
        Memory(instance=instance, content=f"Box {n} is on shelf {n}.") for n in range(1_000)
    )
    with CaptureQueriesContext(connection) as queries:
        result = run(instance, EVERYTHING, alice)
        assert result.count == 1_000
        assert undo_all(instance, result.batch, by=Actor(alice)) == 1_000
    assert len(queries) < 30
