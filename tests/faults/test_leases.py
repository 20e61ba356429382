"""Leases of background work: short, renewed during work, and lost by silent workers."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from copy import copy
from datetime import timedelta
from functools import partial

import pytest
from django.apps import apps
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Import
from instances.models import Instance, Webhook, leased_jobs
from instances.models.leased_jobs import HEARTBEAT_SECONDS, LEASE_SECONDS, LeasedJob
from memoryapp.models import EmbeddingJob, Erasure, GoldenRound, Memory, Run, Summary
from memoryapp.tasks import sweep
from tests.faults.test_worker import (
    CELLO,
    CHAT,
    append_messages,
    each_fact_stored_once,
    expire_lease,
    runs_finished,
)
from tests.faults.worker import Worker
from tests.provider_fixtures import eventually, keep_everything, unfinished_messages
from tests.scripted_provider import Request, ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)


def lease_of_run() -> float:
    """Return the seconds until the lease of the only running run expires."""
    until = Run.objects.values_list("lease_until", flat=True).get(state=Run.State.RUNNING)
    assert until is not None
    return (until - timezone.now()).total_seconds()


def a_queued_run(talk: Conversation) -> Run:
    append(talk, [NewMessage("user", CELLO), NewMessage("assistant", "I see.")])
    return Run.objects.get()


def a_running_run(talk: Conversation) -> Run:
    run = a_queued_run(talk)
    assert run.claim()
    return run


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_lease_is_short_and_renewed_during_work(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    reader.fail_next("hang", 1, CHAT, seconds=120)
    with Worker() as worker:
        append_messages(talk, CELLO)
        eventually(lambda: reader.count(CHAT) == 1, "the model is not called")
        assert lease_of_run() <= LEASE_SECONDS
        first = Run.objects.get().lease_until
        assert first is not None
        eventually(
            lambda: (Run.objects.get().lease_until or first) > first, "the lease is not renewed"
        )
        worker.kill()
    # Without renewals, another worker gets the run within the time of a lease and a sweep.
    eventually(lambda: lease_of_run() < 0, "the lease does not expire", seconds=LEASE_SECONDS + 10)
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
        append_messages(talk, CELLO)
        eventually(lambda: answered, "the model is not called")
        expire_lease()
        with Worker():
            sweep()
            eventually(runs_finished, "the second worker does not read it")
            each_fact_stored_once(CELLO)
            # The answer has arrived, and the heartbeat is overdue.
            os.kill(paused.process.pid, signal.SIGCONT)
            eventually(
                lambda: "taken over by another worker" in paused.output,
                "the paused worker does not resume",
            )
    each_fact_stored_once(CELLO)
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
        append_messages(talk, CELLO)
        eventually(lambda: reader.count(CHAT) == 1, "the model is not called")
        worker.process.send_signal(signal.SIGQUIT)
        worker.process.wait(40)
    assert lease_of_run() < 0
    sweep()
    assert Run.objects.get().state == Run.State.QUEUED


@pytest.mark.usefixtures("reader")
def test_paused_worker_does_not_renew_a_requeued_run(talk: Conversation) -> None:
    run = a_running_run(talk)
    expire_lease()
    sweep()
    assert not run.renew()
    assert Run.objects.get().lease_until is None
    assert Run.objects.get().claim()
    lease_until = Run.objects.get().lease_until
    assert not run.renew()
    assert Run.objects.get().lease_until == lease_until


@pytest.mark.usefixtures("reader")
def test_lease_is_not_renewed_past_the_time_limit(
    talk: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leased_jobs, "HEARTBEAT_SECONDS", 0.05)
    run = a_running_run(talk)
    soon = timezone.now() + timedelta(seconds=1)
    with run.kept(seconds=0.5):
        Run.objects.update(lease_until=soon)
        eventually(
            lambda: Run.objects.get().lease_until != soon, "the lease is not renewed at first"
        )
        time.sleep(0.7)
        Run.objects.update(lease_until=soon)
        time.sleep(0.3)
        assert Run.objects.get().lease_until == soon
    eventually(
        lambda: "heartbeat" not in {thread.name for thread in threading.enumerate()},
        "the heartbeat continues without work",
    )


@pytest.mark.usefixtures("reader")
def test_each_kind_of_work_is_held_by_one_worker(instance: Instance, talk: Conversation) -> None:
    past = timezone.now() - timedelta(seconds=1)
    webhook = Webhook.objects.create(
        instance=instance, url="https://a.example", events=["memory.learned"]
    )
    jobs: dict[LeasedJob, Callable[[], bool]] = {}
    for made in (
        a_queued_run(talk),
        Summary.objects.create(instance=instance, due_at=past),
        EmbeddingJob.objects.create(instance=instance, kind=EmbeddingJob.Kind.FILL_IN),
        Import.objects.create(instance=instance, filename="a"),
        Erasure.objects.create(instance=instance),
        GoldenRound.objects.create(instance=instance, cause=GoldenRound.Cause.NIGHTLY),
    ):
        jobs[made] = made.claim
    jobs[webhook] = partial(webhook.claim_among, Webhook.objects.ready())
    assert {type(job) for job in jobs} == set(every_kind())
    for job, claim in jobs.items():
        assert claim()
        assert not claim(), "two workers hold it"
        slow = copy(job)
        job.row().update(lease_until=past)
        assert job.renew()
        job.refresh_from_db()
        assert job.lease_until
        assert job.lease_until > timezone.now() + timedelta(
            seconds=LEASE_SECONDS - HEARTBEAT_SECONDS
        )
        # Another worker takes over.
        assert job.claim_among(type(job)._default_manager.all())
        assert not slow.renew()
        assert not slow.release(), "a worker has ended the lease of another one"
        assert job.release()
        assert not job.renew(), "a released row is held again"
    assert not Memory.objects.exists()


def every_kind() -> Iterator[type[LeasedJob]]:
    return (model for model in apps.get_models() if issubclass(model, LeasedJob))
