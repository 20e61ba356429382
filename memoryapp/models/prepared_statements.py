"""Statements that PostgreSQL parses and plans once for each connection.

Parsing and planning take a quarter of the time of a search in an instance of a thousand memories,
and the plan is the same each time. PostgreSQL is told to keep the generic plan; otherwise it
estimates each custom plan to be cheaper. When tables grow, autovacuum analyses them, and that makes
new plans. Behind a pooler that shares connections between transactions, nothing is kept.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

import psycopg
from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.backends.utils import CursorWrapper
from django.dispatch import receiver

#: Connections that have been told to keep their plans.
_keeping: WeakSet[psycopg.Connection[Any]] = WeakSet()


class _Cursor(psycopg.Cursor[Any]):
    """Sends parameters apart from the statement, which therefore stays the same."""

    def execute(
        self, query: Any, params: Any = None, *, prepare: bool | None = True, binary: Any = None
    ) -> "_Cursor":
        return super().execute(query, params, prepare=prepare, binary=binary)


@contextmanager
def prepared() -> Iterator[CursorWrapper]:
    """Open a cursor for statements that are repeated with other parameters. It raises Django's
    errors.
    """
    with connection.cursor() as whole:
        # A query log needs the statement with its parameters.
        if connection.queries_logged or not settings.DATABASE_KEEPS_PLANS:
            yield whole
            return
        database: psycopg.Connection[Any] = connection.connection
        # Only for this cursor: while it is set, all statements of the connection are prepared.
        database.prepare_threshold = 0
        wrap: Any = connection.make_cursor
        try:
            with wrap(_Cursor(database)) as cursor:
                yield cursor
        finally:
            database.prepare_threshold = None


@receiver(connection_created)
def keep_plans(sender: type, *, connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Tell PostgreSQL to keep generic plans; once for each connection of a pool."""
    database = connection.connection
    if settings.DATABASE_KEEPS_PLANS and database not in _keeping:
        with connection.cursor() as cursor:
            cursor.execute("SET plan_cache_mode = force_generic_plan")
        _keeping.add(database)
