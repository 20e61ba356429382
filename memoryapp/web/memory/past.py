"""The `/memory/past` screen: the memory at the end of an earlier day, read-only."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from conversations.url_text import filter_text, question
from instances.access import Request, with_instance
from instances.models import Instance
from instances.url_state import URLState, one_of, parsed
from memoryapp.models import Category, Memory, Version
from memoryapp.recall import Hit, recall_past
from memoryapp.web.days import end_of, parse_day

PER_PAGE = 20
#: Results of a search in the past.
MAX_RESULTS = 100


def past_day(text: str) -> date | None:
    """Return the day in *text*, if it is over; else None."""
    day = parse_day(text)
    return day if day and day < timezone.localdate() else None


@dataclass(frozen=True)
class PastMemoryList(URLState):
    """The state of the screen, from its URL."""

    url_name = "past"

    instance: Instance
    #: The day at whose end the memory is shown; None: none was given, or it is not in the past.
    on: date | None = parsed(past_day)
    q: str = parsed(question)
    category: str = one_of(Category.values)
    user: str = parsed(filter_text)
    page: str = parsed(str)

    @property
    def today(self) -> str:
        """The query string of the same list in today's memory."""
        return self.query(on="", page="")

    def versions(self, moment: datetime) -> QuerySet[Version]:
        """Return the versions at *moment* that match all filters except the category."""
        versions = Version.objects.in_instance(self.instance).as_of(moment)
        return versions.filter(end_user=self.user) if self.user else versions


@dataclass(frozen=True)
class PastMemoryRow:
    """A memory as it was then."""

    version: Version
    #: The memory as it is today.
    now: Memory
    hit: Hit | None = None

    @property
    def reworded(self) -> bool:
        """True if its text is different today."""
        return self.version.content != self.now.content


@require_GET
@with_instance("memory")
def past(request: Request, instance: Instance) -> HttpResponse:
    """Show the memories of an instance at the end of a day."""
    listing = PastMemoryList.parse(request.GET, instance=instance)
    context: dict[str, Any] = {
        "section": "memory",
        "listing": listing,
        "latest": timezone.localdate() - timedelta(1),
        "refused": request.GET.get("on", "") if listing.on is None else "",
    }
    if listing.on is not None:
        context |= _rows(listing, end_of(listing.on))
    else:
        first = instance.memories.order_by("created_at").values_list("created_at", flat=True)
        context["first"] = first.first()
    return render(request, "memory/past.html", context)


def _rows(listing: PastMemoryList, moment: datetime) -> dict[str, Any]:
    versions = listing.versions(moment)
    counts = dict(
        versions.order_by().values_list("category").annotate(count=Count("pk")).order_by()
    )
    of_category = versions.filter(category=listing.category) if listing.category else versions
    problem = ""
    hits: dict[int, Hit] = {}
    if listing.q:
        result = recall_past(
            listing.instance, listing.q, moment, limit=MAX_RESULTS, among=of_category
        )
        problem = result.problem
        hits = {hit.memory.pk: hit for hit in result.hits if hit.memory}
        page = Paginator[Any](list(hits), PER_PAGE).get_page(listing.page)
        on_page = of_category.filter(memory__in=list(page)).defer("search")
        by_memory = {version.memory_id: version for version in on_page}
        shown = [by_memory[pk] for pk in page if pk in by_memory]
    else:
        newest = of_category.order_by("-valid_from", "-memory").defer("search")
        paginator = Paginator[Any](newest, PER_PAGE)
        # Saves the query that would count them again.
        paginator.count = (
            counts.get(listing.category, 0) if listing.category else sum(counts.values())
        )
        page = paginator.get_page(listing.page)
        shown = list(page.object_list)
    now = Memory.objects.defer("search").in_bulk([version.memory_id for version in shown])
    memories = listing.instance.memories.all()
    if listing.user:
        memories = memories.filter(end_user=listing.user)
    return {
        "page": page,
        "rows": [
            PastMemoryRow(v, now[v.memory_id], hits.get(v.memory_id))
            for v in shown
            if v.memory_id in now
        ],
        "counts": [(name, counts[name]) for name in Category.values if counts.get(name)],
        "total": sum(counts.values()),
        "problem": problem,
        "today_total": memories.count(),
    }
