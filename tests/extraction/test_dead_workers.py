"""Runs of dead workers, and workers that return after losing their lease."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.utils import timezone

from conversations.models import Conversation
from memoryapp.extraction.run import read
from memoryapp.models import Activity, Memory, Run
from memoryapp.tasks import sweep
from tests.extraction.runs import CHAT, exchange, work
from tests.provider_fixtures import eventually, fact, unfinished_messages
from tests.scripted_provider import ScriptedProvider


def test_run_of_a_dead_worker_is_requeued(reader: ScriptedProvider, talk: Conversation) -> None:
    exchange(talk, "I play the cello.")
    run = Run.objects.get()
    assert run.claim()
    sweep()
    assert Run.objects.get().state == Run.State.RUNNING, (
        "the run was requeued before its lease expired"
    )
    Run.objects.update(lease_until=timezone.now())
    sweep()
    run.refresh_from_db()
    assert (run.state, run.error) == (Run.State.QUEUED, "The worker died while reading.")
    assert [run.stored for run in work(talk)] == [1]


def test_run_fails_after_repeated_worker_deaths(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    for _ in range(Run.MAX_ATTEMPTS):
        assert Run.objects.get().claim()
        Run.objects.update(lease_until=timezone.now())
        sweep()
    run = Run.objects.get()
    assert (run.state, run.attempts) == (Run.State.FAILED, Run.MAX_ATTEMPTS)
    assert unfinished_messages(talk) == {}


@pytest.mark.usefixtures("idle_broker")
def test_run_behind_a_dead_one_is_sent_after_it_ends(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    dead = Run.objects.get()
    assert dead.claim()
    exchange(talk, "My sister is a nurse.")
    waiting = Run.objects.get(state=Run.State.QUEUED)
    sweep()
    waiting.refresh_from_db()
    assert waiting.sent_at is None, "a worker would skip the run"
    Run.objects.filter(pk=dead.pk).update(lease_until=timezone.now())
    sweep()
    waiting.refresh_from_db()
    assert waiting.sent_at is not None
    assert [run.stored for run in work(talk)] == [2]
    assert unfinished_messages(talk) == {}


def test_worker_with_a_lost_lease_stores_nothing(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    slow = Run.objects.get()
    assert slow.claim()
    Run.objects.update(lease_until=timezone.now())
    sweep()
    quick = Run.objects.get()
    assert quick.claim()

    reader.reply_with({"memories": [fact(1, "The user plays the cello badly.")]}, times=1)
    read(slow)
    assert not Memory.objects.exists()
    assert not Activity.objects.exists()
    talk.refresh_from_db()
    assert talk.watermark == 0
    assert Run.objects.get().state == Run.State.RUNNING

    read(quick)
    assert Memory.objects.get().content == "I play the cello."
    assert Run.objects.get().state == Run.State.SUCCEEDED


def test_failure_of_a_worker_with_a_lost_lease_changes_nothing(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    slow = Run.objects.get()
    assert slow.claim()
    Run.objects.update(claims=2)
    reader.fail_next("500", 1, CHAT)
    read(slow)
    assert (Run.objects.get().state, Run.objects.get().error) == (Run.State.RUNNING, "")


@pytest.mark.django_db(transaction=True)
def test_run_claimed_during_an_append_reads_the_new_message(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    def read_it() -> None:
        try:
            work(talk)
        finally:
            connection.close()

    exchange(talk, "I play the cello.")
    with ThreadPoolExecutor(1) as worker:
        with transaction.atomic():
            exchange(talk, "My sister is a nurse.")
            assert Run.objects.count() == 1, "the queued run does not read this message"
            reading = worker.submit(read_it)
            eventually(lambda: reading.done() or waiting_for_a_row(), "nothing happens")
        reading.result(timeout=30)
    assert unfinished_messages(talk) == {}
    assert Memory.objects.count() == 2


def waiting_for_a_row() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("workers", [2, 4])
def test_run_sent_to_several_workers_is_read_once(
    reader: ScriptedProvider, talk: Conversation, workers: int
) -> None:
    exchange(talk, "I play the cello.")
    barrier = threading.Barrier(workers, timeout=30)
    pk = Run.objects.get().pk

    def take() -> bool:
        try:
            run = Run.objects.get(pk=pk)
            barrier.wait()
            return run.claim()
        finally:
            connection.close()

    with ThreadPoolExecutor(workers) as pool:
        took = [future.result() for future in [pool.submit(take) for _ in range(workers)]]
    assert sorted(took) == [False] * (workers - 1) + [True]
