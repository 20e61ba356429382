"""The audit log on its way to a collector."""

import datetime as dt
import ipaddress
import json
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from instances.actor import Actor
from instances.models import Instance, User
from instances.outgoing import transport
from memoryapp import checks
from memoryapp.audit import forwarding
from memoryapp.audit.chaining import chain
from memoryapp.audit.forwarding import forward
from memoryapp.models import AuditForwarding
from memoryapp.models.audit_records import BEGINNING, digest_of

SECRET = "whsec_c2VjcmV0LW9mLXRoZS1jb2xsZWN0b3I="


class Collector:
    """A TLS server on loopback that keeps what it was sent. It answers HTTP with *status*."""

    def __init__(self, folder: Path) -> None:
        self.ca_file = folder / "collector.pem"
        self._make_certificate()
        self.received: list[bytes] = []
        self.status = 200
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.ca_file)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self._context = context
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join(10)

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
                with self._context.wrap_socket(client, server_side=True) as stream:
                    self._answer(stream)
            except ssl.SSLError:
                continue
            except OSError:
                return

    def _answer(self, stream: ssl.SSLSocket) -> None:
        stream.settimeout(10)
        data = b""
        while part := stream.recv(65536):
            data += part
            head, found, body = data.partition(b"\r\n\r\n")
            if found and data.startswith(b"POST"):
                length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
                if len(body) >= length:
                    stream.sendall(b"HTTP/1.1 %d X\r\nContent-Length: 0\r\n\r\n" % self.status)
                    break
        self.received.append(data)

    def _make_certificate(self) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "collector")])
        now = dt.datetime.now(dt.UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(1)
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=1))
            .add_extension(
                x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
                critical=False,
            )
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        pem = serialization.Encoding.PEM
        private = key.private_bytes(
            pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        self.ca_file.write_bytes(private + certificate.public_bytes(pem))


@pytest.fixture
def collector(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Collector]:
    collector = Collector(tmp_path)
    settings.OUTGOING_ALLOW = [f"127.0.0.1:{collector.port}"]
    settings.AUDIT_FORWARD_URL = f"syslog+tls://127.0.0.1:{collector.port}"
    settings.AUDIT_FORWARD_CA = str(collector.ca_file)
    context = ssl.create_default_context(cafile=collector.ca_file)
    monkeypatch.setattr(transport, "_ssl_context", lambda: context)
    yield collector
    collector.close()


@pytest.fixture
def records(instance: Instance, alice: User) -> None:
    """Three chained records about Ana."""
    for pk in (1, 2, 3):
        instance.activity.record(Actor(alice), "rated", memory_id=pk, end_user="Ana of Ghent")
    chain()


def messages(data: bytes) -> list[dict[str, Any]]:
    """The JSON of each syslog message, by the lengths of the frames."""
    found = []
    while data:
        length, _, rest = data.partition(b" ")
        message, data = rest[: int(length)], rest[int(length) :]
        head, _, text = message.partition(b" keepsake - audit - ")
        assert head.startswith(b"<110>1 ")
        found.append(json.loads(text))
    return found


def due_now() -> None:
    AuditForwarding.objects.update(due_at=timezone.now())


def arrived(collector: Collector, number: int) -> list[bytes]:
    """What has arrived, once so many connections have ended."""
    for _ in range(200):
        if len(collector.received) >= number:
            break
        threading.Event().wait(0.05)
    return collector.received


def test_syslog_takes_the_chain_in_order_without_people(
    collector: Collector, records: None
) -> None:
    assert forward() == 3
    (data,) = arrived(collector, 1)
    lines = messages(data)
    assert [line["number"] for line in lines] == [1, 2, 3]
    before = BEGINNING
    for line in lines:
        digest = line.pop("digest")
        assert digest_of(line, before) == digest
        before = digest
    assert b"Ana of Ghent" not in data
    assert forward() == 0


def test_https_takes_signed_batches(
    collector: Collector, records: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.AUDIT_FORWARD_URL = f"https://127.0.0.1:{collector.port}/audit"
    settings.AUDIT_FORWARD_SECRET = SECRET
    monkeypatch.setattr(forwarding, "BATCH_SIZE", 2)
    assert forward() == 3
    bodies = [data.partition(b"\r\n\r\n") for data in arrived(collector, 2)]
    numbers = [[line["number"] for line in json.loads(body)["records"]] for _, _, body in bodies]
    assert numbers == [[1, 2], [3]]
    assert all(b"webhook-signature: v1," in head.lower() for head, _, _ in bodies)


def test_what_fails_waits_and_is_sent_again(
    collector: Collector, records: None, settings: Settings, dana: User
) -> None:
    settings.AUDIT_FORWARD_URL = f"https://127.0.0.1:{collector.port}/audit"
    collector.status = 503
    assert forward() == 0
    state = AuditForwarding.objects.get()
    assert (state.number, state.failures, state.lease_until) == (0, 1, None)
    assert state.due_at > timezone.now()
    assert "503" in str(state.error)
    client = Client()
    client.force_login(dana)
    page = client.get("/server/audit").content.decode()
    assert "3 records wait for the collector:" in page
    assert forward() == 0  # Not due yet.
    due_now()
    collector.status = 200
    assert forward() == 3
    assert AuditForwarding.objects.get().failures == 0


def test_waits_grow_to_a_limit(collector: Collector, records: None, settings: Settings) -> None:
    settings.AUDIT_FORWARD_URL = f"https://127.0.0.1:{collector.port}/audit"
    collector.status = 500
    waits = []
    for _ in range(9):
        due_now()
        forward()
        waits.append(round((AuditForwarding.objects.get().due_at - timezone.now()).total_seconds()))
    assert waits[:3] == [15, 30, 60]
    assert waits[-1] == 900


def test_untrusted_collector_gets_nothing(
    collector: Collector, records: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.AUDIT_FORWARD_CA = ""
    monkeypatch.setattr(transport, "_ssl_context", ssl.create_default_context)
    assert forward() == 0
    assert AuditForwarding.objects.get().failures == 1
    assert collector.received == []


def test_address_that_may_not_be_called_is_not(
    collector: Collector, records: None, settings: Settings
) -> None:
    settings.OUTGOING_ALLOW = []
    assert forward() == 0
    assert AuditForwarding.objects.get().failures == 1
    assert collector.received == []


def test_worker_that_dies_is_followed(collector: Collector, records: None) -> None:
    assert AuditForwarding.claim(60) is not None
    assert forward() == 0
    AuditForwarding.objects.update(lease_until=timezone.now() - dt.timedelta(seconds=1))
    assert forward() == 3


def test_mistakes_in_settings_are_found(settings: Settings) -> None:
    settings.AUDIT_FORWARD_URL = "syslog://collector"
    settings.AUDIT_FORWARD_SECRET = "secret"
    found = {message.id for message in checks.settings_fit(None)}
    assert {"keepsake.E022", "keepsake.E023"} <= found
    settings.AUDIT_FORWARD_URL = "https://collector.example.org/audit"
    settings.AUDIT_FORWARD_SECRET = SECRET
    found = {message.id for message in checks.settings_fit(None)}
    assert not {"keepsake.E022", "keepsake.E023"} & found
