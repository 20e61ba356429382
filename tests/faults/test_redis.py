"""Storing replies while the broker is stopped or hanging, and recovery after its return."""

import os
import signal
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
import redis
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models.leased_jobs import RESEND_SECONDS
from memoryapp.embedded.redis import RedisServer
from memoryapp.models import Memory, Run
from memoryapp.tasks import sweep
from tests.faults.worker import Worker, empty_queue, sweep_until_over
from tests.provider_fixtures import unfinished_messages
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)

#: Replies stored in each measurement.
REPLIES = 25
#: Maximum seconds to store one reply on a busy machine.
CEILING = 0.3

Trouble = Callable[[RedisServer], None]


def stop(broker: RedisServer) -> None:
    broker.stop()


def hang(broker: RedisServer) -> None:
    assert broker.process is not None
    os.kill(broker.process.pid, signal.SIGSTOP)


@contextmanager
def in_trouble(broker: RedisServer, trouble: Trouble) -> Iterator[None]:
    """Keep the broker from answering until the end of the block."""
    trouble(broker)
    try:
        yield
    finally:
        if broker.process is not None:
            os.kill(broker.process.pid, signal.SIGCONT)
        broker.start()


def seconds_a_reply(talk: Conversation) -> list[float]:
    """Store replies, each of which queues a run; return the seconds for each."""
    durations = []
    for number in range(REPLIES):
        each = Conversation.objects.create(instance=talk.instance)
        turns = [
            NewMessage("user", f"I have been to place {number}."),
            NewMessage("assistant", "I see."),
        ]
        started = time.perf_counter()
        append(each, turns)
        durations.append(time.perf_counter() - started)
    assert Run.objects.filter(state=Run.State.QUEUED).count() == REPLIES
    Run.objects.all().delete()
    return durations


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("trouble", [stop, hang])
def test_storing_a_reply_is_as_fast_without_a_broker(
    broker: RedisServer, talk: Conversation, trouble: Trouble
) -> None:
    seconds_a_reply(talk)  # warm up
    healthy = seconds_a_reply(talk)
    with in_trouble(broker, trouble):
        troubled = seconds_a_reply(talk)
    # Twice as long is noise on a busy machine; timeouts of the broker take seconds.
    assert statistics.median(troubled) < 2 * statistics.median(healthy) + 0.01
    assert statistics.median(troubled) < CEILING
    assert max(troubled) < 2.0


@pytest.mark.soak
@pytest.mark.parametrize("trouble", [stop, hang])
def test_messages_stored_without_a_broker_are_read_after_its_return(
    broker: RedisServer, reader: ScriptedProvider, talk: Conversation, trouble: Trouble
) -> None:
    with Worker() as worker:
        with in_trouble(broker, trouble):
            append(
                talk, [NewMessage("user", "I play the cello."), NewMessage("assistant", "I see.")]
            )
            assert talk.messages.count() == 2
            run = Run.objects.get()
            assert (run.state, run.sent_at) == (Run.State.QUEUED, None)
            sweep()
            assert Run.objects.get().sent_at is None, "the run was sent without a broker"
        sweep_until_over()
        assert worker.process.poll() is None, "the worker did not survive the outage"
    assert Memory.objects.get().content == "I play the cello."
    assert reader.count("chat/completions") == 1
    assert unfinished_messages(talk) == {}


@pytest.mark.usefixtures("reader")
def test_tasks_lost_by_the_broker_are_sent_again(broker: RedisServer, talk: Conversation) -> None:
    append(talk, [NewMessage("user", "I play the cello."), NewMessage("assistant", "I see.")])
    sweep()
    sent_at = Run.objects.get().sent_at
    assert sent_at is not None
    sweep()
    assert Run.objects.get().sent_at == sent_at, "the run is sent again too early"

    empty_queue(broker)
    long_ago = timezone.now() - timedelta(seconds=RESEND_SECONDS + 1)
    Run.objects.update(sent_at=long_ago)
    sweep()
    assert Run.objects.get().sent_at != long_ago
    with redis.Redis(unix_socket_path=str(broker.socket)) as client:
        assert client.llen("celery") >= 1
