"""The timeline of a person: what is remembered of them by the day on which it was said."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Prefetch
from django.utils import timezone

from instances.models import Instance
from instances.url_state import URLState, one_of, parsed
from memoryapp.models import Memory, MemoryRevision
from memoryapp.web.memory.history import history_of
from memoryapp.web.memory.page import revisions_with_origin

#: Views of a profile; the first one has no parameter in the URL.
FACTS, TIMELINE, WEEK = "", "timeline", "week"
PER_PAGE = 30


def _page_number(text: str) -> int:
    return max(1, int(text[:6])) if text.isdecimal() else 1


@dataclass(frozen=True)
class ProfileView(URLState):
    """The state of a profile, from its URL."""

    url_name = "profile"

    instance: Instance
    #: Whose profile it is. Empty: that of the user without a name.
    end_user: str
    view: str = one_of((TIMELINE, WEEK))
    page: int = parsed(_page_number)

    @property
    def parameters(self) -> dict[str, str | None]:
        # Without a person, the screen asks for one.
        page = str(self.page) if self.page > 1 else None
        return super().parameters | {"end_user": self.end_user, "page": page}


@dataclass(frozen=True)
class TimelineEntry:
    """A memory on the timeline, with its earlier values, the latest first."""

    memory: Memory
    earlier: list[MemoryRevision]


@dataclass(frozen=True)
class TimelineDay:
    """Memories from what was said on one day."""

    on: date
    entries: list[TimelineEntry]


@dataclass(frozen=True)
class TimelinePage:
    """One page of a timeline, newest first."""

    page: Page[Any]
    days: list[TimelineDay]


def load_timeline(view: ProfileView) -> TimelinePage:
    """Load a page of the timeline, in a fixed number of queries."""
    memories = view.instance.memories.filter(end_user=view.end_user)
    ids = memories.order_by("-said_at", "-pk").values_list("pk", flat=True)
    page = Paginator[Any](ids, PER_PAGE).get_page(view.page)
    rows = (
        Memory.objects.filter(pk__in=list(page))
        .with_conversations()
        .prefetch_related(Prefetch("revisions", revisions_with_origin()))
        .defer("search")
        .order_by("-said_at", "-pk")
    )
    return TimelinePage(page, list(_days(rows)))


def _days(memories: Iterable[Memory]) -> Iterable[TimelineDay]:
    for day, of_day in groupby(memories, key=lambda each: timezone.localdate(each.said_at)):
        entries = [
            TimelineEntry(each, [version.revision for version in history_of(each).versions])
            for each in of_day
        ]
        yield TimelineDay(day, entries)
