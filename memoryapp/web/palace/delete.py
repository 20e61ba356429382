"""Deletion of drawers, with confirmation."""

from dataclasses import replace

from django.contrib import messages
from django.db.models import Count, Max, Q
from django.http import HttpResponse
from django.views.decorators.http import require_POST

from instances.access import Request
from instances.actor import Actor
from memoryapp.models import Drawer
from memoryapp.models.palace import DrawerQuerySet
from memoryapp.palace.deletion import delete_drawers
from memoryapp.text.plurals import counted
from memoryapp.web.layout import show
from memoryapp.web.palace.drawers import by_drawer, search
from memoryapp.web.palace.listing import PalaceListing
from memoryapp.web.palace.views import answer, listing_of
from memoryapp.web.row_selection import RowSelection


@require_POST
def delete(request: Request) -> HttpResponse:
    """Ask for confirmation; then delete the checked drawers, or all that match the list."""
    current = listing_of(request)
    selection = RowSelection.parse(request.POST)
    drawers = Drawer.objects.filter(instance=current.instance)
    chosen = selection.of(drawers, lambda: _matching(current))
    if request.POST.get("confirmed") == "yes":
        deleted = delete_drawers(current.instance, chosen, by=Actor(request.user))
        messages.success(request, _message(deleted.count, deleted.notes))
        return answer(request, replace(current, page="", spot=current.spot.surviving()))
    totals = chosen.aggregate(
        count=Count("pk"), notes=Count("pk", filter=Q(message=None)), newest=Max("pk")
    )
    context = selection.context(totals["count"], totals["newest"]) | {
        "section": "palace",
        "list": current,
        "notes": totals["notes"],
        "what": counted(totals["count"], "drawer"),
        "only": chosen.select_related("message").first() if totals["count"] == 1 else None,
    }
    return show(request, "palace/delete.html", "palace/_delete.html", context)


def _matching(current: PalaceListing) -> DrawerQuerySet:
    drawers = current.drawers()
    return drawers.filter(pk__in=list(by_drawer(search(current).hits))) if current.q else drawers


def _message(count: int, notes: int) -> str:
    if not count:
        return "Nothing was deleted: what you chose is not there any more."
    text = f"Deleted {counted(count, 'drawer')}."
    if count > notes:
        text += " The messages stay in their conversations, and are not filed again."
    return text
