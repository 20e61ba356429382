"""The views of the palace: the tree, the drawers of a place, and one drawer in a panel."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET
from django_htmx.http import HttpResponseClientRedirect, push_url

from conversations.models import Message
from instances.access import (
    Request,
    signed_in,
    visible_instance,
    visible_row,
    with_instance,
)
from instances.models import Instance
from memoryapp.models import Drawer, Entity, MemorySource, Run, awaiting_filing
from memoryapp.web.layout import show
from memoryapp.web.palace.drawers import load_drawers, neighbours, search, tags_of, with_state
from memoryapp.web.palace.listing import ORDERS, SORTS, PalaceListing, Spot
from memoryapp.web.palace.tree import load_tree, room_name

#: Messages without a drawer are counted up to this number for the line above the tree.
MAX_COUNTED = 1_000


@require_GET
@with_instance("palace")
def palace(request: Request, instance: Instance) -> HttpResponse:
    """Show what is filed in a place, or what a question finds there; a pointer leads to its
    drawer.
    """
    current = PalaceListing.parse(
        request.GET, instance=instance, spot=Spot.parse(instance, request.GET)
    )
    pointed_at = instance.drawers.by_pointer(current.q).first() if current.q else None
    if pointed_at is not None:
        there = f"{pointed_at.get_absolute_url()}?instance={instance.slug}"
        return HttpResponseClientRedirect(there) if request.htmx else redirect(there)
    return show(
        request, "palace/page.html", "palace/_palace_and_panel.html", palace_context(current)
    )


@require_GET
def drawer(request: HttpRequest, pk: int) -> HttpResponse:
    """Open one drawer next to the list; without a list in the URL, next to those of its closet."""
    request = signed_in(request)
    found = visible_drawer(request, pk)
    current = listing_of(request, found)
    panel = panel_context(found, current)
    if request.htmx:
        return show(request, "palace/page.html", "palace/_panel.html", panel)
    context = palace_context(current) | panel
    return show(request, "palace/page.html", "palace/_panel.html", context)


def visible_drawer(request: Request, pk: int) -> Drawer:
    """The drawer, if the person may see it; else `Http404`."""
    rows = (
        Drawer.objects.select_related("closet__room__wing", "closet__room__conversation")
        .prefetch_related("instance__secrets")
        .defer("search")
    )
    return visible_row(request, rows, pk)


def listing_of(request: Request, beside: Drawer | None = None) -> PalaceListing:
    """What the address describes, in an instance that the person may see; *beside* a drawer whose
    address names neither place nor question, its closet.
    """
    named = {"wing", "room", "closet", "q", "user", "page"}
    if beside is None:
        instance = visible_instance(request, request.GET.get("instance", ""))
    else:
        instance = beside.instance
    if beside is None or named & request.GET.keys():
        spot = Spot.parse(instance, request.GET)
    else:
        spot = Spot.of_closet(beside.closet)
    return PalaceListing.parse(request.GET, instance=instance, spot=spot)


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
        "room_name": room_name(spot.room) if spot.room else "",
        "left": awaiting_filing(Message.objects.filter(instance=current.instance))[
            : MAX_COUNTED + 1
        ].count(),
        "most_counted": MAX_COUNTED,
        "being_filed": Run.objects.minings()
        .filter(instance=current.instance, state__in=[Run.State.QUEUED, Run.State.RUNNING])
        .count(),
    }


def panel_context(found: Drawer, current: PalaceListing) -> dict[str, Any]:
    """Return the template context of the panel of one drawer."""
    with_all = with_state(current, [found.pk])[found.pk]
    hit = search(current)[0].get(found.pk) if current.q else None
    before, after = neighbours(with_all)
    sources = MemorySource.objects.filter(message=found.message_id).select_related("memory")
    return {
        "section": "palace",
        "list": current,
        "drawer": with_all,
        "place": Spot.of_closet(with_all.closet),
        "place_room": room_name(with_all.closet.room),
        "tags": tags_of(with_all),
        "before": before,
        "after": after,
        "sources": sources.exclude(action=MemorySource.Action.UNDONE).defer("memory__search")
        if found.message_id
        else [],
        "hit": hit,
        "entities": Entity.objects.filter(mentions__drawer=found).distinct().order_by("name"),
    }


def answer(request: Request, current: PalaceListing, opened: Drawer | None = None) -> HttpResponse:
    """Answer an action with the palace as it is now, and a drawer *opened* beside it: for htmx in
    the page that is there, else by leading to its address.
    """
    path = opened.get_absolute_url() if opened else current.path
    address = f"{path}?{current.query()}"
    if not request.htmx:
        return redirect(address)
    context = palace_context(current)
    if opened is not None:
        context |= panel_context(opened, current)
    return push_url(show(request, "palace/page.html", "palace/_answer.html", context), address)
