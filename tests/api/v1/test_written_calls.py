"""Calls that the model writes as text: ours run here, and the caller's become calls if certain."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from openai import OpenAI

from memoryapp.models import Memory, ToolRun
from tests.api.v1.test_clients import transcript
from tests.api.v1.test_tools import LYON, ON, WEATHER, ask, in_turn, names
from tests.scripted_provider import Request, Says, ScriptedProvider

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.parametrize("streams", [False, True]),
]
Store = Callable[..., Memory]

SEARCH = '<tool_call>\n{"name": "search_memory", "arguments": {"query": "peanuts"}}\n</tool_call>'
FORECAST = '{"name": "weather", "arguments": {"city": "Lyon"}}'
STRICT: Any = {
    "type": "function",
    "function": {
        "name": "weather",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["city"],
        },
    },
}


def test_own_call_runs_and_is_hidden(
    streams: bool, client: OpenAI, provider: ScriptedProvider, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.")
    in_turn(provider, Says(f"Let me look. {SEARCH}"), Says("Nothing with peanuts."))
    answer = ask(client, streams=streams, extra_headers=ON)
    assert answer["content"].split() == ["Let", "me", "look.", "Nothing", "with", "peanuts."]
    assert answer["finish_reason"] == "stop"
    assert not answer.get("tool_calls")
    assert "allergic to peanuts" in provider.requests[-1].body["messages"][-1]["content"]
    assert ToolRun.objects.get().ok
    assert "search_memory" not in transcript()[-1][1]


def test_own_call_that_is_broken_is_asked_again(
    streams: bool, client: OpenAI, provider: ScriptedProvider
) -> None:
    def reply(request: Request) -> str:
        return SEARCH.replace('"peanuts"', '"a "nut""') if "tools" in request else "Hello."

    provider.reply_with(reply)
    answer = ask(client, streams=streams, extra_headers=ON)
    assert (answer["content"], answer["finish_reason"]) == ("Hello.", "stop")
    assert provider.count("completions") == 2


@pytest.mark.parametrize("text", [FORECAST, f"```json\n{FORECAST}\n```"])
def test_certain_call_of_the_callers_tool_becomes_one(
    text: str, streams: bool, client: OpenAI, provider: ScriptedProvider
) -> None:
    provider.reply_with(text)
    answer = ask(client, streams=streams, tools=[STRICT])
    assert names(answer["tool_calls"]) == [LYON]
    assert answer["finish_reason"] == "tool_calls"
    assert not answer.get("content")
    assert transcript()[-1] == ("assistant", "")


@pytest.mark.parametrize(
    "text",
    [
        f"You could write {FORECAST}",
        f"{FORECAST} That is how.",
        '{"name": "weather", "arguments": {"town": "Lyon"}}',
        '{"name": "weather", "arguments": {"city": 3}}',
        '{"name": "weather", "arguments": {"days": 3}}',
        '{"name": "weather", "arguments": {"city": "a "b""}}',
        '{"name": "forecast", "arguments": {"city": "Lyon"}}',
    ],
)
def test_other_text_is_passed_on_unchanged(
    text: str, streams: bool, client: OpenAI, provider: ScriptedProvider
) -> None:
    provider.reply_with(text)
    answer = ask(client, streams=streams, tools=[STRICT])
    assert (answer["content"], answer["finish_reason"]) == (text, "stop")
    assert not answer.get("tool_calls")


def test_caller_that_forbids_calls_gets_the_text(
    streams: bool, client: OpenAI, provider: ScriptedProvider
) -> None:
    provider.reply_with(FORECAST)
    answer = ask(client, streams=streams, tools=[STRICT], tool_choice="none")
    assert answer["content"] == FORECAST
    without_tools = ask(client, streams=streams)
    assert without_tools["content"] == FORECAST


def test_own_call_and_one_of_the_caller(
    streams: bool, client: OpenAI, provider: ScriptedProvider
) -> None:
    save = '{"name": "save_memory", "arguments": {"content": "The user lives in Lyon."}}'
    provider.reply_with(f"[TOOL_CALLS] [{save}, {FORECAST}]")
    answer = ask(client, streams=streams, tools=[WEATHER], extra_headers=ON)
    assert names(answer["tool_calls"]) == [LYON]
    assert ToolRun.objects.get().name == "save_memory"
    assert json.loads(answer["tool_calls"][0]["function"]["arguments"]) == {"city": "Lyon"}
