"""The `/memory/profile` screen: the memories of one person, and their summary."""

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db import transaction
from django.db.models import Count, F, Prefetch, QuerySet, Window
from django.db.models.functions import RowNumber
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from conversations.url_text import filter_text
from instances.access import Request, visible_instance, with_instance
from instances.actor import Actor
from instances.ids import parse_pk
from instances.models import Instance
from instances.translatable import sentences, translatable, translated
from memoryapp.forgetting.deletion import forget_undoably
from memoryapp.forgetting.undo_buffer import UNDO_SECONDS, UndoToken
from memoryapp.models import Category, Memory, Summary
from memoryapp.people.listing import with_memories
from memoryapp.pipeline import Outcome
from memoryapp.summary.generation import NO_MODEL, write_again
from memoryapp.tasks.dispatch import hand_over_summary
from memoryapp.trust.feedback import confirm
from memoryapp.web.memory.edit import (
    remember_from,
    revise_from,
    submit,
    undo_address,
    what_happened,
    what_was_saved,
)
from memoryapp.web.memory.forms import FactForm, SentenceForm
from memoryapp.web.memory.history import MemoryHistory, history_of
from memoryapp.web.memory.listing import MemoryList
from memoryapp.web.memory.page import add_messages, revisions_with_origin, visible_memory
from memoryapp.web.profile.fact_timeline import draw_facts
from memoryapp.web.profile.timeline import TIMELINE, WEEK, ProfileView, load_timeline
from memoryapp.web.profile.week import load_week, prefix_of

#: The categories that people look for most often.
FIRST_CATEGORIES = (
    Category.FACT.value,
    Category.PREFERENCE.value,
    Category.RELATIONSHIP.value,
)
#: Memories without a key in each category; the memory list has the others.
MAX_FACTS_WITHOUT_KEY = 5
#: Facts of one person that the screen shows, and people that it lists.
MAX_FACTS, MAX_PEOPLE = 300, 100
#: The screen polls for a summary that is due within this time.
MAX_WAIT_SECONDS = 120


@dataclass(frozen=True)
class ListedPerson:
    """An end user with the number of their memories."""

    end_user: str
    memories: int
    changed_at: Any

    @property
    def name(self) -> str:
        return self.end_user or _("The user")


@dataclass(frozen=True)
class FactRow:
    """A fact with its history, and with a form while it is edited."""

    memory: Memory
    history: MemoryHistory
    form: FactForm | None = None


@dataclass(frozen=True)
class FactGroup:
    """The memories of one category."""

    category: str
    facts: list[FactRow]
    others: list[Memory]
    #: The number of memories without a key.
    total: int


@require_http_methods(["GET", "POST"])
@with_instance("profile")
def profile(request: Request, instance: Instance) -> HttpResponse:
    """Show the profile of a person; a POST adds a fact."""
    if "end_user" not in request.GET:
        return _choose_person(request, instance)
    end_user = _end_user(request)
    form = FactForm(request.POST or None, initial={"category": Category.FACT})
    actor = Actor(request.user)
    outcome = submit(form, lambda: remember_from(form, instance, actor, end_user))
    if outcome is not None:
        return _done(request, outcome, what_happened(outcome))
    return _page(request, instance, end_user, adding=form)


@require_POST
def profile_fact(request: Request, pk: int) -> HttpResponse:
    """Correct a fact in place."""
    memory = visible_memory(request, pk)
    form = FactForm(request.POST, instance=memory, prefix=f"fact-{pk}")
    outcome = submit(form, lambda: revise_from(form, memory, Actor(request.user)))
    if outcome is not None:
        return _done(request, outcome, what_was_saved(outcome))
    return _page(request, memory.instance, memory.end_user, editing=(memory.pk, form))


@require_POST
def profile_keep(request: Request, pk: int) -> HttpResponse:
    """Confirm a memory of the week."""
    memory = visible_memory(request, pk)
    confirm(memory, by=Actor(request.user))
    messages.success(request, _("Kept: you have confirmed it."))
    return redirect(_week(memory))


