"""The `/memory` screen: browse and search what an instance remembers, and open one memory."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import push_url

from instances.access import Request, signed_in, visible_instance, with_instance
from instances.ids import parse_pk
from instances.models import Instance
from instances.url_state import is_way_back
from memoryapp.web.layout import show
from memoryapp.web.memory import filter_choices
from memoryapp.web.memory.page import (
    address_of,
    beside,
    context_of,
    listing_of,
    panel_context,
    visible_memory,
)
from memoryapp.web.recall.listing import RecallRequest
from memoryapp.web.status import learning
from memoryapp.web.welcome.views import begins


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Redirect to the memory list; before the first memory, to the guide."""
    return redirect("welcome" if begins(signed_in(request)) else "memories")


@require_GET
@with_instance("memory")
def memories(request: Request, instance: Instance) -> HttpResponse:
    """List, filter and search memories: all, or what the assistant is shown for a question."""
    current = beside(request, instance)
    typing = request.htmx.trigger == "q"
    searching = typing or request.htmx.trigger == "filters"
    # Without the empty fields of the form, so that each search has one address.
    address = address_of(current)
    if not request.htmx and isinstance(current, RecallRequest) and "" in request.GET.values():
        return redirect(address)
    context = context_of(request, current) | {"typing": typing, "searching": searching}
    response = show(request, "memory/page.html", "memory/_list_and_panel.html", context)
    return push_url(response, address) if searching else response


@require_GET
def choices(request: Request) -> HttpResponse:
    """Show the filters with their values and numbers: a fragment for the list, or a page."""
    current = listing_of(request)
    filters = filter_choices.counted(current)
    # What the page keeps beside the filters that it shows.
    kept = {
        name: value
        for name, value in current.parameters.items()
        if value and name not in filters and name != "page"
    }
    context = {"section": "memory", "listing": current, "filters": filters, "kept": kept.items()}
    return show(request, "memory/filters.html", "memory/_filter_fields.html", context)


@require_GET
def status(request: Request) -> HttpResponse:
    """Show what the worker is doing, and how many memories are new."""
    instance = visible_instance(request, request.GET.get("instance", ""))
    after = request.GET.get("after", "")
    known = 0 if after == "0" else parse_pk(after)
    fresh = instance.memories.filter(pk__gt=known).count() if known is not None else 0
    return render(
        request,
        "memory/_status_response.html",
        {"instance": instance, "learning": learning(instance), "newest": after, "fresh": fresh},
    )


@require_POST
def rows(request: Request) -> HttpResponse:
    """Choose whether a row has one line or two, for as long as the person is signed in."""
    chosen = request.POST.get("rows")
    if chosen in ("one", "two"):
        request.session["rows"] = chosen
    back = request.POST.get("next", "")
    return redirect(back if is_way_back(back) else "memories")


@require_GET
def memory(request: Request, pk: int) -> HttpResponse:
    """Open one memory next to the list."""
    opened = visible_memory(request, pk)
    current = beside(request, opened.instance)
    context = panel_context(opened, current)
    if not request.htmx:
        context = context_of(request, current) | context
    return show(request, current.page_template, "memory/_panel.html", context)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer the same for rows that do not exist and for rows that the person may not see."""
    return render(request, "404.html", status=404)
