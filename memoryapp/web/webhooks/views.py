"""The log of what was sent to a webhook; sending again, and sending a test."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from instances.access import Request, managed_instance
from instances.models import Instance, Webhook
from instances.translatable import translated
from instances.url_state import NOT_IN_URL, URLState, one_of, parsed
from memoryapp.models import Memory, WebhookDelivery
from memoryapp.models.webhook_deliveries import LOG_DAYS
from memoryapp.web.settings.pages import PAGE_OF
from memoryapp.webhooks.delivery import attempt

PER_PAGE = 50
State = WebhookDelivery.State
#: The states that can be shown alone.
_STATES = {
    "": gettext_lazy("All"),
    State.WAITING: gettext_lazy("Waiting"),
    State.DELIVERED: gettext_lazy("Delivered"),
    State.FAILED: gettext_lazy("Failed"),
}


@dataclass(frozen=True)
class DeliveryList(URLState):
    """The state of the list, from its URL."""

    url_name = "webhook_log"

    webhook: Webhook = field(metadata=NOT_IN_URL)
    state: str = one_of(_STATES)
    page: str = parsed(str)

    @cached_property
    def path(self) -> str:
        return _log(self.webhook)


@require_GET
def log(request: Request, slug: str, pk: int) -> HttpResponse:
    """List what was sent, latest first."""
    webhook = _webhook(request, slug, pk)
    listing = DeliveryList.parse(request.GET, webhook=webhook)
    rows = webhook.deliveries.all()
    if listing.state:
        rows = rows.filter(state=listing.state)
    page = Paginator(rows, PER_PAGE).get_page(listing.page)
    context = {
        "section": "settings",
        "page": PAGE_OF["webhooks"],
        "webhook": webhook,
        "listing": listing,
        "chips": listing.chips_for("state", _STATES),
        "rows": page,
        "present": _present(webhook.instance, page.object_list),
        "days": LOG_DAYS,
    }
    return render(request, "webhooks/log.html", context)


@require_POST
def again(request: Request, slug: str, pk: int, delivery: int) -> HttpResponse:
    """Send an event again, now; if that fails, repeat it as if it were new."""
    webhook = _webhook(request, slug, pk)
    event = get_object_or_404(webhook.deliveries.select_related("webhook__instance"), pk=delivery)
    if webhook.is_active:
        event.begin_again()
        attempt(event)
        event.refresh_from_db()
    else:
        messages.error(request, _("This webhook is off. Turn it on, then send again."))
    if request.htmx and webhook.is_active:
        context = {
            "event": event,
            "webhook": webhook,
            "instance": webhook.instance,
            "present": _present(webhook.instance, [event]),
        }
        return render(request, "webhooks/_event.html", context)
    if request.htmx:
        return HttpResponse(headers={"HX-Redirect": _log(webhook)})
    return redirect(_log(webhook))


@require_POST
def test(request: Request, slug: str, pk: int) -> HttpResponse:
    """Send a test, even to a webhook that is off, and show what came of it."""
    webhook = _webhook(request, slug, pk)
    event = WebhookDelivery.objects.create(
        instance=webhook.instance, webhook=webhook, event=WebhookDelivery.Event.TEST
    )
    if attempt(event):
        messages.success(request, _("%(name)s has taken the test.") % {"name": webhook})
    else:
        event.refresh_from_db()
        messages.error(request, translated(event.error))
    return redirect(_log(webhook))


def _webhook(request: Request, slug: str, pk: int) -> Webhook:
    return get_object_or_404(managed_instance(request, slug).webhooks, pk=pk)


def _present(instance: Instance, events: Iterable[WebhookDelivery]) -> set[int]:
    """The ids of the memories of *events* that are not deleted, and can be opened."""
    told = [event.memory_id for event in events if event.memory_id]
    return set(
        Memory.objects.in_instance(instance).filter(pk__in=told).values_list("pk", flat=True)
    )


def _log(webhook: Webhook) -> str:
    return reverse("webhook_log", args=[webhook.instance.slug, webhook.pk])
