"""Pytest plugin that starts real servers for the whole session.

It is a plugin and not a conftest because it must load before pytest-django reads the
settings, which take the servers' addresses from the environment.
"""

import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

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


# Tests need no durability. Commits stay synchronous: VACUUM marks pages as all-visible only once
# the commits on them are written.
_QUICK_SETTINGS = {"fsync": "off", "full_page_writes": "off"}


@pytest.fixture(scope="session")
def servers() -> Iterator[RedisServer]:
    """PostgreSQL with pgvector and Redis, started once and stopped at the end."""
    with PostgresServer(Path(_home.name)) as postgres, RedisServer(Path(_home.name)) as redis:
        _be_quick(postgres)
        yield redis


def _be_quick(server: PostgresServer) -> None:
    with psycopg.connect(
        host=str(server.socket_folder), user=USER, dbname=DATABASE, autocommit=True
    ) as connection:
        for name, value in _QUICK_SETTINGS.items():
            connection.execute(f"ALTER SYSTEM SET {name} = {value}")
        connection.execute("SELECT pg_reload_conf()")
