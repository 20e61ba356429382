"""Concurrent writers on separate connections."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from django.db import connection

from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Activity, Memory, MemoryEmbedding, Origin
from memoryapp.pipeline import (
    Candidate,
    Changes,
    NotTheNewest,
    Outcome,
    Writer,
    remember,
    revise,
    undo,
)
from memoryapp.policy.dedup import Action
from tests.provider_fixtures import eventually

pytestmark = pytest.mark.django_db(transaction=True)

WRITER = Writer(Origin.CONVERSATION, Actor(via="extraction"))
ROUNDS = 50


def at_the_same_moment(rounds: int, *writers: Callable[[int], list[Outcome]]) -> list[list[Action]]:
    """Run all writers concurrently in each round; return their results by round."""
    barrier = threading.Barrier(len(writers), timeout=30)

    def write(writer: Callable[[int], list[Outcome]]) -> list[Action]:
        try:
            actions = []
            for number in range(rounds):
                barrier.wait()
                actions += [outcome.action for outcome in writer(number)]
            return actions
        except BaseException:
            barrier.abort()
            raise
        finally:
            connection.close()

    with ThreadPoolExecutor(len(writers)) as pool:
        done = list(pool.map(write, writers))
    return [sorted(actions) for actions in zip(*done, strict=True)]


@pytest.mark.parametrize("again", ["The user has three cats.", "The user has 3 cats."])
def test_concurrent_writes_of_one_fact_store_one_row(instance: Instance, again: str) -> None:
    def saying(content: str) -> Callable[[int], list[Outcome]]:
        return lambda number: remember(
            instance, [Candidate(content, end_user=f"person {number}")], WRITER
        )

    actions = at_the_same_moment(ROUNDS, saying("The user has three cats."), saying(again))
    assert actions == [[Action.DUPLICATE, Action.STORED]] * ROUNDS
    assert Memory.objects.values("end_user").distinct().count() == ROUNDS
    assert Memory.objects.count() == MemoryEmbedding.objects.count() == ROUNDS
    assert Activity.objects.filter(action="created").count() == ROUNDS


def test_concurrent_writes_of_one_key_store_one_row(instance: Instance) -> None:
    """The key decides, whatever the sentences and their order."""

    def saying(content: str, value: str) -> Callable[[int], list[Outcome]]:
        return lambda number: remember(
            instance,
            [Candidate(content, key="home_city", value=value, end_user=f"person {number}")],
            WRITER,
        )

    actions = at_the_same_moment(
        ROUNDS,
        saying("The user lives in Lyon.", "Lyon"),
        saying("Home is a houseboat on the canal of Ghent.", "Ghent"),
    )
    assert actions == [[Action.STORED, Action.UPDATED]] * ROUNDS
    assert Memory.objects.count() == MemoryEmbedding.objects.count() == ROUNDS
    # The history contains the first one.
    said = {(memory.value, memory.revisions.get().value) for memory in Memory.objects.all()}
    assert said <= {("Lyon", "Ghent"), ("Ghent", "Lyon")}


def test_concurrent_batches_do_not_deadlock(instance: Instance) -> None:
    people = [Candidate("The user likes tea.", end_user=person) for person in "abcd"]
    at_the_same_moment(
        10,
        lambda number: remember(instance, people, WRITER),
        lambda number: remember(instance, people[::-1], WRITER),
    )
    assert sorted(Memory.objects.values_list("end_user", flat=True)) == list("abcd")


def waiting_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
        return bool(cursor.fetchone()[0])


@pytest.fixture
def interrupted(instance: Instance) -> Callable[[Candidate, Candidate], tuple[bool, list[Action]]]:
    """Store a second candidate while the first is written but not committed; return whether the
    second had to wait, and both outcomes.
    """

    def store(candidate: Candidate) -> list[Outcome]:
        try:
            return remember(instance, [candidate], WRITER)
        finally:
            connection.close()

    def run(first: Candidate, second: Candidate) -> tuple[bool, list[Action]]:
        waited = False
        late: list[Future[list[Outcome]]] = []

        def meanwhile(outcomes: list[Outcome]) -> None:
            nonlocal waited
            late.append(pool.submit(store, second))
            eventually(lambda: late[0].done() or waiting_for_a_lock(), "nothing happens")
            waited = not late[0].done()

        # The first vector of a space creates the space, for which the second writer would wait.
        store(Candidate("Somebody else likes tea.", end_user="somebody else"))
        with ThreadPoolExecutor(1) as pool:
            early = remember(instance, [first], WRITER, in_same_transaction=meanwhile)
            outcomes = [*early, *late[0].result(timeout=30)]
        return waited, [outcome.action for outcome in outcomes]

    return run


def test_second_writer_waits_for_the_first(
    interrupted: Callable[[Candidate, Candidate], tuple[bool, list[Action]]],
) -> None:
    waited, actions = interrupted(
        Candidate("The user likes tea."), Candidate("The user likes tea.")
    )
    assert (waited, actions) == (True, [Action.STORED, Action.DUPLICATE])
    assert Memory.objects.filter(end_user="").count() == 1


def test_writers_about_different_people_do_not_wait(
    interrupted: Callable[[Candidate, Candidate], tuple[bool, list[Action]]],
) -> None:
    waited, actions = interrupted(
        Candidate("The user likes tea.", end_user="alice"),
        Candidate("The user likes tea.", end_user="bob"),
    )
    assert (waited, actions) == (False, [Action.STORED, Action.STORED])


def test_concurrent_undo_succeeds_once(
    instance: Instance, store_memory: Callable[..., Memory]
) -> None:
    memory = store_memory("The user keeps 0 goats.")
    for number in range(1, ROUNDS + 1):
        revise(memory, Changes(f"The user keeps {number} goats.", "fact", 5), by=Actor())
    changes = list(memory.revisions.all())
    refused: list[int] = []

    def take_back(number: int) -> list[Outcome]:
        try:
            undo(changes[number], by=Actor())
        except NotTheNewest:
            refused.append(number)
        return []

    at_the_same_moment(ROUNDS, take_back, take_back)
    assert sorted(refused) == list(range(ROUNDS))
    assert Memory.objects.get().content == "The user keeps 0 goats."
    assert MemoryEmbedding.objects.count() == 1
