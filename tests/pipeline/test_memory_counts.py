"""The kept counts and marks are what counting finds, whatever changes memories."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pgvector import HalfVector

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.forgetting.archive import archive, unarchive
from memoryapp.forgetting.deletion import forget_undoably
from memoryapp.forgetting.undo_buffer import restore_deleted
from memoryapp.models import (
    CountKind,
    EmbeddingSpace,
    Memory,
    MemoryCount,
    MemoryEmbedding,
    MemoryMark,
    MemoryRevision,
)
from memoryapp.pipeline import Changes, revise, undo
from memoryapp.pipeline.bulk_edit import BulkChange, change_all, undo_all
from memoryapp.pipeline.duplicate_merge import DuplicateGroup, join
from memoryapp.pipeline.undo import separate
from memoryapp.recall import Hit
from memoryapp.recall.results import note_recalled
from memoryapp.tasks import fold_counts

Store = Callable[..., Memory]


def kept(instance: Instance) -> Counter[tuple[Any, ...]]:
    """The counts that are kept, without those that are 0."""
    found: Counter[tuple[Any, ...]] = Counter()
    columns = ("kind", "value", "category", "origin", "importance", "recalled", "stale")
    for *key, number in MemoryCount.objects.filter(instance=instance).values_list(
        *columns, "number"
    ):
        found[tuple(key)] += number
    return Counter({key: number for key, number in found.items() if number})


def counted(instance: Instance) -> Counter[tuple[Any, ...]]:
    """The same, counted memory by memory."""
    found: Counter[tuple[Any, ...]] = Counter()
    for memory in Memory.objects.in_instance(instance):

        def count(kind: str, value: Any, category: str = memory.category) -> None:
            found[(kind, str(value), category, "", 0, False, False)] += 1

        of_all = (memory.origin, memory.importance, memory.recalled, bool(memory.stale_since))
        found[("all", "", memory.category, *of_all)] += 1
        if memory.end_user:
            count("person", memory.end_user)
        for tag in set(memory.tags):
            count("tag", tag)
        for label in set(memory.labels):
            count("label", label)
        if memory.valid_until:
            count("end", memory.valid_until.isoformat())
        spaces = list(memory.embeddings.values_list("space", flat=True))
        for space in spaces:
            count("vector", space)
        for mark in marks_of(memory):
            count("mark", mark)
    return found


def marks_of(memory: Memory) -> set[str]:
    """The marks that a memory should have."""
    marks = set() if memory.embeddings.exists() else {"no_vector"}
    revisions = MemoryRevision.objects.filter(memory=memory)
    return marks | ({"changed"} if revisions.versions().exists() else set())


def check(instance: Instance) -> None:
    """Compare what is kept with what counting finds."""
    assert kept(instance) == counted(instance)
    marks = MemoryMark.objects.filter(instance=instance)
    assert set(marks.values_list("memory", "kind", "created_at")) == {
        (memory.pk, mark, memory.created_at)
        for memory in Memory.objects.in_instance(instance)
        for mark in marks_of(memory)
    }


@pytest.mark.django_db
def test_each_kind_of_change_is_counted(
    instance: Instance, private: Instance, alice: User, store_memory: Store
) -> None:
    by = Actor(alice)
    store_memory("The user sails.", into=private, tags=["sea"])
    bees = store_memory("The user keeps bees.", tags=["garden"], end_user="anna")
    hives = store_memory("The user owns three hives.", tags=["garden", "wood"])
    check(instance)
    revise(bees, Changes("The user keeps wasps.", "event", 9, ["garden", "pets"]), by=by)
    check(instance)
    undo(MemoryRevision.objects.get(memory=bees), by=by)
    check(instance)
    done = change_all(
        instance,
        Memory.objects.in_instance(instance),
        BulkChange(category="fact", rename_tags={"garden": "plot"}),
        by=by,
    )
    check(instance)
    undo_all(instance, done.batch, by=by)
    check(instance)
    note_recalled(instance, [Hit(each, None, 1.0, {}, {}) for each in (bees, hives)])
    note_recalled(instance, [Hit(bees, None, 1.0, {}, {})])
    check(instance)
    Memory.objects.filter(pk=hives.pk).update(
        stale_since=timezone.now(),
        valid_until=date(2030, 1, 31),
        labels=["agent:coach", "run:7"],
        end_user="bert",
        created_at=timezone.now() - timedelta(days=400),
    )
    check(instance)
    MemoryEmbedding.objects.filter(memory=hives).delete()
    check(instance)
    forgotten = forget_undoably(instance, Memory.objects.filter(pk=bees.pk), by=alice)
    check(instance)
    assert forgotten.undo_token is not None
    restore_deleted(forgotten.undo_token, instance, alice)
    check(instance)
    archive(instance, Memory.objects.filter(pk=hives.pk), by=by)
    check(instance)
    unarchive(instance, instance.archived.all(), by=by)
    check(instance)
    Memory.objects.in_instance(instance).delete()
    check(instance)
    assert not MemoryCount.objects.filter(instance=instance, value__in=["garden", "anna"]).exists()
    check(private)


@pytest.mark.django_db
def test_merged_memories_count_once(instance: Instance, alice: User, store_memory: Store) -> None:
    kept_one = store_memory("The user has two boats.", tags=["sea"])
    other = store_memory("Marzipan is eaten at noon.", tags=["sea", "noon"])
    seen = dict(Memory.objects.values_list("pk", "updated_at"))
    group = DuplicateGroup(kept=kept_one.pk, others=(other.pk,))
    (merge,) = join(instance, [group], seen, by=Actor(alice))
    check(instance)
    separate(merge, by=Actor(alice))
    check(instance)


@pytest.mark.django_db
def test_what_is_rolled_back_was_never_counted(instance: Instance, store_memory: Store) -> None:
    before = kept(instance)
    with transaction.atomic():
        store_memory("The user keeps bees.", tags=["garden"])
        assert kept(instance) != before
        transaction.set_rollback(True)
    assert kept(instance) == before


_texts = st.sampled_from(["", "a", "b"])
_rows = st.fixed_dictionaries(
    {
        "category": st.sampled_from(["fact", "event"]),
        "origin": st.sampled_from(["api", "manual"]),
        "importance": st.integers(1, 3),
        "end_user": _texts,
        "tags": st.lists(_texts, max_size=3),
        "labels": st.lists(_texts, max_size=2),
        "valid_until": st.sampled_from([None, date(2020, 2, 2), date(2030, 1, 1)]),
        "recall_count": st.integers(0, 2),
        "stale_since": st.sampled_from([None, timezone.now()]),
    }
)
_some = st.sets(st.integers(0, 5), max_size=4)
_steps = st.one_of(
    st.tuples(st.just("add"), st.lists(_rows, min_size=1, max_size=4)),
    st.tuples(st.just("change"), _some, _rows),
    st.tuples(st.just("embed"), _some, st.integers(0, 1)),
    st.tuples(st.just("empty"), _some, st.integers(0, 1)),
    st.tuples(st.just("revise"), _some, st.sampled_from(["edited", "heard", "of_another"])),
    st.tuples(st.just("withdraw"), _some, st.just(None)),
    st.tuples(st.just("delete"), _some, st.booleans()),
    st.tuples(st.just("fold"), st.just(set()), st.just(None)),
)


@pytest.mark.django_db
@settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(steps=st.lists(_steps, min_size=1, max_size=12))
def test_counts_are_right_after_any_changes(instance: Instance, steps: list[Any]) -> None:
    with transaction.atomic():
        spaces = [
            EmbeddingSpace.objects.create(instance=instance, name=f"space {number}")
            for number in range(2)
        ]
        for step in steps:
            _take(instance, spaces, *step)
        check(instance)
        assert not MemoryCount.objects.recount(instance.pk)
        check(instance)
        transaction.set_rollback(True)


def _take(instance: Instance, spaces: list[EmbeddingSpace], what: str, *args: Any) -> None:
    if what == "add":
        Memory.objects.bulk_create(
            Memory(instance=instance, content="The user sails.", **row) for row in args[0]
        )
        return
    which, how = args
    ids = list(Memory.objects.in_instance(instance).order_by("pk").values_list("pk", flat=True))
    chosen = [pk for place, pk in enumerate(ids) if place in which]
    match what:
        case "change":
            Memory.objects.filter(pk__in=chosen).update(**how)
        case "embed":
            MemoryEmbedding.objects.bulk_create(
                (
                    MemoryEmbedding(
                        memory_id=pk,
                        instance=instance,
                        space=spaces[how],
                        embedding=HalfVector([0.6, 0.8]),
                    )
                    for pk in chosen
                ),
                ignore_conflicts=True,
            )
        case "empty":
            MemoryEmbedding.objects.filter(memory__in=chosen, space=spaces[how]).delete()
        case "revise":
            now = timezone.now()
            MemoryRevision.objects.bulk_create(
                MemoryRevision(
                    instance=instance,
                    memory_id=pk,
                    content="The user rows.",
                    category="fact",
                    importance=1,
                    valid_from=now,
                    reason=how,
                )
                for pk in chosen
            )
            of_others = MemoryRevision.objects.filter(memory__in=chosen, reason="heard")
            of_others.update(reason="edited", memory_id=chosen[0] if chosen else 0)
        case "withdraw":
            MemoryRevision.objects.filter(memory__in=chosen).delete()
        case "delete" if how:
            Memory.objects.filter(pk__in=chosen).delete()
        case "delete":
            # In the other order than Django's.
            MemoryRevision.objects.filter(memory__in=chosen).delete()
            Memory.objects.filter(pk__in=chosen)._raw_delete("default")
            MemoryEmbedding.objects.filter(memory__in=chosen).delete()
        case "fold":
            fold_counts()


@pytest.mark.django_db
def test_folded_counts_are_one_row_each(instance: Instance, store_memory: Store) -> None:
    for number in range(5):
        store_memory(f"Box {number} is on shelf {number}.", tags=["box"])
    before = kept(instance)
    tag = MemoryCount.objects.of(instance, CountKind.TAG, "box")
    assert (tag.number(), len(tag)) == (5, 5)
    assert MemoryCount.objects.instances_to_fold() == [instance.pk]
    fold_counts()
    assert (tag.number(), len(tag.all())) == (5, 1)
    assert kept(instance) == before
    assert MemoryCount.objects.instances_to_fold() == []


@pytest.mark.django_db
def test_wrong_counts_and_marks_are_corrected(
    instance: Instance, store_memory: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    bees = store_memory("The user keeps bees.", tags=["garden"])
    call_command("count_memories")
    assert capsys.readouterr().out == "desk: correct.\n"
    MemoryCount.objects.of(instance, CountKind.TAG, "garden").update(number=7)
    MemoryMark.objects.create(
        instance=instance, kind="changed", memory=bees, created_at=bees.created_at
    )
    call_command("count_memories", "--instance", "desk")
    assert capsys.readouterr().out == "desk: corrected.\n"
    check(instance)


@pytest.mark.django_db
def test_counts_of_an_instance_go_with_it(
    instance: Instance, private: Instance, store_memory: Store
) -> None:
    store_memory("The user keeps bees.")
    store_memory("The user sails.", into=private)
    instance.delete()
    assert set(MemoryCount.objects.values_list("instance", flat=True)) == {private.pk}
    assert not MemoryMark.objects.exists()
    check(private)


@pytest.mark.django_db(transaction=True)
def test_concurrent_writers_and_folds_lose_no_count(instance: Instance) -> None:
    """Writers of one instance change, delete and add while the counts are folded and recounted."""
    rows = [
        Memory(instance=instance, content=f"Fact {number}", tags=["a", f"t{number % 3}"])
        for number in range(60)
    ]
    Memory.objects.bulk_create(rows)
    ids = [row.pk for row in rows]
    barrier = threading.Barrier(5, timeout=30)

    def write(part: int) -> None:
        barrier.wait()
        for number, pk in enumerate(ids[part::4]):
            with transaction.atomic():
                if number % 3:
                    Memory.objects.filter(pk=pk).update(category="fact", tags=["b"], recall_count=2)
                else:
                    Memory.objects.filter(pk=pk).delete()
                Memory.objects.create(instance=instance, content="New", tags=["a", "c"])
                transaction.set_rollback(number % 4 == 1)

    def tidy(_: int) -> None:
        barrier.wait()
        for number in range(15):
            MemoryCount.objects.fold(instance.pk)
            if number % 5 == 0:
                assert not MemoryCount.objects.recount(instance.pk)

    def run(job: Any, part: int) -> None:
        try:
            job(part)
        except BaseException:
            barrier.abort()
            raise
        finally:
            connection.close()

    with ThreadPoolExecutor(5) as pool:
        jobs = [pool.submit(run, write, part) for part in range(4)] + [pool.submit(run, tidy, 0)]
        for job in jobs:
            job.result()
    check(instance)


@pytest.mark.django_db(transaction=True)
def test_writers_do_not_wait_for_each_other(instance: Instance) -> None:
    """No row is shared: a second writer commits while the first one has not."""

    def store_another() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET statement_timeout = '10s'")
            Memory.objects.create(instance=instance, content="Second", tags=["a"])
        finally:
            connection.close()

    with transaction.atomic():
        Memory.objects.create(instance=instance, content="First", tags=["a"])
        with ThreadPoolExecutor(1) as pool:
            pool.submit(store_another).result()
    assert Memory.objects.count() == 2
    check(instance)
