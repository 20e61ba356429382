"""The `/memory/profile` screen: what is remembered of one person, and the summary of it."""

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db import transaction
from django.db.models import Count, F, Max, Prefetch, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from conversations.url_text import filter_text
from instances.access import Request, signed_in, visible_instance, with_instance
from instances.actor import Actor
from instances.ids import parse_pk
from instances.models import Instance
from memoryapp.models import Category, Memory, Origin, Summary
from memoryapp.pipeline import Candidate, Outcome, Writer, remember
from memoryapp.pipeline.deletion import forget_undoably
from memoryapp.pipeline.undo_buffer import UNDO_SECONDS, UndoToken
from memoryapp.policy.dedup import Action
from memoryapp.summary.generation import NO_MODEL, write_again
from memoryapp.tasks.dispatch import hand_over_summary
from memoryapp.web.memory.edit import (
    NOT_TAKEN,
    WHAT_HAPPENED,
    revise_from,
    undo_address,
    written,
)
from memoryapp.web.memory.forms import FactForm
from memoryapp.web.memory.history import History, history_of
from memoryapp.web.memory.listing import MemoryList
from memoryapp.web.memory.page import revisions_with_origin, tell, visible_memory

#: Memories without a key in each category; the memory list has the others.
MAX_FACTS_WITHOUT_KEY = 5
#: Facts of one person that the screen shows, and people that it offers.
MAX_FACTS, MAX_PEOPLE = 300, 100
#: A summary that is due within this time is waited for on the screen.
MAX_WAIT_SECONDS = 120


@dataclass(frozen=True)
class Person:
    """A person whom memories are about."""

    end_user: str
    memories: int
    facts: int
    changed_at: Any

    @property
    def name(self) -> str:
        return self.end_user or "The user"


@dataclass(frozen=True)
class FactRow:
    """A fact with its history, and the form in its place while it is edited."""

    memory: Memory
    history: History
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
@with_instance("memory")
def profile(request: Request, instance: Instance) -> HttpResponse:
    """Show what is remembered of a person; add a fact."""
    if "end_user" not in request.GET:
        return _whose(request, instance)
    end_user = _end_user(request)
    form = FactForm(request.POST or None, initial={"category": Category.FACT})
    outcome = written(form, lambda: _add(request, instance, end_user, form))
    if outcome is not None:
        said = NOT_TAKEN if outcome.not_taken else WHAT_HAPPENED[outcome.action]
        return _done(request, outcome, said)
    return _page(request, instance, end_user, adding=form)


