"""Leases: short, renewed while the work goes on, and lost by whoever is silent for too long."""

import os
import signal
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Import
from instances.models import Instance
from memoryapp.models import EmbeddingJob, Memory, Run, Summary, keep_lease, leases
from memoryapp.models.leases import HEARTBEAT_SECONDS, LEASE_SECONDS
from memoryapp.tasks import sweep
from tests.faults.test_worker import CELLO, CHAT, each_fact_once, lease_ends, over, say
from tests.faults.worker import Worker
from tests.provider_fixtures import eventually, keep_everything, unfinished_messages
from tests.scripted_provider import Request, ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)


def lease_of_run() -> float:
    """Seconds that the one running run's lease still holds."""
    until = Run.objects.values_list("lease_until", flat=True).get(state=Run.State.RUNNING)
    assert until is not None
    return (until - timezone.now()).total_seconds()


def a_running_run(talk: Conversation) -> Run:
    append(talk, [NewMessage("user", CELLO), NewMessage("assistant", "I see.")])
    run = Run.objects.get()
    assert run.claim()
    return run


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_lease_is_short_and_renewed_during_work(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    reader.fail_next("hang", 1, CHAT, seconds=120)
    with Worker() as worker:
        say(talk, CELLO)
        eventually(lambda: reader.count(CHAT) == 1, "the model is not asked")
        assert lease_of_run() <= LEASE_SECONDS
        first = Run.objects.get().lease_until
        assert first is not None
        eventually(lambda: (Run.objects.get().lease_until or first) > first, "it is not renewed")
        worker.kill()
    # Nobody renews it any more: within the time of a lease and a sweep it is somebody else's.
    eventually(lambda: lease_of_run() < 0, "it is held for ever", seconds=LEASE_SECONDS + 10)
    sweep()
    assert Run.objects.get().state == Run.State.QUEUED


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_paused_worker_does_not_store_twice(reader: ScriptedProvider, talk: Conversation) -> None:
    reader.reply_with(keep_everything)
    with Worker() as paused:
        answered: list[int] = []

        def late(request: Request) -> object:
            answered.append(1)
            os.kill(paused.process.pid, signal.SIGSTOP)
            return keep_everything(request)

        reader.reply_with(late, times=1)
        say(talk, CELLO)
        eventually(lambda: answered, "the model is not asked")
        lease_ends()
        with Worker():
            sweep()
            eventually(over, "the second worker does not read it")
            each_fact_once(CELLO)
            # Its answer is there, and its heartbeat is overdue.
            os.kill(paused.process.pid, signal.SIGCONT)
            eventually(
                lambda: "taken over by another worker" in paused.output, "it does not come back"
            )
    each_fact_once(CELLO)
    assert reader.count(CHAT) == 2
    assert (Run.objects.get().state, Run.objects.get().lease_until) == ("succeeded", None)
    assert unfinished_messages(talk) == {}


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_stopping_worker_releases_its_lease_without_waiting_for_the_provider(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    reader.fail_next("hang", 1, CHAT, seconds=120)
    with Worker() as worker:
        say(talk, CELLO)
        eventually(lambda: reader.count(CHAT) == 1, "the model is not asked")
        worker.process.send_signal(signal.SIGQUIT)
        worker.process.wait(40)
    assert lease_of_run() < 0
    sweep()
    assert Run.objects.get().state == Run.State.QUEUED


@pytest.mark.usefixtures("reader")
def test_paused_worker_does_not_renew_a_requeued_run(talk: Conversation) -> None:
    run = a_running_run(talk)
    lease_ends()
    sweep()
    leases.renew(run.still_mine())
    assert Run.objects.get().lease_until is None
    assert Run.objects.get().claim()
    taken = Run.objects.get().lease_until
    leases.renew(run.still_mine())
    assert Run.objects.get().lease_until == taken


@pytest.mark.usefixtures("reader")
def test_lease_is_not_renewed_past_the_time_limit(
    talk: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "HEARTBEAT_SECONDS", 0.05)
    run = a_running_run(talk)
    soon = timezone.now() + timedelta(seconds=1)
    with keep_lease(run.still_mine(), seconds=0.5):
        Run.objects.update(lease_until=soon)
        eventually(lambda: Run.objects.get().lease_until != soon, "it is renewed at first")
        time.sleep(0.7)
        Run.objects.update(lease_until=soon)
        time.sleep(0.3)
        assert Run.objects.get().lease_until == soon
    eventually(lambda: leases._heartbeat._thread is None, "the heartbeat goes on without work")


@pytest.mark.usefixtures("reader")
def test_every_kind_of_work_renews_its_lease(instance: Instance, talk: Conversation) -> None:
    past = timezone.now() - timedelta(seconds=1)
    run = a_running_run(talk)
    summary = Summary.objects.create(instance=instance, due_at=past)
    assert summary.claim()
    job = EmbeddingJob.objects.create(instance=instance, kind=EmbeddingJob.Kind.FILL_IN)
    assert job.claim()
    import_ = Import.objects.create(instance=instance, filename="a", state="running", attempts=1)
    for rows in (run.still_mine(), summary.still_mine(), job.still_mine(), import_.still_mine()):
        rows.update(lease_until=past)
        leases.renew(rows)
        (until,) = rows.values_list("lease_until", flat=True)
        assert until is not None
        assert until > timezone.now() + timedelta(seconds=LEASE_SECONDS - HEARTBEAT_SECONDS)
    assert not Memory.objects.exists()
