"""The transport of outgoing calls: addresses and redirects."""

import socket
import ssl
import subprocess
import threading
from pathlib import Path
from typing import Any

import httpx2
import pytest

from instances.outgoing import transport
from instances.outgoing.limits import OutgoingError, TooSlow
from instances.outgoing.policy import AllowEntry, Mode, OutgoingPolicy
from instances.outgoing.transport import CallRefused, Redirected, Transport
from tests.outgoing.transport import LOOPBACK, Rules, get, hello
from tests.outgoing.wire import Wire, request, whole, wire


def names(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Resolve names to each of *answers* in turn, then always to the last."""
    real, lookups = socket.getaddrinfo, list[str]()

    def resolve(host: str, port: int, *args: Any, **kwargs: Any) -> Any:
        if host[0].isdigit():
            return real(host, port, *args, **kwargs)
        lookups.append(host)
        addresses = answers[min(len(lookups), len(answers)) - 1]
        return [entry for address in addresses for entry in real(address, port, *args, **kwargs)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return lookups


# Addresses


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
def test_no_spelling_reaches_a_private_address(host: str) -> None:
    with (
        wire(hello) as server,
        httpx2.Client(transport=Transport(Rules(OutgoingPolicy()).allowed_addresses)) as caller,
    ):
        # Either it resolves and is refused, or this machine cannot parse the spelling.
        with pytest.raises((CallRefused, httpx2.ConnectError)) as caught:
            caller.get(f"http://{host}:{server.port}/")
        assert server.connections == 0
        if host != "127.0.0.1.":
            assert isinstance(caught.value, CallRefused), caught.value


def test_allowed_address_is_called(caller: httpx2.Client) -> None:
    with wire(hello) as server:
        assert get(caller, server.url).text == "hello"


def test_dns_rebinding_is_checked_on_the_connected_address(
    caller: httpx2.Client, rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    # First a public address, from the second lookup on a private one.
    lookups = names(monkeypatch, ["203.0.113.7"], ["10.0.0.5"])
    rules.policy = OutgoingPolicy(Mode.PUBLIC, (AllowEntry.parse("203.0.113.7"),))
    connected: list[str] = []

    def connect(address: tuple[str, int], *args: Any, **kwargs: Any) -> socket.socket:
        connected.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(httpx2.ConnectError):
        get(caller, "http://rebinding.example/")
    assert connected == ["203.0.113.7"]
    assert lookups == ["rebinding.example"]
    with pytest.raises(CallRefused, match="private network"):
        get(caller, "http://rebinding.example/")
    assert connected == ["203.0.113.7"]


def test_silent_name_server_times_out(
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


def test_only_allowed_addresses_of_a_name_are_tried(
    caller: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    names(monkeypatch, ["10.0.0.5", "169.254.169.254", "127.0.0.1"])
    with wire(hello) as server:
        assert get(caller, f"http://mixed.example:{server.port}/").text == "hello"


def test_refusal_does_not_reveal_what_is_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    refusals = set()
    with (
        wire(hello) as server,
        httpx2.Client(transport=Transport(Rules(OutgoingPolicy()).allowed_addresses)) as caller,
    ):
        for port in (server.port, 1):
            with pytest.raises(CallRefused) as caught:
                caller.get(f"http://127.0.0.1:{port}/")
            refusals.add(str(caught.value))
        assert server.connections == 0
    assert len(refusals) == 1


def test_connection_is_not_reused_after_a_policy_change(
    caller: httpx2.Client, rules: Rules
) -> None:
    with wire(hello) as server:
        get(caller, server.url)
        get(caller, server.url)
        assert server.connections == 1  # The connection is kept open,
        rules.policy = OutgoingPolicy()
        with pytest.raises(CallRefused):  # but not used after the change.
            get(caller, server.url)
        rules.policy = OutgoingPolicy(Mode.EVERYTHING)
        assert get(caller, server.url).text == "hello"


def test_proxies_of_the_environment_are_ignored(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    with wire(hello) as server, wire(hello) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        with httpx2.Client(transport=Transport(rules.allowed_addresses), trust_env=False) as caller:
            assert get(caller, server.url).text == "hello"
        assert proxy.connections == 0


def test_tls_verifies_the_host_name_not_the_ip(
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

    def secure(connection: socket.socket, state: Wire) -> None:
        with context.wrap_socket(connection, server_side=True) as inside:
            while request(inside):
                inside.sendall(whole(b"hello"))

    names(monkeypatch, ["127.0.0.1"])
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setattr(transport, "_ssl_context", httpx2.create_ssl_context)
    rules = Rules(OutgoingPolicy(Mode.PUBLIC, LOOPBACK))
    with (
        wire(secure) as server,
        httpx2.Client(transport=Transport(rules.allowed_addresses)) as trusting,
    ):
        url = f"https://memory.example:{server.port}/"
        assert get(trusting, url).text == "hello"
        with pytest.raises(httpx2.ConnectError, match=r"(?i)hostname mismatch"):
            get(trusting, url.replace("memory", "other"))
    assert asked_for == ["memory.example", "other.example"]


# Redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("follow", [False, True])
def test_redirects_are_reported_and_not_followed(
    caller: httpx2.Client, status: int, follow: bool
) -> None:
    def elsewhere(connection: socket.socket, state: Wire) -> None:
        request(connection)
        location = f"Location: http://me:secret@127.0.0.1:{state.port}/v2?token=secret#secret"
        connection.sendall(whole(b"", location, status=f"{status} Elsewhere"))

    with wire(elsewhere) as server:
        with pytest.raises(Redirected) as caught:
            caller.get(server.url, follow_redirects=follow)
        assert str(caught.value) == (
            f"The server redirects to http://127.0.0.1:{server.port}/v2, which is not followed."
        )
        assert server.connections == 1


def test_redirect_without_an_address_is_reported_and_closed(caller: httpx2.Client) -> None:
    closed = threading.Event()

    def elsewhere(connection: socket.socket, state: Wire) -> None:
        request(connection)
        connection.sendall(whole(b"", "Location: http://[", status="302 Elsewhere"))
        if not connection.recv(1):
            closed.set()

    with wire(elsewhere) as server:
        with pytest.raises(OutgoingError, match="not valid"):
            caller.get(server.url)
        assert closed.wait(5)
