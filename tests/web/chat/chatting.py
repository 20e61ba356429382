"""Helpers for tests of the chat screen."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from conversations.models import Conversation, ConversationOrigin
from instances.models import Instance
from memoryapp.assistant import answer_threads
from memoryapp.models import Answer, Memory
from tests.provider_fixtures import eventually, provider, read_with
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]

EVENTS = {"Accept": "text/event-stream"}
HTMX = {"HX-Request": "true"}
Store = Callable[..., Memory]
Events = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def assisted(instance: Instance, provider: ScriptedProvider) -> Iterator[Instance]:
    """The instance, with memory on and a model that answers."""
    read_with(provider, instance)
    yield instance
    eventually(lambda: not answer_threads.threads.running, "every answer has come to its end")


@pytest.fixture
def chat(assisted: Instance) -> Conversation:
    return Conversation.objects.create(
        instance=assisted, title="Dinner", origin=ConversationOrigin.CHAT
    )


def events(response: Any) -> Events:
    """Read a stream of events to its end."""
    assert response.status_code == 200
    assert response["Content-Type"] == "text/event-stream"
    assert "no-store" in response["Cache-Control"]

    async def read() -> bytes:
        return b"".join([part async for part in response])

    text = async_to_sync(read)().decode()
    parsed = re.findall(r"event: (\w+)\ndata: (.*)\n\n", text)
    return [(name, json.loads(data)) for name, data in parsed]


def send(client: Client, url: str, message: str, **form: str) -> Events:
    return events(client.post(url, {"message": message} | form, headers=EVENTS))


def page(client: Client, url: str, headers: dict[str, str] | None = None) -> str:
    response = client.get(url, headers=headers or {})
    assert response.status_code == 200
    return str(response.content.decode())


def rendered_reply(stream: Events) -> str:
    """Return the reply as rendered before the last event."""
    parts = [data for name, data in stream if name == "words"]
    return "".join(part["done"] for part in parts) + (parts[-1]["last"] if parts else "")


def answered(conversation: Conversation) -> bool:
    return not Answer.objects.filter(conversation=conversation).running().exists()
