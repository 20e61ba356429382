import json
import math
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai import OpenAI

from memoryapp.providers import chat
from memoryapp.providers.abilities import ModelAbilities
from memoryapp.providers.chat import Completion, complete_json, read_completion
from memoryapp.providers.chunk_merging import merged
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ErrorKind, ProviderError
from tests.providers.conftest import KEY
from tests.scripted_provider import HANG_SECONDS, ScriptedProvider

SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["memories"],
    "properties": {
        "memories": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["content", "importance", "category", "valid_until"],
                "properties": {
                    "content": {"type": "string"},
                    "importance": {"type": "integer", "minimum": 1, "maximum": 10},
                    "category": {"type": "string", "enum": ["fact", "event"]},
                    "valid_until": {"type": ["string", "null"]},
                },
            },
        }
    },
}


def extract(endpoint: Endpoint, timeout: float = 5.0) -> Completion:
    return complete_json(
        endpoint,
        system="Extract facts.",
        user="User: I am allergic to peanuts.\nAssistant: I see.",
        schema=SCHEMA,
        schema_name="memories",
        timeout=timeout,
    )


def test_call_includes_the_schema(server: ScriptedProvider, chat_endpoint: Endpoint) -> None:
    server.reply_with({"memories": []})
    completion = extract(chat_endpoint)
    assert completion == Completion(
        text='{"memories": []}',
        model=chat_endpoint.model,
        prompt_tokens=11,
        completion_tokens=2,
        structured=True,
    )
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "memories", "strict": True, "schema": SCHEMA},
    }


def test_unscripted_provider_extracts_facts(chat_endpoint: Endpoint) -> None:
    assert json.loads(extract(chat_endpoint).text) == {
        "memories": [
            {
                "content": "The user is allergic to peanuts.",
                "importance": 5,
                "category": "fact",
                "valid_until": None,
            }
        ]
    }


