"""Streaming calls: pieces, assembled tool calls, and failures."""

import json
import time
import traceback
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.providers.chat_stream import (
    Assembly,
    Reply,
    ToolCall,
    converse,
)
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ErrorKind, ProviderError
from tests.providers.conftest import KEY
from tests.scripted_provider import HANG_SECONDS, Says, ScriptedProvider

ASKED = [{"role": "user", "content": "What should I not cook?"}]
TOOL = {
    "type": "function",
    "function": {"name": "search_memory", "parameters": {"type": "object", "properties": {}}},
}


def ask(endpoint: Endpoint, **options: Any) -> tuple[list[str], Reply]:
    *pieces, reply = converse(endpoint, ASKED, **options)
    assert isinstance(reply, Reply)
    assert "".join(map(str, pieces)) == reply.text
    return [str(piece) for piece in pieces], reply


def ask_in_vain(endpoint: Endpoint, **options: Any) -> tuple[str, ProviderError]:
    """Return the text before the failure, and the error."""
    pieces: list[str] = []
    with pytest.raises(ProviderError) as caught:
        pieces.extend(str(piece) for piece in converse(endpoint, ASKED, **options))
    error = caught.value
    told = "".join(traceback.format_exception(error)) + repr(vars(error))
    assert KEY not in told
    assert error.__cause__ is None
    assert error.__context__ is None
    return "".join(pieces), error


def test_text_is_streamed_in_pieces(server: ScriptedProvider, chat_endpoint: Endpoint) -> None:
    server.reply_with("Nothing with peanuts.")
    pieces, reply = ask(chat_endpoint)
    assert pieces == ["Nothing", " with", " peanuts."]
    assert reply == Reply("Nothing with peanuts.", (), chat_endpoint.model, 5, 3)
    body = server.requests[0].body
    assert body["messages"] == ASKED
    assert body["stream"] is True
    assert body["stream_options"] == {"include_usage": True}
    assert "tools" not in body


