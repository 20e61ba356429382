"""LangChain's OpenAI client, in both of its ways to ask."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI, OpenAIEmbeddings

from memoryapp.models import Memory
from tests.api.v1.test_clients import transcript
from tests.scripted_provider import Request, Says, ScriptedProvider

# Requests are passed on in threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


@pytest.fixture(params=[False, True], ids=["chat completions", "responses"])
def model(request: pytest.FixtureRequest, address: str, secret: str) -> ChatOpenAI:
    return ChatOpenAI(
        base_url=address,
        api_key=lambda: secret,
        model="keepsake",
        use_responses_api=request.param,
        max_retries=0,
    )


def test_memories_reach_the_model(
    model: ChatOpenAI, provider: ScriptedProvider, store_memory: Callable[..., Memory]
) -> None:
    store_memory("The user is allergic to peanuts.")
    provider.reply_with("Nothing with peanuts.")
    asked = "What should I not cook?"
    assert model.invoke(asked).text == "Nothing with peanuts."
    assert "allergic to peanuts" in str(provider.requests[-1].body["messages"])
    assert "".join(part.text for part in model.stream(asked)) == "Nothing with peanuts."
    assert transcript()[:2] == [("user", asked), ("assistant", "Nothing with peanuts.")]


def test_tools_of_the_caller(model: ChatOpenAI, provider: ScriptedProvider) -> None:
    def reply(body: Request) -> Says:
        last = body["messages"][-1]
        if last["role"] == "tool":
            return Says(f"It is {last['content']}.")
        return Says("", [("weather", {"city": "Bari"})])

    provider.reply_with(reply)
    asked = HumanMessage("How is the weather?")
    with_tools = model.bind_tools([weather])
    called = with_tools.invoke([asked])
    (call,) = called.tool_calls
    assert (call["name"], call["args"]) == ("weather", {"city": "Bari"})
    result = ToolMessage(weather.invoke(call["args"]), tool_call_id=call["id"])
    assert with_tools.invoke([asked, called, result]).text == "It is sunny in Bari."


def test_embeddings(address: str, secret: str) -> None:
    options: dict[str, Any] = {"base_url": address, "api_key": secret, "model": "any"}
    # Texts as they are: by default it sends the numbers of OpenAI's tokens.
    embeddings = OpenAIEmbeddings(**options, check_embedding_ctx_length=False)
    assert len(embeddings.embed_query("peanuts")) == 384