def test_rejected_response_format_is_retried_without_it_and_remembered(
    server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    server.fail_next("reject_response_format", times=None)
    first = extract(chat_endpoint)
    assert not first.structured
    assert "allergic" in json.loads(first.text)["memories"][0]["content"]
    assert server.count("chat/completions") == 2
    assert "response_format" not in server.requests[1].body
    assert json.dumps(SCHEMA) in server.requests[1].body["messages"][0]["content"]

    extract(chat_endpoint)
    assert server.count("chat/completions") == 3
    extract(replace(chat_endpoint, model="another"))
    assert server.count("chat/completions") == 5


def test_only_local_models_are_asked_for_their_likeliest_words(
    server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    extract(chat_endpoint)
    extract(replace(chat_endpoint, abilities=ModelAbilities(is_local=True)))
    remote, local = (request.body for request in server.requests)
    assert "temperature" not in remote
    assert local["temperature"] == 0


def test_rejected_temperature_is_left_out_and_remembered(
    server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    local = replace(chat_endpoint, abilities=ModelAbilities(is_local=True))
    server.fail_next("reject_temperature")
    assert extract(local).structured
    assert extract(local).structured
    asked = ["temperature" in request.body for request in server.requests]
    assert asked == [True, False, False]


def test_second_call_is_the_last_attempt(server: ScriptedProvider, chat_endpoint: Endpoint) -> None:
    server.fail_next("reject_response_format")
    server.fail_next("500")
    with pytest.raises(ProviderError) as caught:
        extract(chat_endpoint)
    assert caught.value.kind == ErrorKind.SERVER_ERROR
    assert server.count("chat/completions") == 2
    assert extract(chat_endpoint).structured, "a failed plain call was remembered"


def test_other_400_is_not_retried(server: ScriptedProvider, chat_endpoint: Endpoint) -> None:
    with pytest.raises(ProviderError) as caught:
        extract(replace(chat_endpoint, base_url=chat_endpoint.base_url.removesuffix("/v1")))
    assert caught.value.kind == ErrorKind.BAD_REQUEST
    assert len(server.requests) == 1


def test_provider_without_schemas_gets_plain_instructions(
    server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    completion = extract(replace(chat_endpoint, provider="anthropic"))
    assert not completion.structured
    (request,) = server.requests
    assert "response_format" not in request.body
    assert json.dumps(SCHEMA) in request.body["messages"][0]["content"]


@pytest.mark.parametrize("reason", ["length", "max_tokens", "model_length", "MAX_TOKENS"])
def test_answer_that_is_cut_off_says_so(chat_endpoint: Endpoint, reason: str) -> None:
    choice = {"message": {"content": '{"memories": ['}, "finish_reason": reason}
    completion = read_completion({"choices": [choice]}, chat_endpoint)
    assert (completion.text, completion.cut_off) == ('{"memories": [', True)
    choice["message"] = {"content": None, "reasoning_content": "Let me think"}
    with pytest.raises(ProviderError, match="so long that it was cut off"):
        read_completion({"choices": [choice]}, chat_endpoint)


@pytest.mark.parametrize("fault", ["refusal", "empty_content"])
def test_incomplete_answer_is_unusable(
    server: ScriptedProvider, chat_endpoint: Endpoint, fault: str
) -> None:
    server.fail_next(fault)
    with pytest.raises(ProviderError) as caught:
        extract(chat_endpoint)
    assert caught.value.kind == ErrorKind.UNUSABLE_ANSWER
    assert caught.value.retryable
    assert len(server.requests) == 1


ANSWER = '{"memories": []}'
CALL = {"id": "1", "type": "function", "function": {"name": "memories", "arguments": ANSWER}}
PARTS = [{"type": "thinking", "thinking": "So?"}, {"type": "text", "text": ANSWER}]
CHOICES: dict[str, dict[str, Any]] = {
    "parts": {"message": {"content": PARTS}},
    "parts that are texts": {"message": {"content": [ANSWER[:5], ANSWER[5:]]}},
    "thinking with a text": {
        "message": {"content": [{"type": "reasoning", "text": "[]"}, {"text": ANSWER}]}
    },
    "object": {"message": {"content": {"memories": []}}},
    "call": {"message": {"content": None, "tool_calls": [CALL]}},
    "older call": {"message": {"content": "", "function_call": CALL["function"]}},
    "older API": {"text": ANSWER},
    "call behind another": {
        "message": {"content": None, "tool_calls": [{"function": {"arguments": ""}}, CALL]}
    },
    "no list of calls": {"message": {"content": ANSWER, "tool_calls": 1}},
    "no list of calls beside an older one": {
        "message": {"content": "", "tool_calls": 1, "function_call": CALL["function"]}
    },
    "piece of a stream": {"delta": {"content": ANSWER}},
    "texts with values": {
        "message": {"content": [{"type": "text", "text": {"value": ANSWER, "annotations": []}}]}
    },
    "beside NaN": {"message": {"content": ANSWER}, "logprobs": math.nan},
}


@pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)
def test_answer_is_found_where_servers_put_it(
    server: ScriptedProvider, chat_endpoint: Endpoint, choice: dict[str, Any]
) -> None:
    server.answer_with("/chat/completions", {"choices": [choice]})
    assert extract(chat_endpoint).text == ANSWER


TEXT_PARTS = [{"type": "text", "text": ANSWER}]
GEMINI = {"content": {"parts": [{"text": "So?", "thought": True}, {"text": ANSWER}]}}
OPENAI = {"type": "message", "content": [{"type": "output_text", "text": ANSWER}]}
#: Answers in the forms of other APIs.
NATIVE: dict[str, object] = {
    "Ollama": {"message": {"content": ANSWER}, "prompt_eval_count": 3, "eval_count": 2},
    "Ollama, generate": {"response": ANSWER, "prompt_eval_count": 3, "eval_count": 2},
    "Ollama, call": {
        "message": {"content": "", "tool_calls": [{"function": {"arguments": {"memories": []}}}]},
        "prompt_eval_count": 3,
        "eval_count": 2,
    },
    "Ollama, lines": [
        {"message": {"content": ANSWER[:5]}, "done": False},
        {"message": {"content": ANSWER[5:]}, "done": False},
        {"message": {"content": ""}, "done": True, "prompt_eval_count": 3, "eval_count": 2},
    ],
    "llama.cpp": {"content": ANSWER, "tokens_evaluated": 3, "tokens_predicted": 2},
    "Gemini": {
        "candidates": [GEMINI],
        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2},
    },
    "Gemini, stream": [
        {"candidates": [{"content": {"parts": [{"text": ANSWER[:5]}]}}]},
        {
            "candidates": [{"content": {"parts": [{"text": ANSWER[5:]}]}}],
            "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2},
        },
    ],
    "Gemini, call": {
        "candidates": [
            {"content": {"parts": [{"functionCall": {"name": "m", "args": {"memories": []}}}]}}
        ],
        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2},
    },
    "OpenAI, responses": {
        "object": "response",
        "output": [{"type": "reasoning", "summary": []}, OPENAI],
        "usage": {"input_tokens": 3, "output_tokens": 2},
    },
    "OpenAI, responses, call": {
        "output": [{"type": "function_call", "name": "m", "arguments": ANSWER}],
        "usage": {"input_tokens": 3, "output_tokens": 2},
    },
    "Anthropic": {
        "type": "message",
        "content": [{"type": "thinking", "thinking": "So?"}, *TEXT_PARTS],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 3, "output_tokens": 2},
    },
    "Anthropic, call": {
        "type": "message",
        "content": [{"type": "tool_use", "name": "m", "input": {"memories": []}}],
        "usage": {"input_tokens": 3, "output_tokens": 2},
    },
    "Bedrock": {
        "output": {"message": {"content": [{"text": ANSWER}]}},
        "usage": {"inputTokens": 3, "outputTokens": 2},
    },
    "Cohere": {
        "message": {"content": TEXT_PARTS},
        "usage": {"input_tokens": 3, "output_tokens": 2},
    },
    "KoboldCpp": {"results": [{"text": ANSWER}], "usage": {"input_tokens": 3, "output_tokens": 2}},
    "envelope": {
        "data": {"result": {"response": ANSWER}},
        "usage": {"prompt_tokens": 3, "completion_tokens": 2},
    },
    "list of one": [
        {
            "choices": [{"message": {"content": ANSWER}}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 2},
        }
    ],
}


