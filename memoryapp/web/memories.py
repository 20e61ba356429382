"""The `/memory` screen: browse, search, correct and delete what an instance remembers."""

import difflib
import re
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from instances.access import Request, on_screen, signed_in, visible_instance
from instances.models import Instance
from memoryapp.models import Memory, MemoryRevision, Origin
from memoryapp.pipeline import Candidate, Changes, Outcome, Writer, remember, restore, revise
from memoryapp.pipeline.dedup import Action
from memoryapp.pipeline.forgetting import forget
from memoryapp.web import listing
from memoryapp.web.forms import MemoryForm, NewMemoryForm
from memoryapp.web.frame import show
from memoryapp.web.listing import Listing
from memoryapp.web.status import learning

WHAT_HAPPENED = {
    Action.STORED: "Remembered.",
    Action.UPDATED: "This is the new wording of a memory that was there already. The old one is "
    "in its history.",
    Action.DUPLICATE: "This is remembered already: nothing was added.",
}


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Go where most visits want to: the memory of the only instance, or the choice of one."""
    slugs = list(
        Instance.objects.visible_to(signed_in(request).user).values_list("slug", flat=True)[:2]
    )
    query = f"?instance={slugs[0]}" if len(slugs) == 1 else ""
    return redirect(reverse("memories") + query)


@require_GET
def memories(request: HttpRequest) -> HttpResponse:
    """List, filter and search."""
    request = signed_in(request)
    if not request.GET.get("instance"):
        return render(request, "memory/choose.html", {"target": "memories"})
    current = _listing(request)
    return show(request, "memory/page.html", "memory/_list_and_panel.html", _list_context(current))


@require_GET
def status(request: HttpRequest) -> HttpResponse:
    """Say what the worker is doing, and whether there is something new to show."""
    request = signed_in(request)
    instance = visible_instance(request, request.GET.get("instance", ""))
    after = request.GET.get("after", "")
    fresh = (
        instance.memories.filter(pk__gt=int(after)).count()
        if after.isdecimal() and len(after) < 19
        else 0
    )
    return render(
        request,
        "memory/_status.html",
        {"instance": instance, "learning": learning(instance), "newest": after, "fresh": fresh},
    )


@require_GET
def memory(request: HttpRequest, pk: int) -> HttpResponse:
    """Open one memory beside the list."""
    request = signed_in(request)
    found = _visible(request, pk)
    current = _listing(request, found.instance)
    panel = _panel_context(found, current)
    if request.htmx:
        return show(request, "memory/page.html", "memory/_panel.html", panel)
    return show(request, "memory/page.html", "memory/_panel.html", _list_context(current) | panel)


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Write a memory by hand; it passes the same pipeline as any other."""
    request = signed_in(request)
    current = _listing(request)
    instance = current.instance
    form = NewMemoryForm(
        request.POST or None,
        owner=instance,
        initial={"importance": 5, "conversation": request.GET.get("conversation")},
    )
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        (outcome,) = remember(
            instance,
            [
                Candidate(
                    data["content"],
                    category=data["category"],
                    importance=data["importance"],
                    tags=data["tags"],
                    valid_until=data["valid_until"],
                    end_user=data["end_user"].strip(),
                    conversation_id=data["conversation"],
                )
            ],
            Writer(Origin.MANUAL, via="screen", by=request.user),
        )
        _tell(request, WHAT_HAPPENED[outcome.action], outcome)
        return _to(outcome.memory, current)
    context = {"form": form, "editing": None, "listing": current}
    return _form(request, current, context)


