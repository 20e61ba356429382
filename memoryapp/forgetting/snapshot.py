"""Copies of rows in PostgreSQL's binary format, and the way back into their tables.

Vectors come back exactly, and a column that is added to a table later needs no change here. On the
way back, the rows are first in a temporary table, since COPY cannot leave rows out. On Citus that
table is on the coordinator, and what the workers have is compared with it by ids.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, LiteralString, TypeAlias

from django.db import connection
from django.db.models import SET_NULL, ForeignKey, Model
from psycopg import sql

from instances.models import Instance
from memoryapp.models.stored_rows import missing_references, stored_fields


@dataclass(frozen=True)
class Part:
    """A table, and those of its rows that are copied."""

    model: type[Model]
    #: The condition for the rows of the instance.
    condition: LiteralString
    #: True if something else may have taken the place of a row when it comes back: that stays.
    may_be_replaced: bool = True


#: The ids in the conditions of parts.
Ids: TypeAlias = Mapping[str, list[int]]

#: The number of bytes that hold the length of what follows.
_LENGTH = 8


def size(instance: Instance, parts: Sequence[Part], ids: Ids) -> int:
    """Return the size of rows of *instance* in bytes."""
    sizes = sql.SQL(" UNION ALL ").join(
        sql.SQL("SELECT sum(pg_column_size(part)) AS size FROM {} AS part WHERE {}").format(
            sql.Identifier(part.model._meta.db_table), _within_instance(part.condition)
        )
        for part in parts
    )
    query = sql.SQL("SELECT coalesce(sum(size), 0) FROM ({}) AS sizes").format(sizes)
    with connection.cursor() as cursor:
        cursor.execute(query, {**ids, "instance": instance.pk})
        return int(cursor.fetchone()[0])


def taken(instance: Instance, parts: Sequence[Part], ids: Ids) -> bytes:
    """Return a copy of rows of *instance*, in the order of *parts*."""
    return b"".join(_taken(instance, part, ids) for part in parts)


def _taken(instance: Instance, part: Part, ids: Ids) -> bytes:
    query = sql.SQL("COPY (SELECT {} FROM {} WHERE {} ORDER BY {}) TO STDOUT (FORMAT BINARY)")
    of_rows = query.format(
        _columns(part.model),
        sql.Identifier(part.model._meta.db_table),
        _within_instance(part.condition),
        _key(part.model),
    )
    parameters = {**ids, "instance": instance.pk}
    with connection.cursor() as cursor, cursor.copy(of_rows, parameters) as copy:
        return with_length(b"".join(copy))


def delete(instance: Instance, parts: Sequence[Part], ids: Ids) -> None:
    """Delete rows of *instance*, and nothing else with them."""
    with connection.cursor() as cursor:
        for part in parts:
            query = sql.SQL("DELETE FROM {} WHERE {}").format(
                sql.Identifier(part.model._meta.db_table), _within_instance(part.condition)
            )
            cursor.execute(query, {**ids, "instance": instance.pk})


def with_length(part: bytes) -> bytes:
    """Return *part* after its length, so that another one can follow it."""
    return len(part).to_bytes(_LENGTH) + part


def without_length(parts: bytes) -> tuple[bytes, bytes]:
    """Return the first of *parts*, and those that follow it."""
    end = _LENGTH + int.from_bytes(parts[:_LENGTH])
    return parts[_LENGTH:end], parts[end:]


class Brought:
    """Rows of one table on their way back, in the temporary table ``brought``."""

    def __init__(self, instance: Instance, model: type[Model], count: int) -> None:
        self._instance, self._model = instance, model
        #: The number of rows in the copy.
        self.count = count

    def values(self, *columns: str) -> list[tuple[Any, ...]]:
        """Return *columns* of the rows, in the order of the primary key."""
        query = sql.SQL("SELECT {} FROM brought ORDER BY {}").format(
            _named(columns), _key(self._model)
        )
        with connection.cursor() as cursor:
            cursor.execute(query)
            return list(cursor)

    def drop_dangling_references(self) -> None:
        """Leave out rows that refer to a deleted one; where a reference may be empty, empty it. The
        rows that exist are locked until the transaction ends, so that they are not deleted
        meanwhile.
        """
        for field in self._model._meta.concrete_fields:
            if not isinstance(field, ForeignKey):
                continue
            referenced = {pk for (pk,) in self.values(field.column) if pk is not None}
            missing = missing_references(field, referenced, self._instance.pk)
            if field.remote_field.on_delete is SET_NULL:
                self.update({field.column: None}, field.column, missing)
            else:
                self.leave_out(field.column, missing)

    def leave_out(self, column: str, values: Collection[Any]) -> None:
        """Leave out the rows with one of *values* in *column*."""
        query = sql.SQL("DELETE FROM brought WHERE {} = ANY(%s)").format(sql.Identifier(column))
        self._change(query, [], values)

    def update(self, changes: Mapping[str, Any], column: str, values: Collection[Any]) -> None:
        """Change the rows with one of *values* in *column*."""
        query = sql.SQL("UPDATE brought SET {} WHERE {} = ANY(%s)").format(
            sql.SQL(", ").join(sql.SQL("{} = %s").format(sql.Identifier(name)) for name in changes),
            sql.Identifier(column),
        )
        self._change(query, list(changes.values()), values)

    def overwrite(self, ids: Sequence[int]) -> None:
        """Give rows that still exist all columns that they had. The instance stays: Citus divides
        the table by it.
        """
        query = sql.SQL(
            "UPDATE {} AS present SET {} FROM brought"
            " WHERE brought.id = present.id AND present.instance_id = %s AND present.id = ANY(%s)"
        ).format(
            sql.Identifier(self._model._meta.db_table),
            sql.SQL(", ").join(
                sql.SQL("{0} = brought.{0}").format(sql.Identifier(name))
                for name in _column_names(self._model)
                if name not in ("id", "instance_id")
            ),
        )
        self._change(query, [self._instance.pk], ids)

    def insert(self, *, unless_replaced: bool) -> int:
        """Insert the rows, and return how many there are; with ``unless_replaced``, without those
        in whose place there is something else.
        """
        columns = _columns(self._model)
        # Citus takes the number of rows that it was given for that of inserted ones.
        query = sql.SQL(
            "INSERT INTO {} ({}) SELECT {} FROM brought ORDER BY {} {} RETURNING {}"
        ).format(
            sql.Identifier(self._model._meta.db_table),
            columns,
            columns,
            _key(self._model),
            sql.SQL("ON CONFLICT DO NOTHING" if unless_replaced else ""),
            _key(self._model),
        )
        with connection.cursor() as cursor:
            cursor.execute(query)
            return len(cursor.fetchall())

    def _change(
        self, query: sql.Composed, parameters: Sequence[Any], values: Collection[Any]
    ) -> None:
        if values:
            with connection.cursor() as cursor:
                cursor.execute(query, [*parameters, list(values)])


@contextmanager
def brought(instance: Instance, model: type[Model], part: bytes) -> Iterator[Brought]:
    """Give the rows of *part*, one of those that `taken` has returned, on their way back."""
    with connection.cursor() as cursor:
        cursor.execute(
            sql.SQL("CREATE TEMPORARY TABLE brought (LIKE {})").format(
                sql.Identifier(model._meta.db_table)
            )
        )
        with cursor.copy(
            sql.SQL("COPY brought ({}) FROM STDIN (FORMAT BINARY)").format(_columns(model))
        ) as copy:
            copy.write(part)
        yield Brought(instance, model, cursor.rowcount)
        cursor.execute("DROP TABLE brought")


def _within_instance(condition: LiteralString) -> sql.Composable:
    return sql.SQL(f"instance_id = %(instance)s AND ({condition})")


def _columns(model: type[Model]) -> sql.Composed:
    return _named(_column_names(model))


def _named(columns: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))


def _column_names(model: type[Model]) -> list[str]:
    return [str(field.column) for field in stored_fields(model)]


def _key(model: type[Model]) -> sql.Identifier:
    """The column of the primary key."""
    return sql.Identifier(str(model._meta.pk.column))
