"""A separate database for a benchmark, on the configured server."""

import contextlib
import os
from collections.abc import Iterator

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError, ProgrammingError, connection
from psycopg import sql

from instances.models import AllowedAddress, OutgoingConnections
from instances.outgoing.policy import OutgoingPolicy
from memoryapp.embedded.postgres import PostgresServer


class NoInstallation(ValueError):
    """The database of the settings has no tables."""


@contextlib.contextmanager
def fresh_database(
    name: str, *, keep: bool = False, policy: OutgoingPolicy | None = None
) -> Iterator[None]:
    """Point Django to an empty, migrated database called *name*, and drop it afterwards unless it
    is to be kept. Until then, *policy* says which servers may be called.

    If the embedded server is used and does not run, it is started, and stopped again. Raises
    `ValueError` if *name* is the database of the settings, which must not be touched.
    """
    with _server(name):
        _drop(name)
        _execute("CREATE DATABASE {}", name)
        try:
            with _used(name):
                call_command("migrate", interactive=False, verbosity=0)
                if policy is not None:
                    _store(policy)
                yield
        finally:
            if not keep:
                _drop(name)


@contextlib.contextmanager
def installation() -> Iterator[None]:
    """Use the database of the settings, with its server, which is started if it does not run.

    Raises `NoInstallation` where it has no tables yet.
    """
    with _running_server():
        try:
            yield
        except ProgrammingError as error:
            raise NoInstallation(
                "The database of the settings holds no Keepsake yet: start it once first."
            ) from error


@contextlib.contextmanager
def kept_database(name: str) -> Iterator[None]:
    """Point Django to the database *name*, which `fresh_database` has kept; raises the same."""
    with _server(name), _used(name):
        yield


@contextlib.contextmanager
def _server(name: str) -> Iterator[None]:
    if name == connection.settings_dict["NAME"]:
        raise ValueError(f"“{name}” is the database in use. Choose another name.")
    with _running_server():
        yield


@contextlib.contextmanager
def _running_server() -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        if not os.environ.get("DATABASE_URL") and not _answers():
            stack.enter_context(PostgresServer(settings.HOME))
        yield


@contextlib.contextmanager
def _used(name: str) -> Iterator[None]:
    configured = connection.settings_dict["NAME"]
    _use(name)
    try:
        yield
    finally:
        _use(configured)


def _store(policy: OutgoingPolicy) -> None:
    OutgoingConnections.objects.create(id=1, mode=policy.mode)
    AllowedAddress.objects.bulk_create(
        AllowedAddress(address=address) for address in dict.fromkeys(map(str, policy.entries))
    )


def _use(name: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = name


def _answers() -> bool:
    try:
        connection.ensure_connection()
    except OperationalError:
        return False
    return True


def _drop(name: str) -> None:
    # A person may be looking at the database of the last run.
    _execute("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def _execute(statement: str, name: str) -> None:
    params = connection.get_connection_params()
    # Of all that Django gives to psycopg, only what says where the server is.
    where = {key: params[key] for key in ("host", "port", "user", "password") if key in params}
    with psycopg.connect(**where, dbname="postgres", autocommit=True) as server:
        server.execute(sql.SQL(statement).format(sql.Identifier(name)))