@pytest.mark.parametrize("body", NATIVE.values(), ids=NATIVE)
def test_answers_of_other_apis_are_read(
    server: ScriptedProvider, chat_endpoint: Endpoint, body: object
) -> None:
    bodies = [body]
    if isinstance(body, list):
        bodies.append("\n".join(map(json.dumps, body)).encode())
        bodies.append("".join(f"data: {json.dumps(each)}\n\n" for each in body).encode())
    for each in bodies:
        server.answer_with("/chat/completions", each)
        completion = extract(chat_endpoint)
        assert json.loads(completion.text) == json.loads(ANSWER)
        assert (completion.prompt_tokens, completion.completion_tokens) == (3, 2)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"message": {"content": "["}, "done_reason": "length"}, ""),
        (
            {"candidates": [{"content": {"parts": [{"text": "["}]}, "finishReason": "MAX_TOKENS"}]},
            "",
        ),
        ({"output": [OPENAI], "incomplete_details": {"reason": "max_output_tokens"}}, ""),
        ({"content": "[", "stopped_limit": True}, ""),
        ({"content": TEXT_PARTS, "stop_reason": "refusal"}, "refusal"),
        ({"candidates": [GEMINI | {"finishReason": "SAFETY"}]}, "refusal"),
        ({"candidates": [], "promptFeedback": {"blockReason": "SAFETY"}}, "wrong shape"),
        ({"message": "Not found"}, "wrong shape"),
        ({"detail": "Not found"}, "wrong shape"),
        ([], "wrong shape"),
        ([1, 2], "wrong shape"),
        (b'{"a": 1}\n{"b"', "broken JSON"),
        ([{"error": {"message": "Busy"}}], "Busy"),
    ],
)
def test_ends_of_answers_of_other_apis(
    server: ScriptedProvider, chat_endpoint: Endpoint, body: object, problem: str
) -> None:
    server.answer_with("/chat/completions", body)
    if problem:
        with pytest.raises(ProviderError, match=problem):
            extract(chat_endpoint)
    else:
        assert extract(chat_endpoint).cut_off


