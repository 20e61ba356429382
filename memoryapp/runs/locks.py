"""Locks that last until the transaction ends: advisory ones of PostgreSQL, each with a name, and
those of the rows to which writers add.
"""

from collections.abc import Collection

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import QuerySet

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.models import Answer, Memory, Run
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


def lock_memories(instance: Instance, memories: QuerySet[Memory]) -> list[int]:
    """Lock *memories* of *instance* until the transaction ends, and return their ids."""
    lock_out_writers(instance)
    return list(
        memories.filter(instance=instance)
        .order_by("pk")
        .select_for_update(of=("self",))
        .values_list("pk", flat=True)
    )


def lock_out_writers_of(instance: Instance, conversation_ids: Collection[int]) -> None:
    """Wait until no other transaction writes any memory of *instance*, or adds to one of these
    conversations. For their deletion: an answer or a run could otherwise add a row between the
    search for what belongs to them and the deletion, which would fail.

    The order of locks is that of the writers: a run locks itself, the conversation and the palace,
    an answer the conversation and itself. The palace and its drawers are the caller's to lock next.
    """
    lock_out_writers(instance)
    of_these = {"instance": instance, "conversation__in": conversation_ids}
    for rows in (
        Run.objects.filter(**of_these, state=Run.State.RUNNING),
        Conversation.objects.filter(instance=instance, pk__in=conversation_ids),
        Answer.objects.filter(**of_these),
    ):
        list(rows.order_by("pk").select_for_update(of=("self",)).values_list("pk", flat=True))
