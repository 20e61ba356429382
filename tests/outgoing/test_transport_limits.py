"""Limits of outgoing calls: bytes and seconds."""

import gzip
import socket
import threading
import time
import zlib
from collections.abc import Callable

import httpx2
import psutil
import pytest

from instances.outgoing.limits import Limits, TooMuch, TooSlow
from instances.outgoing.transport import Encoded
from tests.outgoing.transport import get, hello
from tests.outgoing.wire import Wire, request, whole, wire

# Bytes


def memory() -> int:
    return int(psutil.Process().memory_info().rss)


def endless(connection: socket.socket, state: Wire) -> None:
    request(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    block = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    while state.sent < 400_000_000:
        connection.sendall(block)
        state.sent += len(block)


def test_endless_response_is_read_only_to_the_limit(caller: httpx2.Client) -> None:
    before = memory()
    with wire(endless) as server:
        with pytest.raises(TooMuch, match="more than 8 MB"):
            get(caller, server.url, max_bytes=8_000_000)
        assert memory() - before < 50_000_000
    # The kernel's buffers hold bytes that were sent but not read.
    assert server.sent < 30_000_000


def packed_zeros(bits: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, bits)
    block = bytes(1_000_000)
    return b"".join(packer.compress(block) for _ in range(500)) + packer.flush()


@pytest.mark.parametrize(("encoding", "bits"), [("gzip", 31), ("deflate", 15)])
def test_compression_bomb_is_unpacked_only_to_the_limit(
    caller: httpx2.Client, encoding: str, bits: int
) -> None:
    bomb = packed_zeros(bits)

    def explode(connection: socket.socket, state: Wire) -> None:
        request(connection)
        connection.sendall(whole(bomb, f"Content-Encoding: {encoding}"))

    before = memory()
    with wire(explode) as server, pytest.raises(TooMuch, match="more than 8 MB"):
        get(caller, server.url, max_bytes=8_000_000)
    assert memory() - before < 50_000_000


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "gzip, deflate", "x-unknown"])
def test_unrequested_compression_is_rejected(caller: httpx2.Client, encoding: str) -> None:
    def compressed(connection: socket.socket, state: Wire) -> None:
        assert b"gzip, deflate\r\n" in request(connection)
        connection.sendall(whole(b"...", f"Content-Encoding: {encoding}"))

    with wire(compressed) as server, pytest.raises(Encoded, match="not asked for"):
        get(caller, server.url)


def test_compressed_response_is_read(caller: httpx2.Client) -> None:
    def compressed(connection: socket.socket, state: Wire) -> None:
        while request(connection):
            connection.sendall(whole(gzip.compress(b"hello" * 1000), "Content-Encoding: gzip"))

    with wire(compressed) as server:
        assert get(caller, server.url, max_bytes=5000).text == "hello" * 1000
        with pytest.raises(TooMuch):
            get(caller, server.url, max_bytes=4999)


def early_hints(connection: socket.socket, state: Wire) -> None:
    request(connection)
    while True:
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n" * 500)


def long_header(connection: socket.socket, state: Wire) -> None:
    request(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while True:
        connection.sendall(b"x" * 65536)


@pytest.mark.parametrize("handler", [early_hints, long_header])
def test_endless_headers_are_rejected(
    caller: httpx2.Client, handler: Callable[[socket.socket, Wire], None]
) -> None:
    with wire(handler) as server, pytest.raises((TooMuch, httpx2.RemoteProtocolError)):
        get(caller, server.url, max_bytes=1000, total_seconds=30)


# Time


def drip(start: bytes) -> Callable[[socket.socket, Wire], None]:
    """Send *start*, then one byte at a time, each within the read timeout."""

    def handler(connection: socket.socket, state: Wire) -> None:
        request(connection)
        connection.sendall(start)
        while True:
            connection.sendall(b"x")
            time.sleep(0.05)

    return handler


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(b"", id="status"),
        pytest.param(b"HTTP/1.1 200 OK\r\nX-Slow: ", id="header"),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", id="body"),
        pytest.param(b"HTTP/1.1 200 OK\r\n\r\n", id="body without a length"),
        pytest.param(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n", id="chunk"
        ),
    ],
)
def test_dripping_server_times_out(caller: httpx2.Client, start: bytes) -> None:
    began = time.monotonic()
    with wire(drip(start)) as server, pytest.raises(TooSlow, match=r"longer than 0\.5 seconds"):
        get(caller, server.url, silence_seconds=30, total_seconds=0.5)
    assert time.monotonic() - began < 15


def test_silent_server_is_distinguished_from_a_slow_one(caller: httpx2.Client) -> None:
    def silent(connection: socket.socket, state: Wire) -> None:
        request(connection)
        connection.recv(1)

    with wire(silent) as server:
        with pytest.raises(httpx2.ReadTimeout):
            get(caller, server.url, silence_seconds=0.2, total_seconds=30)
        with pytest.raises(TooSlow):
            get(caller, server.url, silence_seconds=30, total_seconds=0.2)


def test_server_that_does_not_read_the_request_times_out(caller: httpx2.Client) -> None:
    def deaf(connection: socket.socket, state: Wire) -> None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for _ in range(100):
            connection.recv(4096)
            time.sleep(0.05)

    with wire(deaf) as server, pytest.raises((TooSlow, httpx2.ReadError)):
        caller.post(
            server.url,
            content=bytes(20_000_000),
            extensions={"limits": Limits(silence_seconds=30, total_seconds=0.5)},
        )


def test_slow_tls_handshake_times_out(caller: httpx2.Client) -> None:
    def silent(connection: socket.socket, state: Wire) -> None:
        while connection.recv(65536):
            pass

    with wire(silent) as server, pytest.raises((TooSlow, httpx2.ConnectTimeout)):
        get(
            caller,
            server.url.replace("http:", "https:"),
            silence_seconds=30,
            connect_seconds=30,
            total_seconds=0.5,
        )


def test_slow_consumer_of_a_stream_meets_the_deadline(caller: httpx2.Client) -> None:
    """The stream is consumed in another thread than the one that started it, as in a chat."""
    limits = Limits(silence_seconds=30, total_seconds=0.5)
    ended: list[BaseException] = []
    start = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    with (
        wire(drip(start)) as server,
        caller.stream("GET", server.url, extensions={"limits": limits}) as response,
    ):

        def consume() -> None:
            try:
                for _ in response.iter_bytes():
                    pass
            except httpx2.HTTPError as error:
                ended.append(error)

        consumer = threading.Thread(target=consume)
        consumer.start()
        consumer.join(10)
    assert [type(error) for error in ended] == [TooSlow]


def test_each_request_has_its_own_budget(caller: httpx2.Client) -> None:
    with wire(hello) as server:
        for _ in range(3):
            assert get(caller, server.url, max_bytes=5, total_seconds=0.6).text == "hello"
            time.sleep(0.25)
        assert server.connections == 1
