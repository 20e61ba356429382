"""What a database lacks is told in one sentence each, before the first migration."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from memoryapp.schema import fitness
from memoryapp.schema.fitness import shortcomings
from tests.servers import Postgres

PROJECT = Path(__file__).resolve().parents[2]
#: The role and the databases of these tests.
ROLE = "keepsake_unprivileged"
DATABASE, ASCII_DATABASE = "keepsake_unfit", "keepsake_ascii"
FIT = "SELECT 18, false, 'UTF8', 'ana', 'memory', 'public', true"


@pytest.mark.django_db
def test_embedded_server_lacks_nothing() -> None:
    assert list(shortcomings(connection)) == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("server", "pgvector", "said"),
    [
        (FIT, "SELECT '0.7.0', '0.8.0'", []),
        (FIT, "SELECT '0.10.1', '0.10.1'", []),
        (FIT, "SELECT '1.0', '1.0'", []),
        (
            FIT.replace("18", "15"),
            "SELECT '0.8.0', '0.8.0'",
            ["PostgreSQL 16 or newer is needed; this is 15."],
        ),
        (FIT.replace("false", "true"), "SELECT '0.8.0', '0.8.0'", ["The server is a standby"]),
        (FIT.replace("UTF8", "LATIN1"), "SELECT '0.8.0', '0.8.0'", ["memory is encoded in LATIN1"]),
        (
            FIT.replace("'public', true", "NULL, false"),
            "SELECT '0.8.0', '0.8.0'",
            ["ana may not create tables in the schema public"],
        ),
        (FIT, "SELECT 1 WHERE false", ["The server has no pgvector"]),
        (FIT, "SELECT NULL, '0.6.2'", ["the server offers 0.6.2"]),
        (FIT, "SELECT '0.6.2', '0.8.0'", ["the database has 0.6.2"]),
        (
            FIT.replace("18", "14"),
            "SELECT 1 WHERE false",
            ["this is 14", "The server has no pgvector"],
        ),
    ],
)
def test_what_is_lacking_is_said(
    monkeypatch: pytest.MonkeyPatch, server: str, pgvector: str, said: list[str]
) -> None:
    monkeypatch.setattr(fitness, "_SERVER", server)
    monkeypatch.setattr(fitness, "_PGVECTOR", pgvector)
    problems = list(shortcomings(connection))
    assert len(problems) == len(said)
    for problem, part in zip(problems, said, strict=True):
        assert part in problem


@pytest.fixture
def unfit_databases(postgres: Postgres) -> Iterator[None]:
    """Databases that do not fit, with an ordinary role."""
    with postgres.connect() as server:
        server.execute(f"CREATE ROLE {ROLE} LOGIN")
        with (
            postgres.empty_database(DATABASE),
            postgres.empty_database(
                ASCII_DATABASE,
                "ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0"
                f" OWNER {ROLE}",
            ),
        ):
            yield
        server.execute(f"DROP ROLE {ROLE}")


def _migrate(address: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "manage.py", "migrate"],
        cwd=PROJECT,
        env=os.environ | {"DATABASE_URL": address, "DATABASE_POOL": "0"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("database", "said"),
    [
        (DATABASE, ["may not create tables in the schema public", "CREATE EXTENSION vector"]),
        (ASCII_DATABASE, ["is encoded in SQL_ASCII", "CREATE EXTENSION vector"]),
    ],
)
def test_unfit_database_is_left_as_it_is(
    unfit_databases: None, postgres: Postgres, database: str, said: list[str]
) -> None:
    result = _migrate(postgres.address(database, ROLE))
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert [line for line in result.stderr.splitlines() if line] != []
    for part in said:
        assert part in result.stderr
    with postgres.connect(database) as server:
        (tables,) = server.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        ).fetchone() or (None,)
    assert tables == 0
