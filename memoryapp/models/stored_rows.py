"""Rows of tables as JSON, and back."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import SET_NULL, Field, ForeignKey, GeneratedField, Model, QuerySet
from psycopg import sql

Row = TypeVar("Row", bound=Model)


def stored_fields(model: type[Model]) -> list[Field[Any, Any]]:
    """The columns of a table, without the generated ones."""
    return [field for field in model._meta.concrete_fields if not isinstance(field, GeneratedField)]


def as_json(row: Model) -> dict[str, Any]:
    """Return the columns of *row*. Times keep their microseconds, by which versions are told."""
    return {
        field.attname: _plain(field.value_from_object(row)) for field in stored_fields(type(row))
    }


def plain_columns(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return *columns* as JSON has them."""
    return {name: _plain(value) for name, value in columns.items()}


def rows_as_json(rows: QuerySet[Any], *, without: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the columns of *rows*, except those that are named."""
    names = [field.attname for field in stored_fields(rows.model) if field.attname not in without]
    return [
        {name: _plain(value) for name, value in columns.items()} for columns in rows.values(*names)
    ]


def grouped_as_json(
    rows: QuerySet[Any], owner: str, *, without: Collection[str] = ()
) -> dict[Any, list[dict[str, Any]]]:
    """Return the columns of *rows* by the column *owner*, in the order of their ids."""
    grouped: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for row in rows_as_json(rows.order_by("pk"), without=without):
        grouped[row[owner]].append(row)
    return grouped


def from_json(model: type[Row], columns: Mapping[str, Any]) -> Row:
    """Return an unsaved row with *columns*. Columns that the table has no longer are left out, and
    new ones get their defaults.
    """
    return model(**columns_from_json(model, columns))


def columns_from_json(model: type[Model], columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of those *columns* that the table of *model* has."""
    return {
        field.attname: field.to_python(columns[field.attname])
        for field in stored_fields(model)
        if field.attname in columns
    }


def with_present_references(rows: Iterable[Row]) -> list[Row]:
    """Return unsaved *rows* of one table and one instance without those that refer to a deleted
    row; where a reference may be empty, it is emptied instead.
    """
    present = list(rows)
    if not present:
        return []
    instance_id = present[0].serializable_value("instance_id")
    for field in present[0]._meta.concrete_fields:
        if not isinstance(field, ForeignKey):
            continue
        holders: dict[Any, list[Row]] = defaultdict(list)
        for row in present:
            holders[getattr(row, field.attname)].append(row)
        holders.pop(None, None)
        missing = missing_references(field, holders, instance_id)
        dangling = [row for pk in missing for row in holders[pk]]
        if field.remote_field.on_delete is SET_NULL:
            for row in dangling:
                setattr(row, field.attname, None)
        else:
            left_out = set(map(id, dangling))
            present = [row for row in present if id(row) not in left_out]
    return present


def missing_references(
    field: "ForeignKey[Any, Any]", ids: Collection[Any], instance_id: int
) -> set[Any]:
    """Return those of *ids* to which *field* cannot refer, since their rows have been deleted. The
    rows that exist, all of one instance, are locked until the transaction ends.
    """
    if not ids:
        return set()
    model, key = field.related_model, sql.Identifier(str(field.target_field.column))
    query = sql.SQL("SELECT {} FROM {} WHERE {} = ANY(%(ids)s)").format(
        key, sql.Identifier(model._meta.db_table), key
    )
    if any(each.column == "instance_id" for each in model._meta.concrete_fields):
        query += sql.SQL(" AND instance_id = %(instance)s")
    with connection.cursor() as cursor:
        cursor.execute(
            query + sql.SQL(" FOR KEY SHARE"), {"ids": list(ids), "instance": instance_id}
        )
        return set(ids) - {pk for (pk,) in cursor}


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value
