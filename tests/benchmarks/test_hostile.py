"""The benchmark of attacks, with the one that does nothing."""

import contextlib
import json
import os
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from django.conf import settings

from benchmarks.hostile.attacks import ATTACKS
from benchmarks.hostile.provider import WAYS, Handler, Server
from benchmarks.hostile.watch import watch


@contextlib.contextmanager
def provided() -> Iterator[int]:
    """Serve the wrong answers, and give the port."""
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
def test_what_others_notice_is_measured() -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "benchmarks.hostile"),
            *("--only", "nothing", "--memories", "60", "--json"),
        ],
        cwd=settings.BASE_DIR,
        env={k: v for k, v in os.environ.items() if k != "KEEPSAKE_HOME"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout.splitlines()[-1])["nothing"]
    assert 0 < figures["health_p50_ms"] <= figures["health_worst_ms"]
    assert 0 < figures["list_p50_ms"] <= figures["list_worst_ms"]
    assert figures["failed"] == 0


def test_every_attack_has_a_provider_that_exists_and_a_name_of_its_own() -> None:
    assert {attack.provider for attack in ATTACKS} <= set(WAYS)
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


@pytest.mark.parametrize(("way", "status"), [("good", 200), ("long-error", 400)])
def test_the_provider_answers_as_its_path_says(way: str, status: int) -> None:
    with provided() as port:
        request = urllib.request.Request(f"http://127.0.0.1:{port}/{way}/v1/x", data=b"{}")
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                assert answer.status == status
        except urllib.error.HTTPError as error:
            assert error.code == status
            assert len(error.read()) > 100_000


def test_an_address_that_does_not_answer_is_counted() -> None:
    with provided() as port:
        seen = watch(
            port, {"there": ("/good/v1", {}), "not there": ("/long-error/v1", {})}, lambda: False
        )
    assert len(seen.times["there"]) == len(seen.times["not there"]) == 10
    assert seen.failed == 10