@require_POST
def profile_correct(request: Request, pk: int) -> HttpResponse:
    """Correct a memory of the week."""
    memory = visible_memory(request, pk)
    form = SentenceForm(request.POST, instance=memory, prefix=prefix_of(memory))
    outcome = submit(form, lambda: revise_from(form, memory, Actor(request.user)))
    if outcome is None:
        return _page(request, memory.instance, memory.end_user, correcting=form)
    listing = MemoryList(memory.instance, user=memory.end_user)
    add_messages(request, what_was_saved(outcome), outcome, undo=undo_address(outcome, listing))
    return redirect(_week(memory))


def _week(memory: Memory) -> str:
    return f"{address(memory.instance, memory.end_user)}&view={WEEK}"


@require_POST
def profile_forget(request: Request, pk: int) -> HttpResponse:
    """Delete a memory, and show the profile with a button to undo that."""
    memory = visible_memory(request, pk)
    chosen = memory.row()
    for_good = request.POST.get("for_good") == "yes"
    forgotten = forget_undoably(memory.instance, chosen, by=request.user, never_again=for_good)
    if memory.key:
        text = _("Forgot “%(fact)s”, with its history.")
        parts = [text % {"fact": memory.key.replace("_", " ")}]
    else:
        parts = [_("Forgot one memory, with its history.")]
    if for_good:
        parts.append(_("It will not be learned again."))
    if forgotten.undo_token is None:
        parts.append(_("This cannot be undone."))
    messages.success(request, " ".join(parts))
    return _page(request, memory.instance, memory.end_user, undo_token=forgotten.undo_token)


@require_POST
def profile_summary(request: Request) -> HttpResponse:
    """Request a new summary of a person."""
    instance = visible_instance(request, request.GET.get("instance", ""))
    end_user = _end_user(request)
    if not instance.has_language_model:
        messages.error(
            request, translated(sentences(NO_MODEL, translatable("Choose one in Settings.")))
        )
    elif not instance.summary_enabled:
        messages.error(request, _("Summaries are off. Turn them on in Settings."))
    elif instance.memories.filter(end_user=end_user).exists():
        with transaction.atomic():
            summary = write_again(instance, end_user)
        hand_over_summary(summary.pk)
    return redirect(address(instance, end_user))


def address(instance: Instance, end_user: str) -> str:
    """Return the address of a person's profile."""
    return f"{reverse('profile')}?{urlencode({'instance': instance.slug, 'end_user': end_user})}"


def _end_user(request: Request) -> str:
    return filter_text(request.GET.get("end_user", ""))


def _done(request: Request, outcome: Outcome, text: str) -> HttpResponse:
    memory = outcome.memory
    listing = MemoryList(memory.instance, user=memory.end_user)
    add_messages(request, text, outcome, undo=undo_address(outcome, listing))
    return redirect(f"{address(memory.instance, memory.end_user)}#fact-{memory.pk}")


def _people(instance: Instance, q: str = "") -> list[ListedPerson]:
    """Return the people of *instance*, those with most memories first; one more than the screen
    lists, if there are more.
    """
    return [ListedPerson(*row) for row in with_memories(instance, q, most=MAX_PEOPLE + 1)]


def _choose_person(request: Request, instance: Instance) -> HttpResponse:
    """List the people to choose from; if there is only one, redirect to their profile."""
    q = filter_text(request.GET.get("q", ""))
    people = _people(instance, q)
    if len(people) <= 1 and not q:
        return redirect(address(instance, people[0].end_user if people else ""))
    context = {
        "section": "profile",
        "people": people[:MAX_PEOPLE],
        "more": len(people) > MAX_PEOPLE,
        "q": q,
    }
    return render(request, "profile/people.html", context)


