"""The circuit breaker for failing servers of one instance."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError
from django.utils import timezone

from conversations.models import Conversation
from instances.models import CircuitBreaker, Instance
from instances.provider_urls import server_of
from memoryapp.embeddings.embedder import embed
from memoryapp.extraction.run import queue, read
from memoryapp.models import Run, Summary, Usage
from memoryapp.providers import chat
from memoryapp.providers.configured import chat_endpoint
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ErrorKind, ProviderError
from memoryapp.providers.messages_api import MessagesOptions, stream_events
from memoryapp.providers.stream_chunks import stream_chunks
from memoryapp.recall import recall
from memoryapp.summary.generation import write
from tests.api.conftest import key_of
from tests.provider_fixtures import (
    embed_with,
    keep_everything,
    provider,
    read_with,
)
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]
MOST = CircuitBreaker.MAX_FAILURES


@pytest.fixture
def endpoint(provider: ScriptedProvider, instance: Instance) -> Endpoint:
    read_with(provider, instance)
    found = chat_endpoint(instance)
    assert found is not None
    return found


def call(endpoint: Endpoint) -> ProviderError | None:
    """Make one call; return its error."""
    try:
        chat.check_chat(endpoint, timeout=5)
    except ProviderError as error:
        return error
    return None


def fail(provider: ScriptedProvider, endpoint: Endpoint, times: int = MOST) -> None:
    provider.fail_next("500", times)
    for _ in range(times):
        error = call(endpoint)
        assert error is not None and error.was_sent


def breaker() -> CircuitBreaker:
    return CircuitBreaker.objects.get()


def wait_is_over() -> None:
    CircuitBreaker.objects.update(retry_at=timezone.now() - timedelta(seconds=1))


def test_breaker_opens_after_consecutive_failures(
    provider: ScriptedProvider, endpoint: Endpoint, instance: Instance
) -> None:
    instance.time_zone = "Asia/Tokyo"
    instance.save()
    fail(provider, endpoint)
    sent = len(provider.requests)
    refused = call(endpoint)
    assert refused is not None
    assert (refused.kind, refused.retryable, refused.was_sent) == (
        ErrorKind.CIRCUIT_OPEN,
        True,
        False,
    )
    assert 0 < (refused.retry_after or 0) <= CircuitBreaker.FIRST_WAIT_SECONDS
    at = (timezone.now() + timedelta(seconds=74, hours=9)).strftime("%H:%M")
    minute_before = (timezone.now() + timedelta(seconds=14, hours=9)).strftime("%H:%M")
    said = f"127.0.0.1:{provider.port} has failed 5 times in a row. Keepsake tries again at "
    assert str(refused) in (f"{said}{at}.", f"{said}{minute_before}.")
    assert len(provider.requests) == sent
    assert "The server had an error." in breaker().said


@pytest.mark.parametrize("fault", ["500", "drop", "hang"])
def test_server_failures_count(fault: str, provider: ScriptedProvider, endpoint: Endpoint) -> None:
    provider.fail_next(fault, None)
    with pytest.raises(ProviderError):
        chat.check_chat(endpoint, timeout=0.2)
    assert breaker().failures == 1


@pytest.mark.parametrize("fault", ["401", "429", "reject_response_format", "html", "empty"])
def test_answers_of_a_working_server_do_not_count(
    fault: str, provider: ScriptedProvider, endpoint: Endpoint
) -> None:
    fail(provider, endpoint, MOST - 1)
    provider.fail_next(fault)
    call(endpoint)
    assert not CircuitBreaker.objects.exists()
    fail(provider, endpoint, MOST - 1)
    assert not breaker().retry_at


def test_unsent_calls_do_not_count(
    provider: ScriptedProvider, endpoint: Endpoint, instance: Instance
) -> None:
    fail(provider, endpoint, 1)
    wrong = Endpoint("custom", endpoint.base_url, "a key", "m", instance.pk)
    assert call(wrong) is not None
    assert breaker().failures == 1


def test_breaker_is_separate_for_each_instance_and_server(
    provider: ScriptedProvider, endpoint: Endpoint, private: Instance
) -> None:
    fail(provider, endpoint)
    read_with(provider, private)
    theirs = chat_endpoint(private)
    assert theirs is not None and call(theirs) is None
    with ScriptedProvider() as other:
        elsewhere = Endpoint("custom", other.base_url, "", "m", endpoint.instance_id)
        assert call(elsewhere) is None
    refused = call(endpoint)
    assert refused is not None and not refused.was_sent


def test_single_probe_call_tests_recovery(provider: ScriptedProvider, endpoint: Endpoint) -> None:
    fail(provider, endpoint)
    wait_is_over()
    first, second = breaker(), breaker()
    assert first.admits()
    assert not second.admits(), "two callers made a probe call"
    assert not breaker().admits()
    wait_is_over()
    assert call(endpoint) is None
    assert not CircuitBreaker.objects.exists()
    assert call(endpoint) is None


def test_wait_doubles_up_to_five_minutes(provider: ScriptedProvider, endpoint: Endpoint) -> None:
    fail(provider, endpoint)
    waits = []
    for _ in range(7):
        began = timezone.now()
        waits.append(breaker().wait_seconds)
        wait_seconds = ((breaker().retry_at or began) - began).total_seconds()
        assert waits[-1] - 5 < wait_seconds <= waits[-1]
        wait_is_over()
        fail(provider, endpoint, 1)
    assert waits == [15, 30, 60, 120, 240, 300, 300]


def test_calls_in_flight_do_not_extend_the_wait(instance: Instance) -> None:
    for _ in range(3 * MOST):
        CircuitBreaker.objects.record_failure(instance.pk, "http://a.example", "No.")
    assert (breaker().failures, breaker().wait_seconds) == (15, 15)


@pytest.mark.parametrize("path", ["chat/completions", "messages"])
def test_streams_count_like_calls(
    path: str, provider: ScriptedProvider, endpoint: Endpoint
) -> None:
    user = {"role": "user", "content": "Tell me something that is long enough."}
    asked = {"messages": [user], "max_tokens": 100}

    def last() -> Any:
        if path == "messages":
            return list(stream_events(endpoint, asked, MessagesOptions(), silence=1))[-1]
        return list(stream_chunks(endpoint, asked, silence=1))[-1]

    provider.fail_next("cut_stream", MOST, path)
    for number in range(MOST):
        assert last().kind == ErrorKind.UNREACHABLE
        assert breaker().failures == number + 1
    assert last().kind == ErrorKind.CIRCUIT_OPEN
    assert provider.count(path) == MOST
    wait_is_over()
    assert isinstance(last(), dict)
    assert not CircuitBreaker.objects.exists()


def test_breaker_is_read_once_and_written_only_on_failure(
    provider: ScriptedProvider, endpoint: Endpoint, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(1):
        assert call(endpoint) is None


def test_failure_of_the_breaker_does_not_fail_the_call(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, provider: ScriptedProvider
) -> None:
    def broken(*args: Any, **kwargs: Any) -> Any:
        raise DatabaseError("no such table")

    monkeypatch.setattr(type(CircuitBreaker.objects.all()), "select_related", broken)
    monkeypatch.setattr(type(CircuitBreaker.objects.all()), "record_failure", broken)
    assert call(endpoint) is None
    provider.fail_next("500")
    error = call(endpoint)
    assert error is not None and error.kind == ErrorKind.SERVER_ERROR


def test_blocked_call_is_not_recorded_in_the_usage(
    provider: ScriptedProvider, endpoint: Endpoint, instance: Instance
) -> None:
    fail(provider, endpoint)
    embed_with(provider, instance)
    booked = Usage.objects.count()
    answer = embed(instance, ["A text."], about=())
    assert answer.vectors is None and "has failed 5 times in a row" in answer.problem
    assert Usage.objects.count() == booked


def test_recall_degrades_to_words_at_once(
    provider: ScriptedProvider, endpoint: Endpoint, instance: Instance
) -> None:
    embed_with(provider, instance)
    CircuitBreaker.objects.create(
        instance=instance,
        server=server_of(provider.base_url),
        failures=MOST,
        wait_seconds=15,
        retry_at=timezone.now() + timedelta(seconds=15),
    )
    found = recall(instance, "Which boat?")
    assert found.degraded == "embedding_unavailable"
    assert provider.requests == []


@pytest.fixture
def waiting_run(conversation: Conversation, provider: ScriptedProvider) -> Iterator[Run]:
    provider.reply_with(keep_everything)
    run = Run.objects.filter(conversation=conversation).first() or queue(conversation)
    assert run is not None
    yield run


def work(run: Run) -> Run:
    Run.objects.filter(pk=run.pk).update(due_at=timezone.now())
    run.refresh_from_db()
    assert run.claim()
    read(run)
    run.refresh_from_db()
    return run


def test_run_waits_without_losing_an_attempt(
    provider: ScriptedProvider, endpoint: Endpoint, waiting_run: Run
) -> None:
    fail(provider, endpoint)
    for _ in range(2 * Run.MAX_ATTEMPTS):
        run = work(waiting_run)
        assert (run.state, run.attempts) == (Run.State.QUEUED, 0)
        assert "Keepsake tries again at" in run.error
        assert run.due_at >= retry_at() - timedelta(seconds=1)
    wait_is_over()
    run = work(waiting_run)
    assert (run.state, run.attempts) == (Run.State.SUCCEEDED, 1)


def test_deferred_run_is_not_held_by_a_worker_with_a_lost_lease(
    provider: ScriptedProvider, endpoint: Endpoint, waiting_run: Run
) -> None:
    assert waiting_run.claim()
    dead = Run.objects.get(pk=waiting_run.pk)
    Run.objects.update(state=Run.State.QUEUED)
    fail(provider, endpoint)
    work(waiting_run)
    assert waiting_run.claim() is False, "the run is due too early"
    Run.objects.update(due_at=timezone.now())
    assert waiting_run.claim()
    assert waiting_run.attempts > dead.attempts
    assert not dead.still_mine().exists() and waiting_run.still_mine().exists()


def test_summary_waits_without_losing_an_attempt(
    provider: ScriptedProvider, endpoint: Endpoint, instance: Instance, store_memory: Any
) -> None:
    store_memory("The user sails a red boat.")
    fail(provider, endpoint)
    summary, _ = Summary.objects.update_or_create(
        instance=instance, end_user="", defaults={"due_at": timezone.now(), "attempts": 0}
    )
    assert summary.claim()
    write(summary)
    summary.refresh_from_db()
    assert (summary.attempts, summary.text) == (0, "")
    assert summary.due_at is not None and summary.due_at > timezone.now()
    assert "Keepsake tries again at" in summary.error


def retry_at() -> datetime:
    found = breaker().retry_at
    assert found is not None
    return found


@pytest.mark.django_db(transaction=True)
def test_api_clients_are_informed(
    provider: ScriptedProvider, endpoint: Endpoint, instance: Instance
) -> None:
    program = key_of(instance)[1]
    fail(provider, endpoint)
    for streams in (False, True):
        answer = program.ask(
            "POST",
            "/v1/chat/completions",
            {"messages": [{"role": "user", "content": "Hello"}], "stream": streams},
        )
        assert answer.status_code == 503
        assert answer.json()["error"]["code"] == "circuit_open"
        assert 0 < int(answer["Retry-After"]) <= 15
