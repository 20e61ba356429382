"""Keepsake as a server for OpenAI clients, with the scripted provider behind it."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn
from django.db import connections
from openai import AsyncOpenAI, OpenAI

from instances.models import Instance
from memoryapp.api.v1 import worker_threads
from memoryapp.asgi import application
from tests.api.conftest import key_of
from tests.provider_fixtures import eventually, provider, read_with
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]


@pytest.fixture
def assisted(instance: Instance, provider: ScriptedProvider) -> Instance:
    """The instance, with memory on and a model that answers."""
    read_with(provider, instance)
    instance.chat_model = "talker"
    instance.save()
    return instance


@pytest.fixture
def address(assisted: Instance, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of the app, served in this process with the test database."""
    # Each request has its own thread, whose connection is closed at its end.
    monkeypatch.setitem(connections.databases["default"], "CONN_MAX_AGE", 0)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(application, lifespan="off", access_log=False, log_config=None)
        server = uvicorn.Server(config)
        thread = threading.Thread(
            target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True
        )
        thread.start()
        eventually(lambda: server.started, "the app answers")
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        finally:
            eventually(
                lambda: not worker_threads.threads.running, "every request has come to its end"
            )
            server.should_exit = True
            thread.join(30)


@pytest.fixture
def secret(assisted: Instance) -> str:
    """A key with the scopes read and write."""
    return key_of(assisted, ("read", "write"))[1].secret


@pytest.fixture
def client(address: str, secret: str) -> Iterator[OpenAI]:
    """The official OpenAI client with another base URL."""
    with OpenAI(base_url=address, api_key=secret, max_retries=0) as client:
        yield client


@pytest.fixture
def with_async_client(address: str, secret: str) -> Callable[..., Any]:
    """Run a coroutine function with the official asynchronous client."""

    def run(use: Callable[[AsyncOpenAI], Any]) -> Any:
        async def main() -> Any:
            async with AsyncOpenAI(base_url=address, api_key=secret, max_retries=0) as client:
                return await use(client)

        return asyncio.run(main())

    return run