def _page(
    request: Request,
    instance: Instance,
    end_user: str,
    *,
    adding: FactForm | None = None,
    editing: tuple[int, FactForm] | None = None,
    correcting: SentenceForm | None = None,
    undo_token: UndoToken | None = None,
) -> HttpResponse:
    memories = instance.memories.filter(end_user=end_user)
    people = _people(instance)
    person = next((each for each in people if each.end_user == end_user), None)
    view = ProfileView.parse(request.GET, instance=instance, end_user=end_user)
    timeline = load_timeline(view) if view.view == TIMELINE and request.method == "GET" else None
    week = load_week(view, correcting) if view.view == WEEK or correcting else None
    groups = []
    if timeline is None and week is None:
        groups = _groups(memories, editing or _edited_fact(request, memories))
    refused = (adding is not None and adding.is_bound) or bool(editing or correcting)
    return render(
        request,
        "profile/page.html",
        {
            "section": "profile",
            "listing": MemoryList(instance, user=end_user),
            "end_user": end_user,
            "name": end_user or _("The user"),
            "people": people[:MAX_PEOPLE],
            "person": person,
            "groups": groups,
            "timelines": draw_facts(
                (row.memory, row.history) for group in groups for row in group.facts
            ),
            "view": view,
            "timeline": timeline,
            "week": week,
            # Of the person who looks, as far as it is known who they are.
            "is_own": end_user in ("", request.user.username),
            "total": person.memories if person else memories.count(),
            "adding": adding or FactForm(initial={"category": Category.FACT}),
            "summary": _summary(instance, end_user, memories),
            "back": address(instance, end_user) + (f"&view={WEEK}" if week is not None else ""),
            "undo_token": undo_token,
            "seconds": UNDO_SECONDS,
            "today": timezone.localdate(),
        },
        status=422 if refused else 200,
    )


def _edited_fact(request: Request, memories: QuerySet[Memory]) -> tuple[int, FactForm] | None:
    """Return the id and the form of the fact that the URL names for editing."""
    pk = parse_pk(request.GET.get("edit"))
    memory = memories.filter(pk=pk).first() if pk and request.method == "GET" else None
    return (memory.pk, FactForm(instance=memory, prefix=f"fact-{memory.pk}")) if memory else None


def _groups(memories: QuerySet[Memory], editing: tuple[int, FactForm] | None) -> list[FactGroup]:
    """Return the person's memories by category, in a fixed number of queries."""
    keyed = memories.exclude(key="").defer("search").order_by("category", "key")
    revisions = Prefetch("revisions", revisions_with_origin())
    rows = []
    for memory in keyed.prefetch_related(revisions)[:MAX_FACTS]:
        form = editing[1] if editing and editing[0] == memory.pk else None
        rows.append(FactRow(memory, history_of(memory), form))
    facts = {
        category: list(group)
        for category, group in groupby(rows, key=lambda row: row.memory.category)
    }
    others = memories.filter(key="")
    counts = Counter(dict(others.order_by().values_list("category").annotate(Count("pk"))))
    place = Window(
        RowNumber(),
        partition_by="category",
        order_by=[F("importance").desc(), F("updated_at").desc(), F("pk").desc()],
    )
    shown: dict[str, list[Memory]] = {}
    for memory in (
        others.annotate(place=place)
        .filter(place__lte=MAX_FACTS_WITHOUT_KEY)
        .defer("search")
        .order_by("category", "place")
    ):
        shown.setdefault(memory.category, []).append(memory)
    return [
        FactGroup(name, facts.get(name, []), shown.get(name, []), counts[name])
        for name in dict.fromkeys([*FIRST_CATEGORIES, *Category.values])
        if name in facts or counts[name]
    ]


def _summary(instance: Instance, end_user: str, memories: QuerySet[Memory]) -> dict[str, Any]:
    summary = Summary.objects.of(instance, end_user).first() or Summary()
    soon = timezone.now() + timedelta(seconds=MAX_WAIT_SECONDS)
    return {
        "row": summary,
        "paragraphs": [part for part in summary.text.split("\n") if part.strip()],
        "newer": memories.filter(pk__gt=summary.newest_memory).count() if summary.text else 0,
        # A row that waits for next month's budget is not worth polling every two seconds.
        "is_coming": summary.lease_until is not None or (summary.due_at and summary.due_at < soon),
    }
