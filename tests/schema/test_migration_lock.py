"""One process migrates a database at a time."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from memoryapp.schema import migration_lock
from tests.servers import Postgres

PROJECT = Path(__file__).resolve().parents[2]
EMPTY = "keepsake_empty"

pytestmark = pytest.mark.django_db(transaction=True)


def test_second_migration_waits_for_the_first() -> None:
    events: list[str] = []
    waits = threading.Event()

    def second() -> None:
        with migration_lock.alone("default", waits.set):
            events.append("second")

    thread = threading.Thread(target=second)
    with migration_lock.alone("default", lambda: events.append("the first waited")):
        thread.start()
        assert waits.wait(30)
        events.append("first")
    thread.join(30)
    assert events == ["first", "second"]


def test_lock_is_free_after_a_failure() -> None:
    with pytest.raises(ValueError, match="no"), migration_lock.alone("default", lambda: None):
        raise ValueError("no")
    with migration_lock.alone("default", lambda: pytest.fail("it was not given back")):
        pass


def test_database_of_other_migrations_is_not_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    """`migrate` says why, before Django begins."""
    monkeypatch.setattr(
        "django.core.management.commands.migrate.Command.handle",
        lambda *args, **options: pytest.fail("it was migrated"),
    )
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE instances_user RENAME COLUMN email TO mail")
    try:
        with pytest.raises(CommandError, match=r"email is missing.*Nothing was changed"):
            call_command("migrate")
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE instances_user RENAME COLUMN mail TO email")


@pytest.mark.soak
def test_two_migrations_of_an_empty_database_end_well(postgres: Postgres) -> None:
    with postgres.empty_database(EMPTY):
        both = [
            subprocess.Popen(
                [sys.executable, "manage.py", "migrate"],
                cwd=PROJECT,
                env=os.environ | {"DATABASE_URL": postgres.address(EMPTY), "DATABASE_POOL": "0"},
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(2)
        ]
        said = [process.communicate(timeout=300)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum("Another process migrates this database" in each for each in said) == 1
    assert sum("No migrations to apply" in each for each in said) == 1
