"""The back-fill benchmark from end to end, with a few memories."""

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings

from tests.benchmarks.test_recall import server_address


@pytest.mark.soak
@pytest.mark.django_db
def test_backfill_during_searches_is_measured() -> None:
    result = subprocess.run(
        [
            *(sys.executable, "-m", "benchmarks.backfill", "--json", "--rounds", "3"),
            *("--memories", "60", "--database", "keepsake_benchmark_test"),
        ],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DATABASE_URL": f"{server_address()}/untouched"},
        capture_output=True,
        text=True,
        timeout=360,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    figures = json.loads(result.stdout.splitlines()[-1])
    # One other instance has no vectors either, as `benchmarks.single_tenant_dataset` creates it.
    assert figures["vectors"] in (30, 31)
    assert figures["vectors_per_second"] > 0
    assert figures["recall_before_ms"] > 0 and figures["recall_meanwhile_ms"] > 0
