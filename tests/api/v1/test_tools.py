"""Our tools run here and are hidden; the caller's tools are passed on."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from openai import OpenAI
from openai.types.chat import ChatCompletion

from instances.models import Instance
from memoryapp.models import Answer, Memory, ToolRun, Usage
from tests.api.conftest import key_of
from tests.api.v1.test_clients import HELLO, transcript
from tests.scripted_provider import Request, Says, ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]

WEATHER: Any = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}
ON = {"X-Keepsake-Tools": "on"}
SEARCH = ("search_memory", {"query": "peanuts"})
LYON = ("weather", {"city": "Lyon"})


def in_turn(provider: ScriptedProvider, *says: Says) -> None:
    for each in says:
        provider.reply_with(each, times=1)


def ask(client: OpenAI, *, streams: bool, messages: Any = HELLO, **more: Any) -> dict[str, Any]:
    """Send a request, and assemble the response as a client does."""
    if not streams:
        whole = client.chat.completions.create(model="keepsake", messages=messages, **more)
        return message_of(whole)
    with client.chat.completions.stream(model="keepsake", messages=messages, **more) as stream:
        for _ in stream:
            pass
        return message_of(stream.get_final_completion())


def message_of(completion: ChatCompletion) -> dict[str, Any]:
    (choice,) = completion.choices
    return {**choice.message.to_dict(), "finish_reason": choice.finish_reason}


def names(calls: Any) -> list[tuple[str, Any]]:
    return [(c["function"]["name"], json.loads(c["function"]["arguments"])) for c in calls]


@pytest.mark.parametrize("streams", [False, True])
def test_caller_tools_are_left_to_the_caller(
    streams: bool, client: OpenAI, provider: ScriptedProvider
) -> None:
    in_turn(provider, Says(calls=[LYON, ("weather", {"city": "Oslo"})]), Says("Rain and snow."))
    answer = ask(client, streams=streams, tools=[WEATHER])
    assert answer["finish_reason"] == "tool_calls"
    assert names(answer["tool_calls"]) == [LYON, ("weather", {"city": "Oslo"})]
    assert provider.requests[-1].body["tools"] == [WEATHER]
    results = [
        {"role": "tool", "tool_call_id": call["id"], "content": weather}
        for call, weather in zip(answer["tool_calls"], ["Rain", "Snow"], strict=True)
    ]
    made = {"role": "assistant", "content": None, "tool_calls": answer["tool_calls"]}
    again = [*HELLO, made, *results]
    assert ask(client, streams=streams, messages=again, tools=[WEATHER])["content"] == (
        "Rain and snow."
    )
    assert provider.requests[-1].body["messages"][1:] == again
    assert transcript() == [
        ("user", "What should I not cook?"),
        ("assistant", ""),
        ("tool", "Rain"),
        ("tool", "Snow"),
        ("assistant", "Rain and snow."),
    ]
    calls, rain, *_ = Answer.objects.earliest("pk").conversation.messages.all()[1:]
    assert [(c["name"], json.loads(c["arguments"])) for c in calls.tool_calls] == [
        LYON,
        ("weather", {"city": "Oslo"}),
    ]
    assert rain.tool_name == "weather"


@pytest.mark.parametrize("streams", [False, True])
def test_own_tools_run_here_and_are_hidden(
    streams: bool, client: OpenAI, provider: ScriptedProvider, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.")
    in_turn(provider, Says("Let me look.", [SEARCH]), Says("Nothing with peanuts."))
    answer = ask(client, streams=streams, extra_headers=ON)
    assert answer["content"] == "Let me look.\n\nNothing with peanuts."
    assert answer["finish_reason"] == "stop"
    assert not answer.get("tool_calls")
    *_, made, result = provider.requests[-1].body["messages"]
    assert made["tool_calls"][0]["id"] == result["tool_call_id"]
    assert "allergic to peanuts" in result["content"]
    assert transcript()[-1] == ("assistant", "Let me look.\n\nNothing with peanuts.")
    run = ToolRun.objects.get()
    assert (run.name, run.ok) == ("search_memory", True)
    assert Usage.objects.filter(source=Usage.Source.CHAT).count() == 2


@pytest.mark.parametrize("streams", [False, True])
def test_own_and_caller_tools_in_one_round(
    streams: bool, client: OpenAI, provider: ScriptedProvider, assisted: Instance
) -> None:
    """Own tools have run when the caller receives its call, with the model's id."""
    assisted.tools_for_clients = True
    assisted.save()
    save = ("save_memory", {"content": "The user lives in Lyon."})
    in_turn(provider, Says(calls=[save, LYON]))
    answer = ask(client, streams=streams, tools=[WEATHER])
    assert answer["finish_reason"] == "tool_calls"
    assert names(answer["tool_calls"]) == [LYON]
    assert answer["tool_calls"][0]["id"] == "call-1"
    assert Memory.objects.get().content == "The user lives in Lyon."
    offered = [tool["function"]["name"] for tool in provider.requests[-1].body["tools"]]
    assert offered == ["weather", "search_memory", "list_memories", "save_memory"]
    (call,) = Answer.objects.get().reply.tool_calls  # type: ignore[union-attr]  # There is one.
    assert call["name"] == "weather"


