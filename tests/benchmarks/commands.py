"""Runs a benchmark as a command."""

import os
import subprocess
import sys

from django.conf import settings

from tests.benchmarks.test_recall import server_address


def lines_of(benchmark: str, *arguments: str) -> list[str]:
    """Run ``python -m benchmarks.NAME``, configured for a database that it must not touch; return
    the lines that it prints.
    """
    result = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{benchmark}", *arguments],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DATABASE_URL": f"{server_address()}/untouched"},
        capture_output=True,
        text=True,
        timeout=360,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()
