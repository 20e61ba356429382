"""The legal holds of an instance: setting and lifting them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from instances.access import managed_instance, signed_in
from instances.actor import Actor
from memoryapp.forgetting import holds
from memoryapp.models import LegalHold
from memoryapp.web.settings.forms.holds import HoldForm
from memoryapp.web.settings.pages import PAGE_OF, card_url, form_of
from memoryapp.web.settings.views import render_page


@form_of("holds")
def set_hold(request: HttpRequest, slug: str) -> HttpResponse:
    """Set a hold."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    form = HoldForm(request.POST, instance=instance, prefix="hold")
    hold = form.save(Actor(request.user)) if form.is_valid() else None
    if hold is None:
        return render_page(request, instance, PAGE_OF["holds"], status=422, holds_form=form)
    messages.success(
        request, _("“%(name)s” is set. Nothing under it can be deleted.") % {"name": hold.name}
    )
    return redirect(card_url(slug, "holds"))


@require_POST
def lift(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Lift a hold."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    hold = get_object_or_404(LegalHold.objects.select_related("instance"), pk=pk, instance=instance)
    holds.lift(hold, by=Actor(request.user))
    messages.success(request, _("“%(name)s” is lifted.") % {"name": hold.name})
    return redirect(card_url(slug, "holds"))
