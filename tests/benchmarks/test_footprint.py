"""The benchmark of memory and of the start, also within the limits of a small machine."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.footprint import TARGET_IDLE, Figures, table
from benchmarks.limits import CannotLimit, limited
from tests.benchmarks.commands import lines_of


def figures(*arguments: str) -> dict[str, Any]:
    """Run the benchmark as briefly as it goes; return its figures."""
    briefly = ("--megabytes", "0.3", "--seconds", "5", "--rest", "3")
    found: dict[str, Any] = json.loads(lines_of("footprint", "--json", *briefly, *arguments)[-1])
    return found


def all_was_done(found: dict[str, Any]) -> bool:
    return all(
        found["done"][what]
        for what in (
            *("chat replies", "conversations stored", "messages imported"),
            *("memories", "memories found"),
        )
    )


@pytest.mark.soak
@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux")
def test_memory_of_all_processes_is_measured() -> None:
    found = figures()
    assert all_was_done(found)
    assert found["next_start_seconds"] > 0
    parts = {"PostgreSQL", "Redis", "guard", "supervisor", "web server", "worker"}
    for column in ("idle_mb", "busy_mb", "rested_mb"):
        assert parts <= set(found[column])
        assert found[column]["total"] == pytest.approx(
            sum(found[column].values()) - found[column]["total"], abs=1
        )


@pytest.mark.soak
def test_one_core_and_1_gb_are_enough() -> None:
    try:
        with limited(1_024, 1):
            pass
    except CannotLimit as error:
        pytest.skip(f"memory cannot be limited here: {error}")
    found = figures("--limit", "1024")
    assert all_was_done(found)
    assert (found["restarts"], found["out_of_memory_kills"]) == (0, 0)


@pytest.mark.soak
def test_limit_of_memory_is_real() -> None:
    try:
        with limited(64, 1) as limit:
            eater = subprocess.run(
                [sys.executable, "-c", "len(bytearray(200 << 20))"],
                preexec_fn=limit.enter,
                check=False,
            )
            assert (eater.returncode, limit.kills()) == (-9, 1)
    except CannotLimit as error:
        pytest.skip(f"memory cannot be limited here: {error}")


def test_sum_above_the_target_is_flagged() -> None:
    little = {"web server": 100.0, "worker": 90.0, "total": 190.0}
    much = {"web server": 300.0, "worker": 290.0, "total": 590.0}
    lines = table(Figures([9.0, 2.5], little, much, little, {"memories": 3})).splitlines()
    assert "more than" not in "".join(lines)
    lines = table(Figures([9.0, 4.2], much, much, little, {"memories": 3})).splitlines()
    assert lines[1].endswith("more than 4 s")
    assert lines[4].split() == ["web", "server", "300", "300", "100"]
    assert lines[-3].endswith(f"more than {TARGET_IDLE} MB at rest")
