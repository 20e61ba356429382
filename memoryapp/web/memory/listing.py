"""The memory list: its state in the URL, and its rows."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import parse_qsl

from django.core.paginator import Page, Paginator
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conversations.sanitizer import sanitize
from conversations.url_text import filter_text, question
from instances.keyset_pages import RowCount, page_of
from instances.models import Instance
from instances.url_state import FilterChip, URLState, one_of, parsed
from memoryapp.embeddings.missing_vectors import MEMORIES
from memoryapp.health.duplicate_scan import near_duplicates
from memoryapp.models import (
    Category,
    Contradiction,
    MarkKind,
    Memory,
    MemoryMark,
    MemoryRevision,
    Origin,
)
from memoryapp.models.memory import MemoryQuerySet
from memoryapp.policy.labels import meant_by
from memoryapp.providers.configured import space_of
from memoryapp.recall import Hit, RecallOptions, RecallResult, recall
from memoryapp.recall.options import WEAKER_ON_SCREEN
from memoryapp.web.highlight import marked
from memoryapp.web.memory.list_counts import KeptCounts, count
from memoryapp.web.memory.words import category_name, grouped

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PER_PAGE = 20
#: Other numbers of rows that a person can choose; also `MAX_RESULTS` at most.
MORE_PER_PAGE = ("50", "100")
#: Matches that are sorted here: at most so many, if they are fewer than this share of all. Of more,
#: walking through the list in its order soon finds a page.
MAX_SORTED, MAX_SHARE_SORTED = 1_000, 0.05
#: Results of a search.
MAX_RESULTS = 100

SORTS = {
    "newest": (gettext_lazy("Last added first"), ["-created_at", "-id"]),
    "oldest": (gettext_lazy("First added first"), ["created_at", "id"]),
    "important": (gettext_lazy("Most important first"), ["-importance", "-created_at", "-id"]),
    "changed": (gettext_lazy("Last changed first"), ["-updated_at", "-id"]),
    "recalled": (gettext_lazy("Most recalled first"), ["-recall_count", "-id"]),
}
#: An importance, or at least one.
AT_LEAST = "from-"
IMPORTANCES = (
    *(f"{AT_LEAST}{step}" for step in (9, 8, 7, 6, 5, 4, 3)),
    *(str(step) for step in range(1, 11)),
)
STATES = {
    "pinned": gettext_lazy("Pinned"),
    "current": gettext_lazy("Valid today"),
    "expired": gettext_lazy("Expired"),
    "stale": gettext_lazy("Stale"),
    "changed": gettext_lazy("Changed at least once"),
    "contradicted": gettext_lazy("May contradict another memory"),
    "similar": gettext_lazy("Nearly the same as another memory"),
    "unrecalled": gettext_lazy("Never recalled"),
    "unimportant": gettext_lazy("Low importance"),
    "unused": gettext_lazy("Minor, old and never recalled"),
    "embedded": gettext_lazy("Has a vector"),
    "waiting": gettext_lazy("Waiting for a vector"),
}

#: The actions on the selected memories, with their buttons.
BULK_ACTIONS = [
    ("tags", gettext_lazy("Tags")),
    ("category", gettext_lazy("Category")),
    ("importance", gettext_lazy("Importance")),
    ("end", gettext_lazy("Valid until")),
]

#: The filters behind "Filters".
_MORE_FILTERS = ("tag", "user", "label", "origin", "importance", "state")


def importances_of(value: str) -> range:
    """The importances that a value of the filter means."""
    step = int(value.removeprefix(AT_LEAST))
    return range(step, 11 if value.startswith(AT_LEAST) else step + 1)


def importance_in_words(value: str) -> str:
    """A value of the filter, as its choice says it."""
    if not value.startswith(AT_LEAST):
        return value
    return _("at least %(number)s") % {"number": value.removeprefix(AT_LEAST)}


@dataclass(frozen=True)
class SetFilter:
    """A filter that is set."""

    words: str
    #: The query of the list without it.
    query: str


def filters_in_words(parameters: Mapping[str, str | None]) -> dict[str, str]:
    """Write the search and each filter of *parameters* in words, such as "tag: health"."""
    texts = {
        "q": gettext_lazy("search: %(value)s"),
        "category": gettext_lazy("category: %(value)s"),
        "tag": gettext_lazy("tag: %(value)s"),
        "user": gettext_lazy("person: %(value)s"),
        "label": gettext_lazy("stated by: %(value)s"),
        "origin": gettext_lazy("source: %(value)s"),
        "importance": gettext_lazy("importance: %(value)s"),
        "state": gettext_lazy("state: %(value)s"),
        "sort": gettext_lazy("order: %(value)s"),
    }
    names: dict[str, Callable[[str], Any]] = {
        "category": category_name,
        "origin": lambda value: dict(Origin.choices).get(value, value),
        "importance": importance_in_words,
        "state": lambda value: STATES.get(value, value),
        "sort": lambda value: SORTS[value][0] if value in SORTS else value,
    }
    return {
        name: text % {"value": names.get(name, str)(value)}
        for name, text in texts.items()
        if (value := parameters.get(name))
    }


@dataclass(frozen=True)
class MemoryList(URLState):
    """The state of the list, from its URL."""

    url_name = "memories"
    #: What the parameter ``list`` calls it.
    name: ClassVar[str] = ""
    title: ClassVar["StrOrPromise"] = gettext_lazy("All memories")
    page_template: ClassVar[str] = "memory/page.html"
    answer_template: ClassVar[str] = "memory/_list_response.html"
    rows_template: ClassVar[str] = "memory/_list.html"

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
    per_page: str = one_of(MORE_PER_PAGE)
    page: str = parsed(str)

    @property
    def selection(self) -> str:
        """Key of a selection of rows, which lasts as long as the filters."""
        return self.query(page="", per_page="", sort="")

    @property
    def kept_by_search(self) -> list[tuple[str, str]]:
        """The hidden fields of the form that searches."""
        return parse_qsl(
            MemoryList(self.instance, category=self.category, per_page=self.per_page).query()
        )

    @property
    def narrowed(self) -> bool:
        """True if anything but the instance restricts what is shown."""
        return bool(self.q or self.has_filters)

    @property
    def has_filters(self) -> bool:
        """True if any filter is set."""
        return bool(self.category or self.more_filters)

    @property
    def more_filters(self) -> int:
        """How many of the filters behind "Filters" are set."""
        return sum(bool(getattr(self, name)) for name in _MORE_FILTERS)

    @property
    def rows_per_page(self) -> int:
        """How many rows a page has."""
        return int(self.per_page or PER_PAGE)

    @property
    def saved_query(self) -> str:
        """Query that a saved filter keeps: that without instance, page and number of rows."""
        return self.query(instance="", page="", per_page="")

    @property
    def set_filters(self) -> list[SetFilter]:
        """The filters behind "Filters" that are set, each with the list without it."""
        words = {
            name: SetFilter(text, self.query(**{name: "", "page": ""}))
            for name, text in filters_in_words(self.parameters).items()
        }
        return [words[name] for name in _MORE_FILTERS if name in words]

    def without(self, name: str) -> "MemoryList":
        """Return the list without the filter *name*."""
        changes: dict[str, Any] = {name: ""}
        return replace(self, **changes)

    def apart_from(self, name: str) -> QuerySet[Memory]:
        """Return the memories that match all filters except *name*, before any search."""
        return self.without(name).filtered()

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
            memories = memories.filter(importance__in=self.importances)
        today = timezone.localdate()
        by_state: dict[str, Callable[[], QuerySet[Memory]]] = {
            "pinned": memories.pinned,
            "current": lambda: memories.current(today),
            "expired": lambda: memories.expired(today),
            "stale": memories.stale,
            "changed": lambda: memories.filter(pk__in=self._marked(MarkKind.CHANGED)),
            "contradicted": lambda: memories.filter(
                pk__in=Contradiction.objects.unresolved().memories(self.instance)
            ),
            "similar": lambda: memories.filter(pk__in=near_duplicates(self.instance)),
            "unrecalled": memories.never_recalled,
            "unimportant": memories.unimportant,
            "unused": lambda: memories.unused(timezone.now()),
            "embedded": lambda: memories.with_vector(space_of(self.instance.embeddings)),
            "waiting": lambda: memories.filter(pk__in=self._waiting),
        }
        return by_state[self.state]() if self.state else memories

    @property
    def importances(self) -> range:
        """The importances that are chosen; all, if none is."""
        return importances_of(self.importance) if self.importance else range(1, 11)

    @cached_property
    def kept(self) -> KeptCounts:
        """The counts that need not be counted."""
        return KeptCounts(self.instance)

    @property
    def _waiting(self) -> QuerySet[Any, int]:
        """The memories without a vector."""
        if self.kept.are_waiting_marked:
            return self._marked(MarkKind.NO_VECTOR)
        rows = MEMORIES.without_vector(self.instance, space_of(self.instance.embeddings))
        return rows.order_by().values_list("pk", flat=True)

    def _marked(self, kind: MarkKind) -> QuerySet[MemoryMark, int]:
        return MemoryMark.objects.of(self.instance, kind).values_list("memory", flat=True)

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
                max_weaker=WEAKER_ON_SCREEN,
                words_decide=True,
                # The page loads the rows that it shows, with more columns. Why a row was found is
                # said from its text.
                columns=["category", "content"],
            ),
        )

    def hits(self) -> list[Hit]:
        """Return all results of the search; none without one."""
        if not self.q:
            return []
        recalled = self.recalled()
        return [*recalled.hits, *recalled.weaker]

    def matches(self) -> "Matches":
        """Return all that match, for an action on all of them: of a search, the rows that the list
        counts, and not the weaker matches below them.
        """
        if not self.q:
            return Matches(self.filtered().values_list("pk", flat=True))
        recalled = self.recalled()
        ids = [hit.memory.pk for hit in recalled.hits if hit.memory]
        return Matches(ids, capped=not recalled.complete)


@dataclass(frozen=True)
class Matches:
    """All that match, as an action on all takes them."""

    ids: list[int] | QuerySet[Memory, int] = field(default_factory=list)
    #: They are the best ones of a search that finds more.
    capped: bool = False


def sizes(listing: MemoryList) -> list[FilterChip]:
    """The numbers of rows that a page can have, as links."""
    return listing.chips_for("per_page", {"": str(PER_PAGE)} | {it: it for it in MORE_PER_PAGE})


@dataclass(frozen=True)
class MemoryRow:
    """A memory in the list, with its search hit."""

    memory: Memory
    content: SafeString | str
    hit: Hit | None = None

    @property
    def text(self) -> str:
        """The text without marks."""
        return self.memory.content

    @property
    def at(self) -> datetime:
        """When it was said."""
        return self.memory.dated

    @property
    def opens(self) -> Memory:
        """The memory that opens beside the list."""
        return self.memory

    @property
    def row_id(self) -> str:
        """The id of its row, which the panel names."""
        return f"row-{self.memory.pk}"


@dataclass(frozen=True)
class CategoryChip:
    """A category, with the number of its rows."""

    category: Category | None
    #: None where counting would need another search, or there are too many to be counted.
    count: int | None
    #: There are more: a search finds `MAX_RESULTS` at most, and some lists are counted in part.
    or_more: bool = False

    @property
    def number(self) -> str:
        """The count, as the chip shows it."""
        if self.count is None:
            return ""
        if self.or_more:
            return f"{grouped(self.count)}+" if self.count else ""
        return grouped(self.count)


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
    #: Search results that are no clear matches, on the last page.
    weaker: list[MemoryRow] = field(default_factory=list)

    @property
    def capped(self) -> bool:
        """True if a search finds more than these."""
        return self.recalled is not None and not self.recalled.complete


def load(listing: MemoryList) -> Rows:
    """Load the page of *listing*, in a fixed number of queries."""
    return _searched(listing) if listing.q else _filtered(listing)


def _filtered(listing: MemoryList) -> Rows:
    counts = count(listing)
    order = SORTS[listing.sort or "newest"][1]
    page = page_of(
        listing.filtered(),
        order,
        listing.page,
        per_page=listing.rows_per_page,
        count=counts.chosen,
        few=_are_few(listing, counts.chosen),
    )
    memories = for_rows(listing.instance, Memory.objects.all()).in_bulk(page.object_list)
    rows = [MemoryRow(memories[pk], memories[pk].content) for pk in page if pk in memories]
    by_category = counts.by_category
    chips = [
        CategoryChip(category, None if by_category is None else by_category.get(category, 0))
        for category in Category
    ]
    everything = CategoryChip(None, counts.everything.number, or_more=counts.everything.is_capped)
    return Rows(listing, page, rows, _chips(listing, chips), everything)


def _are_few(listing: MemoryList, matches: RowCount) -> bool:
    if not listing.has_filters or matches.is_capped or matches.number > MAX_SORTED:
        return False
    return matches.number < MAX_SHARE_SORTED * sum(listing.kept.everything.values())


def _searched(listing: MemoryList) -> Rows:
    recalled = listing.recalled()
    in_instance = Memory.objects.in_instance(listing.instance)
    hits = {hit.memory.pk: hit for hit in [*recalled.hits, *recalled.weaker] if hit.memory}
    ids = [hit.memory.pk for hit in recalled.hits if hit.memory]
    if listing.sort:
        chosen = in_instance.filter(pk__in=ids).order_by(*SORTS[listing.sort][1])
        ids = list(chosen.values_list("pk", flat=True))
    page = Paginator[Any](ids, listing.rows_per_page).get_page(listing.page)
    below = [hit.memory.pk for hit in recalled.weaker if hit.memory and not page.has_next()]
    loaded = [*page, *below]
    texts = marked(listing.instance, listing.q, in_instance.filter(pk__in=loaded), "content")
    memories = for_rows(listing.instance, Memory.objects.all()).in_bulk(loaded)
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
            category,
            counts[category] if listing.category in ("", category) else None,
            not recalled.complete,
        )
        for category in Category
    ]
    everything = CategoryChip(None, None if listing.category else len(ids), not recalled.complete)
    return Rows(listing, page, rows, _chips(listing, chips), everything, recalled, weaker)


def _chips(listing: MemoryList, chips: list[CategoryChip]) -> list[CategoryChip]:
    return [
        chip
        for chip in chips
        if chip.count != 0 or chip.or_more or chip.category == listing.category
    ]


def for_rows(instance: Instance, memories: MemoryQuerySet) -> QuerySet[Memory]:
    """Load the data that a row shows, of those of *memories* that are in *instance*."""
    # A subquery: a join would group all matching rows in order to show twenty. It names the
    # instance itself, without which Citus asks all shards.
    revisions = (
        MemoryRevision.objects.versions()
        .filter(memory=OuterRef("pk"), instance=instance)
        .order_by()
        .values("memory")
        .annotate(number=Count("pk"))
        .values("number")
    )
    return (
        memories.filter(instance=instance)
        .with_conversations()
        .defer("search")
        .annotate(revision_count=Subquery(revisions))
    )
