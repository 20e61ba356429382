"""The benchmark of the latency that memory adds: it measures both ways."""

import json
import time

import pytest

from benchmarks import proxy
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
    assert figures.keys() == {"direct", "through Keepsake", "added"}
    assert figures["direct"]["p50"] >= 100
    assert figures["through Keepsake"]["p50"] >= 100
    assert provider.count("chat/completions") == 6
