"""The `/conversations` screens: what was said, and what became of it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.postgres.search import SearchHeadline
from django.core.paginator import Page, Paginator
from django.db.models import Count, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Left
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from conversations.access import visible_conversation
from conversations.highlight import START, STOP, with_marks
from conversations.message_status import ExtractionProgress
from conversations.models import (
    MESSAGES_PER_PAGE,
    Conversation,
    ConversationOrigin,
    Import,
    Message,
)
from conversations.sanitizer import sanitize
from conversations.search import MAX_SEARCHABLE_CHARACTERS, ParsableText, TextQuery, best_by_words
from instances.access import choose_instance, signed_in, visible_instance
from instances.models import Instance

PER_PAGE = 20
MAX_RESULTS = 100
STATES = {
    "read": "Read",
    "unread": "Not read yet",
    "waiting": "Waiting",
    "failed": "Failed",
}
ORIGINS = {
    str(ConversationOrigin.CHAT): "Chat",
    str(ConversationOrigin.API): "API",
    str(ConversationOrigin.OPENAI): "OpenAI clients",
    str(ConversationOrigin.MEM0): "mem0 clients",
    str(ConversationOrigin.IMPORT): "Imported",
}
#: The names in the address that narrow the list.
FILTERS = ("state", "origin", "agent", "user")


@dataclass(frozen=True)
class FilterChip:
    """A choice among the conversations, as a link."""

    label: str
    query: str
    current: bool


@dataclass(frozen=True)
class ConversationList:
    """One state of the list, as its address says it."""

    instance: Instance
    q: str = ""
    state: str = ""
    origin: str = ""
    agent: str = ""
    user: str = ""
    page: str = ""

    def query(self, **changes: str) -> str:
        """The query string of this list with *changes*, without what is empty."""
        fields = {
            "instance": self.instance.slug,
            "q": self.q,
            **{name: getattr(self, name) for name in FILTERS},
            "page": self.page,
        } | changes
        return urlencode({name: value for name, value in fields.items() if value})

    @property
    def filters(self) -> dict[str, str]:
        """What narrows the list, by the names in the address."""
        return {name: getattr(self, name) for name in FILTERS if getattr(self, name)}

    @cached_property
    def chips(self) -> dict[str, list[FilterChip]]:
        """What the list can be narrowed to, in groups by what they are about."""
        agents = {agent.slug: agent.name for agent in self.instance.agents.all()}
        groups = {
            "State": self._group("state", {"": "All"} | STATES),
            "Where from": self._group("origin", {"": "From anywhere"} | ORIGINS),
        }
        if agents:
            groups["Held with"] = self._group("agent", {"": "With anybody"} | agents)
        return groups

    @property
    def without_user(self) -> str:
        return self.query(user="", page="")

    def _group(self, name: str, labels: dict[str, str]) -> list[FilterChip]:
        chosen = getattr(self, name)
        return [
            FilterChip(label, self.query(page="", **{name: value}), chosen == value)
            for value, label in labels.items()
        ]

    @property
    def path(self) -> str:
        """Where this list lives."""
        return reverse("conversations")


@dataclass(frozen=True)
class SearchResult:
    """A message that a search found, with the words marked."""

    message: Message
    snippet: str


@require_GET
def conversations(request: HttpRequest) -> HttpResponse:
    """List the conversations of an instance, or search in their messages."""
    request = signed_in(request)
    if not request.GET.get("instance"):
        return choose_instance(request, "conversations", "conversations")
    instance = visible_instance(request, request.GET["instance"])
    state, origin = request.GET.get("state", ""), request.GET.get("origin", "")
    listing = ConversationList(
        instance,
        q=sanitize(request.GET.get("q", "")).strip()[:1000],
        state=state if state in STATES else "",
        origin=origin if origin in ORIGINS else "",
        agent=sanitize(request.GET.get("agent", "")),
        user=sanitize(request.GET.get("user", "")),
        page=request.GET.get("page", ""),
    )
    context: dict[str, Any] = {"section": "conversations", "list": listing}
    if listing.q:
        context["page"] = _search(listing)
    else:
        rows = Paginator[Any](_narrowed(listing), PER_PAGE)
        context["page"] = rows.get_page(listing.page)
    context["imports"] = instance.imports.exclude(
        state__in=[Import.State.SUCCEEDED, Import.State.CANCELLED]
    ).defer("skipped")[:5]
    return render(request, "conversations/list.html", context)


@require_GET
def conversation(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a transcript, each message with what became of it."""
    request = signed_in(request)
    found = visible_conversation(request, pk)
    reading = ExtractionProgress.of(found)
    page = Paginator(
        found.messages.select_related("drawer__closet__room__wing")
        .defer("search", "drawer__search")
        .prefetch_related(
            Prefetch("memory_sources", _sources(found)),
        ),
        MESSAGES_PER_PAGE,
    ).get_page(request.GET.get("page"))
    turns = [
        (message, reading.status_of(message, list(message.memory_sources.all())))
        for message in page.object_list
    ]
    unread = found.messages.filter(position__gt=reading.watermark).count()
    context = {
        "section": "conversations",
        "conversation": found,
        "reading": reading,
        "turns": turns,
        "page": page,
        "unread": unread,
        "memory_is_off": unread and reading.is_left_by_switch,
        "now": timezone.now(),
        "read_at": found.goes_stale_at if unread and reading.is_idle else None,
        "transcript": _TranscriptPages(found),
    }
    return render(request, "conversations/transcript.html", context)


