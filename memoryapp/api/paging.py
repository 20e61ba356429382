"""Pages of the API's lists, by cursor: see `memoryapp.models.pagination`."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from ninja import Schema
from pydantic import Field

from instances.ids import parse_pk
from memoryapp.api.errors import ApiError
from memoryapp.models.pagination import InvalidCursor, page

Row = TypeVar("Row", bound=Model)
Rows = TypeVar("Rows", bound=QuerySet[Any])

MAX_PAGE_SIZE = 100


class PageIn(Schema):
    """Pagination of a list."""

    limit: int = Field(
        20,
        description="Maximum number of results, from 1 to 100. Values outside the range are "
        "clamped.",
        examples=[20],
    )
    cursor: str = Field(
        "", description="Value of `next` from the previous page. Empty for the first page."
    )

    total: bool = Field(False, description="Whether to count the results on all pages, as `total`.")

    @property
    def size(self) -> int:
        """The limit, within bounds."""
        return min(MAX_PAGE_SIZE, max(1, self.limit))


class PageOut(Schema):
    """Fields of every page."""

    limit: int
    next: str | None = Field(
        None, description="Value of `cursor` for the next page, or null on the last page."
    )
    total: int | None = Field(
        None,
        description="Number of results on all pages if the request has `total`, else null, as for "
        "the results of a search.",
    )


def page_of(
    rows: QuerySet[Row],
    params: PageIn,
    *,
    order: Sequence[str],
    weight: Callable[[Row], int] | None = None,
) -> dict[str, Any]:
    """Return a page of *rows* in *order*: fields that never change, the last one the id. With a
    *weight*, the number of characters of a row, it ends where it would have too many of them.

    Raises `ApiError` for a cursor of another order.
    """
    try:
        items, after = page(
            rows, order=order, size=params.size, cursor=params.cursor, weight=weight
        )
    except InvalidCursor as error:
        raise ApiError(400, "invalid_cursor", str(error)) from error
    total = rows.count() if params.total else None
    return {"items": items, "limit": params.size, "next": after, "total": total}


def with_ids(rows: Rows, **ids: int | None) -> Rows:
    """Filter *rows* by the *ids* of related rows; None: by any."""
    return rows.filter(**{name: parse_pk(pk) or 0 for name, pk in ids.items() if pk is not None})
