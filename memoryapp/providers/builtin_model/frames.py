"""The messages between the embedding process and those that ask it.

A frame is its length, 4 bytes in network order, and so many bytes. A request is a JSON list of
texts. An answer begins with a byte: `VECTORS`, followed by the number of word pieces, 4 bytes, and
the vectors as float32, one after the other; or `FAILURE`, followed by a JSON object.
"""

import json
import socket
import struct
from collections.abc import Callable, Sequence

#: The length of a vector.
DIMENSIONS = 384
#: Texts of one request.
MAX_TEXTS = 128
#: A text is cut here before it is sent, so that a megabyte costs no more than a page.
MAX_CHARACTERS = 10_000
#: In JSON, a character takes 12 bytes at most.
MAX_REQUEST_BYTES = MAX_TEXTS * (12 * MAX_CHARACTERS + 4)
MAX_ANSWER_BYTES = max(100_000, MAX_TEXTS * DIMENSIONS * 4 + 100)

VECTORS, FAILURE = b"V", b"F"

_LENGTH = struct.Struct("!I")


class BadFrame(Exception):
    """The bytes that arrived are no frame, or the content is not what it should be."""


class Closed(Exception):
    """The other side closed the connection between two frames."""


def send(connection: socket.socket, payload: bytes) -> None:
    """Send a frame. Raises OSError."""
    connection.sendall(_LENGTH.pack(len(payload)) + payload)


def receive(
    connection: socket.socket, max_bytes: int, set_timeout: Callable[[], object] = lambda: None
) -> bytes:
    """Receive a frame; *set_timeout* is called before each wait for a part after the first. Raises
    `Closed`, `BadFrame`, or OSError, which includes a timeout.
    """
    head = connection.recv(_LENGTH.size)
    if not head:
        raise Closed
    head += _exactly(connection, _LENGTH.size - len(head), set_timeout)
    (length,) = _LENGTH.unpack(head)
    if length > max_bytes:
        raise BadFrame(f"a frame of {length} bytes, and {max_bytes} is the most")
    return _exactly(connection, length, set_timeout)


def _exactly(connection: socket.socket, length: int, set_timeout: Callable[[], object]) -> bytes:
    parts = bytearray()
    while len(parts) < length:
        set_timeout()
        part = connection.recv(min(length - len(parts), 1 << 20))
        if not part:
            raise BadFrame("the connection was closed within a frame")
        parts += part
    return bytes(parts)


def request(texts: Sequence[str]) -> bytes:
    """Return the payload that asks for the vectors of *texts*."""
    return json.dumps([text[:MAX_CHARACTERS] for text in texts]).encode()


def read_request(payload: bytes) -> list[str]:
    """Return the texts of a request. Raises `BadFrame`."""
    try:
        texts = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise BadFrame("a request that is not JSON") from error
    if (
        not isinstance(texts, list)
        or not 0 < len(texts) <= MAX_TEXTS
        or not all(isinstance(text, str) and len(text) <= MAX_CHARACTERS for text in texts)
    ):
        raise BadFrame(f"a request that is not a list of 1 to {MAX_TEXTS} texts")
    return texts


def vectors(pieces: int, floats: bytes) -> bytes:
    """Return the payload of an answer: *floats* are those of all vectors, 4 bytes each."""
    return VECTORS + _LENGTH.pack(pieces) + floats


def failure(reason: dict[str, str]) -> bytes:
    """Return the payload of an answer without vectors."""
    return FAILURE + json.dumps(reason).encode()


def read_answer(payload: bytes, count: int) -> tuple[int, bytes] | dict[str, str]:
    """Return the word pieces and the floats of *count* vectors, or the reason for a failure. Raises
    `BadFrame`.
    """
    kind, rest = payload[:1], payload[1:]
    if kind == VECTORS and len(rest) == _LENGTH.size + count * DIMENSIONS * 4:
        (pieces,) = _LENGTH.unpack(rest[: _LENGTH.size])
        return pieces, rest[_LENGTH.size :]
    if kind == FAILURE:
        try:
            reason = json.loads(rest)
        except (ValueError, RecursionError) as error:
            raise BadFrame("a failure that is not JSON") from error
        if isinstance(reason, dict):
            return {str(name): str(value) for name, value in reason.items()}
    raise BadFrame("an answer of the wrong length")
