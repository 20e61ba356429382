"""Pages that rows may come and go between: each begins after the last row of the one before, and
not at a number. Nothing is shown twice, and nothing that was there all along is missed.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeVar

from django.core import signing
from django.db.models import Model, Q, QuerySet
from ninja import Schema
from pydantic import Field

from memoryapp.api.errors import Refusal

Row = TypeVar("Row", bound=Model)

MOST = 100
_SALT = "keepsake.api.cursor"


class PageIn(Schema):
    """How much, and from where on."""

    limit: int = Field(20, description="How many; brought between 1 and 100.", examples=[20])
    cursor: str = Field("", description="`next` of the page before; empty for the first one.")

    @property
    def size(self) -> int:
        """The limit that is kept to."""
        return min(MOST, max(1, self.limit))


class PageOut(Schema):
    """What every page says of itself."""

    limit: int
    next: str | None = Field(
        None, description="The `cursor` of the next page; null when this is the last one."
    )


def page_of(rows: QuerySet[Row], page: PageIn, *, order: Sequence[str]) -> dict[str, Any]:
    """One page of *rows* in *order*, fields that never change of a row, the last one its id.

    Raises `Refusal` for a cursor that was not given out for this order.
    """
    rows = rows.order_by(*order)
    if page.cursor:
        rows = rows.filter(_after(order, _opened(page.cursor, order)))
    found = list(rows[: page.size + 1])
    more, found = len(found) > page.size, found[: page.size]
    return {
        "items": found,
        "limit": page.size,
        "next": _cursor(found[-1], order) if more else None,
    }


def _cursor(row: Model, order: Sequence[str]) -> str:
    values = [getattr(row, name.lstrip("-")) for name in order]
    plain = [value.isoformat() if isinstance(value, datetime) else value for value in values]
    return signing.dumps([*order, *plain], salt=_SALT)


def _opened(cursor: str, order: Sequence[str]) -> list[Any]:
    try:
        said = signing.loads(cursor, salt=_SALT)
    except signing.BadSignature:
        said = []
    if not isinstance(said, list) or said[: len(order)] != list(order):
        raise Refusal(
            400, "invalid_cursor", "cursor must be the `next` of a page of this very list."
        )
    return list(said[len(order) :])


def _after(order: Sequence[str], values: Sequence[Any]) -> Q:
    """The rows behind *values*: a later first field, or the same one and a later second field …"""
    behind = Q()
    for name, value in reversed(list(zip(order, values, strict=True))):
        field, later = name.lstrip("-"), "lt" if name.startswith("-") else "gt"
        # "At most this, and …" rather than "less, or the same and …": an index can begin there.
        rest = Q(**{f"{field}__{later}": value}) | behind if behind else None
        behind = (
            Q(**{f"{field}__{later}e": value}) & rest
            if rest is not None
            else Q(**{f"{field}__{later}": value})
        )
    return behind
