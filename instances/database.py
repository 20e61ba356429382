"""Short-lived database connections."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def brief_connection() -> Iterator[None]:
    """Use the database, and close the connection afterwards if the thread had none before.

    For the many threads that then wait for another server.
    """
    was_closed = connection.connection is None
    try:
        yield
    finally:
        if was_closed:
            connection.close()
