"""Pages of lists, by number, as mem0's clients ask for them."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from ninja import Schema
from pydantic import Field

from memoryapp.api.paging import MAX_PAGE_SIZE

Row = TypeVar("Row", bound=Model)


class Mem0PageIn(Schema):
    """Number and size of a page."""

    page: int = Field(1, ge=1, le=1_000_000)
    page_size: int = Field(MAX_PAGE_SIZE, ge=1, description="Maximum number of results, up to 100.")


def page_of(
    request: HttpRequest,
    rows: "QuerySet[Row]",
    page: Mem0PageIn,
    as_results: Callable[[Sequence[Row]], list[dict[str, Any]]],
) -> dict[str, Any]:
    """Return one page of *rows*, with their number and the addresses of the pages around it."""
    size = min(MAX_PAGE_SIZE, page.page_size)
    first = (page.page - 1) * size
    count = rows.count()

    def address(number: int, there: bool) -> str | None:
        query = request.GET.copy()
        query["page"], query["page_size"] = str(number), str(size)
        address = f"{request.path}?{query.urlencode()}"
        return request.build_absolute_uri(address) if there else None

    return {
        "count": count,
        "next": address(page.page + 1, first + size < count),
        "previous": address(page.page - 1, page.page > 1),
        "results": as_results(list(rows[first : first + size])),
    }
