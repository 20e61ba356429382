"""Statements that PostgreSQL reads and plans once for each connection.

To read and plan a search again takes a quarter of what an instance of a thousand memories costs,
and comes to the same each time: the statements leave little to choose. PostgreSQL is told to keep
the first plan; else it compares, and finds each new one cheaper by a guess. Once tables have grown,
autovacuum looks at them anew, and by that has all plans made anew. Behind a pooler that hands a
connection to somebody else after each transaction nothing is kept.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

import psycopg
from django.conf import settings
from django.db import connection
from django.db.backends.utils import CursorWrapper
from psycopg.pq import TransactionStatus

#: Connections that have been told to keep their plans.
_keeping: WeakSet[psycopg.Connection[Any]] = WeakSet()


class _Cursor(psycopg.Cursor[Any]):
    """Sends parameters apart from the statement, which stays the same by that."""

    def execute(
        self, query: Any, params: Any = None, *, prepare: bool | None = True, binary: Any = None
    ) -> "_Cursor":
        return super().execute(query, params, prepare=prepare, binary=binary)


@contextmanager
def prepared() -> Iterator[CursorWrapper]:
    """Open a cursor for statements that come again and again with other parameters; one that fails
    like any other, with Django's errors.
    """
    with connection.cursor() as whole:
        # A log shows statements with what is in their places: they are sent like that.
        if connection.queries_logged or not settings.DATABASE_KEEPS_PLANS:
            yield whole
            return
        database: psycopg.Connection[Any] = connection.connection
        with connection.wrap_database_errors:
            _keep_plans(database)
        # Only meanwhile: as long as it is set, whole statements of others are kept as well.
        database.prepare_threshold = 0
        wrap: Any = connection.make_cursor
        try:
            with wrap(_Cursor(database)) as cursor:
                yield cursor
        finally:
            database.prepare_threshold = None


def _keep_plans(database: psycopg.Connection[Any]) -> None:
    """Tell PostgreSQL once; in a transaction only until its end, as it may be rolled back."""
    if database in _keeping:
        return
    is_idle = database.info.transaction_status == TransactionStatus.IDLE
    if database.autocommit and is_idle:
        database.execute("SET plan_cache_mode = force_generic_plan")
        _keeping.add(database)
    else:
        database.execute("SET LOCAL plan_cache_mode = force_generic_plan")
