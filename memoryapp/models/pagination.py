"""Cursors of programs' lists: each page begins after the last row of the previous one, by
`instances.keyset_pages.rows_after`, and the cursor that names this row is signed.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import accumulate
from typing import Any, TypeVar

from django.core import signing
from django.db.models import Model, QuerySet

from instances.keyset_pages import rows_after

Row = TypeVar("Row", bound=Model)

_SALT = "keepsake.api.cursor"
#: Characters of all texts on a page.
MAX_PAGE_CHARACTERS = 200_000


class InvalidCursor(ValueError):
    """The cursor does not belong to this order."""


def page(
    rows: QuerySet[Row],
    *,
    order: Sequence[str],
    size: int,
    cursor: str = "",
    weight: Callable[[Row], int] | None = None,
) -> tuple[list[Row], str | None]:
    """The *size* rows after *cursor*, and the cursor of the next page, None on the last one.

    The *order* is one of `rows_after`. With a *weight*, those after the
    first that would make the page heavier than `MAX_PAGE_CHARACTERS` are on the next one. Raises
    `InvalidCursor`.
    """
    rows = rows.order_by(*order)
    if cursor:
        rows = rows_after(rows, order, opened(cursor, order))
    found = list(rows[: size + 1])
    page_rows = found[:size]
    if weight is not None:
        weights = accumulate(weight(row) for row in page_rows)
        fit = sum(total <= MAX_PAGE_CHARACTERS for total in weights)
        page_rows = page_rows[: max(1, fit)]
    more = len(found) > len(page_rows)
    return page_rows, cursor_after(page_rows[-1], order) if more else None


def cursor_after(row: Model, order: Sequence[str]) -> str:
    """The cursor of the page that begins after *row*."""
    return cursor_of(order, [getattr(row, name.lstrip("-")) for name in order])


def cursor_of(order: Sequence[str], values: Sequence[Any]) -> str:
    """The cursor of the page that begins after these *values* of *order*."""
    plain = [value.isoformat() if isinstance(value, datetime) else value for value in values]
    return signing.dumps([*order, *plain], salt=_SALT)


def opened(cursor: str, order: Sequence[str]) -> list[Any]:
    """Return the values in *cursor*; raises `InvalidCursor`."""
    try:
        content = signing.loads(cursor, salt=_SALT)
    except signing.BadSignature:
        content = []
    if not isinstance(content, list) or content[: len(order)] != list(order):
        raise InvalidCursor("cursor must be the `next` of a page of this very list.")
    return list(content[len(order) :])
