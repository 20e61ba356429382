"""The values of the filters, each with the number of memories that it leads to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Func, QuerySet, TextField

from memoryapp.models import Memory, Origin
from memoryapp.policy.labels import named
from memoryapp.web.memory.listing import (
    IMPORTANCES,
    STATES,
    MemoryList,
    importance_in_words,
    importances_of,
)
from memoryapp.web.memory.words import grouped

#: Up to this many values are all offered; of more, the most frequent ones.
MAX_CHOICES = 100


class Unnest(Func):
    """The elements of an array, each in a row of its own."""

    function = "unnest"
    set_returning = True

    def __init__(self, array: str) -> None:
        super().__init__(array, output_field=TextField())


@dataclass(frozen=True)
class Choice:
    """A value of a filter."""

    value: str
    label: Any
    #: None where it is not counted.
    count: int | None = None

    @property
    def number(self) -> str:
        """The count, as the screen shows it."""
        return "" if self.count is None else grouped(self.count)


@dataclass(frozen=True)
class FilterChoices:
    """The values that one filter offers."""

    #: The parameter of the list.
    name: str
    chosen: str
    choices: list[Choice] = field(default_factory=list)
    #: There are more values, so that they are typed.
    or_more: bool = False

    @property
    def is_offered(self) -> bool:
        """Whether there is anything to choose, or was chosen."""
        return bool(self.choices or self.chosen)


def uncounted(listing: MemoryList) -> dict[str, FilterChoices]:
    """Return the values that are known without a query, by the name of the filter."""
    return {
        "tag": FilterChoices("tag", listing.tag),
        "user": FilterChoices("user", listing.user),
        "label": FilterChoices("label", listing.label),
        "origin": FilterChoices(
            "origin", listing.origin, [Choice(*choice) for choice in Origin.choices]
        ),
        "importance": FilterChoices(
            "importance",
            listing.importance,
            [Choice(value, importance_in_words(value)) for value in IMPORTANCES],
        ),
        "state": FilterChoices(
            "state", listing.state, [Choice(name, label) for name, label in STATES.items()]
        ),
    }


def counted(listing: MemoryList) -> dict[str, FilterChoices]:
    """Return the values of the filters by name, in one query for each. The numbers respect the
    other filters, but not the search: that would have to run once for each filter.
    """
    by_origin = dict(_counts(listing.apart_from("origin"), "origin"))
    by_importance = dict(_counts(listing.apart_from("importance"), "importance"))
    return uncounted(listing) | {
        "tag": _of_array(listing, "tag", "tags"),
        "user": _offered(listing, "user", _people(listing)),
        "label": _of_array(listing, "label", "labels"),
        "origin": FilterChoices(
            "origin",
            listing.origin,
            [
                Choice(origin, origin.label, by_origin.get(origin, 0))
                for origin in Origin
                if origin in by_origin or origin == listing.origin
            ],
        ),
        "importance": FilterChoices(
            "importance",
            listing.importance,
            [
                Choice(
                    value,
                    importance_in_words(value),
                    sum(by_importance.get(step, 0) for step in importances_of(value)),
                )
                for value in IMPORTANCES
            ],
        ),
    }


def _counts(
    memories: QuerySet[Memory], column: str, limit: int | None = None
) -> list[tuple[Any, int]]:
    """The values of *column* with their numbers, the most frequent first."""
    rows = memories.order_by().values_list(column).annotate(number=Count("*"))
    return list(rows.order_by("-number", column)[:limit])


def _people(listing: MemoryList) -> list[tuple[str, int]]:
    memories = listing.apart_from("user").exclude(end_user="")
    return _counts(memories, "end_user", MAX_CHOICES + 1)


def _of_array(listing: MemoryList, name: str, column: str) -> FilterChoices:
    memories = listing.apart_from(name).annotate(element=Unnest(column))
    found = _counts(memories, "element", MAX_CHOICES + 1)
    return _offered(listing, name, found)


def _chosable(name: str, values: Iterable[str]) -> Iterable[str]:
    return named(values) if name == "label" else values


def _offered(listing: MemoryList, name: str, found: Sequence[tuple[str, int]]) -> FilterChoices:
    chosen: str = getattr(listing, name)
    numbers = dict(found[:MAX_CHOICES])
    shown = [Choice(value, value, numbers[value]) for value in _chosable(name, numbers)]
    if chosen and all(choice.value != chosen for choice in shown):
        shown.append(Choice(chosen, chosen))
    return FilterChoices(name, chosen, shown, or_more=len(found) > MAX_CHOICES)
