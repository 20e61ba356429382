"""A pytest plugin: real servers for the whole session.

A plugin of its own rather than a conftest, because it must come before pytest-django reads the
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

# What a shell starts in the background ignores Ctrl-C, which some of the tests are about.
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    signal.signal(signal.SIGINT, signal.default_int_handler)

_home = tempfile.TemporaryDirectory(prefix="keepsake-tests-")
# Open for passing through: as root, the database server runs as a system user.
Path(_home.name).chmod(0o711)
os.environ["KEEPSAKE_HOME"] = _home.name
os.environ["DJANGO_SETTINGS_MODULE"] = "memoryapp.settings"
# The scripted providers are on this machine, where nothing is called unless it is allowed.
os.environ["OUTGOING_ALLOW"] = "127.0.0.1"
for _name in (
    "DATABASE_URL",
    "REDIS_URL",
    "SECRET_KEY",
    "ENCRYPTION_KEY",
    "ENCRYPTION_KEY_FALLBACKS",
    "DEBUG",
    # Importing the web application sets it: also in the process that starts xdist's workers.
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
