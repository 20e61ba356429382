"""A real worker with a failing provider loses nothing and stores nothing twice."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.embedded.redis import RedisServer
from memoryapp.models import Memory, MemoryEmbedding, MemorySource, Run, Usage
from memoryapp.tasks import sweep
from tests.faults.worker import Worker, empty_queue, sweep_until_over
from tests.provider_fixtures import (
    embed_with,
    eventually,
    fill_in,
    unfinished_messages,
)
from tests.scripted_provider import ScriptedProvider

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker")]

CHAT = "chat/completions"
FAULTS = ["429", "500", "hang", "drop", "html", "empty", "truncated_json", "half_content", "length"]
FACTS = ["I play the cello.", "My sister is a nurse.", "I moved to Lyon."]


@pytest.fixture(scope="module")
def worker(servers: RedisServer, django_db_setup: None) -> Iterator[Worker]:
    """One worker for all tests of this module, which it must survive."""
    empty_queue(servers)
    with Worker() as worker:
        yield worker
        assert worker.process.poll() is None, worker.output


def append_messages(talk: Conversation, *texts: str) -> None:
    append(talk, [*(NewMessage("user", text) for text in texts), NewMessage("assistant", "I see.")])


def each_fact_stored_once() -> None:
    assert sorted(Memory.objects.values_list("content", flat=True)) == sorted(FACTS)
    assert MemorySource.objects.count() == len(FACTS)


def fail(provider: ScriptedProvider, fault: str, times: int | None) -> None:
    provider.fail_next(fault, times, CHAT, seconds=0.2, retry_after=2)


@pytest.mark.parametrize("fault", FAULTS)
def test_transient_failure_only_delays(
    reader: ScriptedProvider, talk: Conversation, fault: str
) -> None:
    fail(reader, fault, 2)
    append_messages(talk, *FACTS)
    sweep_until_over()
    run = Run.objects.get()
    assert (run.state, run.attempts, run.error) == (Run.State.SUCCEEDED, 3, "")
    assert reader.count(CHAT) == 3
    each_fact_stored_once()
    assert unfinished_messages(talk) == {}


@pytest.mark.parametrize(
    "fault",
    [pytest.param(name, marks=pytest.mark.soak if name != "500" else ()) for name in FAULTS],
)
def test_persistent_failure_is_reported_and_can_be_retried(
    reader: ScriptedProvider, talk: Conversation, fault: str
) -> None:
    fail(reader, fault, None)
    append_messages(talk, *FACTS)
    sweep_until_over()
    run = Run.objects.get()
    assert (run.state, run.attempts) == (Run.State.FAILED, Run.MAX_ATTEMPTS)
    assert run.error
    assert reader.count(CHAT) == Run.MAX_ATTEMPTS
    # Of an answer that breaks off, what was whole is kept.
    stored = Memory.objects.values_list("content", flat=True)
    assert list(stored) == (FACTS[:1] if fault in ("half_content", "length") else [])
    assert unfinished_messages(talk) == {}

    with reader.script.lock:
        reader.script.faults.clear()
    append_messages(talk)
    sweep_until_over()
    each_fact_stored_once()
    assert unfinished_messages(talk) == {}


def test_retry_after_is_respected(reader: ScriptedProvider, talk: Conversation) -> None:
    reader.fail_next("429", 1, CHAT, retry_after=120)
    started_at = timezone.now()
    append_messages(talk, *FACTS)
    eventually(lambda: Run.objects.get().error, "the run has not failed yet")
    run = Run.objects.get()
    assert timedelta(seconds=119) < run.due_at - started_at < timedelta(seconds=180)
    sweep()
    assert Run.objects.get().sent_at is None
    sweep_until_over()
    each_fact_stored_once()
    assert unfinished_messages(talk) == {}


def test_provider_without_structured_output_gets_plain_instructions(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    fail(reader, "reject_response_format", None)
    append_messages(talk, *FACTS)
    sweep_until_over()
    assert Run.objects.get().attempts == 1
    assert reader.count(CHAT) == 2
    each_fact_stored_once()
    assert unfinished_messages(talk) == {}


def test_facts_are_stored_without_vectors_when_embeddings_fail(
    reader: ScriptedProvider, instance: Instance, talk: Conversation
) -> None:
    embed_with(reader, instance)
    reader.fail_next("500", 1, "embeddings")
    append_messages(talk, *FACTS)
    sweep_until_over()
    each_fact_stored_once()
    assert not MemoryEmbedding.objects.exists()
    assert unfinished_messages(talk) == {}
    Usage.objects.update(at=timezone.now() - timedelta(minutes=2))
    instance.refresh_from_db()
    assert fill_in(instance) == len(FACTS)
