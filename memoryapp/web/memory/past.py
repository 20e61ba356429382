"""The `/memory/past` screen: what was remembered at the end of an earlier day. For reading only."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_GET

from conversations.sanitizer import sanitize
from instances.access import choose_instance, signed_in, visible_instance
from instances.models import Instance
from memoryapp.models import Category, Memory, Version
from memoryapp.recall import Hit, recall_past

PER_PAGE = 20
#: Results of a search in the past.
MAX_RESULTS = 100


@dataclass(frozen=True)
class PastMemoryList:
    """One state of the screen, as its address says it."""

    instance: Instance
    #: The day at whose end one looks; None: none was given, or it was no day in the past.
    on: date | None = None
    q: str = ""
    category: str = ""
    user: str = ""
    page: str = ""

    @classmethod
    def parse(cls, instance: Instance, query: QueryDict) -> "PastMemoryList":
        """Read the address; what it says that does not exist is passed over."""
        category = query.get("category", "")
        return cls(
            instance,
            on=past_day(query.get("on", "")),
            q=sanitize(query.get("q", "")).strip()[:1000],
            category=category if category in Category.values else "",
            user=sanitize(query.get("user", "")).strip()[:200],
            page=query.get("page", ""),
        )

    def query(self, **changes: str) -> str:
        """The query string of this list with *changes*, without what is empty."""
        fields = {
            "instance": self.instance.slug,
            "on": self.on.isoformat() if self.on else "",
            "q": self.q,
            "category": self.category,
            "user": self.user,
            "page": self.page,
        } | changes
        return urlencode({name: value for name, value in fields.items() if value})

    @property
    def path(self) -> str:
        """Where this list lives."""
        return reverse("past")

    @property
    def today(self) -> str:
        """The same of today's memory, as a query string."""
        fields = {
            "instance": self.instance.slug,
            "q": self.q,
            "category": self.category,
            "user": self.user,
        }
        return urlencode({name: value for name, value in fields.items() if value})

    def versions(self, moment: datetime) -> QuerySet[Version]:
        """What stood at *moment*, but for the category."""
        versions = Version.objects.in_instance(self.instance).as_of(moment)
        return versions.filter(end_user=self.user) if self.user else versions


@dataclass(frozen=True)
class PastMemoryRow:
    """A memory as it was then."""

    version: Version
    #: The memory as it is.
    now: Memory
    hit: Hit | None = None

    @property
    def reworded(self) -> bool:
        """Whether it says something else today."""
        return self.version.content != self.now.content


@require_GET
def past(request: HttpRequest) -> HttpResponse:
    """Show what an instance remembered at the end of a day."""
    request = signed_in(request)
    if not request.GET.get("instance"):
        return choose_instance(request, "past", "memory")
    instance = visible_instance(request, request.GET["instance"])
    listing = PastMemoryList.parse(instance, request.GET)
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


def past_day(written: str) -> date | None:
    """The day that *written* means, if it is over."""
    try:
        day = parse_date(written)
    except ValueError:
        return None  # Such as the 30th of February.
    return day if day and day < timezone.localdate() else None


def end_of(day: date) -> datetime:
    """When *day* ends where the screens are read."""
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
