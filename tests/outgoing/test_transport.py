import gzip
import socket
import ssl
import subprocess
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx2
import psutil
import pytest

from instances.outgoing.limits import Limits, OutgoingError, TooMuch, TooSlow
from instances.outgoing.policy import Address, AllowEntry, Mode, OutgoingPolicy, Refusal
from instances.outgoing.transport import CallRefused, Encoded, Redirected, Transport
from tests.outgoing.wire import Wire, request, whole, wire

LOOPBACK = (AllowEntry.parse("127.0.0.1"),)


class Rules:
    """A policy that a test changes."""

    def __init__(self, policy: OutgoingPolicy) -> None:
        self.policy = policy
        self.asked: list[tuple[str, Sequence[Address]]] = []

    def sift(self, host: str, port: int, addresses: Sequence[Address]) -> list[Address] | Refusal:
        self.asked.append((host, addresses))
        refusals = [self.policy.refusal(host, port, address) for address in addresses]
        allowed = [a for a, refusal in zip(addresses, refusals, strict=True) if refusal is None]
        return allowed or next(filter(None, refusals))


@pytest.fixture
def rules() -> Rules:
    return Rules(OutgoingPolicy(Mode.PUBLIC, LOOPBACK))


@pytest.fixture
def client(rules: Rules) -> Iterator[httpx2.Client]:
    with httpx2.Client(transport=Transport(rules.sift), trust_env=False) as client:
        yield client


def get(client: httpx2.Client, url: str, **limits: Any) -> httpx2.Response:
    return client.get(url, extensions={"limits": Limits(**limits)})


def hello(connection: socket.socket, seen: Wire) -> None:
    while request(connection):
        connection.sendall(whole(b"hello"))


