"""Taking back an import: what it stored goes, what it changed is as it was before."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from conversations.models import Import
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.forgetting.undo_buffer import restore_deleted
from memoryapp.models import Activity, Memory, MemoryEmbedding, MemoryRevision, Origin
from memoryapp.pipeline import Candidate, Changes, Writer, remember, revise
from memoryapp.trust.change_source import ChangeSource
from memoryapp.trust.rollback import RollbackEffect, effect_of, take_back

BEFORE = Writer(Origin.API, Actor(via="test"))


def imported(instance: Instance, *facts: Candidate | str) -> ChangeSource:
    import_ = Import.objects.create(instance=instance, filename="facts.jsonl")
    writer = Writer(Origin.IMPORT, Actor(via="import"), batch=import_.batch)
    candidates = [fact if isinstance(fact, Candidate) else Candidate(fact) for fact in facts]
    remember(instance, candidates, writer)
    return ChangeSource(instance, import_=import_)


@pytest.fixture
def cats(instance: Instance) -> Memory:
    (outcome,) = remember(instance, [Candidate("The user has 3 cats.", tags=["pets"])], BEFORE)
    yesterday = timezone.now() - timedelta(days=1)
    Memory.objects.update(said_at=yesterday, created_at=yesterday, updated_at=yesterday)
    outcome.memory.refresh_from_db()
    return outcome.memory


def stored() -> dict[str, Any]:
    """All that is stored of memories, without what the search engine derives."""
    models: Sequence[Any] = (Memory, MemoryRevision, MemoryEmbedding)
    return {
        model.__name__: [
            {name: value for name, value in row.items() if name not in ("search", "embedding")}
            for row in model.objects.order_by("pk").values()
        ]
        for model in models
    }


def vectors() -> dict[int, list[float]]:
    rows = MemoryEmbedding.objects.values_list("memory_id", "embedding")
    return {pk: [float(part) for part in vector] for pk, vector in rows}


def test_everything_is_as_it_was_before(instance: Instance, alice: User, cats: Memory) -> None:
    before = {name: rows for name, rows in stored().items() if name != "MemoryEmbedding"}
    vectors_before = vectors()
    source = imported(instance, "The user has 4 cats.", "Ana rows.", "Ben sails.")
    effect = effect_of(source)
    assert (len(effect.stored), list(effect.changed), effect.staying) == (2, [cats.pk], [])
    assert Memory.objects.get(pk=cats.pk).content == "The user has 4 cats."

    done, result = take_back(source, by=alice)
    assert done == effect
    assert {name: rows for name, rows in stored().items() if name != "MemoryEmbedding"} == before
    assert vectors() == vectors_before
    assert result.undo_token is not None
    line = Activity.objects.latest("pk")
    assert (line.action, line.count, line.batch, line.by) == (
        "rolled_back",
        3,
        Import.objects.get().batch,
        alice,
    )
    assert take_back(source, by=alice)[0] == RollbackEffect()


def test_it_can_be_undone(instance: Instance, alice: User, cats: Memory) -> None:
    source = imported(instance, "The user has 4 cats.", "Ana rows.")
    before, vectors_before = stored(), vectors()
    _, result = take_back(source, by=alice)
    assert result.undo_token is not None
    assert restore_deleted(result.undo_token, instance, alice).memories == 2
    assert stored() == before
    assert vectors() == vectors_before
    assert effect_of(source).count == 2


def test_what_has_been_changed_since_stays(instance: Instance, alice: User, cats: Memory) -> None:
    source = imported(instance, "The user has 4 cats.", "Ana rows.", "The user owns 2 boats.")
    rows = Memory.objects.get(content="Ana rows.")
    revise(rows, Changes("Ana rows on Sundays.", "fact", 5), by=Actor(alice))
    Memory.objects.update(said_at=timezone.now() - timedelta(hours=1))
    remember(instance, [Candidate("The user has 5 cats.")], BEFORE)
    effect, _ = take_back(source, by=alice)
    assert (len(effect.stored), effect.changed, len(effect.staying)) == (1, {}, 2)
    texts = Memory.objects.order_by("pk").values_list("content", flat=True)
    assert list(texts) == ["The user has 5 cats.", "Ana rows on Sundays."]


def test_known_rows_are_not_taken_back(instance: Instance, alice: User, cats: Memory) -> None:
    source = imported(instance, "The user has 3 cats.")
    assert effect_of(source) == RollbackEffect()
    take_back(source, by=alice)
    assert Memory.objects.get() == cats


def test_other_batches_and_instances_stay(
    instance: Instance, private: Instance, alice: User
) -> None:
    source = imported(instance, "Ana rows.")
    imported(instance, "Ben sails.")
    elsewhere = replace(source, instance=private)
    assert effect_of(elsewhere).count == 0
    take_back(elsewhere, by=alice)
    take_back(source, by=alice)
    assert Memory.objects.get().content == "Ben sails."


def test_number_of_statements_does_not_grow(instance: Instance, alice: User) -> None:
    def taken_back(count: int) -> int:
        people = [f"person {n} of {count}" for n in range(count)]
        remember(
            instance,
            [Candidate("The user has 3 cats.", end_user=person) for person in people],
            BEFORE,
        )
        Memory.objects.update(said_at=timezone.now() - timedelta(days=1))
        facts = ["The user has 4 cats.", "The user rows."]
        source = imported(
            instance, *(Candidate(fact, end_user=who) for who in people for fact in facts)
        )
        seen = []

        def note(execute: Any, sql: str, *more: Any) -> Any:
            seen.append(sql)
            return execute(sql, *more)

        with connection.execute_wrapper(note):
            effect, _ = take_back(source, by=alice)
        assert (len(effect.stored), len(effect.changed)) == (count, count)
        return len(seen)

    assert taken_back(3) >= taken_back(12)
