"""Mistakes in the environment end a command with a one-line hint."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

PROJECT = Path(__file__).resolve().parents[2]


def manage(*words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=PROJECT,
        # The connection pool is for the web server's process, not for commands.
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
def test_setting_of_the_wrong_type_is_reported(name: str, value: str, must_be: str) -> None:
    result = manage("check", **{name: value})
    assert result.returncode == 1
    assert result.stderr == f"Keepsake cannot start: {name} is “{value}”, and must be {must_be}.\n"


@pytest.mark.parametrize("address", ["mysql://ana:secret@db/memory", "sqlite:///memory.db"])
def test_another_database_than_postgresql_is_reported(address: str) -> None:
    result = manage("migrate", DATABASE_URL=address)
    assert result.returncode == 1
    assert result.stderr.startswith(
        "Keepsake cannot start: DATABASE_URL is not a PostgreSQL address"
    )
    assert "secret" not in result.stderr


@pytest.mark.parametrize(
    ("command", "address", "remedy"),
    [
        ("create_first_admin", "postgresql://keepsake@/{socket}/keepsake", "Check DATABASE_URL"),
        ("migrate", "postgresql://keepsake@/{socket}/keepsake", "Check DATABASE_URL"),
        ("set_up", "", "make run"),
    ],
)
def test_unreachable_database_is_reported(
    command: str, address: str, remedy: str, tmp_path: Path
) -> None:
    url = address.format(socket=quote(str(tmp_path), safe=""))
    result = manage(command, DATABASE_URL=url, KEEPSAKE_HOME=str(tmp_path))
    assert result.returncode == 1
    assert result.stderr.startswith("The database does not answer: ")
    assert "Traceback" not in result.stderr
    assert remedy in result.stderr
