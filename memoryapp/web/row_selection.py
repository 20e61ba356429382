"""The rows that a form selects in a list: the checked ones, or all that match."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from django.db.models import QuerySet
from django.http import QueryDict

from instances.ids import parse_pk

Rows = TypeVar("Rows", bound=QuerySet[Any])


@dataclass(frozen=True)
class RowSelection:
    """The rows that a form selects."""

    #: The checked rows; empty if all are selected.
    ids: list[int]
    #: True if all matching rows are selected.
    everything: bool
    #: The newest row that the confirmation counted; None before the confirmation.
    until: int | None

    @classmethod
    def parse(cls, form: QueryDict) -> Self:
        """Read the posted form."""
        everything = form.get("all") == "yes"
        # The rows of other pages come in one field: the number of fields is limited.
        texts = [] if everything else [*form.getlist("id"), *form.get("ids", "").split(",")]
        ids = list(dict.fromkeys(pk for text in texts if (pk := parse_pk(text))))
        until = (parse_pk(form["until"]) or 0) if form.get("until") else None
        return cls(ids, everything, until)

    def in_order(self, matching: list[int]) -> list[int]:
        """Return the selected ids in the order of the *matching* ones; others come last."""
        if self.everything:
            return matching
        places = {pk: place for place, pk in enumerate(matching)}
        return sorted(self.ids, key=lambda pk: places.get(pk, len(matching)))

    def of(self, rows: Rows, matching: Callable[[], Rows]) -> Rows:
        """Return the selected ones of *rows*, or all *matching* ones."""
        if not self.everything:
            return rows.filter(pk__in=self.ids)
        chosen = matching()
        # Rows that were added after the confirmation was shown are left out.
        return chosen if self.until is None else chosen.filter(pk__lte=self.until)

    def context(self, count: int, newest: int | None) -> dict[str, Any]:
        """Return the template context of the confirmation, for *count* rows up to *newest*."""
        return {
            "count": count,
            "ids": self.ids,
            "until": newest or 0,
            "everything": self.everything,
        }
