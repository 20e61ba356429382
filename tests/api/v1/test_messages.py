"""Messages, with Anthropic's official client."""

from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import pytest
from anthropic import Anthropic

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.api.v1.messages_format import MessageStream
from memoryapp.models import Memory, Run
from tests.api.v1.test_clients import transcript
from tests.api.v1.test_responses import asked
from tests.providers.test_event_stream import BODIES
from tests.scripted_provider import Says, ScriptedProvider

# Requests are passed on in threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]

HELLO: list[Any] = [{"role": "user", "content": "What should I not cook?"}]
WEATHER: Any = {
    "name": "weather",
    "description": "The weather of a city.",
    "input_schema": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
}


@pytest.fixture
def claude(address: str, secret: str) -> Iterator[Anthropic]:
    """Anthropic's client with another address."""
    base_url = address.removesuffix("/v1")
    with Anthropic(base_url=base_url, api_key=secret, max_retries=0) as client:
        yield client


def test_complete_message(claude: Anthropic, provider: ScriptedProvider) -> None:
    provider.reply_with("Nothing with peanuts.")
    reply = claude.messages.create(model="claude-sonnet-5", max_tokens=100, messages=HELLO)
    (block,) = reply.content
    assert block.type == "text" and block.text == "Nothing with peanuts."
    assert (reply.stop_reason, reply.model, reply.usage.output_tokens) == ("end_turn", "talker", 3)
    assert provider.requests[-1].body["model"] == "talker"
    assert transcript() == [
        ("user", "What should I not cook?"),
        ("assistant", "Nothing with peanuts."),
    ]
    assert Run.objects.exists()


def test_streamed_message(claude: Anthropic, provider: ScriptedProvider) -> None:
    provider.reply_with("Nothing with peanuts.")
    with claude.messages.stream(
        model="claude-sonnet-5", max_tokens=100, messages=HELLO, system="Be brief."
    ) as stream:
        assert "".join(stream.text_stream) == "Nothing with peanuts."
        final = stream.get_final_message()
    assert (final.stop_reason, final.usage.output_tokens) == ("end_turn", 3)


def test_memories_reach_the_model(
    claude: Anthropic, provider: ScriptedProvider, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.")
    question: Any = [{"role": "user", "content": "Am I allergic to peanuts?"}]
    claude.messages.create(model="keepsake", max_tokens=100, messages=question)
    assert "The user is allergic to peanuts." in asked(provider)[-1]["content"]


@pytest.mark.parametrize("streams", [False, True])
def test_tools_of_the_caller(claude: Anthropic, provider: ScriptedProvider, streams: bool) -> None:
    provider.reply_with(Says("I will look.", calls=[("weather", {"city": "Lyon"})]))
    options: Any = {"model": "claude-sonnet-5", "max_tokens": 100, "tools": [WEATHER]}
    if streams:
        with claude.messages.stream(messages=HELLO, **options) as stream:
            first = stream.get_final_message()
    else:
        first = claude.messages.create(messages=HELLO, **options)
    text, call = first.content
    assert first.stop_reason == "tool_use"
    assert text.type == "text" and text.text == "I will look."
    assert call.type == "tool_use" and (call.name, call.input) == ("weather", {"city": "Lyon"})

    provider.reply_with("Sunny.")
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "sun, 25"}
    history: Any = [
        *HELLO,
        {"role": "assistant", "content": first.content},
        {"role": "user", "content": [result]},
    ]
    claude.messages.create(messages=history, **options)
    told = asked(provider)
    assert [each["role"] for each in told] == ["user", "assistant", "tool"]
    assert told[1]["tool_calls"][0]["id"] == told[2]["tool_call_id"] == call.id
    assert Conversation.objects.count() == 1
    assert [role for role, _ in transcript()] == ["user", "assistant", "tool", "assistant"]


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_odd_stream_of_the_provider_is_a_message(
    body: str, claude: Anthropic, provider: ScriptedProvider
) -> None:
    provider.answer_with("/chat/completions", body.encode(), content_type="text/event-stream")
    with claude.messages.stream(model="keepsake", max_tokens=100, messages=HELLO) as stream:
        kinds = [each.type for each in stream]
        reply = stream.get_final_message()
    assert [block.model_dump()["text"] for block in reply.content] == ["Plum jam"]
    assert (reply.stop_reason, kinds[-1], kinds.count("content_block_stop")) == (
        "end_turn",
        "message_stop",
        1,
    )
    assert transcript()[-1] == ("assistant", "Plum jam")


