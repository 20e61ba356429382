"""Pages of lists of any length."""

from functools import cached_property
from typing import Any

from django.core.paginator import Paginator

#: Rows that are counted, and paged through: beyond, filters are quicker than pages.
MAX_ROWS = 10_000


class BoundedPaginator(Paginator[Any]):
    """Pages through the first `MAX_ROWS`: counting ten million takes longer than showing 50."""

    @cached_property
    def _counted(self) -> int:
        rows: Any = self.object_list
        return int(rows.order_by()[: MAX_ROWS + 1].count())

    @property
    def is_capped(self) -> bool:
        """True if there are more rows than are counted."""
        return self._counted > MAX_ROWS

    @cached_property
    def count(self) -> int:
        """The number of rows that are paged through."""
        return min(self._counted, MAX_ROWS)
