"""Lets one process migrate a database at a time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from django.db import Error, connections

#: The key of the advisory lock: any number that nothing else takes.
KEY = 7_301_582_964


@contextmanager
def alone(alias: str, waits: Callable[[], object]) -> Iterator[None]:
    """Hold the lock of the migrations; call *waits* first if another process holds it. The lock is
    that of a transaction on a connection of its own, so that it holds behind a pooler, too, which
    gives the connection of a session to others between two transactions.
    """
    holder = connections.create_connection(alias)
    holder.set_autocommit(False)
    try:
        with holder.cursor() as cursor:
            # The transaction is as long as the migrations.
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            cursor.execute("SET LOCAL statement_timeout = 0")
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [KEY])
            if not cursor.fetchone()[0]:
                waits()
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [KEY])
        yield
    finally:
        with suppress(Error):  # The server may be gone.
            holder.rollback()  # A pool warns of a connection that comes back within a transaction.
        holder.close()
