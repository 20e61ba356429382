"""Statements that PostgreSQL reads and plans once for each connection.

To read and plan a search again takes a quarter of what an instance of a thousand memories costs,
and comes to the same each time: the statements leave little to choose. (`settings` tells PostgreSQL
to keep the first plan; else it compares, and finds each new one cheaper by a guess.) Once tables
have grown, autovacuum looks at them anew, and by that has all plans made anew. Behind a pooler that
hands a connection to somebody else after each transaction nothing is kept.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection
from django.db.backends.utils import CursorWrapper


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
    if connection.queries_logged:
        # A log shows statements with what is in their places: they are sent like that.
        with connection.cursor() as cursor:
            yield cursor
        return
    connection.ensure_connection()
    wrap: Any = connection.make_cursor
    with wrap(_Cursor(connection.connection)) as cursor:
        yield cursor
