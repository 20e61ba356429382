"""Streams of model servers: what begins one, and what its events say."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.providers import event_stream
from memoryapp.providers.chat_stream import converse
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ErrorKind, ProviderError
from memoryapp.providers.stream_chunks import stream_chunks
from tests.scripted_provider import ScriptedProvider


def payloads(body: str, size: int = 7) -> list[Any]:
    """Return the payloads of a body that comes in pieces of *size* bytes."""
    sent = body.encode()
    return list(event_stream.payloads(sent[at : at + size] for at in range(0, len(sent), size)))


@pytest.mark.parametrize(
    "begin",
    ["data: {}", "event: ping", ": hello", "id: 1", "retry: 5", "\n\ndata:{}", "\ufeffdata: 1"],
)
def test_streams_are_known_by_their_begin(begin: str) -> None:
    found, pieces = event_stream.with_begin(iter([begin[:2].encode(), begin[2:].encode()]))
    assert event_stream.is_stream(found)
    assert b"".join(pieces) == begin.encode()


@pytest.mark.parametrize("begin", ["", "{", '{"data": 1}', "[1]", "<html>", "database is gone"])
def test_other_bodies_are_no_streams(begin: str) -> None:
    found, pieces = event_stream.with_begin(iter([begin.encode()]))
    assert not event_stream.is_stream(found)
    assert b"".join(pieces) == begin.encode()


@pytest.mark.parametrize(
    "body",
    [
        'data: {"n": "é"}\n\ndata: {"n": 2}\n\n',
        'data:{"n": "é"}\r\n\r\ndata:{"n": 2}\r\n\r\n',
        'data: {"n": "é"}\r\rdata: {"n": 2}\r\r',
        'event: message\nid: 7\ndata: {"n": "é"}\n\n: still here\n\nretry: 3\n\ndata: {"n": 2}\n\n',
        'data: {"n":\ndata: "é"}\n\ndata: {"n": 2}\n\n',
        'data: {"n": "é"}\ndata: {"n": 2}\n',
        'data: {"n": "é"}\n\ndata:\n\ndata: {"n": 2}',
        '\ufeffdata: {"n": "é"}\n\ndata: {"n": 2}\n\ndata: {"n": ',
    ],
)
def test_events_in_any_form(body: str) -> None:
    for size in (1, 7, 1_000):
        assert payloads(body, size) == [{"n": "é"}, {"n": 2}]


def test_marks_of_an_end_and_of_errors() -> None:
    assert payloads('data: {}\n\ndata: [DONE]\n\ndata: {"after": 1}\n\n') == [{}, None]
    assert payloads("data: [DONE]") == [None]
    assert payloads('event: error\ndata: {"message": "No."}\n\n') == [{"error": {"message": "No."}}]
    assert payloads('data: {"p": [-Infinity, NaN, 1e999, 0.5]}\n\n') == [
        {"p": [None, None, None, 0.5]}
    ]
    with pytest.raises(ValueError, match="Expecting"):
        payloads('data: {"n": \n\n')


@given(st.lists(st.text()), st.integers(1, 9))
def test_any_text_comes_through(texts: list[str], size: int) -> None:
    body = "".join(f"data: {json.dumps([text], ensure_ascii=False)}\n\n" for text in texts)
    assert payloads(body, size) == [[text] for text in texts]


def chunk(*choices: object, **more: object) -> str:
    return f"data: {json.dumps({'id': 'c', 'model': 'm', 'choices': list(choices), **more})}\n\n"


def says(text: str, **more: object) -> str:
    return chunk({"index": 0, "delta": {"content": text}, "finish_reason": None, **more})


DONE = "data: [DONE]\n\n"
END = chunk({"index": 0, "delta": {}, "finish_reason": "stop"})
BODIES = {
    "usage without choices": says("Plum ") + says("jam") + END + 'data: {"usage": {}}\n\n' + DONE,
    "usage beside null": says("Plum jam") + END + 'data: {"choices": null, "usage": {}}\n\n' + DONE,
    "signs of life": ": hi\n\n" + 'data: {"type": "ping"}\n\n' + says("Plum jam") + END,
    "null": says("Plum jam") + "data: null\n\n" + 'data: {"choices": null}\n\n' + END + DONE,
    "null between": says("Plum") + "data: null\n\n" + says(" jam") + END,
    "delta null": chunk({"index": 0, "delta": None}) + says("Plum jam") + END + DONE,
    "end with delta null": says("Plum jam") + END.replace("{}", "null") + DONE,
    "text after the end": says("Plum") + END.replace("{}", '{"content": " jam"}') + says("") + DONE,
    "no reason": says("Plum") + says(" jam") + DONE,
    "done without a line's end": says("Plum jam") + DONE.strip(),
    "lines of another system": (says("Plum") + says(" jam") + END + DONE).replace("\n", "\r\n"),
    "empty reason": says("Plum jam", finish_reason="") + DONE,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("content_type", ["text/event-stream", "text/plain", "application/json"])
def test_streams_that_say_something(
    body: str, content_type: str, server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    server.answer_with("/chat/completions", body.encode(), content_type=content_type)
    *pieces, reply = converse(chat_endpoint, [])
    assert "".join(map(str, pieces)) == "Plum jam"
    assert not isinstance(reply, str)
    assert reply.text == "Plum jam"


def test_ends_are_added_for_callers(server: ScriptedProvider, chat_endpoint: Endpoint) -> None:
    call = {"index": 0, "id": "a", "function": {"name": "look", "arguments": "{}"}}
    second = chunk({"index": 1, "delta": {"tool_calls": [call]}})
    server.answer_with("/chat/completions", (says("Plum") + second + DONE).encode())
    *_, last = stream_chunks(chat_endpoint, {"messages": []})
    assert last == {
        "id": "c",
        "model": "m",
        "choices": [
            {"index": 0, "delta": {}, "finish_reason": "stop"},
            {"index": 1, "delta": {}, "finish_reason": "tool_calls"},
        ],
    }


@pytest.mark.parametrize("key", ["", "sk-test-4f2aQ9zLk31VbXw7Yp0C"])
def test_halves_of_characters_wait_for_each_other(
    key: str, server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    body = says("Plum \ud83e") + says("\uded0!") + says("\ud83e") + END + DONE
    server.answer_with("/chat/completions", body.encode())
    said = [
        choice["delta"].get("content", "")
        for each in stream_chunks(chat_endpoint, {"messages": []})
        for choice in (each["choices"] if isinstance(each, dict) else [])
    ]
    assert "".join(said) == "Plum \U0001fad0!\ufffd"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (says("Plum"), ErrorKind.UNREACHABLE),
        (says("Plum") + "data: {", ErrorKind.UNREACHABLE),
        (says("Plum") + 'data: {"error": {"message": "Busy", "code": 503}}\n\n', None),
        (says("Plum") + 'event: error\ndata: {"message": "Busy", "code": 503}\n\n', None),
        ('data: {"any": "thing"}\n\n' + DONE, ErrorKind.UNUSABLE_ANSWER),
        (says("Plum") + chunk({"delta": "x"}), ErrorKind.UNUSABLE_ANSWER),
        (says("Plum") + "data: {]\n\n" + END, ErrorKind.UNUSABLE_ANSWER),
    ],
)
def test_streams_that_break(
    body: str, kind: ErrorKind | None, server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    server.answer_with("/chat/completions", body.encode(), content_type="text/event-stream")
    with pytest.raises(ProviderError) as caught:
        list(converse(chat_endpoint, []))
    assert caught.value.kind == kind or (kind is None and caught.value.status == 503)
