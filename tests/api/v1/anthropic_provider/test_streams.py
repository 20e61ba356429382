"""Odd streams, as servers of Anthropic's API and the proxies before them send them."""

import json
import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from anthropic import Anthropic, APIStatusError

from conversations.models import Message, Role
from instances.models import Instance, Secret
from memoryapp.models import Answer
from tests.api.v1.anthropic_provider.exchange import KEY, ask, content_of
from tests.api.v1.test_messages import HELLO, WEATHER
from tests.outgoing.wire import Wire, request, wire

# Requests are passed on in threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)

MESSAGE: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-5",
    "content": [],
    "stop_reason": None,
    "stop_sequence": None,
    "usage": {"input_tokens": 3, "output_tokens": 1},
}
BEGIN = {"type": "message_start", "message": MESSAGE}
STOP = {"type": "message_stop"}
PING = {"type": "ping"}


def opened(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def text(index: int = 0) -> dict[str, Any]:
    return opened(index, type="text", text="")


def piece(said: str, index: int = 0) -> dict[str, Any]:
    delta = {"type": "text_delta", "text": said}
    return {"type": "content_block_delta", "index": index, "delta": delta}


def written(said: str, index: int) -> dict[str, Any]:
    delta = {"type": "input_json_delta", "partial_json": said}
    return {"type": "content_block_delta", "index": index, "delta": delta}


def thought(index: int, **delta: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": delta}


def closed(index: int = 0) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def end(reason: str | None = "end_turn", **more: Any) -> dict[str, Any]:
    delta = {"stop_reason": reason, "stop_sequence": None}
    return {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 9}, **more}


def event(data: Any) -> bytes:
    """Write an event as Anthropic does; bytes stay as they are."""
    if isinstance(data, bytes):
        return data
    name = data.get("type") if isinstance(data, dict) else None
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n".encode()


@pytest.fixture
def serve(assisted: Instance) -> Iterator[Callable[[Sequence[bytes]], None]]:
    """Have the provider answer with these pieces of a body, and close the connection."""
    pieces: list[bytes] = []

    def answer(connection: socket.socket, seen: Wire) -> None:
        request(connection)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        for each in (head, *pieces):
            connection.sendall(each)
        connection.shutdown(socket.SHUT_WR)

    with wire(answer) as server:
        assisted.base_url = f"{server.url}/v1"
        assisted.save()
        key = Secret.objects.get(instance=assisted)
        key.seal(KEY, assisted.chat_address)
        key.save()
        yield pieces.extend


HI = [BEGIN, text(), piece("Hi "), piece("you"), closed(), end(), STOP]
WHOLE = b"".join(map(event, HI))

ODD: dict[str, Sequence[Any]] = {
    "as it should be": HI,
    "pings": [PING, BEGIN, PING, text(), piece("Hi you"), PING, closed(), PING, end(), STOP],
    "comments": [
        b": connected\n\n",
        BEGIN,
        text(),
        b":\n\n",
        piece("Hi you"),
        closed(),
        end(),
        STOP,
    ],
    "deltas of nothing": [
        BEGIN,
        text(),
        piece(""),
        piece("Hi you"),
        piece(""),
        closed(),
        end(),
        STOP,
    ],
    "events of nothing": [
        *(BEGIN, b"data: {}\n\n", text(), b"data: null\n\n", b"data:\n\n", piece("Hi you")),
        *(b'data: {"type": null}\n\n', b"data: []\n\n", closed(), end(), STOP),
    ],
    "a delta that is null": [
        *(BEGIN, text(), {"type": "content_block_delta", "index": 0, "delta": None}),
        *(piece("Hi you"), closed(), end(), STOP),
    ],
    "the end without a delta": [*HI[:-2], {**end(), "delta": None}, end(), STOP],
    "usage null": [*HI[:-2], end(usage=None), STOP],
    "no content at the beginning": [
        {"type": "message_start", "message": {**MESSAGE, "content": None, "usage": None}},
        *HI[1:],
    ],
    "text at the beginning of its block": [
        *(BEGIN, opened(0, type="text", text="Hi "), piece("you"), closed(), end(), STOP),
    ],
    "no message_stop": HI[:-1],
    "[DONE] behind the end": [*HI, b"data: [DONE]\n\n"],
    "[DONE] for message_stop": [*HI[:-1], b"data: [DONE]\n\n"],
    "[DONE] for the end": [*HI[:-3], b"data: [DONE]\n\n"],
    "message_stop without a reason": [*HI[:-2], STOP],
    "a reason that is null": [*HI[:-2], end(None), STOP],
    "no content_block_stop": [*HI[:-3], end(), STOP],
    "no content_block_start": [BEGIN, *HI[2:]],
    "an unknown event": [BEGIN, text(), {"type": "trace", "id": 7}, *HI[2:]],
    "half a character in two deltas": [
        *(BEGIN, text(), piece("Hi \ud83d"), piece("\ude00 you"), closed(), end(), STOP)
    ],
    "half a character alone": [BEGIN, text(), piece("Hi \ud83d"), piece(" you"), *HI[4:]],
    "data alone": [f"data: {json.dumps(each)}\n\n".encode() for each in HI],
    "no empty lines": [event(each).replace(b"\n\n", b"\n") for each in HI],
    "lines of windows": [event(each).replace(b"\n", b"\r\n") for each in HI],
    "a byte order mark": [b"\xef\xbb\xbf" + event(BEGIN), *HI[1:]],
}
SAID = {
    "half a character in two deltas": "Hi \U0001f600 you",
    "half a character alone": "Hi \ufffd you",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_stream_is_a_message(
    name: str, claude: Anthropic, serve: Callable[[Sequence[bytes]], None]
) -> None:
    serve([event(each) for each in ODD[name]])
    said = SAID.get(name, "Hi you")
    with claude.messages.stream(model="claude-sonnet-5", max_tokens=100, messages=HELLO) as stream:
        kinds = [each.type for each in stream]
        reply = stream.get_final_message()
    assert content_of(reply) == [{"type": "text", "text": said}]
    assert (reply.stop_reason, kinds[-1]) == ("end_turn", "message_stop")
    assert kinds.count("content_block_start") == kinds.count("content_block_stop") == 1
    assert "error" not in kinds
    assert Message.objects.get(role=Role.ASSISTANT).content == said
    assert Answer.objects.get().state == Answer.State.DONE


@pytest.mark.parametrize("size", [1, 5, 17])
def test_stream_may_be_split_anywhere(
    size: int, claude: Anthropic, serve: Callable[[Sequence[bytes]], None]
) -> None:
    events = [BEGIN, text(), piece("Grün \U0001f600 木"), closed(), end(), STOP]
    lines = [f"data: {json.dumps(each, ensure_ascii=False)}\n\n".encode() for each in events]
    body = b"".join(lines)
    serve([body[at : at + size] for at in range(0, len(body), size)])
    assert content_of(ask(claude, streams=True))[0]["text"] == "Grün \U0001f600 木"


@pytest.mark.parametrize("streams", [False, True])
def test_call_beside_text_and_thoughts(
    streams: bool, claude: Anthropic, serve: Callable[[Sequence[bytes]], None]
) -> None:
    """Some servers stream also where nobody has asked for it."""
    events = [
        *(BEGIN, opened(0, type="thinking", thinking="", signature="")),
        *(thought(0, type="thinking_delta", thinking="Rain"), PING),
        *(thought(0, type="thinking_delta", thinking="?"), thought(0, type="thinking_delta")),
        *(thought(0, type="signature_delta", signature="c2ln"), closed(0)),
        *(opened(1, type="redacted_thinking", data="b3A="), closed(1)),
        *(text(2), piece("I look.", 2), closed(2)),
        *(opened(3, type="tool_use", id="toolu_1", name="weather", input={}), written("", 3)),
        *(written('{"city": "Ly', 3), PING, written('on"}', 3), closed(3)),
        *(opened(4, type="tool_use", id="toolu_2", name="weather", input={}), written("", 4)),
        *(closed(4), end("tool_use"), STOP),
    ]
    serve([event(each) for each in events])
    reply = ask(claude, streams=streams, tools=[WEATHER])
    assert reply.stop_reason == "tool_use"
    assert content_of(reply) == [
        {"type": "thinking", "thinking": "Rain?", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "b3A="},
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Lyon"}},
        {"type": "tool_use", "id": "toolu_2", "name": "weather", "input": {}},
    ]
    stored = Message.objects.get(role=Role.ASSISTANT)
    assert stored.content == "I look."
    assert [call["arguments"] for call in stored.tool_calls] == ['{"city": "Lyon"}', "{}"]


OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


@pytest.mark.parametrize(
    ("broken", "named"),
    [
        ([OVERLOADED], "Overloaded"),
        ([b'event: error\ndata: {"message": "Overloaded"}\n\n'], "Overloaded"),
        ([b"event: error\ndata: Overloaded\n\n"], "broken JSON"),
        ([b"data: {half"], "closed the connection"),
        ([], "closed the connection"),
    ],
)
def test_failure_in_the_middle_keeps_what_was_said(
    broken: list[Any],
    named: str,
    claude: Anthropic,
    serve: Callable[[Sequence[bytes]], None],
) -> None:
    serve([event(each) for each in (*HI[:3], *broken)])
    said = ""
    with (
        pytest.raises(APIStatusError, match=named),
        claude.messages.stream(model="claude-sonnet-5", max_tokens=9, messages=HELLO) as stream,
    ):
        for each in stream.text_stream:
            said += each
    assert said == "Hi "
    assert Message.objects.get(role=Role.ASSISTANT).content == "Hi"
    assert Answer.objects.get().state == Answer.State.FAILED


@pytest.mark.parametrize(
    "events",
    [
        [PING, OVERLOADED],
        [b"data: {}\n\n", STOP],
        [b'data: {"object": "chat.completion.chunk", "choices": []}\n\n', b"data: [DONE]\n\n"],
        [PING],
        [b": nothing\n\n"],
    ],
)
def test_stream_without_a_message_is_an_error(
    events: list[Any], claude: Anthropic, serve: Callable[[Sequence[bytes]], None]
) -> None:
    serve([event(each) for each in events])
    with pytest.raises(APIStatusError) as caught:
        ask(claude, streams=True)
    assert caught.value.status_code >= 500
    assert not Message.objects.filter(role=Role.ASSISTANT).exists()