@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct a memory by hand; what it said stays in its history."""
    request = signed_in(request)
    found = _visible(request, pk)
    current = _listing(request, found.instance)
    form = MemoryForm(request.POST or None, instance=found)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        outcome = revise(
            found,
            Changes(
                data["content"],
                data["category"],
                data["importance"],
                data["tags"],
                data["valid_until"],
            ),
            by=request.user,
        )
        changed = outcome.action is Action.UPDATED
        said = (
            "Saved. What it said before is in its history." if changed else "Nothing was changed."
        )
        _tell(request, said, outcome)
        return _to(found, current)
    return _form(request, current, {"form": form, "editing": found, "listing": current})


@require_POST
def restore_revision(request: HttpRequest, pk: int, revision: int) -> HttpResponse:
    """Make an earlier wording the present one."""
    request = signed_in(request)
    found = _visible(request, pk)
    earlier = get_object_or_404(
        MemoryRevision.objects.select_related("memory__instance"), pk=revision, memory=found
    )
    outcome = restore(earlier, by=request.user)
    _tell(request, "Restored. What it said until now is in its history.", outcome)
    return _to(found, _listing(request, found.instance))


@require_POST
def delete(request: HttpRequest) -> HttpResponse:
    """Ask, with the number in the question; then delete the checked ones, or all that match."""
    request = signed_in(request)
    current = _listing(request)
    ids = [int(pk) for pk in request.POST.getlist("id") if pk.isdecimal() and len(pk) < 19]
    chosen = Memory.objects.in_instance(current.instance)
    everything = request.POST.get("all") == "yes"
    if everything:
        chosen = chosen.filter(pk__in=current.matching_ids())
        until = request.POST.get("until", "")
        if until.isdecimal() and len(until) < 19:
            # What came in since the question was asked was not in its number.
            chosen = chosen.filter(pk__lte=int(until))
    else:
        chosen = chosen.filter(pk__in=ids)
    if request.POST.get("confirmed") == "yes":
        count = forget(current.instance, chosen, by=request.user)
        messages.success(request, f"Deleted {_memories(count)}, with vectors and history.")
        return redirect(f"{reverse('memories')}?{current.query(page='')}")
    count = chosen.count()
    newest = chosen.order_by("-pk").values_list("pk", flat=True).first()
    context = {
        "listing": current,
        "count": count,
        "what": _memories(count),
        "ids": [] if everything else ids,
        "until": newest,
        "everything": everything,
        "only": chosen.first() if count == 1 else None,
    }
    return show(request, "memory/delete.html", "memory/_delete.html", context)


@dataclass(frozen=True)
class Version:
    """A revision with what became of its text in the version after it."""

    revision: MemoryRevision
    diff: list[tuple[str, str]]


def word_diff(old: str, new: str) -> list[tuple[str, str]]:
    """Split two texts into ("same" | "del" | "ins", text) runs, word by word."""
    before, after = re.findall(r"\S+\s*", old), re.findall(r"\S+\s*", new)
    runs: list[tuple[str, str]] = []
    matcher = difflib.SequenceMatcher(
        None, [w.strip() for w in before], [w.strip() for w in after], autojunk=False
    )
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            runs.append(("same", "".join(after[j1:j2])))
            continue
        if i2 > i1:
            runs.append(("del", "".join(before[i1:i2])))
        if j2 > j1:
            runs.append(("ins", "".join(after[j1:j2])))
    return runs


def _listing(request: Request, instance: Instance | None = None) -> Listing:
    """The list that the address describes, in an instance that the person may see."""
    if instance is None:
        instance = visible_instance(request, request.GET.get("instance", ""))
    return Listing.parse(on_screen(request, instance), request.GET)


def _visible(request: Request, pk: int) -> Memory:
    instances = Instance.objects.visible_to(request.user)
    return get_object_or_404(
        Memory.objects.filter(instance__in=instances)
        .select_related("instance")
        .prefetch_related("instance__secrets"),
        pk=pk,
    )


def _list_context(current: Listing) -> dict[str, Any]:
    instance = current.instance
    rows = listing.load(current)
    newest = instance.memories.order_by("-pk").values_list("pk", flat=True).first()
    return {
        "listing": current,
        "rows": rows,
        "page": rows.page,
        "sorts": listing.SORTS,
        "states": listing.STATES,
        "origins": Origin.choices,
        "learning": learning(instance),
        "newest": newest or 0,
        "today": timezone.localdate(),
    }


def _panel_context(found: Memory, current: Listing) -> dict[str, Any]:
    hit = None
    if current.q:
        hits = current.recalled().hits
        hit = next((h for h in hits if h.memory and h.memory.pk == found.pk), None)
    versions = []
    newer = found.content
    for revision in found.revisions.select_related("by"):
        versions.append(Version(revision, word_diff(revision.content, newer)))
        newer = revision.content
    return {
        "memory": found,
        "listing": current,
        "sources": found.sources.select_related("conversation", "message"),
        "versions": versions,
        "hit": hit,
        "best": 1 / 61,
        "embedded": found.embeddings.exists(),
        "today": timezone.localdate(),
    }


def _form(request: Request, current: Listing, context: dict[str, Any]) -> HttpResponse:
    status = 422 if request.method == "POST" else 200
    if not request.htmx:
        context = _list_context(current) | context
    return show(request, "memory/page.html", "memory/_form.html", context, status=status)


def _tell(request: Request, what: str, outcome: Outcome) -> None:
    messages.success(request, what)
    if outcome.problem:
        messages.warning(
            request,
            f"Stored without a vector: {outcome.problem} Search finds it by words; the vector is "
            "filled in later.",
        )


def _to(found: Memory, current: Listing) -> HttpResponse:
    """After a change: the memory, beside an unfiltered list in which it surely stands."""
    return redirect(f"{found.get_absolute_url()}?instance={current.instance.slug}")


def _memories(count: int) -> str:
    return "1 memory" if count == 1 else f"{count:,} memories"


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Say the same whether there is nothing or nothing that the person may see."""
    return render(request, "404.html", status=404)
