"""Reorganisation of the palace: renaming and merging wings and topics."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from instances.access import Request, needs, visible_row
from instances.actor import Actor
from instances.ids import parse_pk
from instances.models import InstanceRole
from memoryapp.models import Closet, Wing, WingKind
from memoryapp.palace.reorganisation import (
    MergePreview,
    PlaceNameTaken,
    merge_closets,
    merge_wings,
    preview_closets,
    preview_wings,
    rename,
)
from memoryapp.web.palace.listing import PalaceListing, Spot
from memoryapp.web.palace.tree import room_name

#: Rooms that the preview names; it says how many more there are.
MAX_LISTED = 50


class PlaceNameForm(forms.Form):
    """The name of a place."""

    name = forms.CharField(
        label=_("Name"), max_length=200, widget=forms.TextInput(attrs={"dir": "auto"})
    )


class WingForm(PlaceNameForm):
    """The name and the kind of a wing."""

    kind = forms.ChoiceField(choices=WingKind.choices, label=_("Kind"))


#: The functions that preview and carry out a merge, by the kind of place.
_MERGES: dict[type, tuple[Callable[[Any, Any], MergePreview], Callable[..., int]]] = {
    Wing: (preview_wings, merge_wings),
    Closet: (preview_closets, merge_closets),
}


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def wing(request: Request, pk: int) -> HttpResponse:
    """Rename a wing, or merge it into another one about the same person."""
    place = visible_row(request, Wing.objects.all(), pk)
    others = Wing.objects.filter(instance=place.instance, end_user=place.end_user)
    return _page(request, place, Spot(place), others.exclude(pk=pk).order_by("name", "number"))


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def closet(request: Request, pk: int) -> HttpResponse:
    """Rename a topic, or merge it into another one of its room."""
    rows = Closet.objects.select_related("room__wing", "room__conversation")
    place = visible_row(request, rows, pk)
    others = Closet.objects.filter(room=place.room).exclude(pk=pk).order_by("name", "pk")
    return _page(request, place, Spot.of_closet(place), others)


def _page(
    request: Request, place: Wing | Closet, spot: Spot, others: "QuerySet[Any]"
) -> HttpResponse:
    back = PalaceListing(place.instance, spot)
    is_wing = isinstance(place, Wing)
    preview_of, merge = _MERGES[type(place)]
    initial = {"name": place.name, "kind": getattr(place, "kind", "")}
    renaming = request.method == "POST" and "into" not in request.POST
    form = (WingForm if is_wing else PlaceNameForm)(
        request.POST if renaming else None, initial=initial
    )
    try:
        if renaming and form.is_valid() and _rename(request, place, form):
            return redirect(back.at(place))
        into = _chosen(request, others)
        if request.method == "POST" and into is not None:
            messages.success(request, _moved(merge(place, into, by=Actor(request.user)), into))
            return redirect(back.at(into))
        preview = preview_of(place, into) if into is not None else None
    except ObjectDoesNotExist as error:
        raise Http404 from error  # The place has been merged or emptied meanwhile.
    context = {
        "section": "palace",
        "list": back,
        "place": place,
        "is_wing": is_wing,
        "form": form,
        "others": list(others),
        "into": into,
        "preview": preview,
        "moves": [
            (room_name(move.room), move.joins is not None, move.drawers)
            for move in (preview.moves[:MAX_LISTED] if preview else [])
        ],
        "not_named": max(0, len(preview.moves) - MAX_LISTED) if preview else 0,
    }
    return render(request, "palace/reorganise.html", context, status=422 if renaming else 200)


def _moved(count: int, into: Any) -> str:
    text = ngettext(
        "Moved %(number)s message to “%(name)s”.", "Moved %(number)s messages to “%(name)s”.", count
    )
    return text % {"number": intcomma(count), "name": into}


def _rename(request: Request, place: Wing | Closet, form: forms.Form) -> bool:
    data = form.cleaned_data
    try:
        rename(place, data["name"], by=Actor(request.user), kind=data.get("kind"))
    except (PlaceNameTaken, ValueError) as error:
        form.add_error("name", str(error))
        return False
    messages.success(request, gettext("Renamed to “%(name)s”.") % {"name": place})
    return True


def _chosen(request: Request, others: "QuerySet[Any]") -> Any:
    """Return the one of *others* that the request names to merge into, if there is one."""
    pk = parse_pk((request.POST if request.method == "POST" else request.GET).get("into", ""))
    return others.filter(pk=pk).first()
