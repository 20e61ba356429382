"""What the caller gets: the provider's blocks and events, signatures included."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import anthropic
import pytest
from anthropic import Anthropic

from conversations.models import Conversation, Message, Role
from instances.models import Instance
from memoryapp.models import Memory, Usage
from tests.api.v1.anthropic_provider.exchange import (
    ANSWER,
    CACHED,
    KEY,
    LYON,
    THOUGHT,
    ask,
    content_of,
    in_turn,
    sent,
)
from tests.api.v1.test_clients import transcript
from tests.api.v1.test_messages import HELLO, WEATHER
from tests.scripted_provider import Blocks, Says, ScriptedProvider

# Requests are passed on in threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]


@pytest.mark.parametrize("streams", [False, True])
def test_blocks_of_the_answer_are_kept(
    streams: bool, claude: Anthropic, provider: ScriptedProvider
) -> None:
    """Thoughts with their signatures, citations, what the provider's own tools have done."""
    search = {
        "type": "server_tool_use",
        "id": "srvtoolu_1",
        "name": "web_search",
        "input": {"query": "Lyon"},
    }
    found = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
    cited = {
        "type": "char_location",
        "cited_text": "Lyon is large.",
        "document_index": 0,
        "start_char_index": 0,
        "end_char_index": 14,
    }
    blocks: list[dict[str, Any]] = [
        THOUGHT,
        {"type": "redacted_thinking", "data": "b3BhcXVl"},
        {"type": "text", "text": "I look."},
        search,
        found,
        {"type": "text", "text": "It is "},
        {"type": "text", "text": "large", "citations": [cited]},
        {"type": "text", "text": "."},
    ]
    usage = {"cache_read_input_tokens": 900, "cache_creation_input_tokens": 100}
    provider.reply_with(Blocks(blocks, usage=usage))
    reply = ask(claude, streams=streams)
    assert content_of(reply) == blocks
    assert (reply.stop_reason, reply.usage.cache_read_input_tokens) == ("end_turn", 900)
    assert transcript()[-1] == ("assistant", "I look.\n\nIt is large.")

    more: Any = [
        *HELLO,
        {"role": "assistant", "content": reply.content},
        {"role": "user", "content": "Thanks."},
    ]
    ask(claude, streams=streams, messages=more)
    assert sent(provider)[-1].body["messages"][1]["content"] == content_of(reply)
    assert Conversation.objects.count() == 1
    assert [role for role, _ in transcript()] == ["user", "assistant"] * 2


def test_events_are_the_providers(claude: Anthropic, provider: ScriptedProvider) -> None:
    provider.reply_with(Blocks([THOUGHT, ANSWER]))
    stream = claude.messages.create(
        model="claude-sonnet-5", max_tokens=100, messages=HELLO, stream=True
    )
    kinds = [event.type for event in stream]
    assert kinds[0] == "message_start" and kinds[-2:] == ["message_delta", "message_stop"]
    assert kinds.count("content_block_delta") == 3 + 1 + 3
    with claude.messages.with_streaming_response.create(
        model="claude-sonnet-5", max_tokens=100, messages=HELLO, stream=True
    ) as response:
        lines = list(response.iter_lines())
    assert lines.count("event: ping") == 1


@pytest.mark.parametrize("streams", [False, True])
def test_tools_of_the_caller(
    streams: bool, claude: Anthropic, provider: ScriptedProvider, store_memory: Store
) -> None:
    """All requests of the turn begin as the first one did, with what was recalled."""
    store_memory("The user is allergic to peanuts.")
    in_turn(provider, Blocks([THOUGHT, LYON]), Says("Sunny."))
    asked: Any = [{"role": "user", "content": "Am I allergic to peanuts?"}]
    first = ask(claude, streams=streams, messages=asked, tools=[WEATHER])
    assert first.stop_reason == "tool_use"
    assert content_of(first) == [THOUGHT, LYON]
    result = {"type": "tool_result", "tool_use_id": LYON["id"], "content": "sun, 25", **CACHED}
    history: Any = [
        *asked,
        {"role": "assistant", "content": first.content},
        {"role": "user", "content": [result]},
    ]
    assert ask(claude, streams=streams, messages=history, tools=[WEATHER]).content[0].text
    first_body, second_body = (each.body for each in sent(provider))
    before, after = first_body["messages"], second_body["messages"]
    assert "allergic to peanuts" in before[0]["content"][1]["text"]
    assert after[: len(before)] == before
    assert first_body["system"] == second_body["system"]
    assert after[1:] == [
        {"role": "assistant", "content": [THOUGHT, LYON]},
        {"role": "user", "content": [result]},
    ]
    assert transcript()[1:] == [("assistant", ""), ("tool", "sun, 25"), ("assistant", "Sunny.")]
    assert Message.objects.get(role=Role.TOOL).tool_name == "weather"


def test_cached_tokens_cost_what_anthropic_asks(
    claude: Anthropic, provider: ScriptedProvider, assisted: Instance
) -> None:
    assisted.prompt_price, assisted.completion_price = Decimal(100_000), Decimal(0)
    assisted.save()
    usage = {
        "input_tokens": 10,
        "cache_read_input_tokens": 1000,
        "cache_creation_input_tokens": 300,
        "cache_creation": {"ephemeral_5m_input_tokens": 200, "ephemeral_1h_input_tokens": 100},
    }
    provider.reply_with(Blocks([ANSWER], usage=usage))
    ask(claude, streams=True)
    booked = Usage.objects.get(source=Usage.Source.CHAT)
    assert (booked.prompt_tokens, booked.completion_tokens) == (1310, 5)
    assert booked.cost == Decimal(10 + 100 + 250 + 200) / 10


def test_server_that_does_not_stream(claude: Anthropic, provider: ScriptedProvider) -> None:
    provider.reply_with(Blocks([THOUGHT, ANSWER]))
    provider.fail_next("no_stream", path="messages")
    assert content_of(ask(claude, streams=True)) == [THOUGHT, ANSWER]


@pytest.mark.parametrize("streams", [False, True])
def test_key_of_the_provider_is_removed(
    streams: bool, claude: Anthropic, provider: ScriptedProvider
) -> None:
    half = len(KEY) // 2
    thought = {**THOUGHT, "thinking": f"It is {KEY}"}
    split = {"type": "text", "text": f"The key is {KEY[:half]} {KEY} and more"}
    provider.reply_with(Blocks([thought, split, {**LYON, "input": {"city": KEY}}]))
    reply = ask(claude, streams=streams, tools=[WEATHER])
    assert KEY not in reply.model_dump_json()
    assert reply.content[0].thinking == "It is [key]"
    assert reply.content[0].signature == THOUGHT["signature"]
    assert reply.content[1].text.endswith("[key] and more")
    assert reply.content[2].input == {"city": "[key]"}


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize(
    "answer",
    [
        {"secret": "of another server"},
        {"type": "message", "role": "assistant", "content": "secret"},
        {"type": "message", "role": "assistant", "content": ["secret"]},
        [],
    ],
)
def test_other_answers_are_not_passed_on(
    streams: bool, answer: object, claude: Anthropic, provider: ScriptedProvider
) -> None:
    provider.answer_with("messages", answer)
    with pytest.raises(anthropic.APIStatusError) as caught:
        ask(claude, streams=streams)
    assert caught.value.status_code == 502
    assert "secret" not in str(caught.value)
