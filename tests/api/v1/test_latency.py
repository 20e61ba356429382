"""The benchmark of the latency that memory adds: it measures every way."""

import json
import time

import pytest

from benchmarks import proxy
from tests.benchmarks.commands import lines_of
from tests.scripted_provider import Says, ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)


def test_latency_with_and_without_memory_is_measured(
    address: str, secret: str, provider: ScriptedProvider, capsys: pytest.CaptureFixture[str]
) -> None:
    # The first words take a tenth of a second in both cases.
    slow = Says("Nothing with peanuts.", before=lambda number: time.sleep(0.1 * (number == 1)))
    provider.reply_with(slow)
    given = {"upstream": provider.base_url, "keepsake": address, "key": secret, "model": "m"}
    options = [part for name, value in given.items() for part in (f"--{name}", value)]
    proxy.main([*options, "--rounds", "2", "--json"])
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures.keys() == {"direct", "chat completions", "responses", "messages"}
    assert all(measured["p50"] >= 100 for measured in figures.values())
    assert all("added_p50" in figures[name] for name in list(figures)[1:])
    assert provider.count("chat/completions") == 12


def test_half_of_the_addresses_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        proxy.main(["--upstream", "http://127.0.0.1:9/v1"])
    assert "together" in capsys.readouterr().err


@pytest.mark.soak
def test_clients_at_once_lose_nothing() -> None:
    printed = lines_of(
        "proxy",
        *("--json", "--rounds", "1"),
        *("--memories", "60", "--clients", "20", "--database", "keepsake_benchmark_proxy_test"),
    )
    figures = json.loads(printed[-1])
    assert figures["at_once"] == {"asked": 20, "answered": 20, "stored": 20}
