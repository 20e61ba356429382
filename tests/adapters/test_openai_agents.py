"""The page on sessions of the OpenAI Agents SDK, with the SDK itself."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, SessionSettings
from agents.memory import Session
from openai import AsyncOpenAI

from instances.models import Instance
from memoryapp.models import StoredDocument
from tests.adapters.conftest import Keepsake
from tests.adapters.pages import adapter
from tests.provider_fixtures import provider
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]

SessionOf = Callable[[str], Any]


@pytest.fixture
def session_of(keepsake: Keepsake) -> SessionOf:
    """A session of Ana, by its id."""
    kind = adapter("openai-agents").KeepsakeSession

    def session_of(name: str) -> Any:
        _made.append(kind(name, *keepsake, user_id="ana"))
        return _made[-1]

    return session_of


_made: list[Any] = []


def run(talk: Coroutine[Any, Any, None]) -> None:
    """Run *talk*, and close the connections of its sessions in the same loop."""

    async def closing() -> None:
        try:
            await talk
        finally:
            while _made:
                await _made.pop()._http.aclose()

    asyncio.run(closing())


def item(number: int) -> dict[str, Any]:
    return {"role": "user", "content": f"message {number}"}


def test_items_come_back_in_their_order(session_of: SessionOf) -> None:
    odd = [
        {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": '{"a": 1.0}'},
        {"type": "function_call_output", "call_id": "call_1", "output": "line\r\n"},
    ]

    async def talk() -> None:
        session, other = session_of("one"), session_of("two")
        assert await session.get_items() == []
        assert await session.pop_item() is None
        await session.add_items([item(1), item(2)])
        await other.add_items([item(99)])
        await session.add_items([])
        await session.add_items(odd)
        assert await session.get_items() == [item(1), item(2), *odd]
        assert await session.get_items(limit=3) == [item(2), *odd]
        assert await session.get_items(limit=0) == []
        session.session_settings = SessionSettings(limit=1)
        assert await session.get_items() == odd[1:]
        session.session_settings = None
        assert await session.pop_item() == odd[1]
        assert await session.pop_item() == odd[0]
        assert await session.pop_item() == item(2)
        await session.add_items([item(3)])
        assert await session.get_items() == [item(1), item(3)]
        await session.clear_session()
        assert await session.get_items() == []
        assert await other.get_items() == [item(99)]

    run(talk())
    assert StoredDocument.objects.get().end_user == "ana"


def test_it_is_a_session(session_of: SessionOf) -> None:
    async def talk() -> None:
        assert isinstance(session_of("any"), Session)

    run(talk())


def test_a_long_session_is_read_in_pages(session_of: SessionOf, instance: Instance) -> None:
    StoredDocument.objects.bulk_create(
        StoredDocument(
            instance=instance,
            namespace=["openai-agents", "long"],
            key=f"{number:09}",
            body=json.dumps({"items": [item(number)]}),
            size=1,
            search="",
        )
        for number in range(105)
    )

    async def talk() -> None:
        session = session_of("long")
        assert await session.get_items() == [item(number) for number in range(105)]
        assert await session.get_items(limit=102) == [item(number) for number in range(3, 105)]
        await session.clear_session()
        assert await session.get_items() == []

    run(talk())


def test_two_writers_lose_nothing(session_of: SessionOf) -> None:
    async def talk() -> None:
        writers = [session_of("shared") for _ in range(4)]
        await asyncio.gather(*(writers[n % 4].add_items([item(n)]) for n in range(8)))
        items = await writers[0].get_items()
        assert sorted(each["content"] for each in items) == sorted(
            item(n)["content"] for n in range(8)
        )
        popped = await asyncio.gather(*(writer.pop_item() for writer in writers))
        left = await writers[0].get_items()
        assert len(left) == 4
        assert not [each for each in popped if each in left]

    run(talk())


def test_an_agent_continues_its_conversation(
    session_of: SessionOf, provider: ScriptedProvider
) -> None:
    provider.reply_with("Noted.")
    config = RunConfig(tracing_disabled=True)

    async def talk() -> None:
        async with AsyncOpenAI(base_url=provider.base_url, api_key="none") as client:
            agent = Agent(name="helper", model=OpenAIChatCompletionsModel("any", client))
            for text in ("I keep bees.", "What do I keep?"):
                await Runner.run(agent, text, session=session_of("bees"), run_config=config)

    run(talk())
    sent = provider.requests[-1].body["messages"]
    assert [each["role"] for each in sent] == ["user", "assistant", "user"]
    assert sent[0]["content"] == "I keep bees."
