"""The values of the filters, each with the number of memories that it leads to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, F, Func, TextField

from memoryapp.models import Origin
from memoryapp.policy.labels import named
from memoryapp.web.memory.list_counts import few, kept_by_value
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
        """True if there is anything to choose, or was chosen."""
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
    """Return the values of the filters by name, in one query or two for each. The numbers respect
    the other filters, but not the search: that would have to run once for each filter. Where the
    other filters leave more memories than are counted, values have no numbers.
    """
    by_origin = dict(_numbers(listing, "origin", "origin"))
    by_importance = dict(_numbers(listing, "importance", "importance"))
    return uncounted(listing) | {
        "tag": _offered(listing, "tag", _numbers(listing, "tag", Unnest("tags"))),
        "user": _offered(listing, "user", _numbers(listing, "user", "end_user")),
        "label": _offered(listing, "label", _numbers(listing, "label", Unnest("labels"))),
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
                    _sum([by_importance.get(step, 0) for step in importances_of(value)]),
                )
                for value in IMPORTANCES
            ],
        ),
    }


def _numbers(
    listing: MemoryList, name: str, column: str | Unnest
) -> Sequence[tuple[Any, int | None]]:
    """The values of the filter *name*, which are those of a *column*, with their numbers, the most
    frequent first; None: not counted.
    """
    kept = kept_by_value(listing.without(name), name)
    if kept is None and not few(listing.apart_from(name)).is_capped:
        expression = F(column) if isinstance(column, str) else column
        rows = listing.apart_from(name).annotate(choice=expression).order_by()
        found = rows.values_list("choice").annotate(number=Count("*")).order_by()
        kept = {value: number for value, number in found if value != ""}
    if kept is not None:
        return sorted(kept.items(), key=lambda pair: (-pair[1], pair[0]))
    # Those of all memories.
    everything = kept_by_value(MemoryList(listing.instance), name) or {}
    return [(value, None) for value in sorted(everything, key=lambda each: -everything[each])]


def _sum(numbers: Sequence[int | None]) -> int | None:
    return None if None in numbers else sum(number or 0 for number in numbers)


def _chosable(name: str, values: Iterable[str]) -> Iterable[str]:
    return named(values) if name == "label" else values


def _offered(
    listing: MemoryList, name: str, found: Sequence[tuple[str, int | None]]
) -> FilterChoices:
    chosen: str = getattr(listing, name)
    numbers = dict(found[:MAX_CHOICES])
    shown = [Choice(value, value, numbers[value]) for value in _chosable(name, numbers)]
    if chosen and all(choice.value != chosen for choice in shown):
        shown.append(Choice(chosen, chosen))
    return FilterChoices(name, chosen, shown, or_more=len(found) > MAX_CHOICES)
