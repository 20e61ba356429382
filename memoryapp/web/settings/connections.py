"""The screen where superadmins set which addresses this server may call."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from instances.access import Request, require_superadmin
from instances.models import AllowedAddress, OutgoingConnections
from instances.outgoing.current_policy import operator_entries
from instances.url_state import is_way_back
from memoryapp.web.settings.forms.connections import AllowedAddressForm, OutgoingModeForm


@require_http_methods(["GET", "POST"])
def connections(request: HttpRequest) -> HttpResponse:
    """Show the mode and the list; set the mode."""
    request = require_superadmin(request)
    form = OutgoingModeForm(request.POST or None, instance=OutgoingConnections.current())
    if request.method == "POST" and form.is_valid():
        OutgoingConnections.change(form.cleaned_data["mode"], by=request.user)
        messages.success(request, _("Saved."))
        return redirect("outgoing_connections")
    requested = AllowedAddressForm(initial={"address": request.GET.get("address", "")[:300]})
    status = 422 if request.method == "POST" else 200
    return _page(request, form, requested, status)


@require_POST
def add(request: HttpRequest) -> HttpResponse:
    """Add an address to the list, and return to the page that needed it."""
    request = require_superadmin(request)
    form = AllowedAddressForm(request.POST)
    if not form.is_valid():
        return _page(request, OutgoingModeForm(instance=OutgoingConnections.current()), form, 422)
    address, note = form.instance.address, form.cleaned_data["note"]
    AllowedAddress.objects.allow(address, by=request.user, note=note)
    messages.success(request, _("%(address)s is now allowed.") % {"address": address})
    back = request.POST.get("next", "")
    if is_way_back(back):
        return redirect(back)
    return redirect("outgoing_connections")


@require_POST
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove an address from the list."""
    request = require_superadmin(request)
    address = get_object_or_404(AllowedAddress, pk=pk)
    address.remove(by=request.user)
    messages.success(request, _("%(address)s is no longer allowed.") % {"address": address})
    return redirect("outgoing_connections")


def _page(
    request: Request, mode: OutgoingModeForm, address: AllowedAddressForm, status: int
) -> HttpResponse:
    context = {
        "section": "settings",
        "mode_form": mode,
        "form": address,
        "addresses": AllowedAddress.objects.select_related("added_by"),
        "operators": operator_entries(),
    }
    return render(request, "settings/connections.html", context, status=status)
