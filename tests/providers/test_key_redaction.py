"""A key that a server repeats is removed, whole and in pieces, and nothing else."""

import time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memoryapp.providers.errors import SCRUBBED
from memoryapp.providers.key_redaction import (
    MIN_HELD,
    MIN_PIECE,
    RedactedChunks,
    without_key,
)

KEY = "sk-proj-4f2aQ9zLk31VbXw7Yp0C-7uHn2mRt8sJd5e"
KEYS = st.text("abcdefghijkLMNOPQRSTU0123456789_-", min_size=MIN_PIECE, max_size=60)
AROUND = st.text("aZ0-_*.…: \n\"'é", max_size=30)


def text_of(chunks: list[dict[str, Any]], name: str) -> str:
    """Join the texts under *name* in the deltas of the first choices, as clients do."""
    return "".join(chunk["choices"][0]["delta"].get(name) or "" for chunk in chunks)


def streamed(pieces: list[str], key: str = KEY) -> list[str]:
    """The text that is passed on if it arrives in *pieces*."""
    filtered = RedactedChunks(key)
    chunks: list[dict[str, Any]] = []
    for piece in pieces:
        chunks += filtered.pass_on({"choices": [{"index": 0, "delta": {"content": piece}}]})
    chunks += filtered.end()
    return [chunk["choices"][0]["delta"]["content"] for chunk in chunks]


@given(KEYS, AROUND, AROUND)
def test_key_is_redacted_everywhere(key: str, before: str, after: str) -> None:
    text = f"{before}{key}{after}"
    assert key not in without_key(text, key)
    value = {"id": text, text: [text, 1, None, True], "n": {"n": [{"arguments": text}]}}
    assert key not in str(without_key(value, key))


@given(KEYS, AROUND, AROUND, st.lists(st.integers(1, 90), max_size=12), st.booleans())
def test_key_is_redacted_in_any_split_of_a_stream(
    key: str, before: str, after: str, cuts: list[int], singly: bool
) -> None:
    text = f"{before}{key}{after}"
    places = range(len(text)) if singly else sorted({0, *(c for c in cuts if c < len(text))})
    ends = [*list(places)[1:], len(text)]
    received = "".join(streamed([text[a:b] for a, b in zip(places, ends, strict=True)], key))
    assert not any(key[i : i + MIN_PIECE] in received for i in range(len(key) - MIN_PIECE + 1))


@given(st.lists(st.text("sk-proj4f2aQ z", max_size=12)))
@example(["-pr", "o"])
@example(["a -pr", "o", "j"])
def test_text_without_the_key_is_unchanged(pieces: list[str]) -> None:
    assert "".join(streamed(pieces)) == "".join(pieces)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 19, 20, 43])
def test_only_its_first_characters_may_appear(size: int) -> None:
    text = f"Your key is {KEY}. Keep it."
    received = "".join(streamed([text[i : i + size] for i in range(0, len(text), size)]))
    assert received.endswith(f"{SCRUBBED}. Keep it.")
    visible = received.removeprefix("Your key is ").removesuffix(f"{SCRUBBED}. Keep it.")
    assert KEY.startswith(visible) and len(visible) < MIN_HELD


def test_long_parts_are_redacted_and_short_ones_kept() -> None:
    piece = KEY[5 : 5 + MIN_PIECE]
    assert without_key(f"({piece})", KEY) == f"({SCRUBBED})"
    assert without_key(f"({piece[:-1]})", KEY) == f"({piece[:-1]})"
    assert without_key(f"{KEY}{KEY} {KEY[:25]}", KEY) == f"{SCRUBBED}{SCRUBBED} {SCRUBBED}"


@pytest.mark.parametrize("key", ["", "ollama", "not-needed", "lm-studio", "none", "1234567"])
def test_placeholder_key_is_not_redacted(key: str) -> None:
    text = f"Say {key}: {key} runs here."
    assert without_key(text, key) == text
    assert "".join(streamed([text], key)) == text


def test_short_key_is_redacted_completely() -> None:
    assert without_key("It is hunter2x, hunter2.", "hunter2x") == f"It is {SCRUBBED}, hunter2."
    assert "".join(streamed(["It is hunt", "er2", "x."], "hunter2x")) == f"It is {SCRUBBED}."


def test_calls_reasoning_and_choices_are_separate_texts() -> None:
    filtered, half = RedactedChunks(KEY), len(KEY) // 2
    chunks: list[dict[str, Any]] = []

    def call(arguments: str) -> dict[str, Any]:
        return {"tool_calls": [{"index": 1, "id": "c", "function": {"arguments": arguments}}]}

    for part in (KEY[:half], KEY[half:]):
        for delta in ({"reasoning": part}, call(part), {"content": part}):
            chunks += filtered.pass_on({"id": KEY, "choices": [{"index": 0, "delta": delta}]})
    other = {"index": 1, "delta": {"content": KEY[:10]}, "finish_reason": None}
    chunks += filtered.pass_on({"choices": [other]})
    end = {"index": 0, "delta": {}, "finish_reason": "stop"}
    chunks += filtered.pass_on({"model": "m", "usage": {"total": 3}, "choices": [end]})
    ending = list(filtered.end())

    assert KEY not in str(chunks)
    assert chunks[-1]["choices"] == [end] and chunks[-1]["usage"] == {"total": 3}
    assert not any("usage" in chunk for chunk in chunks[:-1])
    mine = [chunk for chunk in chunks if chunk["choices"][0]["index"] == 0]
    assert text_of(mine, "content") == text_of(mine, "reasoning") == SCRUBBED
    calls = [d for c in mine for d in c["choices"][0]["delta"].get("tool_calls", [])]
    assert {each["index"] for each in calls} == {1}
    assert "".join(each["function"]["arguments"] for each in calls) == SCRUBBED
    assert [chunk["choices"][0] for chunk in ending] == [
        {"index": 1, "delta": {"content": KEY[:10]}, "finish_reason": None}
    ]


def test_chunks_are_unchanged_without_a_key() -> None:
    chunk = {"choices": [{"index": 0, "delta": {"content": "Hi"}}]}
    assert next(iter(RedactedChunks("").pass_on(chunk))) == chunk


@pytest.mark.parametrize(
    "text", [KEY[:19] * 100_000, "a" * 2_000_000, KEY[:10] * 200_000, KEY * 40_000]
)
@pytest.mark.parametrize("key", [KEY, "a" * 40, "ab1" * 300])
def test_redaction_takes_linear_time(text: str, key: str) -> None:
    began = time.process_time()
    without_key(text, key)
    assert time.process_time() - began < 3
