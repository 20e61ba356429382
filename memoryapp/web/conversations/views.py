"""The ``/conversations`` screens: list, search and transcript."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.postgres.search import SearchHeadline
from django.core.paginator import Page, Paginator
from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Left
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_POST

from conversations.access import visible_conversation
from conversations.highlight import START, STOP, shown_text, with_marks
from conversations.models import (
    MESSAGES_PER_PAGE,
    Conversation,
    ConversationOrigin,
    Message,
)
from conversations.sanitizer import sanitize
from conversations.search import MarkableText, TextQuery, best_by_words
from conversations.search_functions import MAX_SEARCHABLE_CHARACTERS
from conversations.titles import MAX_CHARACTERS, clean_title
from conversations.url_text import question
from instances.access import Request, signed_in, with_instance
from instances.ids import parse_pk
from instances.keyset_pages import page_of
from instances.models import Instance, InstanceRole
from instances.url_state import FilterChip, URLState, one_of, parsed
from memoryapp.disclosure import disclosed_page
from memoryapp.extraction import message_status
from memoryapp.models.muted_messages import with_text
from memoryapp.web.sharing import sharing_context

PER_PAGE = 20
MAX_RESULTS = 100
STATES = {
    "read": _("Read"),
    "unread": _("Not read yet"),
    "waiting": _("Waiting"),
    "failed": _("Failed"),
}
ORIGINS = {
    str(ConversationOrigin.CHAT): _("Chat"),
    str(ConversationOrigin.API): _("API"),
    str(ConversationOrigin.OPENAI): _("OpenAI clients"),
    str(ConversationOrigin.MEM0): _("mem0 clients"),
    str(ConversationOrigin.IMPORT): _("Imported"),
}


def _with_all(label: str, labels: Mapping[str, Any]) -> dict[str, str]:
    """The texts of *labels* behind a first choice that does not filter."""
    return {"": label} | {value: str(each) for value, each in labels.items()}


@dataclass(frozen=True)
class ConversationList(URLState):
    """The state of the list, from its URL."""

    url_name = "conversations"

    instance: Instance
    q: str = parsed(question)
    state: str = one_of(STATES)
    origin: str = one_of(ORIGINS)
    agent: str = parsed(sanitize)
    user: str = parsed(sanitize)
    page: str = parsed(str)

    @property
    def filters(self) -> dict[str, str]:
        """The filters that are set, by the names of their parameters."""
        names = ("state", "origin", "agent", "user")
        return {name: value for name in names if (value := getattr(self, name))}

    @cached_property
    def chips(self) -> dict[str, list[FilterChip]]:
        """The values of the filters, in groups."""
        agents = {agent.slug: agent.name for agent in self.instance.agents.all()}
        groups = {
            gettext("State"): self.chips_for("state", _with_all(gettext("All"), STATES)),
            gettext("Source"): self.chips_for("origin", _with_all(gettext("All sources"), ORIGINS)),
        }
        if agents:
            groups[gettext("Agent")] = self.chips_for("agent", {"": gettext("All agents")} | agents)
        return groups

    @property
    def without_user(self) -> str:
        return self.query(user="", page="")


@dataclass(frozen=True)
class MessageMatch:
    """A message that a search found, with the words marked."""

    message: Message
    snippet: str


@require_GET
@with_instance("conversations")
def conversations(request: Request, instance: Instance) -> HttpResponse:
    """List the conversations of an instance, or search in their messages."""
    listing = ConversationList.parse(request.GET, instance=instance)
    context: dict[str, Any] = {"section": "conversations", "list": listing}
    if listing.q:
        context["page"] = _search(listing)
    else:
        rows = _narrowed(listing)
        page = page_of(rows, ["-last_activity_at", "-id"], listing.page, per_page=PER_PAGE)
        loaded = rows.in_bulk(page.object_list)
        page.object_list = [loaded[pk] for pk in page if pk in loaded]
        context["page"] = page
    request.role = request.role or instance.role_of(request.user)
    may_act = request.role in InstanceRole.MEMBER.and_above
    context["imports"] = instance.imports.to_mention(may_act=may_act).defer("skipped")[:5]
    return render(request, "conversations/list.html", context)


@require_GET
def conversation(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a transcript, with the status of each message."""
    request = signed_in(request)
    conversation = visible_conversation(request, pk)
    reading = message_status.ExtractionProgress.of(conversation)
    rows = message_status.messages_with_outcomes(conversation)
    number: int | str | None = request.GET.get("page")
    if position := parse_pk(request.GET.get("at")):
        before = conversation.messages.filter(position__lt=position).count()
        number = before // MESSAGES_PER_PAGE + 1
    page = Paginator[Any](rows, MESSAGES_PER_PAGE).get_page(number)
    on_page = [with_text(each) for each in page.object_list]
    turns = [
        (each, shown, reading.outcome_of(each))
        for each, shown in zip(on_page, disclosed_page(conversation.instance, on_page), strict=True)
    ]
    unread = conversation.messages.filter(position__gt=reading.watermark).count()
    context = {
        "section": "conversations",
        "conversation": conversation,
        **sharing_context(conversation),
        # The undo of a message leads here.
        "back": conversation.get_absolute_url(),
        "reading": reading,
        "turns": turns,
        "page": page,
        "unread": unread,
        "memory_is_off": bool(unread) and reading.is_left_by_switch,
        "now": timezone.now(),
        "read_at": conversation.goes_stale_at if unread and reading.is_idle else None,
        "transcript": _TranscriptPages(conversation),
    }
    return render(request, "conversations/transcript.html", context)


