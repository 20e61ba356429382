"""Messages of Anthropic's API are assembled as they were, without the key, from any events."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.bounded_json import MAX_DEPTH
from memoryapp.api.v1.message_filter import MessageFilter
from memoryapp.providers import messages_filter
from memoryapp.providers.chat_stream import MAX_ARGUMENT_CHARACTERS, MAX_CALLS
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.field_values import MAX_TOKENS
from memoryapp.providers.key_redaction import RedactedEvents
from memoryapp.providers.message_assembly import MessageAssembly, said
from memoryapp.providers.messages_filter import MAX_BLOCKS, MAX_USAGE_VALUES, events_of

ENDPOINT = Endpoint("anthropic", "http://127.0.0.1/v1", "", "claude")
KEY = "sk-ant-4f2aQ9zLk31VbXw7Yp0C"
Event = dict[str, Any]


def message(*blocks: Event, **more: Any) -> Event:
    return {"type": "message", "role": "assistant", "content": list(blocks), **more}


def text(words: str) -> Event:
    return {"type": "text", "text": words}


def assembled(*events: Event) -> MessageAssembly:
    assembly = MessageAssembly(ENDPOINT)
    for event in events:
        assembly.take(event)
    return assembly


def deltas(kind: str, field: str, pieces: list[str], **block: Any) -> Iterator[Event]:
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    for piece in pieces:
        delta = {"type": kind, field: piece}
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}


# Assembly.


@given(st.lists(st.text(max_size=5), min_size=1))
def test_pieces_make_the_block(pieces: list[str]) -> None:
    whole = "".join(pieces)
    begun = {"type": "thinking", "thinking": "", "signature": ""}
    made = assembled(
        *deltas("thinking_delta", "thinking", pieces, **begun),
        {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta"}},
    )
    assert made.blocks() == [{**begun, "thinking": whole}]
    spoken = assembled(*deltas("text_delta", "text", pieces, type="text", text=""))
    assert spoken.text == whole
    assert spoken.blocks() == ([text(whole)] if whole.strip() else [])


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ('{"city": "Lyon", "days": [1, 2]}', {"city": "Lyon", "days": [1, 2]}),
        ("", {}),
        ('{"city": "Ly', {}),
        ("[1]", {}),
        ("[" * 5000, {}),
    ],
)
def test_input_of_a_call(written: str, value: object) -> None:
    pieces = [written[at : at + 3] for at in range(0, len(written), 3)]
    call = {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}}
    made = assembled(*deltas("input_json_delta", "partial_json", pieces, **call))
    assert made.blocks() == [{**call, "input": value}]
    (called,) = made.reply().tool_calls
    assert (called.id, called.name, called.arguments) == ("toolu_1", "weather", written or "{}")


def test_call_that_begins_whole() -> None:
    call = {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Köln"}}
    made = assembled(*events_of(message(call, stop_reason="tool_use")))
    assert made.blocks() == [call]
    assert made.reply().tool_calls[0].arguments == '{"city": "Köln"}'


def test_values_of_later_betas_are_kept() -> None:
    begun = {"type": "compaction", "content": None}
    delta = {"type": "compaction_delta", "content": "So far.", "encrypted_content": "eA"}
    made = assembled(
        {"type": "content_block_start", "index": 0, "content_block": begun},
        {"type": "content_block_delta", "index": 0, "delta": delta},
    )
    assert made.blocks() == [
        {"type": "compaction", "content": "So far.", "encrypted_content": "eA"}
    ]


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ([text("a"), text("b")], "ab"),
        ([text("a"), {"type": "thinking", "thinking": "x"}, text("b")], "a\n\nb"),
        ([text("a"), {"type": "server_tool_use"}, text(""), text("b"), text("c")], "a\n\nbc"),
        ([{"type": "thinking", "thinking": "x"}], ""),
        ([{"type": "text", "text": None}, {"text": "x"}, text("a")], "a"),
    ],
)
def test_text_of_blocks(blocks: list[Event], expected: str) -> None:
    assert said(blocks) == expected


def test_absurd_values_are_limited() -> None:
    long = {"type": "tool_use", "id": "i" * 1000, "name": "n\x00" * 1000, "input": "x" * 200_000}
    usage = dict.fromkeys(("input_tokens", "cache_read_input_tokens"), 10**20)
    whole = message(*[long] * (MAX_CALLS + 5), model="m\x00" * 500, usage=usage, stop_reason=7)
    made = assembled(*events_of(whole))
    reply = made.reply()
    assert len(reply.tool_calls) == MAX_CALLS
    assert (len(reply.tool_calls[0].id), len(reply.tool_calls[0].name)) == (200, 200)
    assert len(reply.tool_calls[0].arguments) <= MAX_ARGUMENT_CHARACTERS
    assert reply.prompt_tokens == 2 * MAX_TOKENS
    assert made.finish_reason == ""


# What passes.


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"type": "message"},
        {"type": "message", "role": "user", "content": []},
        {"type": "message", "role": "assistant", "content": "secret"},
        {"type": "message", "role": "assistant", "content": [{"text": "secret"}]},
        {"type": "message", "role": "assistant", "content": [], "usage": 3},
        message(*[text("a")] * (MAX_BLOCKS + 1)),
        message(usage={"iterations": [{}] * (MAX_USAGE_VALUES + 1)}),
    ],
)
def test_other_answers_are_no_message(payload: Event) -> None:
    assert messages_filter.message(payload) is None


def test_depth_is_limited() -> None:
    deep: Any = 1
    for _ in range(MAX_DEPTH + 1):
        deep = [deep]
    assert messages_filter.message(message(new=deep)) is None
    assert messages_filter.event({"type": "new_event", "new": deep}) is None
    assert messages_filter.message(message(new=[[1]])) == message(new=[[1]])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=5), each),
    max_leaves=5,
)
NAMED = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "tool_use", "thinking", "text_delta", "x"]) | JSON},
    optional=dict.fromkeys(("text", "name", "id", "input", "citation", "partial_json"), JSON),
)
KINDS = """message_start message_delta content_block_start content_block_delta
    content_block_stop message_stop ping x""".split()
EVENTS = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS)},
    optional={
        "message": st.just(message()) | JSON,
        "index": st.integers(0, 2) | JSON,
        "content_block": NAMED | JSON,
        "delta": NAMED | JSON,
        "usage": JSON,
    },
)


@given(st.lists(EVENTS, max_size=12))
def test_any_events_are_survived(payloads: list[Event]) -> None:
    assembly, hide = MessageAssembly(ENDPOINT), MessageFilter({"search_memory"})
    redacted = RedactedEvents(KEY)
    events = [event for each in payloads if (event := messages_filter.event(each))]
    for event in [shown for each in events for shown in redacted.pass_on(each)]:
        assembly.take(event)
        list(hide.filter(event))
    list(redacted.end())
    assembly.blocks()
    assembly.reply()


# The key.


@given(st.lists(st.integers(1, 12), max_size=12), st.sampled_from(["text", "partial_json"]))
def test_key_is_removed_in_any_split(sizes: list[int], field: str) -> None:
    whole, pieces = f"It is {KEY}, sk-a", []
    for size in sizes:
        pieces.append(whole[:size])
        whole = whole[size:]
    redacted = RedactedEvents(KEY)
    events = deltas(f"{field}_delta", field, [*pieces, whole], type="text", text="")
    shown = [each for event in events for each in redacted.pass_on(event)]
    assert shown[-1]["type"] == "content_block_stop"
    joined = "".join(each["delta"][field] for each in shown if "delta" in each)
    # Fewer than four of its first characters may pass.
    assert re.fullmatch(r"It is (s|sk|sk-)?\[key], sk-a", joined)
    assert not list(redacted.end())


def test_signature_stays_in_one_piece() -> None:
    """A client takes the last one."""
    signature = "c2lnbmF0dXJl" + KEY[:6]
    event = {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "signature_delta", "signature": signature},
    }
    redacted = RedactedEvents(KEY)
    assert [*redacted.pass_on(event), *redacted.end()] == [event]
