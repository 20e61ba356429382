"""Fitness of a database server: what it lacks for Keepsake, before the first migration."""

from collections.abc import Iterator

from django.db import DatabaseError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

#: The oldest versions that are supported.
MIN_POSTGRESQL = 16
MIN_PGVECTOR = (0, 7)

_SERVER = """
SELECT current_setting('server_version_num')::int / 10000, pg_is_in_recovery(),
    current_setting('server_encoding'), current_user, current_database(), current_schema(),
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
"""
_PGVECTOR = """
SELECT installed_version, default_version FROM pg_available_extensions WHERE name = 'vector'
"""
_NEWER_PGVECTOR = f"pgvector {'.'.join(map(str, MIN_PGVECTOR))} or newer is needed"


def shortcomings(connection: BaseDatabaseWrapper) -> Iterator[str]:
    """Shortcomings of the server behind *connection*, each as what is wrong and what to do.
    Installs pgvector in the database if it is there to be installed.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SERVER)
        version, is_standby, encoding, role, database, schema, may_create = cursor.fetchone()
        cursor.execute(_PGVECTOR)
        pgvector = cursor.fetchone()
    if version < MIN_POSTGRESQL:
        yield f"PostgreSQL {MIN_POSTGRESQL} or newer is needed; this is {version}."
    if is_standby:
        yield "The server is a standby, which cannot be written to: name the primary one."
        return
    if encoding != "UTF8":
        yield (
            f"The database {database} is encoded in {encoding}: make one with "
            "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0."
        )
    if not may_create:
        yield (
            f"The role {role} may not create tables in the schema {schema or 'public'}: make it "
            f"the owner of the database, with ALTER DATABASE {database} OWNER TO {role}."
        )
    yield from _of_pgvector(connection, pgvector)


def _of_pgvector(
    connection: BaseDatabaseWrapper, found: tuple[str | None, str] | None
) -> Iterator[str]:
    if found is None:
        yield (
            "The server has no pgvector: install its package on the server, such as "
            "postgresql-18-pgvector on Debian, or switch the extension on at your provider."
        )
        return
    installed, offered = found
    if installed is None and _is_old(offered):
        yield f"{_NEWER_PGVECTOR}; the server offers {offered}: install a newer package there."
    elif installed is not None and _is_old(installed):
        yield (
            f"{_NEWER_PGVECTOR}; the database has {installed}: install a newer package, and let an "
            "administrator run ALTER EXTENSION vector UPDATE in the database."
        )
    elif installed is None:
        try:
            with transaction.atomic(connection.alias), connection.cursor() as cursor:
                cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except DatabaseError as error:
            yield (
                f"pgvector cannot be installed ({str(error).splitlines()[0]}): let an "
                "administrator run CREATE EXTENSION vector in the database, once."
            )


def _is_old(version: str) -> bool:
    numbers = [int(part) for part in version.split(".") if part.isdecimal()]
    return tuple(numbers[:2]) < MIN_PGVECTOR
