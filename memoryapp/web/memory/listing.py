"""The memory list: its state in the URL, and its rows."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.utils import timezone
from django.utils.safestring import SafeString

from conversations.sanitizer import sanitize
from conversations.url_text import filter_text, question
from instances.models import Instance
from instances.url_state import URLState, one_of, parsed
from memoryapp.embeddings.missing_vectors import MEMORIES
from memoryapp.models import (
    Category,
    Contradiction,
    Memory,
    MemoryRevision,
    Origin,
)
from memoryapp.models.memory import MemoryQuerySet
from memoryapp.policy.labels import meant_by
from memoryapp.providers.configured import space_of
from memoryapp.recall import Hit, RecallOptions, RecallResult, recall
from memoryapp.web.highlight import marked

PER_PAGE = 20
#: Up to this many ids are loaded once and reused in queries.
MAX_EXACT_COUNT = 1_000
#: Results of a search.
MAX_RESULTS = 100

SORTS = {
    "newest": ("Newest first", ["-created_at", "-id"]),
    "oldest": ("Oldest first", ["created_at", "id"]),
    "important": ("Most important first", ["-importance", "-created_at", "-id"]),
    "changed": ("Last changed first", ["-updated_at", "-id"]),
    "recalled": ("Most recalled first", ["-recall_count", "-id"]),
}
IMPORTANCES = tuple(str(step) for step in range(1, 11))
STATES = {
    "current": "Holds today",
    "expired": "Expired",
    "stale": "Stale",
    "changed": "Changed at least once",
    "contradicted": "May contradict another",
    "unrecalled": "Never recalled",
    "unimportant": "Low importance",
    "unused": "Never needed so far",
    "embedded": "With a vector",
    "waiting": "Waiting for a vector",
}


@dataclass(frozen=True)
class MemoryList(URLState):
    """The state of the list, from its URL."""

    url_name = "memories"

    instance: Instance
    q: str = parsed(question)
    category: str = one_of(Category.values)
    tag: str = parsed(lambda text: sanitize(text).strip().lower()[:50])
    user: str = parsed(filter_text)
    label: str = parsed(filter_text)
    origin: str = one_of(Origin.values)
    importance: str = one_of(IMPORTANCES)
    state: str = one_of(STATES)
    sort: str = one_of(SORTS)
    page: str = parsed(str)

    @property
    def narrowed(self) -> bool:
        """Whether anything but the instance restricts what is shown."""
        return bool(self.q or self.has_filters)

    @property
    def has_filters(self) -> bool:
        """Whether any filter is set."""
        return bool(self.category or self.more_filters)

    @property
    def more_filters(self) -> int:
        """How many of the filters behind "More filters" are set."""
        filters = self.tag, self.user, self.label, self.origin, self.importance, self.state
        return sum(map(bool, filters))

    def but_for_category(self) -> QuerySet[Memory]:
        """Return the memories that match all filters except the category."""
        memories = Memory.objects.in_instance(self.instance)
        if self.tag:
            memories = memories.tagged(self.instance, self.tag)
        if self.user:
            memories = memories.filter(end_user=self.user)
        if self.label:
            memories = memories.labelled(*meant_by(self.label))
        if self.origin:
            memories = memories.filter(origin=self.origin)
        if self.importance:
            memories = memories.filter(importance=int(self.importance))
        today = timezone.localdate()
        by_state: dict[str, Callable[[], QuerySet[Memory]]] = {
            "current": lambda: memories.current(today),
            "expired": lambda: memories.expired(today),
            "stale": memories.stale,
            "changed": memories.changed,
            "contradicted": lambda: memories.filter(
                Contradiction.objects.unresolved().with_memory()
            ),
            "unrecalled": memories.never_recalled,
            "unimportant": memories.unimportant,
            "unused": lambda: memories.unused(timezone.now()),
            "embedded": lambda: memories.with_vector(space_of(self.instance.embeddings)),
            "waiting": lambda: memories.filter(pk__in=self._waiting),
        }
        return by_state[self.state]() if self.state else memories

    @cached_property
    def _waiting(self) -> list[int] | QuerySet[Memory, int]:
        """The memories without a vector; unless there are many, they are loaded once for the chips
        and for the rows.
        """
        ids: QuerySet[Memory, int] = (
            MEMORIES.without_vector(self.instance, space_of(self.instance.embeddings))
            .order_by()
            .values_list("pk", flat=True)
        )
        few = list(ids[: MAX_EXACT_COUNT + 1])
        return few if len(few) <= MAX_EXACT_COUNT else ids

    def filtered(self) -> QuerySet[Memory]:
        """Return the memories that match the filters, before any search."""
        memories = self.but_for_category()
        return memories.filter(category=self.category) if self.category else memories

    def recalled(self) -> RecallResult:
        """Search the memories that match the filters."""
        return recall(
            self.instance,
            self.q,
            RecallOptions(
                limit=MAX_RESULTS,
                memories=self.filtered() if self.has_filters else None,
                with_messages=False,
                with_weaker=True,
                # The page loads the rows that it shows, with more columns.
                columns=["category"],
            ),
        )

    def matching_ids(self) -> list[int] | QuerySet[Memory, int]:
        """Return the ids of all matching memories, for an action on all of them."""
        if self.q:
            return [hit.memory.pk for hit in self.recalled().hits if hit.memory]
        return self.filtered().values_list("pk", flat=True)


@dataclass(frozen=True)
class MemoryRow:
    """A memory in the list, with its search hit."""

    memory: Memory
    content: SafeString | str
    hit: Hit | None = None


@dataclass(frozen=True)
class CategoryChip:
    """A category, with the number of its rows."""

    category: str
    #: None where counting would need another search.
    count: int | None
    #: There may be more: a search finds `MAX_RESULTS` at most.
    or_more: bool = False

    @property
    def number(self) -> str:
        """The count, as the chip shows it."""
        if self.count is None:
            return ""
        if self.or_more:
            return f"{self.count:,}+" if self.count else ""
        return f"{self.count:,}"


@dataclass(frozen=True)
class Rows:
    """One page of the list."""

    listing: MemoryList
    page: Page[Any]
    rows: list[MemoryRow]
    #: The categories that have rows, and the chosen one.
    chips: list[CategoryChip]
    #: All categories together.
    everything: CategoryChip
    recalled: RecallResult | None = None
    #: Search results below the floor of relevance, on the last page.
    weaker: list[MemoryRow] = field(default_factory=list)


class BidirectionalPaginator(Paginator[Any]):
    """Paginates an ordered queryset. The database reads all rows before a page, so pages near the
    end are read backwards from there; their rows are not in order.
    """

    object_list: QuerySet[Any, Any]

    def page(self, number: int | str) -> Page[Any]:
        """Return page *number*, counted from 1; raise `InvalidPage` if there is no such page."""
        page = super().page(number)
        begin, end = page.start_index() - 1, page.end_index()
        if begin > self.count - end:
            backwards = self.object_list.reverse()
            page.object_list = backwards[self.count - end : self.count - begin]
        return page


def load(listing: MemoryList) -> Rows:
    """Load the page of *listing*, in a fixed number of queries."""
    return _searched(listing) if listing.q else _filtered(listing)


def _filtered(listing: MemoryList) -> Rows:
    counts = dict(
        listing.but_for_category()
        .order_by()
        .values_list("category")
        .annotate(count=Count("*"))
        .values_list("category", "count")
    )
    total = sum(counts.values())
    order = SORTS[listing.sort or "newest"][1]
    paginator = BidirectionalPaginator(listing.filtered().order_by(*order).values("pk"), PER_PAGE)
    # Saves the query that would count them again, which is slow in a long list.
    paginator.count = counts.get(listing.category, 0) if listing.category else total
    page = paginator.get_page(listing.page)
    # Annotations are computed only for the rows of the page, not for all rows before it.
    memories = for_rows(Memory.objects.filter(pk__in=page.object_list)).order_by(*order)
    rows = [MemoryRow(memory, memory.content) for memory in memories]
    chips = [CategoryChip(name, counts.get(name, 0)) for name in Category.values]
    return Rows(listing, page, rows, _chips(listing, chips), CategoryChip("", total))


def _searched(listing: MemoryList) -> Rows:
    recalled = listing.recalled()
    hits = {hit.memory.pk: hit for hit in [*recalled.hits, *recalled.weaker] if hit.memory}
    ids = [hit.memory.pk for hit in recalled.hits if hit.memory]
    if listing.sort:
        order = SORTS[listing.sort][1]
        ids = list(Memory.objects.filter(pk__in=ids).order_by(*order).values_list("pk", flat=True))
    page = Paginator[Any](ids, PER_PAGE).get_page(listing.page)
    below = [hit.memory.pk for hit in recalled.weaker if hit.memory and not page.has_next()]
    loaded = [*page, *below]
    texts = marked(listing.instance, listing.q, Memory.objects.filter(pk__in=loaded), "content")
    memories = for_rows(Memory.objects.all()).in_bulk(loaded)
    rows, weaker = (
        [
            MemoryRow(memories[pk], texts.get(pk, memories[pk].content), hits[pk])
            for pk in ids_of_rows
            if pk in memories
        ]
        for ids_of_rows in (page, below)
    )
    counts = Counter(hit.memory.category for hit in recalled.hits if hit.memory)
    chips = [
        # A search within a category has not counted the others.
        CategoryChip(
            name,
            counts[name] if listing.category in ("", name) else None,
            not recalled.complete,
        )
        for name in Category.values
    ]
    everything = CategoryChip("", None if listing.category else len(ids), not recalled.complete)
    return Rows(listing, page, rows, _chips(listing, chips), everything, recalled, weaker)


def _chips(listing: MemoryList, chips: list[CategoryChip]) -> list[CategoryChip]:
    return [
        chip
        for chip in chips
        if chip.count != 0 or chip.or_more or chip.category == listing.category
    ]


def for_rows(memories: MemoryQuerySet) -> QuerySet[Memory]:
    """Load the data that a row shows."""
    # A subquery: a join would group all matching rows in order to show twenty.
    revisions = (
        MemoryRevision.objects.versions()
        .filter(memory=OuterRef("pk"))
        .order_by()
        .values("memory")
        .annotate(number=Count("pk"))
        .values("number")
    )
    return (
        memories.with_conversations().defer("search").annotate(revision_count=Subquery(revisions))
    )
