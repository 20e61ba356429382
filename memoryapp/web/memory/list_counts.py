"""How many memories the list has, by category.

By one filter, or by several that say what a memory is like, the number is kept and exact; see
`models.memory_counts`. Other combinations are counted up to `MAX_COUNT`.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.db.models import Count, QuerySet
from django.utils import timezone

from instances.keyset_pages import RowCount
from instances.models import Instance
from memoryapp.models import CountKind, MarkKind, Memory, MemoryCount
from memoryapp.models.memory import MAX_FADING_IMPORTANCE
from memoryapp.policy.labels import meant_by
from memoryapp.providers.configured import space_of

if TYPE_CHECKING:
    from memoryapp.web.memory.listing import MemoryList

#: Up to this many matches of several filters are counted.
MAX_COUNT = 1_000
#: The states that are kept together with the other properties of a memory.
_OF_ALL: Mapping[str, dict[str, Any]] = {
    "unrecalled": {"recalled": False},
    "stale": {"stale": True},
    "unimportant": {"importance__lte": MAX_FADING_IMPORTANCE},
}


#: The filters by value that have counts of their own.
_KINDS = {"tag": CountKind.TAG, "user": CountKind.PERSON, "label": CountKind.LABEL}


@dataclass(frozen=True)
class ListCounts:
    """The numbers of memories that match the filters."""

    #: By category, whichever is chosen. None: there are too many to tell.
    by_category: Mapping[str, int] | None
    everything: RowCount
    #: In the chosen category.
    chosen: RowCount


class KeptCounts:
    """The counts that are kept of an instance."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    def of(self, kind: CountKind, value: str = "", **narrowed: Any) -> dict[str, int]:
        """One count by category; that of all may be *narrowed*."""
        rows = MemoryCount.objects.of(self.instance, kind, value)
        return rows.filter(**narrowed).by_category()

    @cached_property
    def everything(self) -> dict[str, int]:
        return self.of(CountKind.ALL)

    @cached_property
    def expired(self) -> dict[str, int]:
        """Of the memories whose end has passed."""
        return MemoryCount.objects.expired(self.instance, timezone.localdate())

    @cached_property
    def embedded(self) -> dict[str, int]:
        """Of the memories with a vector in the space that is searched."""
        space = space_of(self.instance.embeddings)
        return MemoryCount.objects.embedded(self.instance, space).by_category()

    @cached_property
    def waiting(self) -> dict[str, int]:
        """Of the others."""
        return _without(self.everything, self.embedded)

    @cached_property
    def are_waiting_marked(self) -> bool:
        """True if those that wait are those without a vector in any space: not while an instance
        has vectors of two models.
        """
        marked = self.of(CountKind.MARK, MarkKind.NO_VECTOR)
        return sum(marked.values()) == sum(self.waiting.values())

    def by_label(self, text: str) -> dict[str, int] | None:
        """Of the memories with a label that *text* may mean; None if it may mean several."""
        kept = [by for label in meant_by(text) if (by := self.of(CountKind.LABEL, label))]
        return None if len(kept) > 1 else (kept or [{}])[0]


def count(listing: "MemoryList") -> ListCounts:
    """Count the memories that match the filters of *listing*."""
    by_category = _kept(listing)
    if by_category is None:
        some = list(
            listing.but_for_category()
            .order_by()
            .values_list("category", flat=True)[: MAX_COUNT + 1]
        )
        if len(some) > MAX_COUNT:
            everything = RowCount(MAX_COUNT, is_capped=True)
            chosen = few(listing.filtered()) if listing.category else everything
            return ListCounts(None, everything, chosen)
        by_category = Counter(some)
    total = sum(by_category.values())
    in_chosen = by_category.get(listing.category, 0) if listing.category else total
    return ListCounts(by_category, RowCount(total), RowCount(in_chosen))


def _kept(listing: "MemoryList") -> Mapping[str, int] | None:
    """The numbers by category, if they are kept for these filters."""
    kept, (of_all, others) = listing.kept, _parts(listing)
    if not others:
        return kept.of(CountKind.ALL, **of_all) if of_all else kept.everything
    if of_all or len(others) > 1:
        return None
    match others[0], listing.state:
        case "tag", _:
            return kept.of(CountKind.TAG, listing.tag)
        case "user", _:
            return kept.of(CountKind.PERSON, listing.user)
        case "label", _:
            return kept.by_label(listing.label)
        case _, "expired":
            return kept.expired
        case _, "current":
            return _without(kept.everything, kept.expired)
        case _, "changed":
            return kept.of(CountKind.MARK, MarkKind.CHANGED)
        case _, "embedded":
            return kept.embedded
        case _, "waiting":
            return kept.waiting
    # The few others have an index of their own.
    return counted(listing.but_for_category())


def kept_by_value(listing: "MemoryList", name: str) -> dict[Any, int] | None:
    """The numbers by value of the filter *name*, which *listing* has not set, if they are kept for
    its other filters.
    """
    of_all, others = _parts(listing)
    if others or (of_all and name in _KINDS):
        return None
    rows = MemoryCount.objects.filter(
        instance=listing.instance, kind=_KINDS.get(name, CountKind.ALL), **of_all
    )
    if listing.category:
        rows = rows.filter(category=listing.category)
    return rows.by("value" if name in _KINDS else name)


def _parts(listing: "MemoryList") -> tuple[dict[str, Any], list[str]]:
    """The filters by what is told apart among all memories, and the names of the others."""
    of_all: dict[str, Any] = dict(_OF_ALL.get(listing.state, {}))
    if listing.origin:
        of_all["origin"] = listing.origin
    if listing.importance:
        of_all["importance__in"] = listing.importances
    others = [name for name in _KINDS if getattr(listing, name)]
    if listing.state and listing.state not in _OF_ALL:
        others.append("state")
    return of_all, others


def few(memories: QuerySet[Memory]) -> RowCount:
    """Count *memories*, up to `MAX_COUNT`."""
    return RowCount.of(memories, most=MAX_COUNT)


def counted(memories: QuerySet[Memory]) -> dict[str, int]:
    """Count *memories* by category."""
    rows = memories.order_by().values_list("category").annotate(count=Count("*"))
    return dict(rows.values_list("category", "count"))


def _without(everything: Mapping[str, int], others: Mapping[str, int]) -> dict[str, int]:
    numbers = {name: number - others.get(name, 0) for name, number in everything.items()}
    return {name: number for name, number in numbers.items() if number}