@require_POST
def rename(request: HttpRequest, pk: int) -> HttpResponse:
    """Change the title of a conversation. Without one, it is named by its number."""
    request = signed_in(request)
    conversation = visible_conversation(request, pk)
    title = request.POST.get("title", "")
    if len(title) > MAX_CHARACTERS:
        messages.error(
            request,
            gettext("A title can have at most %(limit)s characters. Nothing was changed.")
            % {"limit": MAX_CHARACTERS},
        )
        return redirect(conversation)
    conversation.title = clean_title(conversation.instance, title)
    conversation.save(update_fields=["title"])
    messages.success(
        request,
        gettext("The conversation is now called “%(title)s”.") % {"title": conversation},
    )
    return redirect(conversation)


class _TranscriptPages:
    """The pages of a transcript, for the pager."""

    def __init__(self, conversation: Conversation) -> None:
        self.path = conversation.get_absolute_url()

    def query(self, page: str) -> str:
        return urlencode({"page": page})


def _narrowed(listing: ConversationList) -> QuerySet[Conversation]:
    """The conversations of the list, each with its number of messages and its last run's state."""
    # In a subquery: a join would multiply with others.
    messages = (
        Message.objects.filter(conversation=OuterRef("pk"))
        .order_by()
        .values("conversation")
        .annotate(number=Count("pk"))
        .values("number")
    )
    rows = message_status.with_reading_state(
        listing.instance.conversations.annotate(message_count=Coalesce(Subquery(messages), 0)),
        only=listing.state,
    ).order_by("-last_activity_at", "-id")
    if listing.origin:
        rows = rows.filter(origin=listing.origin)
    if listing.agent:
        rows = rows.filter(agent__slug=listing.agent)
    if listing.user:
        rows = rows.filter(end_user=listing.user)
    if listing.state == "read":
        rows = rows.filter(watermark__gt=0)
    elif listing.state == "unread":
        rows = rows.filter(watermark=0)
    return rows


def _search(listing: ConversationList) -> Page[Any]:
    """The page of messages that the words find, best first, with the words marked."""
    instance = listing.instance
    messages = Message.objects.filter(instance=instance)
    if listing.filters:
        messages = messages.filter(conversation__in=_narrowed(listing).order_by().values("pk"))
    query = TextQuery.parse(listing.q, instance_id=instance.pk, languages=instance.search_languages)
    ids = best_by_words(messages, query, limit=MAX_RESULTS)
    page = Paginator[Any](ids, PER_PAGE).get_page(listing.page)
    if query is None:
        return page
    on_page = messages.filter(pk__in=list(page.object_list))
    by_id = on_page.select_related("conversation").defer("search").in_bulk()
    # Found in the whole message: a snippet may lack the words that say what is secret.
    shown = zip(by_id, disclosed_page(instance, list(by_id.values())), strict=True)
    masked = {pk: each.content for pk, each in shown if each.has_secrets or each.is_cut}
    snippet = SearchHeadline(
        MarkableText(Left(shown_text("content", masked), MAX_SEARCHABLE_CHARACTERS)),
        query.marked_by,
        config=F("language"),
        start_sel=START,
        stop_sel=STOP,
        max_words=35,
        min_words=15,
    )
    snippets = dict(on_page.annotate(snippet=snippet).values_list("pk", "snippet"))
    page.object_list = [
        MessageMatch(by_id[pk], with_marks(snippets[pk])) for pk in page.object_list if pk in by_id
    ]
    return page
