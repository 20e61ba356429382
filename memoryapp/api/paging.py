"""Pages as the API takes and gives them; see `memoryapp.models.pagination` for how they hold."""

from collections.abc import Sequence
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from ninja import Schema
from pydantic import Field

from memoryapp.api.errors import Refusal
from memoryapp.models.pagination import InvalidCursor, page

Row = TypeVar("Row", bound=Model)

MAX_PAGE_SIZE = 100


class PageIn(Schema):
    """How much, and from where on."""

    limit: int = Field(20, description="How many; brought between 1 and 100.", examples=[20])
    cursor: str = Field("", description="`next` of the page before; empty for the first one.")

    @property
    def size(self) -> int:
        """The limit that is kept to."""
        return min(MAX_PAGE_SIZE, max(1, self.limit))


class PageOut(Schema):
    """What every page says of itself."""

    limit: int
    next: str | None = Field(
        None, description="The `cursor` of the next page; null when this is the last one."
    )


def page_of(rows: QuerySet[Row], asked: PageIn, *, order: Sequence[str]) -> dict[str, Any]:
    """One page of *rows* in *order*, fields that never change of a row, the last one its id.

    Raises `Refusal` for a cursor that was not given out for this order.
    """
    try:
        found, after = page(rows, order=order, size=asked.size, cursor=asked.cursor)
    except InvalidCursor as error:
        raise Refusal(400, "invalid_cursor", str(error)) from error
    return {"items": found, "limit": asked.size, "next": after}
