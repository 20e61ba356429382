"""Filtering of responses from other servers."""

from typing import Any

import pytest

from memoryapp.providers import response_filter

OPENAI: dict[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1_790_000_000,
    "model": "gpt-6-luna",
    "service_tier": "default",
    "system_fingerprint": None,
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "logprobs": {"content": [{"token": "a", "bytes": [97], "top_logprobs": []}]},
            "message": {
                "role": "assistant",
                "content": "x" * 100_000,
                "refusal": None,
                "annotations": [{"type": "url_citation", "url_citation": {"url": "https://a"}}],
                "tool_calls": [
                    {
                        "id": "c1",
                        "type": "function",
                        "function": {"name": "f", "arguments": "{}"},
                        "extra_content": {"google": {"thought_signature": "abc"}},
                    }
                ],
            },
        }
    ],
    "usage": {"prompt_tokens": 1, "prompt_tokens_details": {"cached_tokens": 0}, "cost": 0.1},
}
OTHERS: dict[str, Any] = {
    **OPENAI,
    "provider": "Anthropic",
    "citations": ["https://a.example"],
    "timings": {"predicted_ms": 3.5},
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "native_finish_reason": "end_turn",
            "stop_reason": None,
            "message": {
                "role": "assistant",
                "content": [{"type": "text", "text": "Hello"}],
                "reasoning": "r" * 50_000,
                "reasoning_content": "r" * 50_000,
                "reasoning_details": [{"type": "reasoning.text", "text": "r"}],
                "images": [{"type": "image_url", "image_url": {"url": "data:…"}}],
            },
        }
    ],
}


@pytest.mark.parametrize("sent", [OPENAI, OTHERS], ids=["OpenAI", "others"])
def test_valid_answers_are_unchanged(sent: dict[str, Any]) -> None:
    assert response_filter.answer(sent) == sent
    choice = dict(sent["choices"][0])
    chunk = {**sent, "choices": [{**choice, "delta": choice.pop("message")}]}
    del chunk["choices"][0]["message"]
    assert response_filter.chunk(chunk) == chunk


@pytest.mark.parametrize(
    "sent",
    [
        {"any": "INTERNAL", "secret": "topsecret123"},
        {"choices": []},
        {"choices": {"message": {"content": "x"}}},
        {"choices": ["x"]},
        {"choices": [{"text": "x"}]},
        {"choices": [{"message": "x"}]},
        {"choices": [{"message": {}}]},
        {"choices": [{"message": {"secret": "x"}}]},
        {"choices": [{"message": {"content": "x"}}, {"secret": "x"}]},
        {"choices": [{"message": {"content": "x"}}] * 129},
        {"data": [{"message": {"content": "x"}}]},
        {"message": {"content": "x"}},
    ],
)
def test_invalid_answers(sent: dict[str, Any]) -> None:
    assert response_filter.answer(sent) is None


@pytest.mark.parametrize(
    "sent",
    [
        {"any": "INTERNAL"},
        {"choices": None},
        {"choices": [{"secret": "x"}]},
        {"choices": [{"delta": "x"}]},
        {"usage": "x"},
        ["choices"],
        "choices",
        None,
    ],
)
def test_invalid_chunks(sent: object) -> None:
    assert response_filter.chunk(sent) is None


@pytest.mark.parametrize(
    "sent",
    [
        {"choices": []},
        {"choices": [], "usage": {"total_tokens": 3}},
        {"choices": [{"index": 0, "delta": {}}]},
        {"choices": [{"index": 0, "message": {"content": "All at once."}}]},
    ],
)
def test_valid_chunks_are_unchanged(sent: dict[str, Any]) -> None:
    assert response_filter.chunk(sent) == sent
    ended = response_filter.chunk({"choices": [{"finish_reason": "stop"}]})
    assert ended == {"choices": [{"finish_reason": "stop", "delta": {}}]}
    assert response_filter.chunk({"usage": {}}) == {"usage": {}, "choices": []}


def test_extra_fields_pass_only_with_simple_values() -> None:
    deep: Any = "deep"
    for _ in range(20):
        deep = [deep]
    message = {"role": "assistant", "content": "Hi", "logprobs": {"deep": deep}}
    kept = {**message, "plain": 1}
    del kept["logprobs"]
    sent = {
        "model": ["gpt"],
        "id": "i" * 201,
        "plain": True,
        "long": "x" * 1_001,
        "object_of_ours": {"secret": "x"},
        "list_of_ours": ["secret"],
        "n" * 201: 1,
        "usage": ["x"],
        "choices": [{"message": {**message, "plain": 1, "more": {"secret": "x"}}}],
    }
    assert response_filter.answer(sent) == {"plain": True, "choices": [{"message": kept}]}


def test_models_have_few_fields() -> None:
    openrouter = {
        "id": "openai/gpt-6-luna",
        "name": "GPT-6 Luna",
        "created": 1_790_000_000,
        "description": "Small.",
        "context_length": 400_000,
        "architecture": {"modality": "text"},
        "secret": "topsecret123",
    }
    data = [openrouter, {"id": 5}, {"id": "x" * 201}, {"name": "none"}, "model", {"id": ""}]
    known = ("id", "name", "created", "description", "context_length")
    assert response_filter.models({"data": data}) == [{name: openrouter[name] for name in known}]
    assert (
        len(response_filter.models({"data": [{"id": "m"}] * 5_000})) == response_filter.MAX_MODELS
    )
    for other in ({"data": {"id": "m"}}, {"models": [{"id": "m"}]}, {}):
        assert response_filter.models(other) == []
