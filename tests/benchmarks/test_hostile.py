"""The benchmark of attacks, run with an attack that does nothing."""

import contextlib
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from benchmarks.hostile.attacks import ATTACKS
from benchmarks.hostile.provider import WAYS, Handler, Server
from benchmarks.hostile.watch import watch
from tests.benchmarks.commands import lines_of


@contextlib.contextmanager
def provided() -> Iterator[int]:
    """Serve the hostile answers; yield the port."""
    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.soak
def test_effect_on_other_clients_is_measured() -> None:
    lines = lines_of("hostile", "--only", "nothing", "--memories", "60", "--json")
    figures = json.loads(lines[-1])["nothing"]
    assert 0 < figures["health_p50_ms"] <= figures["health_worst_ms"]
    assert 0 < figures["list_p50_ms"] <= figures["list_worst_ms"]
    assert figures["failed"] == 0


def test_every_attack_has_an_existing_provider_and_a_unique_name() -> None:
    assert {attack.provider for attack in ATTACKS} <= set(WAYS)
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


@pytest.mark.parametrize(("path", "status"), [("good", 200), ("long-error", 400)])
def test_provider_answers_according_to_its_path(path: str, status: int) -> None:
    with provided() as port:
        request = urllib.request.Request(f"http://127.0.0.1:{port}/{path}/v1/x", data=b"{}")
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                assert answer.status == status
        except urllib.error.HTTPError as error:
            assert error.code == status
            assert len(error.read()) > 100_000


def test_unreachable_address_is_counted() -> None:
    with provided() as port:
        watched = watch(
            port, {"there": ("/good/v1", {}), "not there": ("/long-error/v1", {})}, lambda: False
        )
    assert len(watched.times["there"]) == len(watched.times["not there"]) == 10
    assert watched.failed == 10