def names(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Have names resolve to one of *answers* after the other, and to the last for ever."""
    real, asked = socket.getaddrinfo, list[str]()

    def resolve(host: str, port: int, *args: Any, **kwargs: Any) -> Any:
        if host[0].isdigit():
            return real(host, port, *args, **kwargs)
        asked.append(host)
        found = answers[min(len(asked), len(answers)) - 1]
        return [entry for address in found for entry in real(address, port, *args, **kwargs)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked


# Addresses.


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "localhost"),
        *("[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "127.0.0.1.", "LOCALHOST"),
        "0.0.0.0",  # noqa: S104  # Nothing is bound to it here.
        *("0", "[::]", "169.254.169.254", "[fe80::1]", "[64:ff9b::7f00:1]"),
        *("10.0.0.5", "192.168.0.1", "100.100.100.200", "[fd00:ec2::254]"),
    ],
)
def test_no_spelling_gets_to_an_address_that_is_not_public(host: str) -> None:
    with (
        wire(hello) as server,
        httpx2.Client(transport=Transport(Rules(OutgoingPolicy()).sift)) as client,
    ):
        # Either it resolves and is refused, or this machine does not know the spelling.
        with pytest.raises((CallRefused, httpx2.ConnectError)) as caught:
            client.get(f"http://{host}:{server.port}/")
        assert server.connections == 0
        if host != "127.0.0.1.":
            assert isinstance(caught.value, CallRefused), caught.value


def test_an_allowed_address_answers(client: httpx2.Client) -> None:
    with wire(hello) as server:
        assert get(client, server.url).text == "hello"


def test_a_name_that_changes_its_mind_is_judged_by_what_is_connected_to(
    client: httpx2.Client, rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    # First public, and from the second look on a machine in the private network.
    asked = names(monkeypatch, ["203.0.113.7"], ["10.0.0.5"])
    rules.policy = OutgoingPolicy(Mode.PUBLIC, (AllowEntry.parse("203.0.113.7"),))
    connected: list[str] = []

    def connect(address: tuple[str, int], *args: Any, **kwargs: Any) -> socket.socket:
        connected.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(httpx2.ConnectError):
        get(client, "http://rebinding.example/")
    assert connected == ["203.0.113.7"]
    assert asked == ["rebinding.example"]
    with pytest.raises(CallRefused, match="private network"):
        get(client, "http://rebinding.example/")
    assert connected == ["203.0.113.7"]


def test_a_name_server_that_is_silent_holds_nobody_up(
    client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = threading.Event()

    def resolve(*args: Any, **kwargs: Any) -> Any:
        answered.wait(60)
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    try:
        with pytest.raises(httpx2.ConnectTimeout, match="no address was found"):
            get(client, "http://silent.example/", connect_seconds=0.1)
        with pytest.raises(TooSlow, match="seconds in all"):
            get(client, "http://silent.example/", total_seconds=0.1)
    finally:
        answered.set()


def test_of_several_addresses_only_the_allowed_are_tried(
    client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    names(monkeypatch, ["10.0.0.5", "169.254.169.254", "127.0.0.1"])
    with wire(hello) as server:
        assert get(client, f"http://mixed.example:{server.port}/").text == "hello"


def test_a_refusal_is_the_same_whatever_is_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    said = set()
    with (
        wire(hello) as server,
        httpx2.Client(transport=Transport(Rules(OutgoingPolicy()).sift)) as client,
    ):
        for port in (server.port, 1):
            with pytest.raises(CallRefused) as caught:
                client.get(f"http://127.0.0.1:{port}/")
            said.add(str(caught.value))
        assert server.connections == 0
    assert len(said) == 1


def test_a_connection_does_not_outlive_the_policy(client: httpx2.Client, rules: Rules) -> None:
    with wire(hello) as server:
        get(client, server.url)
        get(client, server.url)
        assert server.connections == 1  # It is kept open,
        rules.policy = OutgoingPolicy()
        with pytest.raises(CallRefused):  # and no longer used from this moment on.
            get(client, server.url)
        rules.policy = OutgoingPolicy(Mode.EVERYTHING)
        assert get(client, server.url).text == "hello"


def test_proxies_of_the_environment_are_ignored(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    with wire(hello) as server, wire(hello) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        with httpx2.Client(transport=Transport(rules.sift), trust_env=False) as client:
            assert get(client, server.url).text == "hello"
        assert proxy.connections == 0


def test_tls_asks_for_the_name_and_not_the_number(
    client: httpx2.Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=memory.example"
    subprocess.run(
        [
            *make.split(),
            *("-addext", "subjectAltName=DNS:memory.example"),
            *("-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    asked_for: list[str | None] = []
    context.sni_callback = lambda _socket, name, _context: asked_for.append(name)

    def secure(connection: socket.socket, seen: Wire) -> None:
        with context.wrap_socket(connection, server_side=True) as inside:
            while request(inside):
                inside.sendall(whole(b"hello"))

    names(monkeypatch, ["127.0.0.1"])
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    transport = Transport(Rules(OutgoingPolicy(Mode.PUBLIC, LOOPBACK)).sift)
    with wire(secure) as server, httpx2.Client(transport=transport) as trusting:
        url = f"https://memory.example:{server.port}/"
        assert get(trusting, url).text == "hello"
        with pytest.raises(httpx2.ConnectError, match=r"(?i)hostname mismatch"):
            get(trusting, url.replace("memory", "other"))
    assert asked_for == ["memory.example", "other.example"]


# Redirects.


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("follow", [False, True])
def test_redirects_are_told_and_not_followed(
    client: httpx2.Client, status: int, follow: bool
) -> None:
    def elsewhere(connection: socket.socket, seen: Wire) -> None:
        request(connection)
        location = f"Location: http://me:secret@127.0.0.1:{seen.port}/v2?token=secret#secret"
        connection.sendall(whole(b"", location, status=f"{status} Elsewhere"))

    with wire(elsewhere) as server:
        with pytest.raises(Redirected) as caught:
            client.get(server.url, follow_redirects=follow)
        assert str(caught.value) == (
            f"redirects to http://127.0.0.1:{server.port}/v2, which is not followed"
        )
        assert server.connections == 1


def test_a_redirect_to_no_address_is_told_and_keeps_no_connection(client: httpx2.Client) -> None:
    def elsewhere(connection: socket.socket, seen: Wire) -> None:
        request(connection)
        connection.sendall(whole(b"", "Location: http://[", status="302 Elsewhere"))

    with wire(elsewhere) as server:
        with pytest.raises(OutgoingError, match="not valid"):
            client.get(server.url)
        assert not client._transport._pool.connections  # type: ignore[attr-defined]


# Bytes.


def memory() -> int:
    return int(psutil.Process().memory_info().rss)


def endless(connection: socket.socket, seen: Wire) -> None:
    request(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    block = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    while seen.sent < 400_000_000:
        connection.sendall(block)
        seen.sent += len(block)


def test_an_answer_without_end_is_read_to_its_limit_only(client: httpx2.Client) -> None:
    before = memory()
    with wire(endless) as server:
        with pytest.raises(TooMuch, match="more than 8 MB"):
            get(client, server.url, max_bytes=8_000_000)
        assert memory() - before < 50_000_000
    # What the kernel's buffers hold was sent, and not read.
    assert server.sent < 30_000_000


def packed_zeros(bits: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, bits)
    block = bytes(1_000_000)
    return b"".join(packer.compress(block) for _ in range(500)) + packer.flush()


@pytest.mark.parametrize(("encoding", "bits"), [("gzip", 31), ("deflate", 15)])
def test_a_bomb_is_unpacked_to_its_limit_only(
    client: httpx2.Client, encoding: str, bits: int
) -> None:
    bomb = packed_zeros(bits)

    def explode(connection: socket.socket, seen: Wire) -> None:
        request(connection)
        connection.sendall(whole(bomb, f"Content-Encoding: {encoding}"))

    before = memory()
    with wire(explode) as server, pytest.raises(TooMuch, match="more than 8 MB"):
        get(client, server.url, max_bytes=8_000_000)
    assert memory() - before < 50_000_000


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "gzip, deflate", "x-unknown"])
def test_a_compression_that_was_not_asked_for_is_refused(
    client: httpx2.Client, encoding: str
) -> None:
    def packed(connection: socket.socket, seen: Wire) -> None:
        assert b"gzip, deflate\r\n" in request(connection)
        connection.sendall(whole(b"...", f"Content-Encoding: {encoding}"))

    with wire(packed) as server, pytest.raises(Encoded, match="not asked for"):
        get(client, server.url)


def test_what_is_packed_is_read(client: httpx2.Client) -> None:
    def packed(connection: socket.socket, seen: Wire) -> None:
        while request(connection):
            connection.sendall(whole(gzip.compress(b"hello" * 1000), "Content-Encoding: gzip"))

    with wire(packed) as server:
        assert get(client, server.url, max_bytes=5000).text == "hello" * 1000
        with pytest.raises(TooMuch):
            get(client, server.url, max_bytes=4999)


def early_hints(connection: socket.socket, seen: Wire) -> None:
    request(connection)
    while True:
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n" * 500)


def long_header(connection: socket.socket, seen: Wire) -> None:
    request(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while True:
        connection.sendall(b"x" * 65536)


@pytest.mark.parametrize("handler", [early_hints, long_header])
def test_headers_without_end_are_too_much(
    client: httpx2.Client, handler: Callable[[socket.socket, Wire], None]
) -> None:
    with wire(handler) as server, pytest.raises((TooMuch, httpx2.RemoteProtocolError)):
        get(client, server.url, max_bytes=1000, total_seconds=30)


# Time.


def drip(start: bytes) -> Callable[[socket.socket, Wire], None]:
    """Send *start*, then a byte now and then, well within the silence that is allowed."""

    def handler(connection: socket.socket, seen: Wire) -> None:
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
def test_a_server_that_drips_is_given_up(client: httpx2.Client, start: bytes) -> None:
    began = time.monotonic()
    with wire(drip(start)) as server, pytest.raises(TooSlow, match=r"longer than 0\.5 seconds"):
        get(client, server.url, silence_seconds=30, total_seconds=0.5)
    assert time.monotonic() - began < 5


def test_a_silent_server_is_told_from_a_slow_one(client: httpx2.Client) -> None:
    def silent(connection: socket.socket, seen: Wire) -> None:
        request(connection)
        connection.recv(1)

    with wire(silent) as server:
        with pytest.raises(httpx2.ReadTimeout):
            get(client, server.url, silence_seconds=0.2, total_seconds=30)
        with pytest.raises(TooSlow):
            get(client, server.url, silence_seconds=30, total_seconds=0.2)


def test_a_server_that_does_not_take_the_request_is_given_up(client: httpx2.Client) -> None:
    def deaf(connection: socket.socket, seen: Wire) -> None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for _ in range(100):
            connection.recv(4096)
            time.sleep(0.05)

    with wire(deaf) as server, pytest.raises((TooSlow, httpx2.ReadError)):
        client.post(
            server.url,
            content=bytes(20_000_000),
            extensions={"limits": Limits(silence_seconds=30, total_seconds=0.5)},
        )


def test_a_slow_handshake_is_given_up(client: httpx2.Client) -> None:
    def silent(connection: socket.socket, seen: Wire) -> None:
        while connection.recv(65536):
            pass

    with wire(silent) as server, pytest.raises((TooSlow, httpx2.ConnectTimeout)):
        get(
            client,
            server.url.replace("http:", "https:"),
            silence_seconds=30,
            connect_seconds=30,
            total_seconds=0.5,
        )


def test_a_consumer_of_a_stream_is_held_to_the_deadline(client: httpx2.Client) -> None:
    """The stream goes on in another thread than the one that began it, as in a chat."""
    limits = Limits(silence_seconds=30, total_seconds=0.5)
    ended: list[BaseException] = []
    start = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    with (
        wire(drip(start)) as server,
        client.stream("GET", server.url, extensions={"limits": limits}) as response,
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


def test_each_request_has_a_budget_of_its_own(client: httpx2.Client) -> None:
    with wire(hello) as server:
        for _ in range(3):
            assert get(client, server.url, max_bytes=5, total_seconds=0.6).text == "hello"
            time.sleep(0.25)
        assert server.connections == 1