@require_POST
def rename(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a conversation another title; without one, it goes by its number."""
    request = signed_in(request)
    found = visible_conversation(request, pk)
    title = " ".join(sanitize(request.POST.get("title", "")).split())
    longest = Conversation._meta.get_field("title").max_length or 0
    if len(title) > longest:
        messages.error(request, f"A title has at most {longest} characters. Nothing was changed.")
        return redirect(found)
    found.title = title
    found.save(update_fields=["title"])
    messages.success(request, f"The conversation is now called “{found}”.")
    return redirect(found)


class _TranscriptPages:
    """Paging of one transcript, in the form that the pager takes."""

    def __init__(self, conversation: Conversation) -> None:
        self.path = conversation.get_absolute_url()

    def query(self, page: str) -> str:
        return urlencode({"page": page})


def _sources(conversation: Conversation) -> QuerySet[Any]:
    return conversation.memory_sources.select_related("memory")


def _narrowed(listing: ConversationList) -> QuerySet[Conversation]:
    """The conversations of the list, each with its number of messages and its last run's state."""
    last_run = Conversation.objects.filter(pk=OuterRef("pk"), runs__kind="extraction").order_by(
        "-runs__pk"
    )
    rows = listing.instance.conversations.annotate(
        message_count=Subquery(_count("messages")),
        learned=Subquery(_count("memory_sources__memory")),
        run_state=Subquery(last_run.values("runs__state")[:1]),
    ).order_by("-last_activity_at", "-id")
    if listing.origin:
        rows = rows.filter(origin=listing.origin)
    if listing.agent:
        rows = rows.filter(agent__slug=listing.agent)
    if listing.user:
        rows = rows.filter(end_user=listing.user)
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


def _search(listing: ConversationList) -> Page[Any]:
    """The page of messages that the words find, best first, with the words marked."""
    instance = listing.instance
    said = Message.objects.filter(instance=instance)
    if listing.filters:
        said = said.filter(conversation__in=_narrowed(listing).order_by().values("pk"))
    query = TextQuery.parse(listing.q, instance_id=instance.pk, language=instance.language)
    ids = best_by_words(said, query, limit=MAX_RESULTS)
    page = Paginator[Any](ids, PER_PAGE).get_page(listing.page)
    if query is None:
        return page
    snippet = SearchHeadline(
        ParsableText(Left("content", MAX_SEARCHABLE_CHARACTERS)),
        query.ranked_by,
        config=instance.language,
        start_sel=START,
        stop_sel=STOP,
        max_words=35,
        min_words=15,
    )
    on_page = said.filter(pk__in=list(page.object_list))
    found = on_page.select_related("conversation").defer("search").in_bulk()
    snippets = dict(on_page.annotate(snippet=snippet).values_list("pk", "snippet"))
    page.object_list = [
        SearchResult(found[pk], with_marks(snippets[pk])) for pk in page.object_list if pk in found
    ]
    return page
