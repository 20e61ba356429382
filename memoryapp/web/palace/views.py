"""The views of the palace: the tree, the drawers of a place, and one drawer in a panel."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET
from django_htmx.http import HttpResponseClientRedirect, push_url

from conversations.models import Message
from instances.access import Request, visible_instance, visible_row, with_instance
from instances.models import Instance
from memoryapp.disclosure import MAX_LISTED_CHARACTERS, disclosed
from memoryapp.models import Drawer, Entity, MemorySource, Run, awaiting_filing
from memoryapp.recall import Hit, RecallResult
from memoryapp.web.layout import show
from memoryapp.web.palace.drawers import (
    by_drawer,
    load_drawers,
    neighbours,
    search,
    tags_of,
    with_state,
)
from memoryapp.web.palace.listing import ORDERS, SORTS, PalaceListing, Spot
from memoryapp.web.palace.tree import load_tree, name_below, room_name
from memoryapp.web.recall.listing import RecallRequest
from memoryapp.web.recall.results import results_context
from memoryapp.web.sharing import sharing_context

#: What a drawer is open next to: the list of a place, or the results of a question.
Beside = PalaceListing | RecallRequest
#: Messages without a drawer are counted up to this number for the line above the tree.
MAX_COUNTED = 1_000


@require_GET
@with_instance("palace")
def palace(request: Request, instance: Instance) -> HttpResponse:
    """Show the drawers of a place, or search them; redirect a pointer to its drawer."""
    current = PalaceListing.parse(
        request.GET, instance=instance, spot=Spot.parse(instance, request.GET)
    )
    pointed_at = instance.drawers.by_pointer(current.q).first() if current.q else None
    if pointed_at is not None:
        address = f"{pointed_at.get_absolute_url()}?instance={instance.slug}"
        return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
    return show(
        request, "palace/page.html", "palace/_palace_and_panel.html", palace_context(current)
    )


@require_GET
def drawer(request: Request, pk: int) -> HttpResponse:
    """Open one drawer next to the list; without a list in the URL, next to those of its closet."""
    opened = visible_drawer(request, pk)
    current = beside(request, opened)
    context = panel_context(opened, current)
    if not request.htmx:
        context = context_of(current) | context
    return show(request, current.page_template, "palace/_panel.html", context)


def visible_drawer(request: Request, pk: int) -> Drawer:
    """Return the drawer, if the person may see it; else raise `Http404`."""
    rows = (
        Drawer.objects.select_related("closet__room__wing", "closet__room__conversation")
        .prefetch_related("instance__secrets")
        .defer("search")
    )
    return visible_row(request, rows, pk)


def listing_of(request: Request, opened: Drawer | None = None) -> PalaceListing:
    """Return the list of the URL, in an instance that the person may see. If the URL of the
    *opened* drawer names neither a place nor a query, it is the list of its closet.
    """
    if opened is None:
        instance = visible_instance(request, request.GET.get("instance", ""))
    else:
        instance = opened.instance
    if opened is None or {"wing", "room", "closet", "q", "user", "page"} & request.GET.keys():
        spot = Spot.parse(instance, request.GET)
    else:
        spot = Spot.of_closet(opened.closet)
    return PalaceListing.parse(request.GET, instance=instance, spot=spot)


def beside(request: Request, opened: Drawer | None = None) -> Beside:
    """Return what the URL has a drawer open next to, in an instance that the person may see."""
    if request.GET.get("list") != RecallRequest.name:
        return listing_of(request, opened)
    if opened is None:
        instance = visible_instance(request, request.GET.get("instance", ""))
    else:
        instance = opened.instance
    return RecallRequest.of(request.GET, instance)


def context_of(current: Beside) -> dict[str, Any]:
    """Return the template context of the page that *current* is the state of."""
    if isinstance(current, RecallRequest):
        return results_context(current)
    return palace_context(current)


def palace_context(current: PalaceListing) -> dict[str, Any]:
    """Return the template context of the tree and the list."""
    drawers = load_drawers(current)
    spot = current.spot
    return {
        "section": "palace",
        "list": current,
        "tree": load_tree(current),
        "drawers": drawers,
        "page": drawers.page,
        "sorts": SORTS,
        "orders": ORDERS,
        "spot": spot,
        "room_name": name_below(spot.wing, spot.room) if spot.wing and spot.room else "",
        "left": awaiting_filing(Message.objects.filter(instance=current.instance))[
            : MAX_COUNTED + 1
        ].count(),
        "most_counted": MAX_COUNTED,
        "being_filed": Run.objects.minings()
        .filter(instance=current.instance, state__in=[Run.State.QUEUED, Run.State.RUNNING])
        .count(),
    }


def panel_context(opened: Drawer, current: Beside) -> dict[str, Any]:
    """Return the template context of the panel of one drawer."""
    drawer = with_state(current.instance, [opened.pk])[opened.pk]
    hit = by_drawer(_hits(current)).get(drawer.pk)
    before, after = neighbours(drawer)
    sources = MemorySource.objects.filter(message=drawer.message_id).select_related("memory")
    spot = Spot.of_closet(drawer.closet)
    in_palace = isinstance(current, PalaceListing)
    return {
        "section": "palace" if in_palace else "ask",
        "list": current,
        # The list that its places are looked up in.
        "palace": current if in_palace else PalaceListing(current.instance, spot),
        "drawer": drawer,
        **sharing_context(drawer),
        "shown": disclosed(current.instance, drawer, most=MAX_LISTED_CHARACTERS),
        "place": spot,
        "place_room": room_name(drawer.closet.room),
        "tags": tags_of(drawer),
        "before": before,
        "after": after,
        "sources": sources.exclude(action=MemorySource.Action.UNDONE).defer("memory__search")
        if drawer.message_id
        else [],
        "hit": hit,
        "entities": Entity.objects.filter(mentions__drawer=drawer).distinct().order_by("name"),
    }


def _hits(current: Beside) -> list[Hit]:
    if isinstance(current, RecallRequest):
        return current.hits()
    recalled = search(current) if current.q else RecallResult()
    return [*recalled.hits, *recalled.weaker]


def answer(request: Request, current: Beside, opened: Drawer | None = None) -> HttpResponse:
    """Answer an action with the present palace, and a drawer *opened* next to it: a fragment for
    htmx, a redirect otherwise.
    """
    if opened is None:
        address = f"{current.path}?{current.query()}"
    else:
        address = f"{opened.get_absolute_url()}?{current.beside}"
    if not request.htmx:
        return redirect(address)
    context = context_of(current)
    if opened is not None:
        context |= panel_context(opened, current)
    return push_url(show(request, current.page_template, current.answer_template, context), address)
