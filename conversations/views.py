"""The `/conversations` screens: what was said, and what became of it."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib.postgres.search import SearchHeadline
from django.core.paginator import Page, Paginator
from django.db.models import Count, OuterRef, Prefetch, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from conversations.accounts import Reading
from conversations.marks import START, STOP, with_marks
from conversations.models import MESSAGES_A_PAGE, Conversation, Import, Message
from conversations.search import TextQuery, best_by_words
from conversations.turns import clean
from instances.access import Request, on_screen, signed_in, visible_instance
from instances.models import Instance

PER_PAGE = 20
MOST_RESULTS = 100
STATES = {
    "read": "Read",
    "unread": "Not read yet",
    "waiting": "Waiting",
    "failed": "Failed",
}


@dataclass(frozen=True)
class Listing:
    """One state of the list, as its address says it."""

    instance: Instance
    q: str = ""
    state: str = ""
    page: str = ""

    def query(self, **changes: str) -> str:
        """The query string of this list with *changes*, without what is empty."""
        fields = {
            "instance": self.instance.slug,
            "q": self.q,
            "state": self.state,
            "page": self.page,
        } | changes
        return urlencode({name: value for name, value in fields.items() if value})

    @property
    def path(self) -> str:
        """Where this list lives."""
        return reverse("conversations")


@dataclass(frozen=True)
class Found:
    """A message that a search found, with the words marked."""

    message: Message
    snippet: str


@require_GET
def conversations(request: HttpRequest) -> HttpResponse:
    """List the conversations of an instance, or search in their messages."""
    request = signed_in(request)
    if not request.GET.get("instance"):
        return render(
            request, "memory/choose.html", {"target": "conversations", "section": "conversations"}
        )
    instance = visible_instance(request, request.GET["instance"])
    state = request.GET.get("state", "")
    listing = Listing(
        instance,
        q=clean(request.GET.get("q", "")).strip()[:1000],
        state=state if state in STATES else "",
        page=request.GET.get("page", ""),
    )
    context: dict[str, Any] = {"section": "conversations", "list": listing, "states": STATES}
    if listing.q:
        context["page"] = _search(listing)
    else:
        rows = Paginator[Any](_in_state(listing), PER_PAGE)
        context["page"] = rows.get_page(listing.page)
    context["imports"] = instance.imports.exclude(
        state__in=[Import.State.SUCCEEDED, Import.State.CANCELLED]
    ).defer("skipped")[:5]
    return render(request, "conversations/list.html", context)


@require_GET
def conversation(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a transcript, each message with what became of it."""
    request = signed_in(request)
    found = _visible(request, pk)
    reading = Reading.of(found)
    page = Paginator(
        found.messages.defer("search").prefetch_related(
            Prefetch("memory_sources", _sources(found)),
        ),
        MESSAGES_A_PAGE,
    ).get_page(request.GET.get("page"))
    turns = [
        (message, reading.fate(message, list(message.memory_sources.all())))
        for message in page.object_list
    ]
    context = {
        "section": "conversations",
        "conversation": found,
        "reading": reading,
        "turns": turns,
        "page": page,
        "unread": found.messages.filter(position__gt=found.watermark).count(),
        "transcript": _TranscriptPages(found),
    }
    return render(request, "conversations/transcript.html", context)


class _TranscriptPages:
    """Paging of one transcript, in the form that the pager takes."""

    def __init__(self, conversation: Conversation) -> None:
        self.path = conversation.get_absolute_url()

    def query(self, page: str) -> str:
        return urlencode({"page": page})


def _visible(request: Request, pk: int) -> Conversation:
    found = get_object_or_404(
        Conversation.objects.filter(
            instance__in=Instance.objects.visible_to(request.user)
        ).select_related("instance", "agent"),
        pk=pk,
    )
    on_screen(request, found.instance)
    return found


def _sources(conversation: Conversation) -> QuerySet[Any]:
    return conversation.memory_sources.select_related("memory")


def _in_state(listing: Listing) -> QuerySet[Conversation]:
    """The conversations of the list, each with its number of messages and its last run's state."""
    last_run = Conversation.objects.filter(pk=OuterRef("pk")).order_by("-runs__pk")
    rows = listing.instance.conversations.annotate(
        message_count=Subquery(_count("messages")),
        learned=Subquery(_count("memory_sources__memory")),
        run_state=Subquery(last_run.values("runs__state")[:1]),
    ).order_by("-last_activity_at", "-id")
    if listing.state == "failed":
        rows = rows.filter(run_state="failed")
    elif listing.state == "waiting":
        rows = rows.filter(run_state__in=["queued", "running"])
    elif listing.state == "read":
        rows = rows.filter(watermark__gt=0)
    elif listing.state == "unread":
        rows = rows.filter(watermark=0)
    return rows


def _count(relation: str) -> QuerySet[Any]:
    """Count *relation* of the outer conversation, in a subquery: two joins would multiply."""
    return (
        Conversation.objects.filter(pk=OuterRef("pk"))
        .order_by()
        .values("pk")
        .annotate(number=Count(relation, distinct=True))
        .values("number")
    )


def _search(listing: Listing) -> Page[Any]:
    """The page of messages that the words find, best first, with the words marked."""
    instance = listing.instance
    messages = Message.objects.filter(instance=instance)
    query = TextQuery.parse(listing.q, instance_id=instance.pk, language=instance.language)
    ids = best_by_words(messages, query, limit=MOST_RESULTS)
    page = Paginator[Any](ids, PER_PAGE).get_page(listing.page)
    if query is None:
        return page
    snippet = SearchHeadline(
        "content",
        query.rank,
        config=instance.language,
        start_sel=START,
        stop_sel=STOP,
        max_words=35,
        min_words=15,
    )
    on_page = messages.filter(pk__in=list(page.object_list))
    found = on_page.select_related("conversation").defer("search").in_bulk()
    snippets = dict(on_page.annotate(snippet=snippet).values_list("pk", "snippet"))
    page.object_list = [
        Found(found[pk], with_marks(snippets[pk])) for pk in page.object_list if pk in found
    ]
    return page
