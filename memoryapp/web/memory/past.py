"""The `/memory/past` screen: the memory at the end of an earlier day, read-only."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_GET

from conversations.url_text import filter_text, question
from instances.access import Request, with_instance
from instances.models import Instance
from instances.url_state import URLState, one_of, parsed
from memoryapp.models import Category, Memory, Version
from memoryapp.recall import Hit, recall_past

PER_PAGE = 20
#: Results of a search in the past.
MAX_RESULTS = 100


def past_day(written: str) -> date | None:
    """Return the day in *written*, if it is over; else None."""
    try:
        day = parse_date(written)
    except ValueError:
        return None  # Such as the 30th of February.
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
        """The query string of the same in today's memory."""
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
        """Whether its text is different today."""
        return self.version.content != self.now.content


@require_GET
@with_instance("memory")
def past(request: Request, instance: Instance) -> HttpResponse:
    """Show what an instance remembered at the end of a day."""
    listing = PastMemoryList.parse(request.GET, instance=instance)
    context: dict[str, Any] = {
        "section": "memory",
        "listing": listing,
        "latest": timezone.localdate() - timedelta(1),
        "refused": request.GET.get("on", "") if listing.on is None else "",
    }
    if listing.on is not None:
        context |= _looked_up(listing, end_of(listing.on))
    else:
        first = instance.memories.order_by("created_at").values_list("created_at", flat=True)
        context["first"] = first.first()
    return render(request, "memory/past.html", context)


def end_of(day: date) -> datetime:
    """Return the end of *day* in the time zone of the screens."""
    return timezone.make_aware(datetime.combine(day + timedelta(1), time()))


def _looked_up(listing: PastMemoryList, moment: datetime) -> dict[str, Any]:
    versions = listing.versions(moment)
    counts = dict(
        versions.order_by().values_list("category").annotate(count=Count("pk")).order_by()
    )
    of_category = versions.filter(category=listing.category) if listing.category else versions
    problem = ""
    hits: dict[int, Hit] = {}
    if listing.q:
        found = recall_past(
            listing.instance, listing.q, moment, limit=MAX_RESULTS, among=of_category
        )
        problem = found.problem
        hits = {hit.memory.pk: hit for hit in found.hits if hit.memory}
        page: Page[Any] = Paginator[Any](list(hits), PER_PAGE).get_page(listing.page)
        stood = {v.memory_id: v for v in of_category.filter(memory__in=list(page)).defer("search")}
        shown = [stood[pk] for pk in page if pk in stood]
    else:
        newest = of_category.order_by("-valid_from", "-memory").defer("search")
        paginator = Paginator[Any](newest, PER_PAGE)
        # Known already.
        paginator.count = (
            counts.get(listing.category, 0) if listing.category else sum(counts.values())
        )
        page = paginator.get_page(listing.page)
        shown = list(page.object_list)
    now = Memory.objects.defer("search").in_bulk([version.memory_id for version in shown])
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
        "today_total": _today_total(listing),
    }


def _today_total(listing: PastMemoryList) -> int:
    memories = listing.instance.memories.all()
    return (memories.filter(end_user=listing.user) if listing.user else memories).count()
