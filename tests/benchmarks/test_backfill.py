"""The back-fill benchmark from end to end, with a few memories."""

import json

import pytest

from tests.benchmarks.commands import lines_of


@pytest.mark.soak
@pytest.mark.django_db
def test_backfill_during_searches_is_measured() -> None:
    printed = lines_of(
        "backfill",
        *("--json", "--rounds", "3"),
        *("--memories", "60", "--database", "keepsake_benchmark_test"),
    )
    figures = json.loads(printed[-1])
    # One other instance has no vectors either, as `benchmarks.single_tenant_dataset` creates it.
    assert figures["vectors"] in (30, 31)
    assert figures["vectors_per_second"] > 0
    assert figures["recall_before_ms"] > 0 and figures["recall_meanwhile_ms"] > 0


@pytest.mark.soak
@pytest.mark.django_db
def test_import_of_chat_messages_is_measured() -> None:
    printed = lines_of(
        "backfill", *("--json", "--messages", "80", "--database", "keepsake_benchmark_test")
    )
    figures = json.loads(printed[-1])
    assert figures["messages"] == 80
    assert (
        0
        < figures["seconds_until_stored"]
        <= figures["seconds_until_filed"]
        <= figures["seconds_until_found_by_meaning"]
    )
    assert figures["minutes_for_100000"] > 0
    assert figures["screens_before_ms"] > 0 and figures["screens_meanwhile_ms"] > 0
