"""The test database on a cluster of Citus, whose coordinator ``CITUS_DATABASE_URL`` names.

Only for a cluster that is there for tests: databases are made and left on it.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import environ
import psycopg
from django.db import connection, transaction
from psycopg import sql

from memoryapp.citus import distribution
from tests.database import PRESERVED_TABLES

#: The address of a database on the coordinator in which Citus knows its workers.
ADDRESS = os.environ.get("CITUS_DATABASE_URL", "")
#: Enough that what is divided is on several servers, and that a test takes no longer than it must.
SHARDS = 4
#: Of the processes that make their test databases at the same time; any number.
LOCK = 7_316_402


def create(name: str) -> None:
    """Make an empty database with this name on each server, unless it is there."""
    with _alone():
        _create(name, _nodes())


def _create(name: str, nodes: Sequence[tuple[str, int, int]]) -> None:
    for host, port, _ in nodes:
        with _connect(host, port, _setting("NAME")) as server:
            if server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                return
            server.execute("SET citus.enable_create_database_propagation TO off")
            server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        with _connect(host, port, name) as database:
            database.execute("CREATE EXTENSION citus")
            database.execute("CREATE EXTENSION vector")
    with _connect(_setting("HOST"), _setting("PORT"), name) as database:
        for host, port, group in nodes:
            add = "citus_add_node" if group else "citus_set_coordinator_host"
            database.execute(f"SELECT {add}(%s, %s)", [host, port])


def distribute() -> None:
    """Divide the tables of the test database."""
    with _alone():
        distribution.distribute(SHARDS)
    # The next connection has the settings of the divided database.
    connection.close()


@contextmanager
def _alone() -> Iterator[None]:
    """Keep the other processes that run tests from changing the catalogues of the servers."""
    with _connect(_setting("HOST"), _setting("PORT"), _setting("NAME")) as coordinator:
        coordinator.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        yield


def empty() -> None:
    """Delete all rows that a transactional test has committed."""
    tables = set(connection.introspection.django_table_names(only_existing=True)) - PRESERVED_TABLES
    with transaction.atomic(), connection.cursor() as cursor:
        # No trigger or foreign key has to be checked, on the workers neither.
        cursor.execute("SET LOCAL citus.propagate_set_commands TO 'local'")
        cursor.execute("SET LOCAL session_replication_role TO replica")
        for table in sorted(tables):
            name = sql.Identifier(table)
            cursor.execute(sql.SQL("SELECT EXISTS (SELECT 1 FROM {})").format(name))
            if cursor.fetchone()[0]:
                cursor.execute(sql.SQL("DELETE FROM {}").format(name))


def _nodes() -> list[tuple[str, int, int]]:
    """The host, port and group of each server; 0 is the coordinator's."""
    with _connect(_setting("HOST"), _setting("PORT"), _setting("NAME")) as coordinator:
        query = "SELECT nodename, nodeport, groupid FROM pg_dist_node ORDER BY groupid"
        return coordinator.execute(query).fetchall()


def _setting(name: str) -> Any:
    return environ.Env.db_url_config(ADDRESS)[name]


def _connect(host: str, port: int, database: str) -> psycopg.Connection[Any]:
    return psycopg.connect(
        host=host,
        port=port,
        user=_setting("USER"),
        password=_setting("PASSWORD") or None,
        dbname=database,
        autocommit=True,
    )