def test_parallel_tool_calls_are_assembled_from_fragments(
    server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    first, second = {"query": "peanuts, cooking, \u2026"}, {"content": "The user cooks on Sundays."}
    server.reply_with(Says("A moment.", [("search_memory", first), ("save_memory", second)]))
    _, reply = ask(chat_endpoint, tools=[TOOL])
    assert reply.text == "A moment."
    assert [(call.id, call.name) for call in reply.tool_calls] == [
        ("call-0", "search_memory"),
        ("call-1", "save_memory"),
    ]
    assert [json.loads(call.arguments) for call in reply.tool_calls] == [first, second]
    assert server.requests[0].body["tool_choice"] == "auto"
    ask(chat_endpoint, tools=[TOOL], may_call=False)
    assert server.requests[1].body["tool_choice"] == "none"


def test_server_without_streaming_is_supported(
    server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    server.reply_with(Says("All at once.", [("search_memory", {"query": "x"})]))
    server.fail_next("no_stream")
    pieces, reply = ask(chat_endpoint, tools=[TOOL])
    assert pieces == ["All at once."]
    assert reply.tool_calls == (ToolCall("call-0", "search_memory", '{"query": "x"}'),)
    assert (reply.prompt_tokens, reply.completion_tokens) == (5, 3)


@pytest.mark.parametrize("option", ["tools", "stream_options"])
def test_rejected_parameters_are_omitted_from_then_on(
    option: str, server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    server.reply_with("Fine.")
    server.fail_next(f"reject_{option}", times=None)
    for _ in range(2):
        assert ask(chat_endpoint, tools=[TOOL])[1].text == "Fine."
    asked = [option in request.body for request in server.requests]
    assert asked == [True, False, False]
    assert all("tools" in r.body or "tool_choice" not in r.body for r in server.requests)
    # Another model of the same server may support it.
    ask(replace(chat_endpoint, model=f"{chat_endpoint.model}-2"), tools=[TOOL])
    assert option in server.requests[3].body


def test_server_may_reject_both_parameters(
    server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    server.fail_next("reject_tools", times=None)
    server.fail_next("reject_stream_options", times=None)
    server.reply_with("Fine.")
    assert ask(chat_endpoint, tools=[TOOL])[1].text == "Fine."
    assert server.count("completions") == 3


def test_other_rejection_is_an_error(server: ScriptedProvider, chat_endpoint: Endpoint) -> None:
    server.fail_next("500")
    _, error = ask_in_vain(chat_endpoint, tools=[TOOL])
    assert error.status == 500
    assert server.count("completions") == 1


FAILURES = [
    ("429", ErrorKind.RATE_LIMITED, "too many requests", ""),
    ("500", ErrorKind.SERVER_ERROR, "failed (500)", ""),
    ("401", ErrorKind.UNAUTHORIZED, "The key was refused", ""),
    ("drop", ErrorKind.UNREACHABLE, "connection", ""),
    ("html", ErrorKind.UNUSABLE_ANSWER, "a web page", ""),
    ("empty", ErrorKind.UNUSABLE_ANSWER, "nothing at all", ""),
    ("truncated_json", ErrorKind.UNUSABLE_ANSWER, "broken JSON", ""),
    ("error_in_200", ErrorKind.SERVER_ERROR, "Upstream is overloaded", ""),
    ("cut_stream", ErrorKind.UNREACHABLE, "", "one two"),
    ("end_stream", ErrorKind.UNREACHABLE, "closed the connection in the middle", "one two"),
    ("garbage_stream", ErrorKind.UNUSABLE_ANSWER, "broken JSON", "one two"),
    ("error_stream", ErrorKind.SERVER_ERROR, "Upstream is overloaded", "one two"),
]


@pytest.mark.parametrize(("fault", "kind", "words", "before"), FAILURES)
def test_every_failure_has_a_readable_error(
    fault: str,
    kind: ErrorKind,
    words: str,
    before: str,
    server: ScriptedProvider,
    chat_endpoint: Endpoint,
) -> None:
    server.reply_with("one two three four")
    server.fail_next(fault)
    said, error = ask_in_vain(chat_endpoint)
    assert said == before
    assert error.kind is kind
    assert words in str(error)
    assert error.retryable is (kind is not ErrorKind.UNAUTHORIZED)


@pytest.mark.parametrize(("fault", "before"), [("hang", ""), ("hang_stream", "one two")])
def test_silent_stream_times_out(
    fault: str, before: str, server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    server.reply_with("one two three four")
    server.fail_next(fault)
    began = time.monotonic()
    said, error = ask_in_vain(chat_endpoint, silence=0.3)
    assert time.monotonic() - began < HANG_SECONDS / 2
    assert said == before
    assert error.kind is ErrorKind.TIMEOUT


def test_unreachable_server_unknown_model_and_invalid_key() -> None:
    nobody = Endpoint("custom", "http://127.0.0.1:9/v1", "", "any")
    assert ask_in_vain(nobody)[1].kind is ErrorKind.UNREACHABLE
    assert "No model is chosen" in str(ask_in_vain(replace(nobody, model=""))[1])
    assert "characters that no key has" in str(ask_in_vain(replace(nobody, api_key="a b"))[1])


def test_empty_answer_is_unusable(server: ScriptedProvider, chat_endpoint: Endpoint) -> None:
    server.reply_with("")
    assert "an empty message" in str(ask_in_vain(chat_endpoint)[1])


def test_answer_at_its_length_limit_is_kept_and_marked(
    server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    server.reply_with("one two")
    server.fail_next("length")
    _, reply = ask(chat_endpoint)
    assert reply.text == "one two"
    assert reply.cut_off


# Only the assembly: chunks that differ from the reference format.


@pytest.mark.parametrize("reason", ["length", "max_tokens", "MAX_TOKENS"])
def test_limit_of_tokens_has_several_names(reason: str) -> None:
    answer = Assembly(Endpoint("custom", "http://x/v1", "", "m"))
    answer.take({"choices": [{"delta": {"content": "one"}, "finish_reason": reason}]})
    assert answer.reply().cut_off


def assembled(*deltas: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    answer = Assembly(Endpoint("custom", "http://x/v1", "", "m"))
    for delta in deltas:
        answer.take({"choices": [{"delta": delta, "finish_reason": "tool_calls"}]})
    return answer.reply().tool_calls


def call(name: str = "", arguments: Any = "", **more: Any) -> dict[str, Any]:
    return {"tool_calls": [more | {"function": {"name": name, "arguments": arguments}}]}


@pytest.mark.parametrize(
    ("deltas", "calls"),
    [
        (  # no index: a new id starts a new call; a fragment without an id belongs to the last one
            [call("a", "{", id="1"), call(arguments="}"), call("b", "{}", id="2")],
            [("1", "a", "{}"), ("2", "b", "{}")],
        ),
        (  # all calls have index 0
            [
                call("a", "{}", id="1", index=0),
                call("b", "{", id="2", index=0),
                call("", "}", index=0),
            ],
            [("1", "a", "{}"), ("2", "b", "{}")],
        ),
        (  # no ids
            [call("a", "{}", index=0), call("b", "{}", index=1)],
            [("call_1", "a", "{}"), ("call_2", "b", "{}")],
        ),
        (  # arguments as an object; name repeated in each fragment
            [call("a", {"query": "x"}, id="1", index=0), call("a", "", id="1", index=0)],
            [("1", "a", '{"query": "x"}')],
        ),
        ([call("", "{}", id="1", index=0)], []),  # a call without a name is ignored
        ([{"tool_calls": "nonsense"}, {"tool_calls": [3]}, {"content": 7}], []),
    ],
)
def test_tool_calls_in_formats_of_various_servers(
    deltas: list[Mapping[str, Any]], calls: list[tuple[str, str, str]]
) -> None:
    assert list(assembled(*deltas)) == [ToolCall(*each) for each in calls]


def test_content_parts_are_joined() -> None:
    answer = Assembly(Endpoint("custom", "http://x/v1", "", "m"))
    parts = [{"type": "text", "text": "Good "}, {"type": "image"}, {"text": "day"}]
    assert answer.take({"choices": [{"delta": {"content": parts}}]}) == "Good day"


NAMES = "choices delta message content tool_calls function name arguments id index usage".split()
json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=25,
)


@given(st.lists(json_like, max_size=4))
def test_any_chunk_is_parsed(deltas: list[Any]) -> None:
    answer = Assembly(Endpoint("custom", "http://x/v1", "", "m"))
    for delta in deltas:
        answer.take({"choices": [{"delta": delta}]})
        answer.take({"choices": delta, "usage": delta, "model": delta})
    assert answer.problem() is None or isinstance(answer.problem(), ProviderError)
    assert isinstance(answer.reply(), Reply)
