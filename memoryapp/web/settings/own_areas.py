"""The areas of the managers' own: setting and removing them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from instances.access import managed_instance, signed_in
from instances.actor import Actor
from instances.translatable import translated
from memoryapp.suppression import own_areas
from memoryapp.web.settings.forms.own_areas import OwnAreaForm
from memoryapp.web.settings.pages import PAGE_OF, card_url, form_of
from memoryapp.web.settings.views import render_page


@form_of("own-areas")
def set_area(request: HttpRequest, slug: str) -> HttpResponse:
    """Set an area, in the place of one with its name."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    form = OwnAreaForm(request.POST, instance=instance, prefix="area")
    if form.is_valid():
        try:
            own_areas.set_area(instance, **form.cleaned_data, by=Actor(request.user))
        except own_areas.TooManyAreas as error:
            form.add_error(None, translated(error.args[0]))
        else:
            messages.success(request, _("Saved."))
            return redirect(card_url(slug, "own-areas"))
    return render_page(request, instance, PAGE_OF["own-areas"], status=422, own_areas_form=form)


@require_POST
def remove_area(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove an area."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    if own_areas.remove_area(instance, request.POST.get("row", ""), by=Actor(request.user)):
        messages.success(request, _("Removed."))
    return redirect(card_url(slug, "own-areas"))
