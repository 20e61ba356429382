"""Traces: what becomes one trace, what is in its spans, and what never is."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from celery.worker.request import Request as TaskRequest
from django.test import Client
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from pytest_django import Settings

from conversations.models import Conversation
from instances.models import Instance, Provider
from memoryapp.celery import app
from memoryapp.embedded.redis import RedisServer
from memoryapp.models import Memory
from memoryapp.providers.chat_stream import Reply, converse
from memoryapp.providers.endpoints import Endpoint
from memoryapp.tasks import dispatch
from memoryapp.telemetry import traces
from tests.api.rest_calls import post
from tests.provider_fixtures import embed_with, keep_everything, provider, read_with
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]

SAID = "I keep zebrafish in the marmalade cellar."
TRACE = "0af7651916cd43dd8448eb211c80319c"
CALLER = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}


@pytest.fixture
def exporter() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    traces.turn_on(traces.Tracing(exporter, at_once=True))
    yield exporter
    traces.turn_off()


def named(exporter: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    return {span.name: span for span in exporter.get_finished_spans()}


def parents(span: ReadableSpan, spans: dict[str, ReadableSpan]) -> list[str]:
    """Return the names of the spans above *span*, the nearest first."""
    by_id = {it.context.span_id: it for it in spans.values() if it.context}
    names = []
    while span.parent and (above := by_id.get(span.parent.span_id)):
        names.append(above.name)
        span = above
    return names


def carry_out_next_task() -> None:
    """Carry out the next task of the queue as a worker does."""
    with app.connection_for_read() as connection, connection.SimpleQueue("celery") as queue:
        message = queue.get(timeout=20)
        TaskRequest(message, app=app, on_ack=lambda *_: message.ack()).execute()


def assert_no_text(exporter: InMemorySpanExporter) -> None:
    everything = " ".join(span.to_json() for span in exporter.get_finished_spans()).lower()
    for word in ("zebrafish", "marmalade", "cellar"):
        assert word not in everything


@pytest.mark.django_db(transaction=True)
def test_message_becomes_a_memory_in_its_callers_trace(
    as_alice: Client,
    instance: Instance,
    provider: ScriptedProvider,
    exporter: InMemorySpanExporter,
    idle_broker: None,
    servers: RedisServer,
) -> None:
    read_with(provider, instance)
    embed_with(provider, instance)
    provider.reply_with(keep_everything)
    talk = Conversation.objects.create(instance=instance, end_user="alice")
    exporter.clear()
    dispatch.broker_pause.end()
    with app.connection_for_write() as connection:
        connection.default_channel.queue_purge("celery")
    body = {
        "messages": [{"role": "user", "content": SAID}, {"role": "assistant", "content": "I see."}]
    }
    answer = as_alice.post(
        f"/api/conversations/{talk.pk}/messages",
        body,
        content_type="application/json",
        headers=CALLER,
    )
    assert answer.status_code in (200, 201)
    assert answer["traceparent"].split("-")[1] == TRACE
    carry_out_next_task()
    assert SAID in Memory.objects.get().content
    spans = named(exporter)
    for span in spans.values():
        assert span.context and f"{span.context.trace_id:032x}" == TRACE
    task, request = spans["task extract"], next(name for name in spans if name.startswith("POST "))
    assert parents(task, spans) == [request]
    assert parents(spans["chat reader"], spans) == ["extraction", "task extract", request]
    assert parents(spans["embeddings words"], spans)[:2] == ["embed", "remember"]
    call = dict(spans["chat reader"].attributes or {})
    assert call["gen_ai.operation.name"] == "chat"
    assert call["gen_ai.provider.name"] == Provider.CUSTOM
    assert call["gen_ai.request.model"] == "reader"
    assert {"gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"} <= call.keys()
    for recorded in provider.requests:
        assert recorded.headers["traceparent"].split("-")[1] == TRACE
    assert_no_text(exporter)


def test_question_is_followed_to_its_hits(
    as_alice: Client,
    instance: Instance,
    provider: ScriptedProvider,
    exporter: InMemorySpanExporter,
    store_memory: Any,
) -> None:
    embed_with(provider, instance)
    store_memory(SAID)
    exporter.clear()
    found = post(as_alice, f"/api/search?instance_id={instance.pk}", {"q": "Where are zebrafish?"})
    assert SAID in str(found)
    spans = named(exporter)
    (request,) = (span for name, span in spans.items() if name.startswith("POST "))
    assert (request.attributes or {})["http.response.status_code"] == 200
    assert {"recall", "search", "embed", "embeddings words"} <= spans.keys()
    for name in ("recall", "search", "embed", "embeddings words"):
        assert parents(spans[name], spans)[-1] == request.name
    assert_no_text(exporter)


def test_errors_are_noted_by_their_kind_only(exporter: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="zebrafish"), traces.span("recall"):
        raise ValueError(SAID)
    (span,) = exporter.get_finished_spans()
    assert span.status.status_code is StatusCode.ERROR
    assert dict(span.attributes or {}) == {"error.type": "ValueError"}
    assert_no_text(exporter)


def ask(provider: ScriptedProvider) -> Iterator[str | Reply]:
    """Ask the provider for a streamed answer."""
    endpoint = Endpoint(Provider.CUSTOM, provider.base_url, "", "writer")
    return converse(endpoint, [{"role": "user", "content": SAID}])


def test_span_of_a_streamed_answer_ends_with_it(
    provider: ScriptedProvider, exporter: InMemorySpanExporter
) -> None:
    provider.reply_with("In the cellar.")
    with traces.span("answer"):
        asked = ask(provider)
        next(asked)
        assert "chat writer" not in named(exporter)
        *_, reply = asked
    assert isinstance(reply, Reply)
    spans = named(exporter)
    span = spans["chat writer"]
    assert parents(span, spans) == ["answer"]
    noted = dict(span.attributes or {})
    assert noted["gen_ai.request.stream"] is True
    assert noted["gen_ai.usage.input_tokens"] == reply.prompt_tokens > 0
    assert noted["gen_ai.usage.output_tokens"] == reply.completion_tokens > 0
    assert float(str(noted["gen_ai.response.time_to_first_chunk"])) > 0
    assert "error.type" not in noted
    assert span.context
    sent = provider.requests[-1].headers["traceparent"]
    assert sent.split("-")[2] == f"{span.context.span_id:016x}"
    assert_no_text(exporter)


def test_span_says_that_the_reader_of_a_stream_hung_up(
    provider: ScriptedProvider, exporter: InMemorySpanExporter
) -> None:
    provider.reply_with("In the cellar.")
    asked = ask(provider)
    next(asked)
    asked.close()  # type: ignore[attr-defined]  # It is a generator.
    span = named(exporter)["chat writer"]
    assert (span.attributes or {})["error.type"] == "cancelled"


def test_thread_continues_the_trace(exporter: InMemorySpanExporter) -> None:
    def work() -> None:
        with traces.span("inside"):
            pass

    with traces.span("outside"):
        thread = threading.Thread(target=traces.carried(work))
        thread.start()
        thread.join()
    spans = named(exporter)
    assert parents(spans["inside"], spans) == ["outside"]


def test_nothing_is_sent_or_answered_while_off(client: Client, db: None) -> None:
    answer = client.get("/healthz", headers=CALLER)
    assert "traceparent" not in answer
    assert traces.trace_headers() == {}
    assert traces.carried(post) is post


def test_exporter_is_imported_only_when_on() -> None:
    program = (
        "import django, sys; django.setup(); "
        "print(any(it.startswith('opentelemetry.exporter') for it in sys.modules))"
    )
    for endpoint, imported in (("", "False"), ("http://127.0.0.1:9", "True")):
        ended = subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ
            | {
                "DJANGO_SETTINGS_MODULE": "memoryapp.settings",
                "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint,
            },
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert ended.stdout.strip() == imported, ended.stderr


def test_collector_gets_spans_through_the_gate(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    received: list[tuple[str, bytes]] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append((self.path, body))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Collector)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        address = f"http://127.0.0.1:{server.server_port}"
        settings.OTEL_EXPORTER_OTLP_ENDPOINT = address
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        traces.start()
        with traces.span("recall"):
            pass
        traces.turn_off()
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    ((path, body),) = received
    assert path == "/v1/traces"
    assert b"recall" in body and b"keepsake" in body
