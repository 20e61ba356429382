"""The page on Pydantic AI, with its own package."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import Candidate, Writer, remember
from tests.adapters.conftest import Keepsake
from tests.adapters.pages import adapter


@pytest.fixture
def ana(keepsake: Keepsake) -> Any:
    return adapter("pydantic-ai").Keepsake(*keepsake, user_id="ana")


def run(ana: Any, talk: Coroutine[Any, Any, None]) -> None:
    """Run *talk*, and close the connections in the same loop."""

    async def closing() -> None:
        try:
            await talk
        finally:
            await ana._http.aclose()

    asyncio.run(closing())


def answering(*answers: TextPart | ToolCallPart) -> tuple[FunctionModel, list[list[ModelMessage]]]:
    """A model that gives these answers, and the messages that it was sent."""
    waiting, sent = list(answers), []

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        sent.append(list(messages))
        return ModelResponse(parts=[waiting.pop(0)])

    return FunctionModel(answer), sent


def test_an_agent_continues_its_conversation(ana: Any) -> None:
    model, sent = answering(TextPart("Noted."), TextPart("Bees."))

    async def talk() -> None:
        agent = Agent(model)
        everything: list[ModelMessage] = []
        for text in ("I keep bees.\r\n", "What do I keep?"):
            history = await ana.history("chat")
            assert history == everything
            result = await agent.run(text, message_history=history)
            await ana.add("chat", result.new_messages())
            everything = result.all_messages()
        assert await ana.history("chat") == everything
        assert await ana.history("other") == []
        await ana.forget("chat")
        assert await ana.history("chat") == []

    run(ana, talk())
    assert [len(messages) for messages in sent] == [1, 3]


def test_the_tools_recall_and_remember(ana: Any, instance: Instance) -> None:
    remember(
        instance,
        [Candidate("The user keeps bees in Lyon.", end_user="ana")],
        Writer(Origin.MANUAL, Actor(via="test")),
    )
    model, sent = answering(
        ToolCallPart("recall", {"question": "Which animals do I keep?"}),
        ToolCallPart("remember", {"fact": "The user has a boat called Tern."}),
        TextPart("Bees."),
    )

    async def talk() -> None:
        result = await Agent(model, toolsets=[ana.toolset()]).run("What do I keep?")
        assert result.output == "Bees."

    run(ana, talk())
    assert "The user keeps bees in Lyon." in str(sent[1][-1])
    saved = Memory.objects.get(content__contains="Tern")
    assert (saved.end_user, saved.instance) == ("ana", instance)
