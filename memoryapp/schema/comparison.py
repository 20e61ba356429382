"""Comparison of a database's tables with those that the code expects.

Django knows which migrations a database has had by their names alone. A database whose migrations
were changed since, or that another version has gone on with, looks up to date and is not.
"""

import re
from collections.abc import Iterator
from itertools import islice

from django.apps import apps
from django.apps.registry import Apps
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

#: Differences that a message names.
MAX_NAMED = 3

_COLUMNS = """
SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
    a.attnotnull AND NOT a.atthasdef AND a.attidentity = ''
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
    AND a.attnum > 0 AND NOT a.attisdropped AND c.relname = ANY(%s)
"""
#: Django's names of types beside PostgreSQL's own.
_TYPE_NAMES = ((r"\bvarchar\b", "character varying"), (r"\bchar\b", "character"), (r",\s+", ","))

#: A type that will do in place of another: Django's own migrations make some keys of it.
_WIDER = ("bigint", "integer")


def not_upgradable(executor: MigrationExecutor) -> str:
    """Why the database of *executor* cannot be migrated to this version, as a sentence; empty if it
    can. Compares its tables with those that the migrations which it has had make today.
    """
    loader = executor.loader
    own = loader.migrated_apps
    unknown = [
        ".".join(key)
        for key in loader.applied_migrations
        if key[0] in own and key not in loader.disk_migrations
    ]
    if unknown:
        return (
            f"A newer version has migrated this database ({_few(iter(sorted(unknown)))}): run that "
            "version, or restore a backup from before."
        )
    applied = [key for key in loader.applied_migrations if key in loader.graph.nodes]
    if not applied:
        return ""
    # The models of a state take seconds to make.
    is_current = len(applied) == len(loader.graph.nodes)
    models = apps if is_current else loader.project_state(applied).apps
    few = _few(differences(executor.connection, models))
    return few and (
        f"A version that cannot be upgraded has made this database: {few}. Run the version that "
        "made it, export what you want to keep, and import it into an empty database."
    )


def difference() -> str:
    """How the database differs from the models, in a few phrases; empty if it does not."""
    return _few(differences(connections[DEFAULT_DB_ALIAS], apps))


def differences(connection: BaseDatabaseWrapper, models: Apps) -> Iterator[str]:
    """How the tables of the database differ from these *models*: tables and columns that are
    missing, columns of another type, and columns that no new row could leave empty.
    """
    expected = _expected(connection, models)
    found: dict[str, dict[str, tuple[str, bool]]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS, [list(expected)])
        for table, column, kind, is_required in cursor.fetchall():
            found.setdefault(table, {})[column] = (kind, is_required)
    for table, columns in sorted(expected.items()):
        if table not in found:
            yield f"{table} is missing"
            continue
        present = found[table]
        for column, kind in columns.items():
            if column not in present:
                yield f"{table}.{column} is missing"
            elif (own := present[column][0]) != kind and (own, kind) != _WIDER:
                yield f"{table}.{column} is {own} and not {kind}"
        for column, (_, is_required) in present.items():
            if is_required and column not in columns:
                yield f"{table}.{column} is not known"


def _expected(connection: BaseDatabaseWrapper, models: Apps) -> dict[str, dict[str, str]]:
    """The columns of each table with their types, in the words of PostgreSQL."""
    expected: dict[str, dict[str, str]] = {}
    for model in models.get_models(include_auto_created=True):
        options = model._meta
        if not options.managed or options.proxy:
            continue
        columns = expected.setdefault(options.db_table, {})
        for field in options.local_concrete_fields:
            if (kind := field.db_type(connection)) is not None and field.column:
                for name, own in _TYPE_NAMES:
                    kind = re.sub(name, own, kind)
                columns[field.column] = kind
    return expected


def _few(phrases: Iterator[str]) -> str:
    """The first of *phrases*, and how many more there are."""
    named = list(islice(phrases, MAX_NAMED))
    more = sum(1 for _ in phrases)
    return ", ".join(named) + (f" and {more} more" if more else "")
