"""Our tools run here and are hidden; the provider gets back all that it said."""

from collections.abc import Callable
from typing import Any

import pytest
from anthropic import Anthropic

from conversations.models import Conversation
from memoryapp.models import Answer, Memory, ToolRun, Usage
from tests.api.v1.anthropic_provider.exchange import (
    ANSWER,
    LYON,
    ON,
    SEARCH,
    THOUGHT,
    ask,
    content_of,
    in_turn,
    sent,
)
from tests.api.v1.test_clients import transcript
from tests.api.v1.test_messages import HELLO, WEATHER
from tests.scripted_provider import Blocks, ScriptedProvider

# Requests are passed on in threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]


@pytest.mark.parametrize("streams", [False, True])
def test_own_tools_run_here_and_are_hidden(
    streams: bool, claude: Anthropic, provider: ScriptedProvider, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.")
    look = {"type": "text", "text": "Let me look."}
    again = {**SEARCH, "id": "toolu_again", "input": {"query": "nuts"}}
    usage = {"cache_read_input_tokens": 900}
    in_turn(
        provider,
        Blocks([THOUGHT, look, SEARCH], usage=usage),
        Blocks([{**THOUGHT, "signature": "c2Vjb25k"}, again], usage=usage),
        Blocks([ANSWER], usage=usage),
    )
    reply = ask(claude, streams=streams, extra_headers=ON, tools=[WEATHER])
    assert content_of(reply) == [THOUGHT, look, {**THOUGHT, "signature": "c2Vjb25k"}, ANSWER]
    assert reply.stop_reason == "end_turn"
    assert reply.usage.output_tokens == 3 * 5
    assert (reply.usage.input_tokens, reply.usage.cache_read_input_tokens) == (30, 2700)

    first, second, third = (each.body for each in sent(provider))
    assert [tool["name"] for tool in first["tools"]] == [
        "weather",
        "search_memory",
        "list_memories",
        "save_memory",
    ]
    assert first["tools"][1]["input_schema"]["type"] == "object"
    *_, made, results = second["messages"]
    assert made == {"role": "assistant", "content": [THOUGHT, look, SEARCH]}
    (result,) = results["content"]
    assert result["tool_use_id"] == SEARCH["id"]
    assert "allergic to peanuts" in result["content"]
    assert third["messages"][: len(second["messages"])] == second["messages"]
    assert third["messages"][-2]["content"] == [{**THOUGHT, "signature": "c2Vjb25k"}, again]
    assert transcript()[-1] == ("assistant", "Let me look.\n\nNothing with peanuts.")
    assert ToolRun.objects.filter(name="search_memory", ok=True).count() == 2
    assert Usage.objects.filter(source=Usage.Source.CHAT, prompt_tokens=910).count() == 3


@pytest.mark.parametrize("streams", [False, True])
def test_text_of_two_rounds_is_recognised_again(
    streams: bool, claude: Anthropic, provider: ScriptedProvider
) -> None:
    in_turn(provider, Blocks([{"type": "text", "text": "I look."}, SEARCH]), Blocks([ANSWER]))
    reply = ask(claude, streams=streams, extra_headers=ON)
    assert "".join(block.text for block in reply.content) == "I look.\n\nNothing with peanuts."
    more: Any = [
        *HELLO,
        {"role": "assistant", "content": reply.content},
        {"role": "user", "content": "Thanks."},
    ]
    ask(claude, streams=streams, messages=more)
    assert Conversation.objects.count() == 1
    assert [role for role, _ in transcript()] == ["user", "assistant"] * 2


@pytest.mark.parametrize("streams", [False, True])
def test_own_and_caller_tools_in_one_round(
    streams: bool, claude: Anthropic, provider: ScriptedProvider
) -> None:
    save = {
        "type": "tool_use",
        "id": "toolu_save",
        "name": "save_memory",
        "input": {"content": "The user lives in Lyon."},
    }
    in_turn(provider, Blocks([save, LYON]))
    reply = ask(claude, streams=streams, extra_headers=ON, tools=[WEATHER])
    assert content_of(reply) == [LYON]
    assert reply.stop_reason == "tool_use"
    assert Memory.objects.get().content == "The user lives in Lyon."
    assert len(sent(provider)) == 1


@pytest.mark.parametrize("streams", [False, True])
def test_model_that_keeps_calling_must_answer(
    streams: bool, claude: Anthropic, provider: ScriptedProvider
) -> None:
    def reply(body: dict[str, Any]) -> Blocks:
        return Blocks([ANSWER] if body.get("tool_choice") == {"type": "none"} else [SEARCH])

    provider.reply_with(reply)
    assert content_of(ask(claude, streams=streams, extra_headers=ON)) == [ANSWER]
    assert len(sent(provider)) == 6


@pytest.mark.parametrize(
    "options",
    [
        {"tool_choice": {"type": "any"}, "tools": [WEATHER]},
        {"tool_choice": {"type": "none"}, "tools": [WEATHER]},
        {"tool_choice": {"type": "tool", "name": "weather"}, "tools": [WEATHER]},
        {"tools": [{**WEATHER, "name": name} for name in ("search_memory", "save_memory")]},
    ],
)
def test_tools_are_offered_where_the_caller_leaves_room(
    options: Any, claude: Anthropic, provider: ScriptedProvider
) -> None:
    ask(claude, streams=False, extra_headers=ON, **options)
    offered = [tool["name"] for tool in sent(provider)[-1].body["tools"]]
    theirs = [tool["name"] for tool in options["tools"]]
    ours = [] if "tool_choice" in options else ["list_memories"]
    assert offered == theirs + ours


@pytest.mark.parametrize("streams", [False, True])
def test_answer_that_is_cut_off(
    streams: bool, claude: Anthropic, provider: ScriptedProvider
) -> None:
    provider.reply_with(Blocks([ANSWER, SEARCH], stop_reason="max_tokens"))
    reply = ask(claude, streams=streams, extra_headers=ON)
    assert (reply.stop_reason, content_of(reply)) == ("max_tokens", [ANSWER])
    assert Answer.objects.get().cut_off
    assert not ToolRun.objects.exists()
