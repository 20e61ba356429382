"""The API keys of an instance: creating and revoking them."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from instances.access import managed_instance, signed_in
from instances.activity import InstanceAction, record
from instances.actor import Actor
from instances.models import ApiKey
from instances.oauth.connections import disconnect
from memoryapp.web.settings.client_snippets import client_snippets
from memoryapp.web.settings.forms.api_keys import ApiKeyForm
from memoryapp.web.settings.pages import PAGE_OF, card_url, form_of
from memoryapp.web.settings.views import address_of, card_context


@form_of("api-keys")
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a key. Only this response ever shows its secret, so it is no redirect."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    form = ApiKeyForm(
        request.POST, instance=ApiKey(instance=instance, created_by=request.user), prefix="api-key"
    )
    context = card_context(request, instance, "api-keys")
    if form.is_valid():
        secret = form.instance.make_secret()
        with transaction.atomic():
            form.save()
            record(instance, Actor(request.user), InstanceAction.KEY_MADE, about=form.instance.name)
        snippets = client_snippets(address_of(request), secret)
        context |= {"issued": form.instance, "secret": secret, "ways": snippets}
    else:
        context["api_keys_form"] = form
    template = "settings/_api-keys.html" if request.htmx else "settings/settings.html"
    context |= {"page": PAGE_OF["api-keys"]}
    return render(request, template, context, status=200 if "secret" in context else 422)


@require_POST
def revoke(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Revoke a key, or disconnect a client."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    key = get_object_or_404(ApiKey, pk=pk, instance=instance)
    if key.client_id:
        disconnect(key, by=request.user)
        text = _("Disconnected %(name)s.")
    else:
        with transaction.atomic():
            key.revoke()
            record(instance, Actor(request.user), InstanceAction.KEY_REVOKED, about=key.name)
        text = _("Revoked %(name)s. It no longer works.")
    messages.success(request, text % {"name": key.name})
    return redirect(card_url(slug, "api-keys"))
