"""Reorganise the palace: rename or merge wings and topics."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from instances.access import Request, needs, signed_in, visible_row
from instances.actor import Actor
from instances.ids import parse_pk
from instances.models import InstanceRole
from memoryapp.models import Closet, Wing, WingKind
from memoryapp.palace.reorganisation import (
    CannotMerge,
    PlaceNameTaken,
    Preview,
    merge_closets,
    merge_wings,
    preview_closets,
    preview_wings,
    rename,
)
from memoryapp.web.palace.delete import how_many
from memoryapp.web.palace.listing import PalaceListing, Spot
from memoryapp.web.palace.tree import room_name

#: Rooms that the preview names; it says how many more there are.
MAX_LISTED = 50


class PlaceNameForm(forms.Form):
    """Another name."""

    name = forms.CharField(max_length=200, widget=forms.TextInput(attrs={"dir": "auto"}))


class WingForm(PlaceNameForm):
    """Another name and kind of a wing."""

    kind = forms.ChoiceField(choices=WingKind.choices, label="What it is")


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def wing(request: HttpRequest, pk: int) -> HttpResponse:
    """Rename a wing, or merge it into another one about the same person."""
    request = signed_in(request)
    found = visible_row(request, Wing.objects.all(), pk)
    others = Wing.objects.filter(instance=found.instance, end_user=found.end_user)
    return _order(request, found, Spot(found), others.exclude(pk=pk).order_by("name", "number"))


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def closet(request: HttpRequest, pk: int) -> HttpResponse:
    """Rename a topic, or merge it into another one of its room."""
    request = signed_in(request)
    rows = Closet.objects.select_related("room__wing", "room__conversation")
    found = visible_row(request, rows, pk)
    others = Closet.objects.filter(room=found.room).exclude(pk=pk).order_by("name", "pk")
    return _order(request, found, Spot.of_closet(found), others)


def _order(
    request: Request, place: Wing | Closet, spot: Spot, others: "QuerySet[Any]"
) -> HttpResponse:
    back = PalaceListing(place.instance, spot)
    named = {"name": place.name} | ({"kind": place.kind} if isinstance(place, Wing) else {})
    renaming = request.method == "POST" and "into" not in request.POST
    form = (WingForm if isinstance(place, Wing) else PlaceNameForm)(
        request.POST if renaming else None, initial=named
    )
    try:
        if renaming and form.is_valid() and _renamed(request, place, form):
            return redirect(back.at(place))
        into = _chosen(request, others)
        if request.method == "POST" and into is not None:
            count = _merge(request, place, into)
            messages.success(
                request, f"Moved {how_many(count)} to “{into}”. Every pointer stays what it was."
            )
            return redirect(back.at(into))
        preview = _preview(place, into) if into is not None else None
    except ObjectDoesNotExist as error:
        raise Http404 from error  # Somebody else has merged or emptied it meanwhile.
    context = {
        "section": "palace",
        "list": back,
        "place": place,
        "is_wing": isinstance(place, Wing),
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


def _renamed(request: Request, place: Wing | Closet, form: forms.Form) -> bool:
    try:
        rename(
            place,
            form.cleaned_data["name"],
            by=Actor(request.user),
            kind=form.cleaned_data.get("kind"),
        )
    except PlaceNameTaken as error:
        form.add_error("name", str(error))
    except ValueError as error:
        form.add_error("name", str(error))
    else:
        messages.success(request, f"It is called “{place}” now.")
        return True
    return False


def _chosen(request: Request, others: "QuerySet[Any]") -> Wing | Closet | None:
    """Return the place that the request names to merge into, if that is possible."""
    named = (request.POST if request.method == "POST" else request.GET).get("into", "")
    found: Wing | Closet | None = others.filter(pk=parse_pk(named)).first()
    return found


def _preview(place: Wing | Closet, into: Wing | Closet) -> Preview:
    if isinstance(place, Wing) and isinstance(into, Wing):
        return preview_wings(place, into)
    if isinstance(place, Closet) and isinstance(into, Closet):
        return preview_closets(place, into)
    raise CannotMerge("A wing and a topic cannot be merged.")


def _merge(request: Request, place: Wing | Closet, into: Wing | Closet) -> int:
    if isinstance(place, Wing) and isinstance(into, Wing):
        return merge_wings(place, into, by=Actor(request.user))
    if isinstance(place, Closet) and isinstance(into, Closet):
        return merge_closets(place, into, by=Actor(request.user))
    raise CannotMerge("A wing and a topic cannot be merged.")
