"""Shared code of the memory screens: the list, the panel, and the response to an action."""

from typing import Any

from django.contrib import messages
from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import push_url

from instances.access import Request, on_screen, visible_instance, visible_row
from instances.models import Instance
from memoryapp.models import Contradiction, Memory, MemoryRevision, Origin
from memoryapp.pipeline import Outcome
from memoryapp.pipeline.deletion import DeletionResult
from memoryapp.pipeline.undo_buffer import UNDO_SECONDS, UndoToken
from memoryapp.text import pii
from memoryapp.text.plurals import memories
from memoryapp.web.layout import show
from memoryapp.web.memory import listing
from memoryapp.web.memory.history import history_of
from memoryapp.web.memory.listing import MemoryList
from memoryapp.web.memory.rollback_links import links_of
from memoryapp.web.status import learning


def listing_of(request: Request, instance: Instance | None = None) -> MemoryList:
    """Return the list of the URL, in an instance that the person may see."""
    if instance is None:
        instance = visible_instance(request, request.GET.get("instance", ""))
    return MemoryList.parse(request.GET, instance=on_screen(request, instance))


def visible_memory(request: Request, pk: int) -> Memory:
    """Return the memory, if the person may see it; else raise `Http404`."""
    return visible_row(request, Memory.objects.prefetch_related("instance__secrets"), pk)


def address_of(current: MemoryList, memory: Memory | None = None) -> str:
    """Return the address of the list, or of *memory* next to it."""
    path = memory.get_absolute_url() if memory else reverse("memories")
    return f"{path}?{current.query()}"


def list_context(request: Request, current: MemoryList) -> dict[str, Any]:
    """Return the template context of the list."""
    instance = current.instance
    rows = listing.load(current)
    newest = instance.memories.order_by("-pk").values_list("pk", flat=True).first()
    return {
        "section": "memory",
        "listing": current,
        "rows": rows,
        "page": rows.page,
        "sorts": listing.SORTS,
        "states": listing.STATES,
        "importances": listing.IMPORTANCES,
        "origins": Origin.choices,
        "learning": learning(instance),
        "newest": newest or 0,
        "saved": list(request.user.saved_filters.filter(instance=instance)),
        "saved_query": current.query(instance="", page=""),
        "unknown": _unknown(request, current),
        "today": timezone.localdate(),
    }


def _unknown(request: Request, current: MemoryList) -> list[str]:
    """Return parameters with values that do not exist, such as "category: facts"."""
    names = ("category", "origin", "importance", "state", "sort")
    return [
        f"{name}: {value[:40]}"
        for name in names
        if (value := request.GET.get(name, "")) and not getattr(current, name)
    ]


def panel_context(memory: Memory, current: MemoryList) -> dict[str, Any]:
    """Return the template context of the panel of one memory."""
    hit = None
    if current.q:
        recalled = current.recalled()
        hits = [*recalled.hits, *recalled.weaker]
        hit = next((h for h in hits if h.memory and h.memory.pk == memory.pk), None)
    prefetch_related_objects([memory], Prefetch("revisions", revisions_with_origin()))
    history = history_of(memory)
    rows = memory.sources.select_related("conversation", "message__drawer__closet__room__wing")
    sources = list(rows.defer("message__search", "message__drawer__search"))
    return {
        "memory": memory,
        "listing": current,
        "sources": [each for each in sources if each.conversation_id],
        "rollbacks": links_of(memory.instance, sources),
        "versions": history.versions,
        "heard": history.heard,
        "contradictions": Contradiction.objects.of(memory),
        "hit": hit,
        "best": max(hit.parts.values(), default=0) if hit else 0,
        "embedded": memory.embeddings.exists(),
        "taken_out": pii.in_words(pii.placeholders_in(memory.content)),
        "today": timezone.localdate(),
    }


def revisions_with_origin() -> QuerySet[MemoryRevision]:
    """Return revisions with their authors and their sources."""
    return MemoryRevision.objects.select_related("by", "source__conversation")


def answer(
    request: Request,
    current: MemoryList,
    memory: Memory | None = None,
    *,
    ticket: UndoToken | None = None,
) -> HttpResponse:
    """Answer an action with the present list, and *memory* open next to it: a fragment for htmx, a
    redirect otherwise.

    A *ticket* is shown in this response only, so with one there is no redirect. A form on another
    screen names it in ``next``, where the person is sent back.
    """
    back = request.POST.get("next", "")
    if back and ticket is None and url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        return redirect(back)
    address = address_of(current, memory)
    if not request.htmx and ticket is None:
        return redirect(address)
    context = list_context(request, current) | {
        "ticket": ticket,
        "seconds": UNDO_SECONDS,
        # What the rail counts.
        "total": current.instance.memories.count(),
    }
    if memory is not None:
        context |= panel_context(memory, current)
    response = show(request, "memory/page.html", "memory/_list_response.html", context)
    return push_url(response, address) if request.htmx else response


def add_messages(request: Request, text: str, outcome: Outcome, *, undo: str = "") -> None:
    """Show the message *text*, with a button that posts to the address *undo*, and warnings."""
    messages.success(request, text, extra_tags=undo)
    if outcome.redactions:
        messages.warning(
            request,
            f"Not kept in it: {pii.in_words(outcome.redactions)}. A placeholder stands there.",
        )
    if outcome.problem:
        messages.warning(
            request,
            f"Stored without a vector: {outcome.problem} Search finds it by words; the vector is "
            "filled in later.",
        )


def deletion_message(forgotten: DeletionResult, *, for_good: bool = False) -> str:
    """Return the message about a deletion."""
    text = f"Deleted {memories(forgotten.count)}, with vectors and history."
    if for_good and forgotten.count:
        text += " What was in it is not learned again."
    if forgotten.count and forgotten.ticket is None:
        text += " This cannot be undone."
    return text