def test_stream_of_several_rounds_is_one_answer(client: OpenAI, provider: ScriptedProvider) -> None:
    in_turn(provider, Says(calls=[SEARCH]), Says(calls=[SEARCH]), Says("Nothing."))
    with client.chat.completions.create(
        model="keepsake",
        messages=HELLO,
        stream=True,
        stream_options={"include_usage": True},
        extra_headers=ON,
    ) as stream:
        chunks = list(stream)
    assert len({chunk.id for chunk in chunks}) == 1
    reasons = [c.choices[0].finish_reason for c in chunks if c.choices]
    assert [reason for reason in reasons if reason] == ["stop"]
    booked = Usage.objects.filter(source=Usage.Source.CHAT)
    assert booked.count() == 3
    usage = chunks[-1].usage
    assert usage is not None
    assert usage.prompt_tokens == sum(each.prompt_tokens for each in booked)


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"extra_headers": ON, "n": 2},
        {"extra_headers": ON, "tools": [WEATHER], "tool_choice": "required"},
        {"extra_headers": ON | {"X-Keepsake-Recall": "off"}, "store": False},
    ],
)
def test_own_tools_are_offered_only_within_the_limit(
    wish: dict[str, Any], client: OpenAI, provider: ScriptedProvider
) -> None:
    client.chat.completions.create(model="keepsake", messages=HELLO, **wish)
    assert provider.requests[-1].body.get("tools", []) == wish.get("tools", [])


def test_caller_tool_replaces_an_own_tool_of_the_same_name(
    client: OpenAI, provider: ScriptedProvider
) -> None:
    theirs: Any = {"type": "function", "function": {"name": "search_memory", "parameters": {}}}
    in_turn(provider, Says(calls=[SEARCH]))
    answer = ask(client, streams=False, tools=[theirs], extra_headers=ON)
    assert names(answer["tool_calls"]) == [SEARCH]
    assert not ToolRun.objects.exists()


def test_model_without_tool_support_answers_without_own_tools(
    client: OpenAI, provider: ScriptedProvider
) -> None:
    provider.fail_next("reject_tools")
    provider.reply_with("Soup.")
    assert ask(client, streams=True, extra_headers=ON)["content"] == "Soup."
    assert ask(client, streams=False, extra_headers=ON)["content"] == "Soup."
    assert provider.count("chat/completions") == 3


@pytest.mark.parametrize("streams", [False, True])
def test_endless_tool_calls_are_stopped(
    streams: bool, client: OpenAI, provider: ScriptedProvider
) -> None:
    def calls_while_it_may(request: Request) -> Says:
        return Says(calls=[SEARCH]) if request.get("tools") else Says("Nothing.")

    provider.reply_with(calls_while_it_may)
    assert ask(client, streams=streams, extra_headers=ON)["content"] == "Nothing."
    assert provider.count("chat/completions") == 6


@pytest.mark.parametrize("streams", [False, True])
def test_forgetting_is_proposed_in_the_transcript(
    streams: bool,
    address: str,
    assisted: Instance,
    provider: ScriptedProvider,
    store_memory: Store,
) -> None:
    memory = store_memory("The user is allergic to peanuts.")
    secret = key_of(assisted, ["read", "write", "delete"])[1].secret
    in_turn(provider, Says(calls=[("forget_memory", {"id": f"m{memory.pk}"})]), Says("I asked."))
    with OpenAI(base_url=address, api_key=secret, max_retries=0) as client:
        assert ask(client, streams=streams, extra_headers=ON)["content"] == "I asked."
        told = provider.requests[-1].body["messages"][-1]["content"]
        conversation = Answer.objects.get().conversation
        assert f"decides in Keepsake, in the transcript at /conversations/{conversation.pk}" in told
        assert Memory.objects.get() == memory
        assert not assisted.archived.exists()
        assert Answer.objects.get().proposed_deletions.get().memory_id == memory.pk
        # Where nothing is stored, no person could decide.
        ask(client, streams=streams, extra_headers=ON, store=False)
        offered = [tool["function"]["name"] for tool in provider.requests[-1].body["tools"]]
        assert offered == ["search_memory", "list_memories"]
