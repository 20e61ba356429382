"""Faster cleanup of the test database, its form, and the rule for locks."""

import functools
import os
import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

from django.core.management import call_command
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.test import TransactionTestCase
from psycopg import sql

from instances.partitions import is_divided, partitions
from memoryapp.partitions import conversion

#: Tables that Django fills after migrating; no test changes them.
PRESERVED_TABLES = {"django_content_type", "auth_permission"}

#: A statement that locks rows of a content table.
_LOCK = re.compile(
    r'^\s*SELECT .*? FROM "?(?:conversations|memoryapp)_\w+"?(?P<where>.*)'
    r" FOR (?:NO KEY )?(?:UPDATE|SHARE)",
    re.DOTALL,
)
#: From this number of tables, TRUNCATE is faster than DELETE; it also leaves no dead rows.
LARGE_TABLE_BYTES = 1_000_000


def empty() -> None:
    """Delete all rows that a transactional test has committed.

    Django's own flush truncates every table and creates its default rows again, although most
    tests fill only some ten of sixty tables with a few rows.
    """
    with connection.cursor() as cursor:
        cursor.execute(_filled_tables_query())
        filled = dict(cursor.fetchall())
    if any(size > LARGE_TABLE_BYTES for size in filled.values()):
        with connection.cursor() as cursor:
            # The audit log refuses to be emptied.
            cursor.execute("SET session_replication_role = replica")
            call_command("flush", verbosity=0, interactive=False, reset_sequences=False)
            cursor.execute("SET session_replication_role = DEFAULT")
    elif filled:
        _delete(list(filled))


def install(clean: Callable[[], None] = empty) -> None:
    """Make Django use *clean* after transactional tests."""
    TransactionTestCase._fixture_teardown = lambda self: clean()  # type: ignore[attr-defined]
    connection_created.connect(_check_locks)


def _check_locks(*, connection: BaseDatabaseWrapper, **_: Any) -> None:
    if _in_one_instance not in connection.execute_wrappers:
        connection.execute_wrappers.insert(0, _in_one_instance)


def _in_one_instance(execute: Callable[..., Any], text: Any, *others: Any) -> Any:
    """Refuse to lock rows of content that may be of several instances: Citus locks rows of one."""
    if (lock := _LOCK.search(str(text))) and "instance_id" not in lock["where"]:
        raise AssertionError(f"The lock names no instance: {text}")
    return execute(text, *others)


def address() -> str:
    """The ``DATABASE_URL`` of the test database, for processes that tests start."""
    known = connection.settings_dict
    host = known["HOST"]
    server = f"/{quote(host)}" if host.startswith("/") else f"{host}:{known['PORT']}"
    return f"postgresql://{known['USER']}@{server}/{known['NAME']}"


def partition() -> None:
    """Move the content tables into partitions if ``PARTITIONS`` gives their number."""
    if number := int(os.environ.get("PARTITIONS") or 0):
        conversion.convert(conversion.partitioned(number))
    # Asked for once in a process: no test that counts statements may be the first to ask.
    partitions()
    is_divided()


@functools.cache
def _filled_tables_query() -> sql.Composed:
    tables = set(connection.introspection.django_table_names(only_existing=True)) - PRESERVED_TABLES
    query = sql.SQL("SELECT {}, pg_relation_size({}) WHERE EXISTS (SELECT FROM {})")
    return sql.SQL(" UNION ALL ").join(
        query.format(sql.Literal(table), sql.Literal(table), sql.Identifier(table))
        for table in sorted(tables)
    )


def _delete(tables: Sequence[str]) -> None:
    statements = (sql.SQL("DELETE FROM {}").format(sql.Identifier(name)) for name in tables)
    with transaction.atomic(), connection.cursor() as cursor:
        # No trigger or foreign key has to be checked when all rows are deleted.
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(sql.SQL("; ").join(statements))
