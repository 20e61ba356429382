"""Whether the tables of a database are those of the code."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from memoryapp.schema.comparison import difference, not_upgradable

pytestmark = pytest.mark.django_db


def _run(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def test_migrated_database_is_as_the_code_expects() -> None:
    assert difference() == ""
    assert not_upgradable(MigrationExecutor(connection)) == ""


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DROP TABLE memoryapp_memorycount CASCADE", "memoryapp_memorycount is missing"),
        (
            "ALTER TABLE memoryapp_memory DROP COLUMN importance CASCADE",
            "memoryapp_memory.importance is missing",
        ),
        (
            "ALTER TABLE instances_user ALTER COLUMN email TYPE varchar(20)",
            "instances_user.email is character varying(20) and not character varying(254)",
        ),
        (
            "ALTER TABLE instances_user ADD COLUMN shoe_size integer NOT NULL DEFAULT 1",
            "",
        ),
    ],
)
def test_database_of_other_migrations_is_told(statement: str, said: str) -> None:
    _run(statement)
    assert difference() == said
    assert said in not_upgradable(MigrationExecutor(connection))
    if said:
        assert "cannot be upgraded" in not_upgradable(MigrationExecutor(connection))


def test_column_that_no_row_can_leave_empty_is_told() -> None:
    _run(
        "ALTER TABLE instances_user ADD COLUMN shoe_size integer NOT NULL DEFAULT 1",
        "ALTER TABLE instances_user ALTER COLUMN shoe_size DROP DEFAULT",
    )
    assert difference() == "instances_user.shoe_size is not known"


def test_few_of_many_differences_are_named() -> None:
    _run(
        *(
            f"ALTER TABLE instances_user DROP COLUMN {name}"
            for name in ("email", "last_name", "first_name", "is_staff")
        )
    )
    assert difference().endswith(" and 1 more")


def test_database_of_a_newer_version_is_told() -> None:
    _run(
        "INSERT INTO django_migrations (app, name, applied)"
        " VALUES ('memoryapp', '0999_of_tomorrow', now())"
    )
    assert "A newer version has migrated this database (memoryapp.0999_of_tomorrow)" in (
        not_upgradable(MigrationExecutor(connection))
    )


def test_database_on_its_way_is_no_other_one() -> None:
    """What migrations that are still to come will make is not missed."""
    _run(
        "DELETE FROM django_migrations WHERE app = 'memoryapp'",
        "DROP TABLE memoryapp_memory CASCADE",
    )
    assert not_upgradable(MigrationExecutor(connection)) == ""
