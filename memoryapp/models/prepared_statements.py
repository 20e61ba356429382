"""Statements that PostgreSQL parses and plans once for each connection.

Parsing and planning take a quarter of the time of a search in an instance of a thousand memories,
and the plan is the same each time. PostgreSQL is told to keep the generic plan; otherwise it
estimates each custom plan to be cheaper. When tables grow, autovacuum analyses them, and that makes
new plans. Behind a pooler that shares connections between transactions, nothing is kept.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar
from weakref import WeakSet

import psycopg
from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.backends.utils import CursorWrapper
from django.db.models import Field, Model
from django.dispatch import receiver

from memoryapp.models.stored_rows import stored_fields

Row = TypeVar("Row", bound=Model)

_KEEP_PLANS = """
SELECT set_config('plan_cache_mode', 'force_generic_plan', false)
WHERE NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
"""
#: Connections that have been told to keep their plans.
_keeping: WeakSet[psycopg.Connection[Any]] = WeakSet()


class _Cursor(psycopg.Cursor[Any]):
    """Sends parameters apart from the statement, which therefore stays the same."""

    def execute(
        self, query: Any, params: Any = None, *, prepare: bool | None = True, binary: Any = None
    ) -> "_Cursor":
        return super().execute(query, params, prepare=prepare, binary=binary)


@contextmanager
def prepared() -> Iterator[CursorWrapper]:
    """Open a cursor for statements that are repeated with other parameters. It raises Django's
    errors.
    """
    with connection.cursor() as whole:
        # A query log needs the statement with its parameters.
        if connection.queries_logged or not settings.DATABASE_KEEPS_PLANS:
            yield whole
            return
        database: psycopg.Connection[Any] = connection.connection
        # Only for this cursor: while it is set, all statements of the connection are prepared.
        database.prepare_threshold = 0
        wrap: Any = connection.make_cursor
        try:
            with wrap(_Cursor(database)) as cursor:
                yield cursor
        finally:
            database.prepare_threshold = None


@receiver(connection_created)
def keep_plans(sender: type, *, connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Tell PostgreSQL to keep generic plans; once for each connection of a pool. Citus plans a
    statement for the shard of its instance, and refuses those whose instance it must not know.
    """
    database = connection.connection
    if settings.DATABASE_KEEPS_PLANS and database not in _keeping:
        with connection.cursor() as cursor:
            cursor.execute(_KEEP_PLANS)
        _keeping.add(database)


def insert(rows: Iterable[Model]) -> None:
    """Insert new *rows* of one table, as `bulk_create` does. Of a single row, Django takes as long
    to write the statement as PostgreSQL to run it: that is prepared instead.
    """
    rows = list(rows)
    if len(rows) != 1:
        for model in {type(row) for row in rows}:
            model._base_manager.bulk_create(rows)
        return
    (row,) = rows
    # The rows that it refers to have their ids only now.
    row._prepare_related_fields_for_save(  # type: ignore[attr-defined]  # missing in the stubs
        operation_name="insert"
    )
    text, fields = _insertion(type(row))
    values = [field.get_db_prep_save(field.pre_save(row, True), connection) for field in fields]
    with prepared() as cursor:
        cursor.execute(text, values)
        (row.pk,) = cursor.fetchone()
    row._state.adding, row._state.db = False, connection.alias


def lock_rows(
    model: type[Row], instance_id: int, ids: Iterable[int], *, without: str = ""
) -> dict[int, Row]:
    """Lock the rows of *model* in the instance with these *ids*, in the order of the ids, and load
    them, except the column *without*; other rows may refer to them meanwhile.
    """
    text, fields = _selection(model, without)
    with prepared() as cursor:
        cursor.execute(text, [instance_id, list(ids)])
        found = cursor.fetchall()
    rows = {}
    for values in found:
        columns = [_converted(field, value) for field, value in zip(fields, values, strict=True)]
        row = model.from_db(connection.alias, [field.attname for field in fields], columns)
        rows[row.pk] = row
    return rows


def _converted(field: Field[Any, Any], value: Any) -> Any:
    for convert in field.get_db_converters(connection):
        value = convert(value, None, connection)
    return value


@cache
def _selection(model: type[Model], without: str) -> tuple[str, list[Field[Any, Any]]]:
    """The statement that locks rows of *model*, and the fields that it loads."""
    fields = [field for field in model._meta.concrete_fields if field.name != without]
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    table = connection.ops.quote_name(model._meta.db_table)
    text = (
        f"SELECT {columns} FROM {table} WHERE instance_id = %s AND id = ANY(%s)"  # noqa: S608 - Names of the model.
        " ORDER BY id FOR NO KEY UPDATE"
    )
    return text, fields


@cache
def _insertion(model: type[Model]) -> tuple[str, list[Field[Any, Any]]]:
    """The statement for one row of *model*, and the fields that it sets."""
    fields = [field for field in stored_fields(model) if not field.primary_key]
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    table = connection.ops.quote_name(model._meta.db_table)
    places = ", ".join(["%s"] * len(fields))
    return f"INSERT INTO {table} ({columns}) VALUES ({places}) RETURNING id", fields  # noqa: S608 - Names of the model.
