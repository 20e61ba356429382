"""Shared code of the memory screens: the list, the panel, and the response to an action."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_htmx.http import push_url

from instances.access import Request, on_screen, visible_instance, visible_row
from instances.models import Instance
from instances.models.groups import group_names
from instances.translatable import translated
from instances.url_state import is_way_back
from memoryapp.embeddings.vector_progress import vector_progress
from memoryapp.forgetting.deletion import DeletionResult
from memoryapp.forgetting.undo_buffer import UNDO_SECONDS, UndoToken
from memoryapp.models import Contradiction, Memory, MemoryCount, MemoryRevision
from memoryapp.pipeline import Outcome
from memoryapp.privacy import pii
from memoryapp.privacy.redaction_words import redactions_in_words
from memoryapp.trust.sharing import groups_for, wording
from memoryapp.web.layout import show
from memoryapp.web.memory import listing
from memoryapp.web.memory.filter_choices import uncounted
from memoryapp.web.memory.history import history_of
from memoryapp.web.memory.listing import MemoryList
from memoryapp.web.memory.rollback_links import stated_by
from memoryapp.web.memory.words import grouped
from memoryapp.web.recall.listing import RecallRequest
from memoryapp.web.recall.results import results_context
from memoryapp.web.status import status_context

#: The list, next to which a memory is open: of all memories, or of what the assistant is shown.
Beside = MemoryList | RecallRequest
#: Milliseconds after the last key until a search is sent. Each asks the embedding provider for a
#: vector, which costs time and money unless it is the built-in one.
TYPING_DELAY, TYPING_DELAY_REMOTE = "0ms", "600ms"
#: By the name in the URL.
EXPORT_FORMATS = (("jsonl", "JSONL"), ("csv", "CSV"))


def typing_delay(instance: Instance) -> str:
    """How long to wait for the next key before a search is sent."""
    return TYPING_DELAY if instance.embeddings.is_builtin else TYPING_DELAY_REMOTE


def listing_of(request: Request, instance: Instance | None = None) -> MemoryList:
    """Return the list of the URL, in an instance that the person may see."""
    if instance is None:
        instance = visible_instance(request, request.GET.get("instance", ""))
    return MemoryList.parse(request.GET, instance=on_screen(request, instance))


def beside(request: Request, instance: Instance | None = None) -> Beside:
    """Return what the URL has a memory open next to, in an instance that the person may see."""
    if request.GET.get("list") != RecallRequest.name:
        return listing_of(request, instance)
    if instance is None:
        instance = visible_instance(request, request.GET.get("instance", ""))
    return RecallRequest.of(request.GET, on_screen(request, instance))


def visible_memory(request: Request, pk: int) -> Memory:
    """Return the memory, if the person may see it; else raise `Http404`."""
    return visible_row(request, Memory.objects.prefetch_related("instance__secrets"), pk)


def address_of(current: Beside, memory: Memory | None = None) -> str:
    """Return the address of the list, or of *memory* next to it."""
    if memory is None:
        return f"{current.path}?{current.query()}"
    return f"{memory.get_absolute_url()}?{current.beside}"


def context_of(request: Request, current: Beside) -> dict[str, Any]:
    """Return the template context of the page that *current* is the state of."""
    if isinstance(current, RecallRequest):
        return results_context(current)
    return list_context(request, current)


def list_context(request: Request, current: MemoryList) -> dict[str, Any]:
    """Return the template context of the list."""
    instance = current.instance
    rows = listing.load(current)
    return status_context(instance) | {
        "section": "memory",
        "listing": current,
        "rows": rows,
        "page": rows.page,
        "sorts": listing.SORTS,
        "sizes": listing.sizes(current),
        "filters": uncounted(current),
        "export_formats": EXPORT_FORMATS,
        "typing_delay": typing_delay(instance),
        "progress": SimpleLazyObject(partial(vector_progress, instance)),
        "saved": list(request.user.saved_filters.filter(instance=instance)),
        "saved_query": current.saved_query,
        "unknown": _unknown(request, current),
        "today": timezone.localdate(),
        "bulk_actions": listing.BULK_ACTIONS,
    }


def _unknown(request: Request, current: MemoryList) -> list[str]:
    """Return parameters with values that do not exist, such as "category: facts"."""
    names = ("category", "origin", "importance", "state", "sort")
    return [
        f"{name}: {value[:40]}"
        for name in names
        if (value := request.GET.get(name, "")) and not getattr(current, name)
    ]


def panel_context(memory: Memory, current: Beside) -> dict[str, Any]:
    """Return the template context of the panel of one memory."""
    hits = (hit for hit in current.hits() if hit.memory and hit.memory.pk == memory.pk)
    hit = next(hits, None)
    prefetch_related_objects([memory], Prefetch("revisions", revisions_with_origin()))
    history = history_of(memory)
    groups = group_names(memory.instance)
    rows = memory.sources.select_related("conversation", "message__drawer__closet__room__wing")
    sources = list(rows.defer("message__search", "message__drawer__search"))
    return {
        "memory": memory,
        "listing": current,
        "sources": [each for each in sources if each.conversation_id],
        "stated_by": stated_by(memory.instance, sources),
        "versions": history.versions,
        "heard": history.heard,
        "groups": groups_for(memory),
        "wording": wording(memory),
        "group": groups.get(memory.end_user),
        "contradictions": Contradiction.objects.of(memory),
        "hit": hit,
        "best": max(hit.parts.values(), default=0) if hit else 0,
        "embedded": memory.embeddings.exists(),
        "taken_out": translated(redactions_in_words(pii.placeholders_in(memory.content))),
        "today": timezone.localdate(),
    }


def revisions_with_origin() -> QuerySet[MemoryRevision]:
    """Return revisions with their authors and their sources."""
    return MemoryRevision.objects.select_related("by", "source__conversation")


def answer(
    request: Request,
    current: Beside,
    memory: Memory | None = None,
    *,
    undo_token: UndoToken | None = None,
) -> HttpResponse:
    """Answer an action with the present list, and *memory* open next to it: a fragment for htmx, a
    redirect otherwise.

    An *undo_token* is shown in this response only, so with one there is no redirect. A form on
    another screen names it in ``next``, where the person is sent back.
    """
    back = request.POST.get("next", "")
    if undo_token is None and is_way_back(back):
        return redirect(back)
    address = address_of(current, memory)
    if not request.htmx and undo_token is None:
        return redirect(address)
    context = context_of(request, current) | {
        "undo_token": undo_token,
        "seconds": UNDO_SECONDS,
        # What the rail counts.
        "total": MemoryCount.objects.total(current.instance),
    }
    if memory is not None:
        context |= panel_context(memory, current)
    response = show(request, current.page_template, current.answer_template, context)
    return push_url(response, address) if request.htmx else response


def add_messages(request: Request, text: str, outcome: Outcome, *, undo: str = "") -> None:
    """Show the message *text*, with a button that posts to the address *undo*, and warnings."""
    messages.success(request, text, extra_tags=undo)
    if outcome.redactions:
        messages.warning(
            request,
            _("Removed from it: %(secrets)s. A placeholder stands there.")
            % {"secrets": translated(redactions_in_words(outcome.redactions))},
        )
    if outcome.problem:
        messages.warning(
            request,
            _(
                "Stored without a vector: %(problem)s Search finds it by words; the vector is "
                "added later."
            )
            % {"problem": translated(outcome.problem)},
        )


def deletion_message(forgotten: DeletionResult, *, for_good: bool = False) -> str:
    """Return the message about a deletion."""
    text = ngettext(
        "Deleted %(number)s memory, with its history.",
        "Deleted %(number)s memories, with their history.",
        forgotten.count,
    ) % {"number": grouped(forgotten.count)}
    if for_good and forgotten.count:
        text += " " + _("What it says is not learned again.")
    if forgotten.count and forgotten.undo_token is None:
        text += " " + _("This cannot be undone.")
    return text
