"""Removing calls of our tools from messages, and adding ours to requests, in Anthropic's form."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.api.v1.message_filter import MessageFilter
from memoryapp.api.v1.messages_request import offered_names, with_context
from memoryapp.api.v1.messages_transcript import chat_messages
from memoryapp.api.v1.transcript import links, read_messages
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.message_assembly import MessageAssembly
from memoryapp.providers.messages_filter import events_of

OURS = {"search_memory"}
SEARCH = {"type": "tool_use", "id": "a", "name": "search_memory", "input": {}}
LYON = {"type": "tool_use", "id": "b", "name": "weather", "input": {}}
THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "x"}
CONTEXT = {"type": "text", "text": "CONTEXT"}
RESULT = {"type": "tool_result", "tool_use_id": "b", "content": "Rain"}
Event = dict[str, Any]


def text(words: str) -> Event:
    return {"type": "text", "text": words}


def answer(blocks: list[Event], reason: str) -> Event:
    usage = {"input_tokens": 10, "output_tokens": 2, "server_tool_use": {"web_search_requests": 1}}
    whole = {"type": "message", "id": f"msg_{len(blocks)}", "role": "assistant"}
    return {**whole, "content": blocks, "stop_reason": reason, "usage": usage}


def shown(hide: MessageFilter, rounds: list[list[Event]]) -> Iterator[Event]:
    """Yield what the caller is shown of *rounds*; all but the last one end with a call of ours."""
    for number, blocks in enumerate(rounds):
        last = number == len(rounds) - 1
        for event in events_of(answer(blocks, "end_turn" if last else "tool_use")):
            yield from hide.filter(event)
        assert hide.continues != last
        if not last:
            hide.next_round()
    yield from hide.last()


BLOCKS = st.lists(st.sampled_from([text("a"), text("b"), THOUGHT]), max_size=4)


@given(st.lists(BLOCKS, max_size=3), BLOCKS)
def test_rounds_are_one_message(before: list[list[Event]], last: list[Event]) -> None:
    rounds = [*([*blocks, SEARCH] for blocks in before), last]
    hide = MessageFilter(OURS)
    events = list(shown(hide, rounds))
    kinds = [event["type"] for event in events]
    assert [kinds[0], *kinds[-2:]] == ["message_start", "message_delta", "message_stop"]
    assert not {"message_start", "message_delta", "message_stop"} & set(kinds[1:-2])
    starts = [event["index"] for event in events if event["type"] == "content_block_start"]
    assert starts == list(range(len(starts)))

    assembly = MessageAssembly(Endpoint("anthropic", "http://127.0.0.1/v1", "", "claude"))
    for event in events:
        assembly.take(event)
    expected = [block for blocks in rounds for block in blocks if block is not SEARCH]
    assert [
        {**each, "text": each["text"].strip()} if "text" in each else each
        for each in assembly.blocks()
    ] == expected
    assert assembly.usage["input_tokens"] == 10 * len(rounds)
    assert assembly.usage["server_tool_use"] == {"web_search_requests": len(rounds)}
    assert hide.usage == assembly.usage


@pytest.mark.parametrize(
    ("rounds", "said"),
    [
        ([[text("a"), SEARCH], [text("b"), text("c")]], "a\n\nbc"),
        ([[text("a"), SEARCH], [THOUGHT, text("b")]], "a\n\nb"),
        ([[SEARCH], [text("b")]], "b"),
        ([[text("a"), SEARCH], [SEARCH], [text("b")]], "a\n\nb"),
    ],
)
def test_texts_of_two_rounds_are_paragraphs(rounds: list[list[Event]], said: str) -> None:
    assembly = MessageAssembly(Endpoint("anthropic", "http://127.0.0.1/v1", "", "claude"))
    for event in shown(MessageFilter(OURS), rounds):
        assembly.take(event)
    assert assembly.text == said


@pytest.mark.parametrize(
    ("blocks", "reason", "continues"),
    [
        ([SEARCH], "tool_use", True),
        ([SEARCH, LYON], "tool_use", False),
        ([LYON], "tool_use", False),
        ([SEARCH], "max_tokens", False),
        ([SEARCH], "refusal", False),
        ([text("a")], "end_turn", False),
        ([text("a")], "pause_turn", False),
    ],
)
def test_message_continues_after_calls_of_only_ours(
    blocks: list[Event], reason: str, continues: bool
) -> None:
    hide = MessageFilter(OURS)
    passed = [out for event in events_of(answer(blocks, reason)) for out in hide.filter(event)]
    assert hide.continues == continues
    ends = [each["delta"]["stop_reason"] for each in passed if each["type"] == "message_delta"]
    assert ends == ([] if continues else [reason])


def test_message_without_calls_of_ours_is_unchanged() -> None:
    events = list(events_of(answer([THOUGHT, text("a"), text("b"), LYON], "tool_use")))
    hide = MessageFilter(OURS)
    passed = [out for event in events for out in hide.filter(event)]
    assert [*passed, *hide.last()] == events


# The request.


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([("user", "a")], [("user", [text("a"), CONTEXT])]),
        (
            [("user", "a"), ("assistant", "b"), ("user", [RESULT])],
            [("user", [text("a"), CONTEXT]), ("assistant", "b"), ("user", [RESULT])],
        ),
        ([("user", [RESULT, text("a")])], [("user", [RESULT, text("a"), CONTEXT])]),
        ([("user", [RESULT])], [("user", [RESULT])]),
        ([("user", "a"), ("assistant", "{")], [("user", [text("a"), CONTEXT]), ("assistant", "{")]),
        ([("user", 7)], [("user", 7)]),
    ],
)
def test_place_of_the_context(messages: Any, expected: Any) -> None:
    def as_messages(pairs: Any) -> list[Event]:
        return [{"role": role, "content": content} for role, content in pairs]

    given = as_messages(messages)
    assert with_context(given, "CONTEXT") == as_messages(expected)
    assert given == as_messages(messages)
    assert with_context(given, "") == given


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({}, set()),
        (
            {"tools": [LYON, {"type": "web_search_20250305", "name": "web_search"}]},
            {"weather", "web_search"},
        ),
        ({"tools": [LYON], "tool_choice": {"type": "auto"}}, {"weather"}),
        ({"tools": [LYON], "tool_choice": {"type": "any"}}, None),
        ({"tools": [LYON], "tool_choice": {"type": "none"}}, None),
        ({"tool_choice": 7}, None),
        ({"tools": "weather"}, None),
    ],
)
def test_names_of_the_callers_tools(body: Event, names: object) -> None:
    assert offered_names(body) == names


# The conversation.


def test_what_was_said_is_read() -> None:
    picture = {"type": "image", "source": {"type": "base64", "data": "aGVsbG8="}}
    server = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    messages = [
        {"role": "user", "content": [text("What is it?"), picture]},
        {
            "role": "assistant",
            "content": [THOUGHT, text("I look."), server, text("It rains."), LYON],
        },
        {
            "role": "user",
            "content": [{**RESULT, "content": [text("Rain"), picture]}, text("Well?")],
        },
        {"role": "assistant", "content": [THOUGHT]},
        "nothing",
        {"role": "user", "content": 7},
    ]
    read = [each.message for each in read_messages(chat_messages(messages))]
    assert [(str(each.role), each.content) for each in read] == [
        ("user", "What is it?\n[image]"),
        ("assistant", "I look.\n\nIt rains."),
        ("tool", "Rain\n[image]"),
        ("user", "Well?"),
    ]
    assert read[1].tool_calls == [{"id": "b", "name": "weather", "arguments": "{}"}]
    assert read[2].tool_name == "weather"
    assert chat_messages("nothing") == []


def test_marks_for_the_cache_do_not_count() -> None:
    """They move on with each request."""
    picture = {"type": "image", "source": {"type": "base64", "data": "aGVsbG8="}}
    mark = {"cache_control": {"type": "ephemeral"}}

    def links_with(mark: Event) -> list[str]:
        blocks = [{**RESULT, "content": [{**picture, **mark}]}, {**picture, **mark}]
        return links(read_messages(chat_messages([{"role": "user", "content": blocks}])))

    assert links_with(mark) == links_with({})
