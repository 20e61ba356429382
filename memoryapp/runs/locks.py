"""Advisory locks of PostgreSQL. Each has a name and lasts until the transaction ends."""

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from instances.models import Instance
from memoryapp.models.prepared_statements import prepared


def wait_for_lock(name: str) -> None:
    """Take the lock *name*, as soon as no other transaction has it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])


def try_lock(name: str, on: BaseDatabaseWrapper | None = None) -> bool:
    """Take the lock *name* if it is free, over the connection *on*; return whether it was."""
    with (on or connection).cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        return bool(cursor.fetchone()[0])


def lock_for_write(instance: Instance, *people: str) -> None:
    """Wait until no other transaction writes memories of these people.

    Decides the race of two workers with the same fact: the second one sees the row of the first.
    """
    # Always in the same order, so that two writers never wait for each other.
    names = [f"remember:{instance.pk}:{person}" for person in sorted(set(people))]
    with prepared() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock_shared(hashtextextended(%s, 0)), ("
            "SELECT count(pg_advisory_xact_lock(hashtextextended(name, 0)))"
            " FROM unnest(%s::text[]) AS name)",
            [f"remember:{instance.pk}", names],
        )


def lock_out_writers(instance: Instance) -> None:
    """Wait until no other transaction writes any memory of *instance*.

    For changes of many rows at once. Without it, a writer that holds one of the rows and waits for
    another would make a deadlock.
    """
    wait_for_lock(f"remember:{instance.pk}")
