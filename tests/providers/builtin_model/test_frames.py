import json
import socket
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.providers.builtin_model import frames
from memoryapp.providers.builtin_model.frames import BadFrame, Closed


@given(texts=st.lists(st.text(st.characters()), min_size=1, max_size=frames.MAX_TEXTS))
def test_texts_arrive_as_they_were_sent(texts: list[str]) -> None:
    assert frames.read_request(frames.request(texts)) == texts


def test_largest_request_fits() -> None:
    texts = ["\U0001f600" * (frames.MAX_CHARACTERS + 1)] * frames.MAX_TEXTS
    payload = frames.request(texts)
    assert len(payload) <= frames.MAX_REQUEST_BYTES
    assert [len(text) for text in frames.read_request(payload)] == [frames.MAX_CHARACTERS] * len(
        texts
    )


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff",
        b'"a text"',
        b"[]",
        b"[1]",
        b'{"a": 1}',
        b"[" * 100_000,
        json.dumps(["a"] * (frames.MAX_TEXTS + 1)).encode(),
        json.dumps(["a" * (frames.MAX_CHARACTERS + 1)]).encode(),
    ],
)
def test_other_requests_are_refused(payload: bytes) -> None:
    with pytest.raises(BadFrame):
        frames.read_request(payload)


def test_answers() -> None:
    floats = bytes(2 * 4 * frames.DIMENSIONS)
    assert frames.read_answer(frames.vectors(7, floats), 2) == (7, floats)
    assert frames.read_answer(frames.failure({"failed": "why"}), 2) == {"failed": "why"}
    assert len(frames.vectors(0, floats)) <= frames.MAX_ANSWER_BYTES


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"V",
        b"X" + bytes(4 + 2 * 4 * frames.DIMENSIONS),
        frames.vectors(7, bytes(4 * frames.DIMENSIONS)),
        frames.vectors(7, bytes(3 * 4 * frames.DIMENSIONS)),
        b"F",
        b"F[]",
        b"F" + b"[" * 100_000,
    ],
)
def test_other_answers_are_refused(payload: bytes) -> None:
    with pytest.raises(BadFrame):
        frames.read_answer(payload, 2)


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (b"", Closed),
        (b"\0\0", BadFrame),
        (struct.pack("!I", 5) + b"four", BadFrame),
        (struct.pack("!I", 101), BadFrame),
    ],
    ids=["nothing", "half a length", "half a frame", "too long"],
)
def test_broken_frames(sent: bytes, error: type[Exception]) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(sent)
        theirs.shutdown(socket.SHUT_WR)
        with pytest.raises(error):
            frames.receive(ours, 100)
