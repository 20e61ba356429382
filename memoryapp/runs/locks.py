"""Who may write when: the locks that decide the races of the write path."""

from django.db import connection

from instances.models import Instance


def one_writer_for(instance: Instance, end_user: str) -> None:
    """Wait until nobody else writes this person's memories, until the transaction ends.

    Decides the race of two workers with the same fact: the second one sees the first one's row.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock_shared(hashtextextended(%s, 0)),"
            " pg_advisory_xact_lock(hashtextextended(%s, 0))",
            [f"remember:{instance.pk}", f"remember:{instance.pk}:{end_user}"],
        )


def no_writer_for(instance: Instance) -> None:
    """Wait until nobody writes any memory of *instance*, until the transaction ends.

    For what touches many rows at once, and would else meet a writer who holds one of them and
    waits for another: a deadlock.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"remember:{instance.pk}"]
        )
