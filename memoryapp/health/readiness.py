"""Readiness: can requests be answered, and are worker and scheduler alive?"""

from dataclasses import dataclass
from functools import cache

import redis
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor

from memoryapp.schema.comparison import difference
from memoryapp.telemetry import heartbeat


@dataclass(frozen=True)
class Readiness:
    """The state of each part. Only the database decides: without Redis or a worker, screens, search
    and the API still answer, and new messages wait in the database.
    """

    #: ``ok``, ``unreachable``, ``migrations missing`` or ``another schema``.
    database: str
    #: How its schema differs from the code, in a few phrases; else empty.
    difference: str
    #: ``ok`` or ``unreachable``.
    redis: str
    #: Seconds since the last heartbeat; None without one.
    worker: float | None
    scheduler: float | None

    @property
    def ready(self) -> bool:
        return self.database == "ok"


def readiness() -> Readiness:
    """Check all parts. Takes a few seconds at most."""
    worker = scheduler = None
    try:
        worker = heartbeat.last_sign(heartbeat.WORKER)
        scheduler = heartbeat.last_sign(heartbeat.SCHEDULER)
        redis_state = "ok"
    except redis.RedisError:
        redis_state = "unreachable"
    return Readiness(*_database(), redis_state, worker, scheduler)


def _database() -> tuple[str, str]:
    connection = connections[DEFAULT_DB_ALIAS]
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        check_schema()
    except DatabaseError:
        return "unreachable", ""
    except MigrationsMissing:
        return "migrations missing", ""
    except AnotherSchema as error:
        return "another schema", str(error)
    return "ok", ""


class MigrationsMissing(Exception):
    """The database is older than the code."""


class AnotherSchema(Exception):
    """The tables are not those of the code, although it knows no migration that is missing."""


@cache
def check_schema() -> None:
    # Cached once the schema is that of the code; checked again until then.
    executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise MigrationsMissing
    if found := difference():
        raise AnotherSchema(found)
