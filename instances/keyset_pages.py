"""Pages of long lists by key: `rows_after` for all of them, and the pages of the screens.

The links to the next and the previous page name the row at which it begins: the database goes there
by an index, however far it is, and no row is shown twice or missed while others are added and
deleted. They look like ``page=7_after_1764142000123456_55``; an address with a number alone still
works. To count rows takes as long as there are many, so a list says how many it has up to
`MAX_COUNT`, unless it knows the number anyway.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Self, TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import BooleanField, DateTimeField, F, Func, Model, QuerySet, Value
from django.db.models.lookups import GreaterThan, LessThan

#: Up to this many rows of an index are counted.
MAX_COUNT = 10_000

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
#: The largest number that the database can compare with an id.
_MAX_NUMBER = 2**63 - 1

#: The values of a row in the columns of an order; the last one is its id.
Key = tuple[Any, ...]


Rows = TypeVar("Rows", bound=QuerySet[Any])


def rows_after(
    rows: Rows, order: Sequence[str], key: Sequence[Any], *, before: bool = False
) -> Rows:
    """Narrow *rows* to those that come after *key* in this *order*, or *before* it. The columns of
    the order never change, the last one is the id, and all are ascending or all descending.
    """
    names = [name.lstrip("-") for name in order]
    columns = [rows.model._meta.get_field(name) for name in names]
    values = [Value(each, output_field=one) for each, one in zip(key, columns, strict=True)]
    later, sooner = (LessThan, GreaterThan) if is_descending(order) else (GreaterThan, LessThan)
    compared = sooner if before else later
    return rows.filter(compared(_row(map(F, names)), _row(values)))


def is_descending(order: Sequence[str]) -> bool:
    """True if all columns of *order* are descending; raises `ValueError` if only some are."""
    directions = {name.startswith("-") for name in order}
    if len(directions) > 1:
        raise ValueError("All columns of the order must be ascending, or all descending.")
    return directions.pop()


def _row(values: Iterable[Any]) -> Func:
    # Compared as a whole: an index can begin there.
    return Func(*values, template="ROW(%(expressions)s)", output_field=BooleanField())


@dataclass(frozen=True)
class RowCount:
    """How many rows a list has."""

    number: int
    #: There are more, which are not counted.
    is_capped: bool = False

    @classmethod
    def of(cls, rows: QuerySet[Any], *, most: int | None = None) -> Self:
        """Count *rows*, up to *most*, by default `MAX_COUNT`."""
        most = MAX_COUNT if most is None else most
        found = rows.order_by().values("pk")[: most + 1].count()
        return cls(min(found, most), found > most)


class KeysetPage(Page[Any]):
    """A page with the ids of its rows."""

    def __init__(
        self,
        place: "_Place",
        keys: Sequence[Key],
        count: RowCount,
        per_page: int,
        *,
        before: bool,
        after: bool,
    ) -> None:
        paginator = Paginator[Any]([], per_page)
        paginator.count = count.number
        super().__init__([key[-1] for key in keys], place.number, paginator)
        self.is_capped = count.is_capped
        self._before, self._after, self._keys = before, after, keys

    def has_previous(self) -> bool:
        return self._before

    def has_next(self) -> bool:
        return self._after

    # An address needs more than the number.
    def next_page_number(self) -> str:  # type: ignore[override]
        """The value of ``page`` for the next page."""
        return _Place(self.number + 1, "after", self._keys[-1]).text

    def previous_page_number(self) -> str:  # type: ignore[override]
        """The value of ``page`` for the previous page."""
        # The first one is where new rows are.
        if self.number <= 2:
            return "1"
        return _Place(self.number - 1, "before", self._keys[0]).text

    def start_index(self) -> int:
        return (self.number - 1) * self.paginator.per_page + 1 if self._keys else 0

    def end_index(self) -> int:
        return self.start_index() + len(self._keys) - 1 if self._keys else 0


def page_of(
    rows: QuerySet[Any],
    order: Sequence[str],
    page: str,
    *,
    per_page: int,
    count: RowCount | None = None,
    few: bool = False,
) -> KeysetPage:
    """Return a page of *rows* in this *order*, ascending or descending in all of its columns, of
    which the last is the id. Without a *count*, they are counted up to `MAX_COUNT`.

    With *few*, there are few rows in a large table, and the keys of all are loaded: told to find
    the first ones in an order, PostgreSQL might walk through the whole table.
    """
    source = (_Loaded if few else _Queried)(rows, order)
    count = RowCount.of(rows) if count is None else count
    place = _Place.parsed(page, source.columns)
    last = max(1, -(-count.number // per_page))
    if place.side == "after" and (keys := source.after(place.key, per_page + 1)):
        more = len(keys) > per_page
        return KeysetPage(place, keys[:per_page], count, per_page, before=True, after=more)
    if place.side == "before" and len(keys := source.before(place.key, per_page + 1)) > per_page:
        return KeysetPage(place, keys[1:], count, per_page, before=True, after=True)
    number = 1 if place.side == "before" else min(place.number, last)
    keys = source.at((number - 1) * per_page, per_page + 1, count)
    if number > 1 and not keys:  # They were deleted after they were counted.
        number, keys = 1, source.at(0, per_page + 1, count)
    more = len(keys) > per_page
    return KeysetPage(
        _Place(number), keys[:per_page], count, per_page, before=number > 1, after=more
    )


@dataclass(frozen=True)
class _Place:
    """Where a page begins: by its number, or before or after a key."""

    number: int
    side: str = ""
    key: Key = ()

    @property
    def text(self) -> str:
        """Value of ``page`` in an address."""
        return "_".join([str(self.number), self.side, *map(str, map(_as_number, self.key))])

    @classmethod
    def parsed(cls, text: str, columns: Sequence[Any]) -> Self:
        """Read *text*; where it cannot be read, it is the number alone, or the first page."""
        number, _, rest = text.partition("_")
        side, *numbers = rest.split("_")
        if not (number.isascii() and number.isdecimal() and len(number) < 10):
            return cls(1)
        page = max(1, int(number))
        if page == 1 or side not in ("after", "before") or len(numbers) != len(columns):
            return cls(page)
        try:
            key = tuple(map(_from_number, numbers, columns))
        except (ValueError, OverflowError):
            return cls(page)
        return cls(page, side, key)


def _as_number(value: Any) -> int:
    if isinstance(value, datetime):
        return (value - _EPOCH) // _MICROSECOND
    return int(value)


def _from_number(text: str, column: Any) -> Any:
    number = int(text) if len(text) < 20 else _MAX_NUMBER + 1
    if isinstance(column, DateTimeField):
        return _EPOCH + number * _MICROSECOND
    if abs(number) > _MAX_NUMBER:
        raise OverflowError
    return number


class _Source:
    """The keys of *rows* in an order."""

    def __init__(self, rows: QuerySet[Any], order: Sequence[str]) -> None:
        model: type[Model] = rows.model
        self.names = [name.lstrip("-") for name in order]
        self.columns: list[Any] = [model._meta.get_field(name) for name in self.names]
        self.order, self.descending = order, is_descending(order)
        self.keys = rows.order_by(*order).values_list(*self.names)

    def after(self, key: Key, most: int) -> list[Key]:
        """The first keys after *key*."""
        raise NotImplementedError

    def before(self, key: Key, most: int) -> list[Key]:
        """The last keys before *key*, in order."""
        raise NotImplementedError

    def at(self, begin: int, most: int, count: RowCount) -> list[Key]:
        """The keys from place *begin* on."""
        raise NotImplementedError


class _Queried(_Source):
    def after(self, key: Key, most: int) -> list[Key]:
        return list(rows_after(self.keys, self.order, key)[:most])

    def before(self, key: Key, most: int) -> list[Key]:
        found = rows_after(self.keys, self.order, key, before=True)
        return list(found.reverse()[:most])[::-1]

    def at(self, begin: int, most: int, count: RowCount) -> list[Key]:
        # The database reads all keys before these, so what is near the end is read from there.
        end = min(begin + most, count.number)
        if not count.is_capped and begin > count.number - end:
            backwards = self.keys.reverse()
            return list(backwards[count.number - end : count.number - begin])[::-1]
        return list(self.keys[begin : begin + most])


class _Loaded(_Source):
    def __init__(self, rows: QuerySet[Any], order: Sequence[str]) -> None:
        super().__init__(rows, order)
        self._sorted = sorted(self.keys.order_by(), reverse=self.descending)

    def _is_after(self, key: Key, other: Key) -> bool:
        return key < other if self.descending else key > other

    def after(self, key: Key, most: int) -> list[Key]:
        return [each for each in self._sorted if self._is_after(each, key)][:most]

    def before(self, key: Key, most: int) -> list[Key]:
        return [each for each in self._sorted if self._is_after(key, each)][-most:]

    def at(self, begin: int, most: int, count: RowCount) -> list[Key]:
        return self._sorted[begin : begin + most]
