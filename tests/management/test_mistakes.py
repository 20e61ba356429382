"""A mistake in the environment ends a command with a line that says what to change."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


def manage(*words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=PROJECT,
        # The web server's pool of connections is for its process, not for commands.
        env=os.environ | {"DATABASE_POOL": "0"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "value", "must_be"),
    [
        ("PORT", "80a", "a whole number"),
        ("HEAD_SECONDS", "soon", "a number"),
        ("HTTPS", "maybe", "true or false"),
    ],
)
def test_a_value_of_the_wrong_type_is_named(name: str, value: str, must_be: str) -> None:
    done = manage("check", **{name: value})
    assert done.returncode == 1
    assert done.stderr == f"Keepsake cannot start: {name} is “{value}”, and must be {must_be}.\n"


def test_a_database_that_does_not_answer_is_named(tmp_path: Path) -> None:
    address = f"postgresql://keepsake@/{str(tmp_path).replace('/', '%2F')}/keepsake"
    done = manage("create_first_admin", DATABASE_URL=address)
    assert done.returncode == 1
    assert done.stderr.startswith("The database does not answer: ")
    assert "Traceback" not in done.stderr
    assert "make run" in done.stderr
