"""All calls to providers go through the gate and respect its limits."""

import ast
import json
import re
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from instances.models import AllowedAddress, Instance
from memoryapp.models import Usage
from memoryapp.providers import chat, messages_api, stream_chunks
from memoryapp.providers.chat import read_completion
from memoryapp.providers.chat_stream import (
    MAX_ARGUMENT_CHARACTERS,
    MAX_CALLS,
    Assembly,
    converse,
)
from memoryapp.providers.embeddings import OpenAIEmbedder
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import MAX_ERROR_CHARACTERS, ErrorKind, ProviderError
from memoryapp.providers.field_values import MAX_MODEL_CHARACTERS, MAX_TOKENS
from memoryapp.providers.messages_api import (
    MessagesOptions,
    complete_message,
    count_tokens,
    stream_events,
)
from tests.outgoing.wire import Wire, request, whole, wire
from tests.scripted_provider import ScriptedProvider

KEY = "sk-test-4f2aQ9zLk31VbXw7Yp0C"
SECONDS = 1.0
MESSAGE = {"max_tokens": 9, "messages": [{"role": "user", "content": "Hello."}]}


def stream(endpoint: Endpoint) -> None:
    for chunk in stream_chunks.stream_chunks(endpoint, {"messages": []}, silence=SECONDS):
        if isinstance(chunk, ProviderError):
            raise chunk


def stream_message(endpoint: Endpoint) -> None:
    for event in stream_events(endpoint, MESSAGE, MessagesOptions(), silence=SECONDS):
        if isinstance(event, ProviderError):
            raise event


#: Each kind of call, with the maximum bytes of its response.
CALLS: dict[str, tuple[Callable[[Endpoint], object], int]] = {
    "structured": (
        lambda endpoint: chat.complete_json(
            endpoint, system="", user="", schema={}, schema_name="x", timeout=SECONDS
        ),
        1_000_000,
    ),
    "test": (lambda endpoint: chat.check_chat(endpoint, timeout=SECONDS), 1_000_000),
    "whole": (
        lambda endpoint: stream_chunks.complete_answer(endpoint, {"messages": []}, timeout=SECONDS),
        8_000_000,
    ),
    "stream": (stream, 8_000_000),
    "conversation": (lambda endpoint: list(converse(endpoint, [], silence=SECONDS)), 8_000_000),
    "models": (lambda endpoint: stream_chunks.list_models(endpoint, timeout=SECONDS), 1_000_000),
    "message": (
        lambda endpoint: complete_message(endpoint, MESSAGE, MessagesOptions(), timeout=SECONDS),
        8_000_000,
    ),
    "events": (stream_message, 8_000_000),
    "tokens": (
        lambda endpoint: count_tokens(endpoint, MESSAGE, MessagesOptions(), timeout=SECONDS),
        1_000_000,
    ),
    "embeddings": (
        lambda endpoint: OpenAIEmbedder(endpoint, 1536, timeout=SECONDS).embed(["a", "b"]),
        1_122_880,
    ),
}


def failed(kind: str, url: str) -> ProviderError:
    call, _ = CALLS[kind]
    with pytest.raises(ProviderError) as caught:
        call(Endpoint("custom", f"{url}/v1", KEY, "model"))
    assert KEY not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("kind", CALLS)
def test_disallowed_address_is_not_called(
    kind: str, db: None, provider: ScriptedProvider, nothing_listed: None
) -> None:
    error = failed(kind, provider.base_url.removesuffix("/v1"))
    assert (error.kind, error.retryable) == (ErrorKind.NOT_ALLOWED, False)
    assert str(error).startswith("Keepsake does not call 127.0.0.1: ")
    assert not provider.requests
    AllowedAddress.objects.create(address="127.0.0.1")
    CALLS[kind][0](Endpoint("custom", provider.base_url, KEY, f"allowed-{kind}"))
    assert provider.requests


@pytest.mark.parametrize("kind", CALLS)
def test_redirect_is_reported_without_secrets(kind: str) -> None:
    def elsewhere(connection: socket.socket, state: Wire) -> None:
        request(connection)
        location = "Location: http://169.254.169.254/latest?token=hidden"
        connection.sendall(whole(b"", location, status="302 Found"))

    with wire(elsewhere) as server:
        error = failed(kind, server.url)
        assert str(error) == (
            f"{server.url}/v1 redirects to http://169.254.169.254/latest, which is not followed. "
            "Enter that address in Settings if it is right."
        )
        assert error.kind == ErrorKind.BAD_REQUEST
        assert server.connections == 1


