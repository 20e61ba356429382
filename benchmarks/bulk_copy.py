"""Write many rows directly into tables with COPY."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import Model
from numpy.typing import NDArray
from psycopg import sql


def copy_rows(model: type[Model], rows: Iterator[Mapping[str, Any]]) -> None:
    """Write *rows*, each by column, with the model's defaults where they say nothing."""
    fields = {
        str(field.column): field for field in model._meta.concrete_fields if not field.generated
    }
    first = next(rows, None)
    if first is None:
        return
    constants = {
        column: field.get_db_prep_save(field.get_default(), connection)
        for column, field in fields.items()
        if column not in first
    }
    with connection.cursor() as cursor, cursor.copy(_copy(model, [*first, *constants])) as copy:
        rest = tuple(constants.values())
        copy.write_row([*map(_plain, first.values()), *rest])
        for row in rows:
            copy.write_row([*map(_plain, row.values()), *rest])


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def copy_vectors(model: type[Model], ids: Mapping[str, Any], vectors: NDArray[np.float32]) -> None:
    """Write *vectors* of shape (n, d) with their columns of ids, in PostgreSQL's binary form."""
    dimensions = vectors.shape[1]
    halves = np.dtype((">f2", dimensions))
    row = np.dtype(
        [
            ("fields", ">i2"),
            *(part for name in ids for part in ((f"{name}_bytes", ">i4"), (name, ">i8"))),
            ("bytes", ">i4"),
            ("dimensions", ">i2"),
            ("unused", ">i2"),
            ("embedding", halves),
        ]
    )
    rows = np.zeros(len(vectors), dtype=row)
    rows["fields"] = len(ids) + 1
    for name, values in ids.items():
        rows[f"{name}_bytes"], rows[name] = 8, values
    rows["bytes"], rows["dimensions"] = 4 + halves.itemsize, dimensions
    rows["embedding"] = vectors
    with (
        connection.cursor() as cursor,
        cursor.copy(_copy(model, [*ids, "embedding"], " (FORMAT binary)")) as copy,
    ):
        copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
        copy.write(rows.tobytes())
        copy.write(b"\xff\xff")


def _copy(model: type[Model], columns: Sequence[str], how: str = "") -> sql.Composed:
    return sql.SQL("COPY {} ({}) FROM STDIN" + how).format(
        sql.Identifier(model._meta.db_table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )


@contextmanager
def no_word_indexes() -> Iterator[None]:
    """Build the GIN indexes when all rows are there: row by row would take longer."""
    with connection.cursor() as cursor:
        # Without the parts of an index on partitions: they go and come with it.
        cursor.execute(
            "SELECT relname, replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ')"
            " FROM pg_class AS c JOIN pg_am ON pg_am.oid = relam AND amname = 'gin'"
            " WHERE relnamespace = current_schema()::regnamespace"
            " AND relkind IN ('i', 'I') AND NOT relispartition"
        )
        indexes = cursor.fetchall()
        for name, _ in indexes:
            cursor.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(name)))
        yield
        for _, definition in indexes:
            cursor.execute(definition)


def go_on_counting(*models: type[Model]) -> None:
    """Let the next row that is stored get the next id."""
    with connection.cursor() as cursor:
        for model in models:
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence(%s, 'id'), max(id)) FROM {table}",  # noqa: S608 - The table is one of our models.
                [model._meta.db_table],
            )
