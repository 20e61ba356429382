"""Foreign keys between tables of content, which belong to the same instance as what they refer to.

The tables may be divided by instance (see `memoryapp.partitions`), and then a statement that names
no instance looks into every part. So whatever follows such a key also compares the instance: joins,
lookups by a row, the related rows of a row, and what is prefetched.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Self, TypeVar

from django.db import connection, models
from django.db.models.expressions import Col
from django.db.models.fields.related_descriptors import (
    ForwardManyToOneDescriptor,
    ForwardOneToOneDescriptor,
)
from django.db.models.fields.related_lookups import RelatedExact, RelatedIn

_COLUMN = "instance_id"
#: What may be assigned to the field, and what it gives.
_ST = TypeVar("_ST")
_GT = TypeVar("_GT")


def _instances_of(rows: Any) -> set[int]:
    """The ids of the instances of model instances; none if one of them does not tell it."""
    rows = rows if isinstance(rows, list | tuple | set | frozenset) else [rows]
    known: set[Any] = {
        row.__dict__.get(_COLUMN) if isinstance(row, models.Model) else None for row in rows
    }
    return set() if None in known else known


def _column_of(column: Col, compiler: Any) -> str:
    """The instance of the row of which *column* is one."""
    alias = compiler.quote_name_unless_alias(column.alias)
    return f"{alias}.{connection.ops.quote_name(_COLUMN)}"


class _SameInstance:
    """The condition that the rows on both sides of a join are of the same instance."""

    contains_aggregate = contains_over_clause = False

    def __init__(self, one: str, other: str) -> None:
        self._aliases = one, other

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        one, other = map(compiler.quote_name_unless_alias, self._aliases)
        column = connection.ops.quote_name(_COLUMN)
        return f"{one}.{column} = {other}.{column}", []


class _WithInstance:
    """A lookup that also compares the instance, if it is given rows and not only their ids."""

    lhs: Any
    rhs: Any

    def get_prep_lookup(self) -> Any:
        self._instances = sorted(_instances_of(self.rhs))
        return super().get_prep_lookup()  # type: ignore[misc]

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Sequence[Any]]:
        sql, params = super().as_sql(compiler, connection)  # type: ignore[misc]
        if not isinstance(self.lhs, Col):
            return sql, params
        name = _column_of(self.lhs, compiler)
        if self._instances:
            places = ", ".join(["%s"] * len(self._instances))
            return f"({sql} AND {name} IN ({places}))", [*params, *self._instances]
        if isinstance(self.rhs, Col) and self.rhs.target.primary_key:
            # The row of an outer query.
            return f"({sql} AND {name} = {_column_of(self.rhs, compiler)})", params
        return sql, params


class _ExactWithInstance(_WithInstance, RelatedExact):  # type: ignore[misc]
    pass


class _InWithInstance(_WithInstance, RelatedIn):  # type: ignore[misc]
    pass


class _PrefetchWithInstance:
    def get_prefetch_querysets(
        self, instances: Sequence[models.Model], querysets: Any = None
    ) -> Any:
        if known := _instances_of(list(instances)):
            queryset = querysets[0] if querysets else self.get_queryset()  # type: ignore[attr-defined]
            querysets = [queryset.filter(instance__in=known)]
        return super().get_prefetch_querysets(instances, querysets)  # type: ignore[misc]


class _Forward(_PrefetchWithInstance, ForwardManyToOneDescriptor[Any]):
    pass


class _ForwardOneToOne(_PrefetchWithInstance, ForwardOneToOneDescriptor[Any]):
    pass


class _WithinInstance:
    """Base of both fields."""

    def get_extra_restriction(self, alias: str | None, related_alias: str | None) -> Any:
        if alias is None or related_alias is None:
            return None
        return _SameInstance(alias, related_alias)

    def get_extra_descriptor_filter(self, instance: models.Model) -> dict[str, Any]:
        known = _instances_of(instance)
        return {_COLUMN: known.pop()} if known else {}

    def get_forward_related_filter(self, obj: models.Model) -> dict[str, Any]:
        found: dict[str, Any] = super().get_forward_related_filter(obj)  # type: ignore[misc]
        return found | self.get_extra_descriptor_filter(obj)

    def deconstruct(self) -> Any:
        # The key of the database is that of `instances.constraints.within_instance`, or Django's.
        name, _, args, kwargs = super().deconstruct()  # type: ignore[misc]
        return name, self._PATH, args, kwargs  # type: ignore[attr-defined]


class ContentKey(_WithinInstance, models.ForeignKey[_ST, _GT]):
    """A foreign key from content to content of the same instance."""

    _PATH = "django.db.models.ForeignKey"
    forward_related_accessor_class = _Forward


class OneToOneContentKey(_WithinInstance, models.OneToOneField[_ST, _GT]):
    """The same for at most one row."""

    _PATH = "django.db.models.OneToOneField"
    forward_related_accessor_class = _ForwardOneToOne


for _field in (ContentKey, OneToOneContentKey):
    _field.register_lookup(_ExactWithInstance)
    _field.register_lookup(_InWithInstance)


class InstanceContent(models.Model):
    """A row of content, which is found, locked, loaded again and changed through its instance as
    well as its id.
    """

    instance_id: int

    class Meta:
        abstract = True

    def row(self) -> Any:
        """The query for this row, by the default manager of its model."""
        return type(self)._default_manager.filter(pk=self.pk, **{_COLUMN: self.instance_id})

    def locked(self) -> Self:
        """Lock this row until the transaction ends, and return it as it is now. Raises
        `DoesNotExist`.
        """
        row: Self = self.row().select_for_update(of=("self",)).get()
        return row

    def refresh_from_db(
        self,
        using: str | None = None,
        fields: Iterable[str] | None = None,
        from_queryset: models.QuerySet[Any] | None = None,
    ) -> None:
        rows = type(self)._base_manager.all() if from_queryset is None else from_queryset
        if _COLUMN in self.__dict__:  # Otherwise it is what is loaded.
            rows = rows.filter(**{_COLUMN: self.instance_id})
        super().refresh_from_db(using, fields, rows)

    def _do_update(self, base_qs: models.QuerySet[Any], *args: Any) -> Any:
        mine = base_qs.filter(**{_COLUMN: getattr(self, _COLUMN)})
        return super()._do_update(mine, *args)