@pytest.mark.parametrize("kind", CALLS)
@pytest.mark.parametrize("status", ["200 OK", "500 Broken"])
def test_endless_response_is_cut_off(kind: str, status: str) -> None:
    def endless(connection: socket.socket, state: Wire) -> None:
        request(connection)
        connection.sendall(
            f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n\r\n".encode() + b'{"model":"'
        )
        while state.sent < 400_000_000:
            connection.sendall(b"x" * 65536)
            state.sent += 65536

    with wire(endless) as server:
        error = failed(kind, server.url)
    assert error.kind == ErrorKind.UNUSABLE_ANSWER
    most = CALLS[kind][1] / 1_000_000
    assert str(error) == f"{server.url}/v1 answered with more than {most:.3g} MB."
    assert server.sent < 40_000_000


@pytest.mark.parametrize("kind", ["stream", "conversation", "events"])
def test_endless_stream_is_cut_off(kind: str) -> None:
    def endless(connection: socket.socket, state: Wire) -> None:
        request(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        chunk: dict[str, Any] = {"choices": [{"delta": {"content": "x" * 10_000}}]}
        if kind == "events":
            begun = {"type": "message", "role": "assistant", "content": []}
            start = {"type": "message_start", "message": begun}
            connection.sendall(f"data: {json.dumps(start)}\n\n".encode())
            chunk = {"type": "ping", "text": "x" * 10_000}
        while state.sent < 400_000_000:
            connection.sendall(f"data: {json.dumps(chunk)}\n\n".encode())
            state.sent += 10_000

    with wire(endless) as server:
        assert "more than 8 MB" in str(failed(kind, server.url))
    assert server.sent < 40_000_000


@pytest.mark.parametrize("kind", CALLS)
def test_dripping_response_times_out(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (stream_chunks, messages_api):
        monkeypatch.setattr(module, "MAX_STREAM_SECONDS", 1.5 * SECONDS)

    def drip(connection: socket.socket, state: Wire) -> None:
        request(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        while True:
            connection.sendall(b": still here\n\n")
            time.sleep(0.1)

    began = time.monotonic()
    with wire(drip) as server:
        error = failed(kind, server.url)
    assert (error.kind, error.retryable) == (ErrorKind.TIMEOUT, True)
    assert str(error) == f"{server.url}/v1 took longer than 1.5 seconds in all."
    assert time.monotonic() - began < 10


def test_large_batch_of_vectors_is_accepted() -> None:
    """The response is indented, and its numbers have all digits."""

    def answer(connection: socket.socket, state: Wire) -> None:
        count = len(json.loads(request(connection).partition(b"\r\n\r\n")[2])["input"])
        data = [{"index": at, "embedding": [-1.2345678901234567e-05] * 4000} for at in range(count)]
        connection.sendall(whole(json.dumps({"data": data}, indent=4).encode()))

    with wire(answer) as server:
        endpoint = Endpoint("custom", f"{server.url}/v1", KEY, "model")
        assert OpenAIEmbedder(endpoint).embed(["text"] * 64).vectors.shape == (64, 4000)


# Values parsed from a response.


def test_numbers_and_names_are_limited_to_their_columns(instance: Instance) -> None:
    answer = {
        "model": "\x00mo\ud800del" + "x" * 10_000,
        "choices": [{"message": {"content": "Hello."}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 99999999999999999999, "completion_tokens": True},
    }
    endpoint = Endpoint("custom", "http://127.0.0.1/v1", "", "model")
    completion = read_completion(answer, endpoint)
    assembly = Assembly(endpoint)
    assembly.take(answer)
    for message in (completion, assembly.reply()):
        assert message.prompt_tokens == MAX_TOKENS
        assert message.model.startswith("mo?del")
        assert len(message.model) == MAX_MODEL_CHARACTERS
    Instance.objects.update(prompt_price="999999.9999", completion_price="999999.9999")
    instance.refresh_from_db()
    for count in (MAX_TOKENS, 10**20):
        booked = Usage.objects.record(
            instance,
            Usage.Source.CHAT,
            completion.model + "\x00",
            host="models.example",
            about=(),
            prompt_tokens=count,
            completion_tokens=count,
            error=ProviderError(ErrorKind.SERVER_ERROR, "\x00" + "why " * 1000),
        )
        booked.refresh_from_db()
        assert len(booked.error) == MAX_ERROR_CHARACTERS


def test_tool_calls_are_limited() -> None:
    assembly = Assembly(Endpoint("custom", "http://127.0.0.1/v1", "", "model"))
    call = {"function": {"name": "n" * 1000, "arguments": "x" * 60_000}}
    for _ in range(3):
        calls = [{"id": "c\x00" * 1000, "index": 0, **call}]
        assembly.take({"choices": [{"delta": {"tool_calls": calls}}]})
    for number in range(5 * MAX_CALLS):
        calls = [{"id": f"call-{number}", **call}]
        assembly.take({"choices": [{"delta": {"tool_calls": calls}}]})
    reply = assembly.reply()
    assert len(reply.tool_calls) == MAX_CALLS
    assert (len(reply.tool_calls[0].id), len(reply.tool_calls[0].name)) == (200, 200)
    assert "\x00" not in reply.tool_calls[0].id
    assert len(reply.tool_calls[0].arguments) == MAX_ARGUMENT_CHARACTERS


# No other network access.

NETWORK = re.compile(
    r"(httpx2?|httpcore2?|requests|urllib3|aiohttp|pycurl|websockets?|http\.client|urllib\.request"
    r"|socket|asyncio\.streams|ftplib|smtplib|telnetlib|xmlrpc\.client)(\.|$)"
)
#: Modules that may import network libraries, and why.
ALLOWED = {
    "instances/provider_urls.py": {"httpx2"},  # to read addresses as the client does
    "instances/outgoing/limits.py": {"httpx2"},
    "instances/outgoing/transport.py": {"httpcore2", "httpx2"},
    "instances/outgoing/client.py": {"httpx2"},
    "instances/outgoing/resolving.py": {"socket"},  # to resolve names
    "instances/oauth/client_documents.py": {"httpx2"},  # its errors
    # Requests of allauth to an identity provider and of traces to a collector.
    "instances/outgoing/requests_session.py": {"httpx2", "requests"},
    "instances/signin/oidc.py": {"requests"},  # its errors
    "instances/signin/adapters.py": {"requests"},  # the type of the session
    # Between processes of one user, through a unix socket.
    "memoryapp/providers/builtin_model/client.py": {"socket"},
    "memoryapp/providers/builtin_model/frames.py": {"socket"},
    "memoryapp/providers/builtin_model/process.py": {"socket"},
    "memoryapp/audit/forwarding.py": {"httpcore2", "httpx2"},  # their errors
    "memoryapp/webhooks/delivery.py": {"httpx2"},  # its errors
    "memoryapp/providers/errors.py": {"socket"},  # the names of its errors
    "memoryapp/providers/server_info.py": {"httpx2"},  # the same
    "memoryapp/providers/messages_api.py": {"httpx2"},  # the type of the client's raw answers
    "memoryapp/telemetry/heartbeat.py": {"socket"},  # the name of this machine
    # To check whether the port is free and the server is up.
    "memoryapp/serving/run.py": {"socket", "urllib.request"},
    "memoryapp/embedded/redis.py": {"socket"},  # to ask its own server whether it answers
    "memoryapp/scheduler.py": {"socket"},  # the name of this machine
}


def imported(tree: ast.Module) -> set[str]:
    message: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            message.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            message.update((node.module, *(f"{node.module}.{a.name}" for a in node.names)))
    return message


def test_only_listed_modules_import_network_libraries() -> None:
    root = Path(settings.BASE_DIR)
    message: dict[str, set[str]] = {}
    for folder in ("instances", "conversations", "memoryapp"):
        for path in (root / folder).rglob("*.py"):
            modules = imported(ast.parse(path.read_text()))
            used = {match[1] for module in modules if (match := NETWORK.match(module))}
            if used:
                message[str(path.relative_to(root))] = used
    assert message == ALLOWED


def test_openai_client_is_created_in_one_place_with_the_gate() -> None:
    root = Path(settings.BASE_DIR)
    clients: dict[str, list[Any]] = {}
    for folder in ("instances", "conversations", "memoryapp"):
        for path in (root / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if not isinstance(node, ast.Call):
                    continue
                name = node.func.id if isinstance(node.func, ast.Name) else ""
                if name in ("OpenAI", "AsyncOpenAI", "AzureOpenAI"):
                    values = {word.arg: ast.unparse(word.value) for word in node.keywords}
                    clients.setdefault(str(path.relative_to(root)), []).append(
                        values["http_client"]
                    )
    assert clients == {"memoryapp/providers/client.py": ["Client()"]}
