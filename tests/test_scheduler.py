"""The scheduler in the workers: one at a time sends, and knows what was sent before."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis

from memoryapp import scheduler
from memoryapp.celery import app
from memoryapp.embedded.redis import RedisServer
from memoryapp.scheduler import Scheduler, SchedulerThread
from memoryapp.telemetry import heartbeat
from memoryapp.telemetry.redis_store import client


@pytest.fixture(autouse=True)
def sent(servers: RedisServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What the schedulers send, as they send it."""
    names: list[str] = []
    monkeypatch.setattr(
        Scheduler, "apply_async", lambda self, entry, **options: names.append(entry.name)
    )
    client().delete(scheduler._LEASE, scheduler._SENT)
    yield names
    client().delete(scheduler._LEASE, scheduler._SENT)


def let_all_be_due(each: Scheduler) -> None:
    for entry in each.schedule.values():
        entry.last_run_at = datetime.now(UTC) - timedelta(days=2)
    each._heap = None


def look(each: Scheduler) -> None:
    """Look until nothing is due."""
    while each.tick() == 0:
        pass


def test_what_is_due_is_sent_once(sent: list[str]) -> None:
    one = Scheduler(app)
    look(one)
    assert sent == []
    let_all_be_due(one)
    look(one)
    look(one)
    assert sorted(sent) == sorted(app.conf.beat_schedule)


def test_only_the_holder_of_the_lease_sends(sent: list[str]) -> None:
    one, other = Scheduler(app), Scheduler(app)
    look(one)
    let_all_be_due(other)
    look(other)
    assert sent == []
    one.release()
    look(other)
    assert "sweep" in sent


def test_dead_holder_is_succeeded_when_its_lease_expires(sent: list[str]) -> None:
    one, other = Scheduler(app), Scheduler(app)
    look(one)
    assert 0 < int(str(client().ttl(scheduler._LEASE))) <= scheduler.LEASE_SECONDS
    client().delete(scheduler._LEASE)
    let_all_be_due(other)
    look(other)
    assert "sweep" in sent
    sent.clear()
    let_all_be_due(one)
    look(one)
    assert sent == []


def test_successor_knows_when_each_task_was_sent(sent: list[str]) -> None:
    one = Scheduler(app)
    let_all_be_due(one)
    look(one)
    one.release()
    sent.clear()

    other = Scheduler(app)
    let_all_be_due(other)
    look(other)

    assert sent == []
    assert other.schedule["decay"].last_run_at > datetime.now(UTC) - timedelta(minutes=1)


def test_without_redis_nothing_is_sent_and_nothing_is_lost(
    sent: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Scheduler(app)
    look(one)
    let_all_be_due(one)

    def fail(*arguments: Any) -> None:
        raise redis.ConnectionError("down")

    with monkeypatch.context() as down:
        down.setattr(scheduler, "client", lambda: type("Down", (), {"eval": fail}))
        look(one)
    assert sent == []
    let_all_be_due(one)
    look(one)
    assert sorted(sent) == sorted(app.conf.beat_schedule)


def test_failure_is_logged_and_tried_again(
    sent: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(scheduler, "LOOK_SECONDS", 0.01)
    thread = SchedulerThread(app)
    let_all_be_due(thread._scheduler)
    reserve, failures = Scheduler.reserve, iter([ValueError("once")])

    def fail_once(self: Scheduler, entry: Any) -> Any:
        if failure := next(failures, None):
            raise failure
        return reserve(self, entry)

    monkeypatch.setattr(Scheduler, "reserve", fail_once)
    thread.start()
    thread.join(1)
    heartbeat.beat(heartbeat.SCHEDULER)
    thread.stop()
    assert "The scheduler failed" in caplog.text
    assert sorted(sent) == sorted(app.conf.beat_schedule)
    assert not thread.is_alive()
    # Another may take over at once.
    assert client().get(scheduler._LEASE) is None
    assert heartbeat.last_sign(heartbeat.SCHEDULER) is None
