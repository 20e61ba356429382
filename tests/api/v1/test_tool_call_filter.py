"""Removing calls of our tools from answers, in any form that servers send."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.api.v1.tool_call_filter import ToolCallFilter, add_usage, without_calls

OURS = {"search_memory"}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=5), each),
    max_leaves=5,
)


def _like(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Objects with these fields, with some of them, or something else."""
    some: st.SearchStrategy[Any] = st.fixed_dictionaries({}, optional=fields)
    return st.fixed_dictionaries(fields) | some | JSON


CALLS = _like(
    index=st.integers(0, 2) | JSON,
    id=JSON,
    function=_like(name=st.just("search_memory") | JSON, arguments=JSON),
)
SAID = _like(content=JSON, role=JSON, tool_calls=st.lists(CALLS, min_size=1, max_size=3) | JSON)
CHOICES = st.lists(_like(delta=SAID, message=SAID, finish_reason=JSON), min_size=1, max_size=2)
CHUNKS = st.fixed_dictionaries(
    {"choices": CHOICES | JSON},
    optional={"object": st.just("chat.completion") | JSON, "usage": JSON},
)


def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"id": "c1", "object": "chat.completion.chunk", "choices": [choice]}


def call(index: int | None, name: str = "", arguments: str = "", call_id: str = "") -> Any:
    function: dict[str, Any] = {"arguments": arguments} | ({"name": name} if name else {})
    return (
        ({} if index is None else {"index": index})
        | ({"id": call_id} if call_id else {})
        | {"type": "function", "function": function}
    )


def deltas(hide: ToolCallFilter, *chunks: dict[str, Any]) -> list[dict[str, Any]]:
    passed = [out for each in chunks for out in hide.filter(each)]
    return [choice["delta"] for each in passed for choice in each["choices"]]


def assembled_calls(hide: ToolCallFilter, *calls: Any) -> dict[int, str]:
    """Return the calls that the caller assembles, by index: name and arguments."""
    calls_by_index: dict[int, str] = {}
    for delta in deltas(hide, *(chunk({"tool_calls": [each]}) for each in calls)):
        for each in delta["tool_calls"]:
            function = each["function"]
            calls_by_index.setdefault(each["index"], "")
            calls_by_index[each["index"]] += function.get("name", "") + function["arguments"]
    return calls_by_index


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        # Own call before the caller's, with interleaved pieces.
        (
            [
                call(0, "search_memory", call_id="a"),
                call(1, "weather", call_id="b"),
                call(0, arguments='{"query"'),
                call(1, arguments='{"city"'),
                call(0, arguments=": 1}"),
                call(1, arguments=": 2}"),
            ],
            {0: 'weather{"city": 2}'},
        ),
        # All calls with the same index; a new id starts a new call.
        (
            [
                call(0, "weather", "{1}", call_id="a"),
                call(0, "search_memory", "{2}", call_id="b"),
                call(0, "weather", "{3}", call_id="c"),
            ],
            {0: "weather{1}", 1: "weather{3}"},
        ),
        # The name is repeated with each piece.
        (
            [
                call(0, "search_memory", "{", call_id="a"),
                call(0, "search_memory", "}", call_id="a"),
                call(1, "weather", "{", call_id="b"),
                call(1, "weather", "}", call_id="b"),
            ],
            {0: "weather{weather}"},
        ),
    ],
)
def test_own_calls_are_hidden_and_others_renumbered(
    calls: list[Any], expected: dict[int, str]
) -> None:
    assert assembled_calls(ToolCallFilter(OURS, wants_usage=False), *calls) == expected


def test_answer_without_own_calls_is_unchanged() -> None:
    strange = {"id": "c1", "choices": [{"delta": {"content": "Hi", "mood": 7}, "x": None}], "y": 1}
    for names in (OURS, set[str]()):
        (passed,) = ToolCallFilter(names, wants_usage=False).filter(strange)
        assert passed == strange


@given(st.lists(CHUNKS, max_size=6))
def test_any_chunks_are_survived(chunks: list[dict[str, Any]]) -> None:
    hide = ToolCallFilter(OURS, wants_usage=True)
    for chunk in chunks:
        list(hide.filter(chunk))
        without_calls(chunk, OURS, "Before.")
    hide.next_round("Before.")
    list(hide.last())


def test_end_of_an_own_round_does_not_end_the_answer() -> None:
    hide = ToolCallFilter(OURS, wants_usage=True)
    first = [
        chunk({"role": "assistant", "content": ""}),
        chunk({"content": "Let me look."}),
        chunk({"tool_calls": [call(0, "search_memory", "{}", call_id="a")]}),
        chunk({}, "tool_calls"),
        {"id": "c1", "choices": [], "usage": {"prompt_tokens": 3}},
    ]
    assert deltas(hide, *first) == [
        {"role": "assistant", "content": ""},
        {"content": "Let me look."},
    ]
    assert hide.continues
    hide.next_round("Let me look.")
    second = [
        {**chunk({"role": "assistant", "content": ""}), "id": "c2"},
        {**chunk({"content": "Nothing."}), "id": "c2"},
        {**chunk({}, "stop"), "id": "c2"},
        {"id": "c2", "choices": [], "usage": {"prompt_tokens": 4}},
    ]
    passed = [out for each in second for out in hide.filter(each)]
    assert [out["id"] for out in passed] == ["c1", "c1"]
    assert passed[0]["choices"][0]["delta"] == {"content": "\n\nNothing."}
    assert passed[1]["choices"][0]["finish_reason"] == "stop"
    assert not hide.continues
    assert list(hide.last()) == [{"id": "c1", "choices": [], "usage": {"prompt_tokens": 7}}]


def test_answer_at_its_length_limit_ends() -> None:
    hide = ToolCallFilter(OURS, wants_usage=False)
    calls = {"tool_calls": [call(0, "search_memory", "{", call_id="a")]}
    *_, end = [out for c in (chunk(calls), chunk({}, "length")) for out in hide.filter(c)]
    assert end["choices"][0]["finish_reason"] == "length"
    assert not hide.continues


def test_complete_answer_without_own_calls() -> None:
    calls = [call(None, "search_memory", "{}"), call(None, "weather", "{}")]
    message = {"role": "assistant", "content": None, "tool_calls": calls, "mood": 7}
    answer = {"id": "c1", "choices": [{"message": message, "finish_reason": "tool_calls"}]}
    (choice,) = without_calls(answer, OURS, "Let me look.")["choices"]
    assert choice["message"] == {
        "role": "assistant",
        "content": "Let me look.",
        "tool_calls": calls[1:],
        "mood": 7,
    }


@pytest.mark.parametrize(
    ("total", "usage", "expected"),
    [
        (None, {"prompt_tokens": 1}, {"prompt_tokens": 1}),
        ({"prompt_tokens": 1}, None, {"prompt_tokens": 1}),
        (None, "nonsense", {}),
        (
            {"prompt_tokens": 1, "details": {"cached": 2}, "tier": "a"},
            {"prompt_tokens": 2, "details": {"cached": 3, "audio": 4}, "tier": "b"},
            {"prompt_tokens": 3, "details": {"cached": 5, "audio": 4}, "tier": "b"},
        ),
    ],
)
def test_usage_of_rounds_is_summed(total: Any, usage: Any, expected: dict[str, Any]) -> None:
    assert add_usage(total, usage) == expected
