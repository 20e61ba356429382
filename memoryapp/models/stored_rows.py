"""Rows of tables as JSON, and back."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import SET_NULL, Field, ForeignKey, GeneratedField, Model, QuerySet

Row = TypeVar("Row", bound=Model)


def stored_fields(model: type[Model]) -> list[Field[Any, Any]]:
    """The columns of a table, without the generated ones."""
    return [field for field in model._meta.concrete_fields if not isinstance(field, GeneratedField)]


def as_json(row: Model) -> dict[str, Any]:
    """Return the columns of *row*. Times keep their microseconds, by which versions are told."""
    return {
        field.attname: _plain(field.value_from_object(row)) for field in stored_fields(type(row))
    }


def rows_as_json(rows: QuerySet[Any], *, without: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the columns of *rows*, except those that are named."""
    names = [field.attname for field in stored_fields(rows.model) if field.attname not in without]
    return [
        {name: _plain(value) for name, value in columns.items()} for columns in rows.values(*names)
    ]


def from_json(model: type[Row], columns: Mapping[str, Any]) -> Row:
    """Return an unsaved row with *columns*. Columns that the table has no longer are left out, and
    new ones get their defaults.
    """
    return model(
        **{
            field.attname: field.to_python(columns[field.attname])
            for field in stored_fields(model)
            if field.attname in columns
        }
    )


def with_present_references(rows: Iterable[Row]) -> list[Row]:
    """Return unsaved *rows* of one table without those that refer to a deleted row; where a
    reference may be empty, it is emptied instead.
    """
    present = list(rows)
    fields = present[0]._meta.concrete_fields if present else ()
    for field in fields:
        if not isinstance(field, ForeignKey):
            continue
        holders: dict[Any, list[Row]] = defaultdict(list)
        for row in present:
            holders[getattr(row, field.attname)].append(row)
        holders.pop(None, None)
        existing = field.related_model._base_manager.filter(pk__in=holders)
        for pk in existing.values_list("pk", flat=True):
            del holders[pk]
        dangling = [row for held in holders.values() for row in held]
        if field.remote_field.on_delete is SET_NULL:
            for row in dangling:
                setattr(row, field.attname, None)
        else:
            left_out = set(map(id, dangling))
            present = [row for row in present if id(row) not in left_out]
    return present


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value
