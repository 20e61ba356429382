"""Deletion of drawers, with confirmation."""

from dataclasses import replace

from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Count, Max, Q
from django.http import HttpResponse
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from instances.access import Request
from instances.actor import Actor
from memoryapp.models import Drawer
from memoryapp.models.palace import DrawerQuerySet
from memoryapp.palace.deletion import delete_drawers
from memoryapp.recall import RecallResult
from memoryapp.web.layout import show
from memoryapp.web.palace.drawers import by_drawer, search
from memoryapp.web.palace.listing import PalaceListing
from memoryapp.web.palace.tree import room_name
from memoryapp.web.palace.views import answer, beside
from memoryapp.web.row_selection import RowSelection


@require_POST
def delete(request: Request) -> HttpResponse:
    """Ask for confirmation; then delete the checked drawers, or all that match the list."""
    current = beside(request)
    listing = current if isinstance(current, PalaceListing) else None
    selection = RowSelection.parse(request.POST)
    drawers = Drawer.objects.filter(instance=current.instance)
    found = search(listing) if listing and listing.q and selection.everything else None
    chosen = selection.of(drawers, lambda: _all_that_match(drawers, listing, found))
    if request.POST.get("confirmed") == "yes":
        deleted = delete_drawers(current.instance, chosen, by=Actor(request.user))
        messages.success(request, _message(deleted.count, deleted.notes))
        if listing:
            current = replace(listing, page="", spot=listing.spot.surviving())
        return answer(request, current)
    totals = chosen.aggregate(
        count=Count("pk"), notes=Count("pk", filter=Q(message=None)), newest=Max("pk")
    )
    context = selection.context(totals["count"], totals["newest"]) | {
        "section": "palace" if listing else "ask",
        "list": current,
        "notes": totals["notes"],
        "what": _messages(totals["count"]),
        "capped": found is not None and not found.complete,
        "question": _question(listing, selection, totals["count"]),
        "only": chosen.select_related("message").first() if totals["count"] == 1 else None,
    }
    return show(request, "palace/delete.html", "palace/_delete.html", context)


def _all_that_match(
    drawers: DrawerQuerySet, listing: PalaceListing | None, found: RecallResult | None
) -> DrawerQuerySet:
    """Return the drawers of the *listing*, of a search those *found*; the results of a question
    are not chosen all at once.
    """
    if listing is None:
        return drawers.none()
    if found is None:
        return listing.drawers()
    return listing.drawers().filter(pk__in=list(by_drawer(found.hits)))


def _messages(count: int) -> str:
    return ngettext("%(number)s message", "%(number)s messages", count) % {
        "number": intcomma(count)
    }


def _question(listing: PalaceListing | None, selection: RowSelection, count: int) -> str:
    """Ask whether to delete *count* messages, and name the place that they are all of."""
    texts = {
        "chosen": ngettext(
            "Delete %(number)s message from the palace?",
            "Delete %(number)s messages from the palace?",
            count,
        ),
        "found": ngettext(
            "Delete %(number)s message that matches from the palace?",
            "Delete %(number)s messages that match from the palace?",
            count,
        ),
        "closet": ngettext(
            "Delete all of the topic “%(name)s” from the palace: %(number)s message?",
            "Delete all of the topic “%(name)s” from the palace: %(number)s messages?",
            count,
        ),
        "room": ngettext(
            "Delete all of the conversation “%(name)s” from the palace: %(number)s message?",
            "Delete all of the conversation “%(name)s” from the palace: %(number)s messages?",
            count,
        ),
        "wing": ngettext(
            "Delete all of the subject “%(name)s” from the palace: %(number)s message?",
            "Delete all of the subject “%(name)s” from the palace: %(number)s messages?",
            count,
        ),
        "user": ngettext(
            "Delete all about %(name)s from the palace: %(number)s message?",
            "Delete all about %(name)s from the palace: %(number)s messages?",
            count,
        ),
        "all": ngettext(
            "Delete the whole palace of %(name)s: %(number)s message?",
            "Delete the whole palace of %(name)s: %(number)s messages?",
            count,
        ),
    }
    kind, name = _chosen(listing) if listing and selection.everything else ("chosen", "")
    return texts[kind] % {"number": intcomma(count), "name": Truncator(name).chars(60)}


def _chosen(current: PalaceListing) -> tuple[str, str]:
    """Return what all rows of *current* are: the kind and the name of their place."""
    spot = current.spot
    if current.q:
        return "found", ""
    if spot.closet:
        return "closet", spot.closet.name
    if spot.room:
        return "room", room_name(spot.room)
    if spot.wing:
        return "wing", spot.wing.name
    return ("user", current.user) if current.user else ("all", current.instance.name)


def _message(count: int, notes: int) -> str:
    if not count:
        return _("Nothing was deleted: the messages are no longer in the palace.")
    numbers = {"number": intcomma(count)}
    if count == notes:
        return ngettext("Deleted %(number)s note.", "Deleted %(number)s notes.", count) % numbers
    texts = ngettext(
        "Deleted %(number)s message from the palace. It stays in its conversation, and is not "
        "filed again.",
        "Deleted %(number)s messages from the palace. They stay in their conversations, and are "
        "not filed again.",
        count,
    )
    return texts % numbers
