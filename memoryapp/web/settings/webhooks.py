"""The webhooks of an instance: creating, changing and removing them."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from instances.access import Request, managed_instance, signed_in
from instances.actor import Actor
from instances.models import Instance, Webhook
from memoryapp.web.settings.forms.webhooks import WebhookDetailsForm, WebhookForm
from memoryapp.web.settings.pages import PAGE_OF, card_url, form_of
from memoryapp.web.settings.views import card_context
from memoryapp.webhooks import registration


@form_of("webhooks")
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a webhook. Only this response ever shows its secret, so it is no redirect."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    form = WebhookForm(request.POST, instance=Webhook(instance=instance), prefix="webhook")
    more: dict[str, Any] = {"webhooks_form": form}
    if form.is_valid():
        given = form.cleaned_data
        webhook, secret = registration.add(
            instance, given["url"], given["events"], by=Actor(request.user)
        )
        more = {"issued": webhook, "secret": secret}
    context = card_context(request, instance, "webhooks") | more | {"page": PAGE_OF["webhooks"]}
    template = "settings/_webhooks.html" if request.htmx else "settings/settings.html"
    return render(request, template, context, status=200 if "secret" in more else 422)


@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Change the address and events of a webhook, or turn it on and off."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    webhook = get_object_or_404(Webhook, pk=pk, instance=instance)
    form = WebhookDetailsForm(request.POST or None, instance=webhook)
    if request.method == "POST" and form.is_valid():
        registration.change(webhook, by=Actor(request.user))
        messages.success(request, _("Saved %(name)s.") % {"name": webhook})
        return redirect(card_url(slug, "webhooks"))
    status = 422 if request.method == "POST" else 200
    return _page(request, instance, pk, form=form, status=status)


@require_POST
def resume(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Turn a webhook that was paused on again."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    webhook = get_object_or_404(Webhook, pk=pk, instance=instance)
    registration.resume(webhook, by=Actor(request.user))
    messages.success(request, _("Events are sent to %(name)s again.") % {"name": webhook})
    return redirect(card_url(slug, "webhooks"))


@require_POST
def rotate(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Make a new secret. Only this response ever shows it, so it is no redirect."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    webhook = get_object_or_404(Webhook, pk=pk, instance=instance)
    secret = registration.replace_secret(webhook, by=Actor(request.user))
    return _page(request, instance, pk, form=WebhookDetailsForm(instance=webhook), secret=secret)


@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Remove a webhook with its log."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    webhook = get_object_or_404(Webhook, pk=pk, instance=instance)
    registration.remove(webhook, by=Actor(request.user))
    messages.success(request, _("Removed %(name)s.") % {"name": webhook})
    return redirect(card_url(slug, "webhooks"))


def _page(
    request: Request, instance: Instance, pk: int, *, status: int = 200, **more: Any
) -> HttpResponse:
    # Its name must not be what the form put into it, as if that were saved.
    webhook = Webhook.objects.get(pk=pk)
    context = {"section": "settings", "page": PAGE_OF["webhooks"], "webhook": webhook, **more}
    return render(request, "settings/webhook.html", context, status=status)
