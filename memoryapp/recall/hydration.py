"""The rows behind what a search has found: of several tables, in one exchange."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Model


class RowRequest(NamedTuple):
    """Rows of a table by their ids: some columns of each, or all but the words that it is searched
    by.
    """

    rows: type[Model]
    ids: Sequence[int]
    columns: Sequence[str] = ()


def load_rows(*wanted: RowRequest) -> list[dict[int, Any]]:
    """Load what is *wanted* of each table, by id; what has gone is left out.

    All is asked for at once, because to send a statement and to wait for its answer takes ten times
    as long as PostgreSQL works on it; and by hand, because the ORM takes as long again to write it.
    """
    found: list[dict[int, Any]] = [{} for _ in wanted]
    asked = [
        (_Reading.of(each.rows, tuple(each.columns)), list(each.ids), rows)
        for each, rows in zip(wanted, found, strict=True)
        if each.ids
    ]
    if asked:
        with connection.cursor() as cursor:
            cursor.execute(
                ";".join(reading.statement for reading, _, _ in asked), [ids for _, ids, _ in asked]
            )
            for reading, _, rows in asked:
                rows.update((row.pk, row) for row in map(reading.row, cursor.fetchall()))
                cursor.nextset()
    return found


class _Reading(NamedTuple):
    """How rows of a table are read."""

    rows: type[Model]
    statement: str
    attributes: tuple[str, ...]
    #: The places of the values that the database hands over in another form, and what turns them.
    turned: tuple[tuple[int, Callable[..., Any]], ...]

    @classmethod
    @lru_cache
    def of(cls, rows: type[Model], wanted: tuple[str, ...]) -> "_Reading":
        fields = [
            field
            for field in rows._meta.concrete_fields
            if (field.name in wanted or field.primary_key if wanted else field.name != "search")
        ]
        columns = ", ".join(f'"{field.column}"' for field in fields)
        return cls(
            rows,
            f"SELECT {columns} FROM {rows._meta.db_table} WHERE id = ANY(%s)",  # noqa: S608 - Names of ours.
            tuple(field.attname for field in fields),
            tuple(
                (place, turn)
                for place, field in enumerate(fields)
                for turn in field.get_db_converters(connection)
            ),
        )

    def row(self, values: Sequence[Any]) -> Model:
        """Make a row of the *values* of its columns."""
        values = list(values)
        for place, turn in self.turned:
            values[place] = turn(values[place], None, connection)
        return self.rows.from_db(connection.alias, self.attributes, values)