@require_POST
def profile_fact(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct a fact in place."""
    request = signed_in(request)
    found = visible_memory(request, pk)
    form = FactForm(request.POST, instance=found, prefix=f"fact-{pk}")
    outcome = written(form, lambda: revise_from(form, found, Actor(request.user)))
    if outcome is not None:
        changed = outcome.action is Action.UPDATED
        said = "Saved. What it was before is in its history." if changed else "Nothing was changed."
        return _done(request, outcome, said)
    return _page(request, found.instance, found.end_user, editing=(found.pk, form))


@require_POST
def profile_forget(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a memory, and show the profile without it, with a button to undo that."""
    request = signed_in(request)
    found = visible_memory(request, pk)
    chosen = Memory.objects.filter(pk=found.pk)
    for_good = request.POST.get("for_good") == "yes"
    forgotten = forget_undoably(found.instance, chosen, by=request.user, never_again=for_good)
    said = f"Forgot {found.key or 'one memory'}, with its vector and history."
    if for_good:
        said += " It is not learned again."
    if forgotten.ticket is None:
        said += " This cannot be undone."
    messages.success(request, said)
    return _page(request, found.instance, found.end_user, ticket=forgotten.ticket)


@require_POST
def profile_summary(request: HttpRequest) -> HttpResponse:
    """Request a new summary of a person."""
    request = signed_in(request)
    instance = visible_instance(request, request.GET.get("instance", ""))
    end_user = _end_user(request)
    if not instance.has_language_model:
        messages.error(request, f"{NO_MODEL} Choose one in Settings.")
    elif not instance.summary_enabled:
        messages.error(request, "Summaries are switched off. Switch them on in Settings.")
    elif instance.memories.filter(end_user=end_user).exists():
        with transaction.atomic():
            summary = write_again(instance, end_user)
        hand_over_summary(summary.pk)
    return redirect(address(instance, end_user))


def address(instance: Instance, end_user: str, **more: str) -> str:
    """Return the address of a person's profile."""
    asked = urlencode({"instance": instance.slug, "end_user": end_user} | more)
    return f"{reverse('profile')}?{asked}"


def _end_user(request: Request) -> str:
    return filter_text(request.GET.get("end_user", ""))


def _add(request: Request, instance: Instance, end_user: str, form: FactForm) -> Outcome:
    data = form.cleaned_data
    candidate = Candidate(
        data["content"],
        category=data["category"],
        valid_until=data["valid_until"],
        key=data["key"],
        value=data["value"],
        end_user=end_user,
    )
    writer = Writer(Origin.MANUAL, Actor(request.user))
    return remember(instance, [candidate], writer)[0]


def _done(request: Request, outcome: Outcome, said: str) -> HttpResponse:
    memory = outcome.memory
    listing = MemoryList(memory.instance, user=memory.end_user)
    tell(request, said, outcome, undo=undo_address(outcome, listing))
    return redirect(f"{address(memory.instance, memory.end_user)}#fact-{memory.pk}")


def _people(instance: Instance, q: str = "") -> list[Person]:
    """Whom the memories of *instance* are about, those of whom most is remembered first; one more
    than the screen shows, if there are more.
    """
    memories = instance.memories.filter(end_user__icontains=q) if q else instance.memories.all()
    rows = (
        memories.order_by()
        .values("end_user")
        .annotate(count=Count("pk"), facts=Count("pk", filter=~Q(key="")), at=Max("updated_at"))
        .order_by("-count", "end_user")
    )
    return [
        Person(row["end_user"], row["count"], row["facts"], row["at"])
        for row in rows[: MAX_PEOPLE + 1]
    ]


def _whose(request: Request, instance: Instance) -> HttpResponse:
    """Let the user choose a person; if there is only one, redirect to their profile."""
    q = filter_text(request.GET.get("q", ""))
    found = _people(instance, q)
    if len(found) <= 1 and not q:
        return redirect(address(instance, found[0].end_user if found else ""))
    context = {
        "section": "memory",
        "people": found[:MAX_PEOPLE],
        "more": len(found) > MAX_PEOPLE,
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
    ticket: UndoToken | None = None,
) -> HttpResponse:
    theirs = instance.memories.filter(end_user=end_user)
    people = _people(instance)
    groups = _groups(theirs, editing or _asked_to_edit(request, theirs))
    here = address(instance, end_user)
    refused = (adding is not None and adding.is_bound) or editing is not None
    return render(
        request,
        "profile/page.html",
        {
            "section": "memory",
            "listing": MemoryList(instance, user=end_user),
            "end_user": end_user,
            "name": end_user or "The user",
            "people": people[:MAX_PEOPLE],
            "person": next((p for p in people if p.end_user == end_user), None),
            "groups": groups,
            "total": sum(len(group.facts) + group.total for group in groups),
            "facts": sum(len(group.facts) for group in groups),
            "adding": adding or FactForm(initial={"category": Category.FACT}),
            "summary": _summary(instance, end_user, theirs),
            "back": here,
            "ticket": ticket,
            "seconds": UNDO_SECONDS,
            "today": timezone.localdate(),
        },
        status=422 if refused else 200,
    )


def _asked_to_edit(request: Request, theirs: QuerySet[Memory]) -> tuple[int, FactForm] | None:
    pk = parse_pk(request.GET.get("edit"))
    found = theirs.filter(pk=pk).first() if pk and request.method == "GET" else None
    return (found.pk, FactForm(instance=found, prefix=f"fact-{found.pk}")) if found else None


def _groups(theirs: QuerySet[Memory], editing: tuple[int, FactForm] | None) -> list[FactGroup]:
    """Return the person's memories by category, in a fixed number of queries."""
    keyed = theirs.exclude(key="").defer("search").order_by("category", "key")
    revisions = Prefetch("revisions", revisions_with_origin())
    rows = []
    for memory in keyed.prefetch_related(revisions)[:MAX_FACTS]:
        form = editing[1] if editing and editing[0] == memory.pk else None
        rows.append(FactRow(memory, history_of(memory), form))
    facts = {
        category: list(group)
        for category, group in groupby(rows, key=lambda row: row.memory.category)
    }
    others = theirs.filter(key="")
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
        for name in [*_first_first(Category.values)]
        if name in facts or counts[name]
    ]


def _first_first(categories: list[str]) -> list[str]:
    """Put the categories most often looked for first: facts and preferences."""
    first = [str(Category.FACT), str(Category.PREFERENCE), str(Category.RELATIONSHIP)]
    return first + [name for name in categories if name not in first]


def _summary(instance: Instance, end_user: str, theirs: QuerySet[Memory]) -> dict[str, Any]:
    found = Summary.objects.of(instance, end_user).first() or Summary()
    soon = timezone.now() + timedelta(seconds=MAX_WAIT_SECONDS)
    return {
        "row": found,
        "paragraphs": [part for part in found.text.split("\n") if part.strip()],
        "newer": theirs.filter(pk__gt=found.newest_memory).count() if found.text else 0,
        # A row that waits for next month's budget is not worth polling every two seconds.
        "is_coming": found.lease_until is not None or (found.due_at and found.due_at < soon),
    }