def test_answer_in_the_thinking_is_marked(
    server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    for name in ("thinking", "reasoning", "reasoning_content"):
        message = {"content": "", name: f"Well. {ANSWER}"}
        server.answer_with("/chat/completions", {"choices": [{"message": message}]})
        assert extract(chat_endpoint).text == f"<think>Well. {ANSWER}"
    message["reasoning_content"] = "Perhaps [] or not."
    server.answer_with("/chat/completions", {"choices": [{"message": message}]})
    with pytest.raises(ProviderError, match="empty message"):
        extract(chat_endpoint)


def test_stream_that_nobody_asked_for(server: ScriptedProvider, chat_endpoint: Endpoint) -> None:
    deltas: list[dict[str, Any]] = [
        {"role": "assistant", "content": None},
        {"content": ANSWER[:4]},
        {"content": ANSWER[4:]},
    ]
    chunks = [{"model": "m", "choices": [{"index": 0, "delta": each}]} for each in deltas]
    usage = {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}
    events = [f"data: {json.dumps(each)}\n\n" for each in (*chunks, usage)]
    body = "".join(events) + "data: [DONE]\n\n"
    server.answer_with("/chat/completions", body.encode())
    completion = extract(chat_endpoint)
    assert (completion.text, completion.model) == (ANSWER, "m")
    assert (completion.prompt_tokens, completion.completion_tokens) == (3, 2)


def test_pieces_of_calls_are_merged() -> None:
    def part(**call: Any) -> dict[str, Any]:
        return {"choices": [{"delta": {"tool_calls": [{"index": 0, **call}]}}]}

    begin = part(id="1", function={"name": "look", "arguments": '{"a"'})
    answer = merged([begin, None, part(function={"arguments": ": 1}"})])
    (call,) = answer["choices"][0]["message"]["tool_calls"]
    assert call == {"index": 0, "id": "1", "function": {"name": "look", "arguments": '{"a": 1}'}}
    # The chunks themselves are left as they are.
    assert begin == part(id="1", function={"name": "look", "arguments": '{"a"'})


@pytest.mark.parametrize(
    "body",
    [
        {"object": "error", "message": "Busy", "code": 503},
        {"choices": [{"error": {"message": "Busy", "code": 503}, "finish_reason": "error"}]},
    ],
)
def test_errors_within_a_body(
    server: ScriptedProvider, chat_endpoint: Endpoint, body: object
) -> None:
    server.answer_with("/chat/completions", body)
    with pytest.raises(ProviderError) as caught:
        extract(chat_endpoint)
    assert caught.value.status == 503


def test_truncated_json_content_is_left_to_the_parser(
    server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    server.reply_with({"memories": []})
    server.fail_next("half_content")
    assert extract(chat_endpoint).text == '{"memori'


def test_hanging_server_times_out(server: ScriptedProvider, chat_endpoint: Endpoint) -> None:
    server.fail_next("hang")
    started = time.monotonic()
    with pytest.raises(ProviderError) as caught:
        extract(chat_endpoint, timeout=0.3)
    assert caught.value.kind == ErrorKind.TIMEOUT
    assert 0.25 < time.monotonic() - started < HANG_SECONDS / 2


def test_retry_after_is_passed_on(server: ScriptedProvider, chat_endpoint: Endpoint) -> None:
    server.fail_next("429", retry_after=7)
    with pytest.raises(ProviderError) as caught:
        extract(chat_endpoint)
    assert caught.value.retry_after == 7.0
    assert "7 s" in str(caught.value)


def test_unencodable_text(server: ScriptedProvider, chat_endpoint: Endpoint) -> None:
    complete_json(chat_endpoint, system="s", user="a\ud800b", schema=SCHEMA, schema_name="m")
    assert server.requests[0].body["messages"][1]["content"] == "a?b"


def test_connection_check(server: ScriptedProvider, chat_endpoint: Endpoint) -> None:
    server.reply_with("Hello,\nmy dear\tfriend. " + "So it goes. " * 10)
    line = chat.check_chat(chat_endpoint)
    assert line.startswith(f"{chat_endpoint.model} answered in 0.")
    assert " s: Hello, my dear friend. So it goes." in line
    assert line.endswith("…")
    assert len(line) < 160


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text("ab 1é", max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "message", "content", "usage", "model", "finish_reason", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(payload=st.dictionaries(st.sampled_from(["choices", "usage", "model"]), JSON))
def test_any_answer_is_parsed_or_unusable(payload: dict[str, Any]) -> None:
    endpoint = Endpoint("custom", "http://localhost/v1", KEY, "m")
    try:
        completion = read_completion(payload, endpoint)
    except ProviderError as error:
        assert error.kind == ErrorKind.UNUSABLE_ANSWER
    else:
        assert completion.text.strip()
        assert isinstance(completion.model, str)
        assert completion.prompt_tokens >= 0


def test_scripted_provider_streams(server: ScriptedProvider) -> None:
    server.reply_with("One two  three.")
    with OpenAI(api_key=KEY, base_url=server.base_url, max_retries=0) as client:
        chunks = list(
            client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "Count."}], stream=True
            )
        )
    said = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert said == "One two  three."
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.completion_tokens == 3
