"""Links of transcripts: when two messages are the same, and how much is known."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.api.v1.transcript import (
    ROOT,
    ClientMessage,
    assistant_message,
    link,
    links,
    read_messages,
    walk,
)

Message = dict[str, Any]


def linked(*messages: Message) -> list[str]:
    return links(read_messages(messages))


def user(content: Any) -> Message:
    return {"role": "user", "content": content}


def assistant(content: Any, **more: Any) -> Message:
    return {"role": "assistant", "content": content, **more}


def calling(arguments: str, call_id: str = "call-1") -> Message:
    function = {"name": "weather", "arguments": arguments}
    return assistant(None, tool_calls=[{"id": call_id, "type": "function", "function": function}])


PICTURE = {"type": "image_url", "image_url": {"url": "https://pictures.example/1.png"}}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (user("Hello there"), user("  Hello\nthere ")),
        (user("Hello"), user([{"type": "text", "text": "Hello"}])),
        (assistant("Hello"), assistant("<think>They said hello.</think>\n\nHello")),
        (assistant("Hello"), assistant("<think>a <think> b</THINKING>Hel<think>c</think>lo")),
        (assistant("Hello"), assistant("Hello", reasoning_content="They said hello.")),
        (calling('{"a": 1, "b": 2}'), calling('{"b":2,"a":1}', call_id="another")),
        (user("Hello"), {**user("Hello"), "cache_control": {"type": "ephemeral"}}),
    ],
)
def test_insignificant_changes_are_the_same_message(one: Message, other: Message) -> None:
    assert linked(one) == linked(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (user("Hello"), user("Hello.")),
        (user("Hello"), assistant("Hello")),
        (user("Hello"), {**user("Hello"), "name": "Ana"}),
        (user("<think>Hello</think>"), user("")),
        (assistant("Hello"), assistant("Hello<think>never closed")),
        (assistant("Hello"), assistant("</think>Hello")),
        (calling('{"a": 1}'), calling('{"a": 2}')),
        (user([PICTURE]), user([{**PICTURE, "image_url": {"url": "data:image/png;base64,x"}}])),
        (user([PICTURE]), user("[image]")),
    ],
)
def test_different_content_is_another_message(one: Message, other: Message) -> None:
    assert linked(one) != linked(other)


def test_hash_depends_on_previous_messages() -> None:
    first, second = linked(user("Yes"), assistant("Sure?")), linked(user("No"), assistant("Sure?"))
    assert not set(first) & set(second)
    assert linked(user("Yes"), user("Yes"))[0] != linked(user("Yes"), user("Yes"))[1]


def test_instructions_are_not_messages() -> None:
    plain = linked(user("Hello"))
    assert linked({"role": "system", "content": "Today is Monday."}, user("Hello")) == plain
    assert linked({"role": "developer", "content": "Be brief."}, user("Hello")) == plain


def test_tool_result_names_its_call() -> None:
    read = read_messages([calling('{"city": "Lyon"}'), {"role": "tool", "tool_call_id": "call-1",
                                               "content": "Rain"}])  # fmt: skip
    assert read[0].message.tool_calls == [
        {"id": "call-1", "name": "weather", "arguments": '{"city": "Lyon"}'}
    ]
    assert (read[1].message.role, read[1].message.tool_name, read[1].message.content) == (
        "tool",
        "weather",
        "Rain",
    )


def test_images_are_mentioned_and_not_stored() -> None:
    (read,) = read_messages([user([{"type": "text", "text": "What is this?"}, PICTURE])])
    assert read.message.content == "What is this?\n[image]"
    assert "pictures.example" not in str(read.message)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
ROLES = st.sampled_from(["user", "assistant", "tool", "function", "system", 7])
ANYTHING = st.fixed_dictionaries(
    {"role": ROLES},
    optional={"content": JSON, "tool_calls": JSON, "name": JSON, "tool_call_id": JSON,
              "function_call": JSON, "refusal": JSON},
)  # fmt: skip


@given(st.lists(JSON | ANYTHING, max_size=5))
def test_any_request_can_be_read(messages: list[Any]) -> None:
    assert len(links(read_messages(messages))) <= len(messages)


MESSAGES = st.lists(
    st.sampled_from([assistant_message(text) for text in ("a", "b", "c d", "c")]), max_size=6
)


@given(MESSAGES, MESSAGES)
def test_transcript_matches_up_to_the_first_difference(
    one: list[ClientMessage], other: list[ClientMessage]
) -> None:
    known = links(one)
    walked = walk(other, set(known), lambda at: [])
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    assert walked.known == same
    assert walked.link == (known[same - 1] if same else ROOT)


def test_start_of_a_reply_matches_the_reply() -> None:
    question, whole = read_messages([user("Tell me")])[0], assistant_message("Once upon a time")
    first, second = links([question, whole])
    stored = {first: [(second, "Once upon a time")]}

    def replies(at: str) -> list[tuple[str, str]]:
        return stored.get(at, [])

    cut = walk([question, assistant_message("Once upon")], {first, second}, replies)
    assert (cut.known, cut.link) == (2, second)
    other = walk([question, assistant_message("Twice upon")], {first, second}, replies)
    assert (other.known, other.link) == (1, first)
    assert link(cut.link, question) == link(second, question)
