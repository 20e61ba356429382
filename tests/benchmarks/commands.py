"""Runs a benchmark as a command, in the environment of someone who has just cloned the project."""

import os
import subprocess
import sys
from urllib.parse import quote

from django.conf import settings
from django.db import connection

#: The variables that a shell gives to each program, and the home that tests share.
_KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "KEEPSAKE_HOME")


def lines_of(benchmark: str, *arguments: str, **variables: str) -> list[str]:
    """Run ``python -m benchmarks.NAME``, configured for a database that it must not touch, with
    these environment *variables*; return the lines that it prints.
    """
    result = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{benchmark}", *arguments],
        cwd=settings.BASE_DIR,
        env=environment() | variables,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def environment(database: str = "untouched") -> dict[str, str]:
    """The variables of such an environment, with the server of the tests: no settings module, and
    no address that may be called.
    """
    where = connection.settings_dict
    server = f"postgresql://{where['USER']}:{where['PASSWORD']}@/{quote(where['HOST'], safe='')}"
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | {"DATABASE_URL": f"{server}/{database}"}
