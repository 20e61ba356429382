"""Pytest plugin that starts real servers for the whole session.

It is a plugin and not a conftest because it must load before pytest-django reads the
settings, which take the servers' addresses from the environment.
"""

import contextlib
import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest

from memoryapp.embedded.postgres import DATABASE, USER, PostgresServer
from memoryapp.embedded.redis import RedisServer

# Background jobs of a shell ignore Ctrl-C, which some tests need.
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    signal.signal(signal.SIGINT, signal.default_int_handler)

_home = tempfile.TemporaryDirectory(prefix="keepsake-tests-")
# Traversable by all: when started as root, the database server runs as a system user.
Path(_home.name).chmod(0o711)
os.environ["KEEPSAKE_HOME"] = _home.name
os.environ["ERASURES_DIR"] = f"{_home.name}/erasures"
os.environ["DJANGO_SETTINGS_MODULE"] = "memoryapp.settings"
# The quick one, whichever is the default.
os.environ["EMBEDDER"] = "small"
# The scripted providers are on this machine, to which calls are blocked unless allowed.
os.environ["OUTGOING_ALLOW"] = "127.0.0.1"
for _name in (
    "DATABASE_URL",
    "REDIS_URL",
    "SECRET_KEY",
    "ENCRYPTION_KEY",
    "ENCRYPTION_KEY_FALLBACKS",
    "DEBUG",
    # Set when the web application is imported, also in the process that starts xdist's workers.
    "DATABASE_POOL",
):
    os.environ.pop(_name, None)
# A cluster of Citus instead of the server that is started here: see `tests.citus.cluster_database`.
if _CITUS := os.environ.get("CITUS_DATABASE_URL", ""):
    os.environ["DATABASE_URL"] = _CITUS


# Tests need no durability. Commits stay synchronous: VACUUM marks pages as all-visible only once
# the commits on them are written.
_QUICK_SETTINGS = {"fsync": "off", "full_page_writes": "off"}


def pytest_configure(config: pytest.Config) -> None:
    """Keep the database on a cluster, which takes a minute to divide, for the next run."""
    if _CITUS:
        config.option.reuse_db = True


@pytest.fixture(scope="session")
def servers() -> Iterator[RedisServer]:
    """PostgreSQL with pgvector and Redis, started once and stopped at the end."""
    if _CITUS:
        with RedisServer(Path(_home.name)) as redis:
            yield redis
        return
    with PostgresServer(Path(_home.name)) as server, RedisServer(Path(_home.name)) as redis:
        _be_quick(Postgres(server.socket_folder))
        yield redis


class Postgres:
    """The PostgreSQL server of the tests, for its superuser."""

    def __init__(self, socket_folder: Path) -> None:
        self.socket_folder = socket_folder

    def connect(self, database: str = "postgres") -> "psycopg.Connection[tuple[Any, ...]]":
        """Return a connection that commits each statement."""
        return psycopg.connect(
            host=str(self.socket_folder), user=USER, dbname=database, autocommit=True
        )

    def address(self, database: str, role: str = USER) -> str:
        """Return the `DATABASE_URL` of a database."""
        return f"postgresql://{role}@/{database}?host={quote(str(self.socket_folder))}"

    @contextlib.contextmanager
    def empty_database(self, name: str, options: str = "") -> Iterator[None]:
        """Have an empty database until the end."""
        drop = f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"
        with self.connect() as session:
            session.execute(drop)
            session.execute(f"CREATE DATABASE {name} {options}")
            try:
                yield
            finally:
                session.execute(drop)


@pytest.fixture(scope="session")
def postgres(servers: RedisServer) -> Postgres:
    """The PostgreSQL server that Django's connections lead to."""
    return Postgres(PostgresServer(Path(_home.name)).socket_folder)


def _be_quick(postgres: Postgres) -> None:
    with postgres.connect(DATABASE) as session:
        for name, value in _QUICK_SETTINGS.items():
            session.execute(f"ALTER SYSTEM SET {name} = {value}")
        session.execute("SELECT pg_reload_conf()")