@pytest.mark.parametrize("index", [{}, {"index": 0}])
def test_calls_are_told_apart_by_their_ids(index: dict[str, int]) -> None:
    """Some servers number no calls, or give all of them the same number."""

    def call(name: str, arguments: str) -> dict[str, Any]:
        return {**index, "id": name, "function": {"name": name, "arguments": arguments}}

    def chunk(*calls: dict[str, Any]) -> dict[str, Any]:
        return {"choices": [{"delta": {"tool_calls": list(calls)}}]}

    stream = MessageStream("msg_1", {})
    more = {**index, "function": {"arguments": "1}"}}
    events = [
        *stream.take(chunk(call("a", '{"x":'))),
        *stream.take(chunk(more, call("b", "{}"))),
        *stream.end(),
    ]
    blocks = [each["content_block"]["name"] for each in events if "content_block" in each]
    pieces = [
        (each["index"], each["delta"]["partial_json"])
        for each in events
        if each["type"] == "content_block_delta"
    ]
    assert (blocks, pieces) == (["a", "b"], [(0, '{"x":'), (0, "1}"), (1, "{}")])


def test_pictures_and_thoughts(claude: Anthropic, provider: ScriptedProvider) -> None:
    picture = {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}
    history: Any = [
        {"role": "user", "content": "Hello"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": "x"},
                {"type": "text", "text": "Hello!"},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is this?", "cache_control": {"type": "ephemeral"}},
                {"type": "image", "source": picture},
            ],
        },
    ]
    claude.messages.create(model="claude-sonnet-5", max_tokens=100, messages=history)
    told = asked(provider)
    assert told[1] == {"role": "assistant", "content": "Hello!"}
    assert told[2]["content"][1]["image_url"]["url"] == "data:image/png;base64,aGVsbG8="


def test_claude_code_is_one_person(claude: Anthropic, instance: Instance) -> None:
    metadata: Any = {"user_id": "user_ab12_account__session_5f0c0a4e"}
    claude.messages.create(
        model="claude-sonnet-5", max_tokens=100, messages=HELLO, metadata=metadata
    )
    assert Conversation.objects.get().end_user == ""
    claude.messages.create(
        model="claude-sonnet-5", max_tokens=100, messages=HELLO, metadata={"user_id": "ana"}
    )
    assert Conversation.objects.latest("pk").end_user == "ana"


def test_tokens_are_estimated(claude: Anthropic) -> None:
    few = claude.messages.count_tokens(model="claude-sonnet-5", messages=HELLO)
    many = claude.messages.count_tokens(
        model="claude-sonnet-5", messages=HELLO, system="Be brief. " * 100, tools=[WEATHER]
    )
    assert 0 < few.input_tokens < 50 < many.input_tokens


def test_errors_have_anthropics_form(address: str, claude: Anthropic) -> None:
    wrong: Any = [{"role": "robot"}]
    with pytest.raises(anthropic.BadRequestError) as raised:
        claude.messages.create(model="x", max_tokens=9, messages=wrong)
    assert raised.value.body == {
        "type": "error",
        "error": {
            "type": "invalid_request_error",
            "message": "The “role” of a message must be “user” or “assistant”.",
        },
    }
    base_url = address.removesuffix("/v1")
    with (
        Anthropic(base_url=base_url, api_key="ks_wrong", max_retries=0) as stranger,
        pytest.raises(anthropic.AuthenticationError, match="This API key is invalid"),
    ):
        stranger.messages.create(model="x", max_tokens=9, messages=HELLO)


def test_provider_failure_in_the_middle_of_a_stream(
    claude: Anthropic, provider: ScriptedProvider
) -> None:
    provider.fail_next("error_stream")
    with (
        pytest.raises(anthropic.APIStatusError),
        claude.messages.stream(model="x", max_tokens=9, messages=HELLO) as stream,
    ):
        stream.get_final_message()
