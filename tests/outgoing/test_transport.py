"""The transport of outgoing calls: addresses and redirects."""

import socket
import ssl
import subprocess
import threading
from pathlib import Path
from typing import Any

import httpx2
import pytest

from instances.outgoing.limits import OutgoingError, TooSlow
from instances.outgoing.policy import AllowEntry, Mode, OutgoingPolicy
from instances.outgoing.transport import CallRefused, Redirected, Transport
from tests.outgoing.transport import LOOPBACK, Rules, get, hello
from tests.outgoing.wire import Wire, request, whole, wire


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
        httpx2.Client(transport=Transport(Rules(OutgoingPolicy()).sift)) as caller,
    ):
        # Either it resolves and is refused, or this machine does not know the spelling.
        with pytest.raises((CallRefused, httpx2.ConnectError)) as caught:
            caller.get(f"http://{host}:{server.port}/")
        assert server.connections == 0
        if host != "127.0.0.1.":
            assert isinstance(caught.value, CallRefused), caught.value


def test_an_allowed_address_answers(caller: httpx2.Client) -> None:
    with wire(hello) as server:
        assert get(caller, server.url).text == "hello"


def test_a_name_that_changes_its_mind_is_judged_by_what_is_connected_to(
    caller: httpx2.Client, rules: Rules, monkeypatch: pytest.MonkeyPatch
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
        get(caller, "http://rebinding.example/")
    assert connected == ["203.0.113.7"]
    assert asked == ["rebinding.example"]
    with pytest.raises(CallRefused, match="private network"):
        get(caller, "http://rebinding.example/")
    assert connected == ["203.0.113.7"]


def test_a_name_server_that_is_silent_holds_nobody_up(
    caller: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = threading.Event()

    def resolve(*args: Any, **kwargs: Any) -> Any:
        answered.wait(60)
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    try:
        with pytest.raises(httpx2.ConnectTimeout, match="no address was found"):
            get(caller, "http://silent.example/", connect_seconds=0.1)
        with pytest.raises(TooSlow, match="seconds in all"):
            get(caller, "http://silent.example/", total_seconds=0.1)
    finally:
        answered.set()


def test_of_several_addresses_only_the_allowed_are_tried(
    caller: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    names(monkeypatch, ["10.0.0.5", "169.254.169.254", "127.0.0.1"])
    with wire(hello) as server:
        assert get(caller, f"http://mixed.example:{server.port}/").text == "hello"


def test_a_refusal_is_the_same_whatever_is_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    said = set()
    with (
        wire(hello) as server,
        httpx2.Client(transport=Transport(Rules(OutgoingPolicy()).sift)) as caller,
    ):
        for port in (server.port, 1):
            with pytest.raises(CallRefused) as caught:
                caller.get(f"http://127.0.0.1:{port}/")
            said.add(str(caught.value))
        assert server.connections == 0
    assert len(said) == 1


def test_a_connection_does_not_outlive_the_policy(caller: httpx2.Client, rules: Rules) -> None:
    with wire(hello) as server:
        get(caller, server.url)
        get(caller, server.url)
        assert server.connections == 1  # It is kept open,
        rules.policy = OutgoingPolicy()
        with pytest.raises(CallRefused):  # and no longer used from this moment on.
            get(caller, server.url)
        rules.policy = OutgoingPolicy(Mode.EVERYTHING)
        assert get(caller, server.url).text == "hello"


def test_proxies_of_the_environment_are_ignored(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    with wire(hello) as server, wire(hello) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        with httpx2.Client(transport=Transport(rules.sift), trust_env=False) as caller:
            assert get(caller, server.url).text == "hello"
        assert proxy.connections == 0


def test_tls_asks_for_the_name_and_not_the_number(
    caller: httpx2.Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
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
    caller: httpx2.Client, status: int, follow: bool
) -> None:
    def elsewhere(connection: socket.socket, seen: Wire) -> None:
        request(connection)
        location = f"Location: http://me:secret@127.0.0.1:{seen.port}/v2?token=secret#secret"
        connection.sendall(whole(b"", location, status=f"{status} Elsewhere"))

    with wire(elsewhere) as server:
        with pytest.raises(Redirected) as caught:
            caller.get(server.url, follow_redirects=follow)
        assert str(caught.value) == (
            f"redirects to http://127.0.0.1:{server.port}/v2, which is not followed"
        )
        assert server.connections == 1


def test_a_redirect_to_no_address_is_told_and_keeps_no_connection(caller: httpx2.Client) -> None:
    def elsewhere(connection: socket.socket, seen: Wire) -> None:
        request(connection)
        connection.sendall(whole(b"", "Location: http://[", status="302 Elsewhere"))

    with wire(elsewhere) as server:
        with pytest.raises(OutgoingError, match="not valid"):
            caller.get(server.url)
        assert not caller._transport._pool.connections  # type: ignore[attr-defined]  # No public way.
