"""Endpoints of webhooks: subscribe to events, and see what was sent."""

from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field, StrictBool

from instances.models import Webhook, WebhookEvent
from memoryapp.api.auth import caller_of, instance_named, visible_row
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import In, InstanceId
from memoryapp.api.operations import of_webhooks
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.api.response_headers import set_location, with_headers
from memoryapp.models import WebhookDelivery
from memoryapp.webhooks import registration
from memoryapp.webhooks.delivery import attempt
from memoryapp.webhooks.registration import WebhookRefused

router = Router(tags=["Webhooks"])


class WebhookOut(Schema):
    """A webhook: an address to which events are posted."""

    id: int
    url: str
    events: list[WebhookEvent]
    enabled: bool
    paused_at: datetime | None = Field(
        description="When it was paused because too many attempts had failed, or null."
    )
    failures: int = Field(description="Failed attempts since the last one that succeeded.")
    created_at: datetime


class NewWebhookOut(WebhookOut):
    """A webhook with its secret, which no other response shows."""

    secret: str = Field(description="With which requests are signed.", examples=["whsec_…"])


class WebhookListIn(PageIn):
    """Pagination of a list of webhooks."""

    instance_id: InstanceId = None


class WebhookListOut(PageOut):
    """One page of webhooks."""

    items: list[WebhookOut]


class WebhookIn(In):
    """A webhook to add."""

    instance_id: InstanceId = None
    url: str = Field(max_length=Webhook.MAX_URL_CHARACTERS, examples=["https://example.org/events"])
    events: list[WebhookEvent] = Field(
        default_factory=lambda: list(WebhookEvent),
        min_length=1,
        description="The events that it is told of; if left out, all.",
    )


class WebhookChangesIn(In):
    """Changes to a webhook; what is left out stays."""

    url: str | None = Field(None, max_length=Webhook.MAX_URL_CHARACTERS)
    events: list[WebhookEvent] | None = Field(None, min_length=1)
    enabled: StrictBool | None = Field(
        None, description="Whether it is told what happens. True also ends a pause."
    )


class WebhookSecretOut(Schema):
    """A new secret, which no other response shows."""

    secret: str


class WebhookEventsIn(PageIn):
    """Filters and pagination of the events of a webhook."""

    state: Literal["waiting", "delivered", "failed"] | None = None


class WebhookEventOut(Schema):
    """An event and the last attempt to send it."""

    id: str = Field(alias="message_id", description="Its `id` in what is sent.")
    type: str = Field(alias="event")
    state: Literal["waiting", "delivered", "failed"]
    attempts: int
    created_at: datetime
    tried_at: datetime | None
    status: int | None = Field(description="Status of the last answer, or null.")
    error: str = Field(description="Why the last attempt failed, or empty.")


class WebhookEventsOut(PageOut):
    """One page of events."""

    items: list[WebhookEventOut]


@router.get("/webhooks", **of_webhooks(WebhookListOut, "List webhooks"))
def list_webhooks(request: HttpRequest, params: Query[WebhookListIn]) -> dict[str, Any]:
    """List the webhooks of an instance, the oldest first, without their secrets."""
    rows = Webhook.objects.filter(instance=instance_named(request, params.instance_id))
    return page_of(rows, params, order=["id"])


@router.get("/webhooks/{int:webhook_id}", **of_webhooks(WebhookOut, "Get a webhook"))
def read_webhook(request: HttpRequest, webhook_id: int) -> Webhook:
    """Return a webhook, without its secret."""
    return _webhook(request, webhook_id)


@router.post(
    "/webhooks",
    **of_webhooks({201: NewWebhookOut}, "Add a webhook"),
    openapi_extra=with_headers({201: ["Location"]}),
)
def add_webhook(
    request: HttpRequest, response: HttpResponse, body: WebhookIn
) -> Status[dict[str, Any]]:
    """Add a webhook. From then on, its events are posted to its address, signed with the `secret`
    of this response, which is not shown again.
    """
    instance = instance_named(request, body.instance_id)
    try:
        webhook, secret = registration.add(
            instance, body.url, body.events, by=caller_of(request).actor
        )
    except WebhookRefused as error:
        raise ApiError(422, "invalid", str(error)) from error
    set_location(response, "read_webhook", webhook.pk)
    return Status(201, WebhookOut.from_orm(webhook).dict() | {"secret": secret})


@router.patch("/webhooks/{int:webhook_id}", **of_webhooks(WebhookOut, "Change a webhook"))
def change_webhook(request: HttpRequest, webhook_id: int, body: WebhookChangesIn) -> Webhook:
    """Change the given fields of a webhook."""
    webhook = _webhook(request, webhook_id)
    try:
        if body.url is not None:
            webhook.url = registration.checked_address(body.url)
    except WebhookRefused as error:
        raise ApiError(422, "invalid", str(error)) from error
    if body.events is not None:
        webhook.events = list(body.events)
    if body.enabled is not None:
        webhook.enabled = body.enabled
    registration.change(webhook, by=caller_of(request).actor)
    return _webhook(request, webhook_id)


@router.post(
    "/webhooks/{int:webhook_id}/secret", **of_webhooks(WebhookSecretOut, "Replace a secret")
)
def replace_webhook_secret(request: HttpRequest, webhook_id: int) -> dict[str, str]:
    """Give a webhook a new secret. For 24 hours, requests carry a signature with the former one,
    too.
    """
    webhook = _webhook(request, webhook_id)
    return {"secret": registration.replace_secret(webhook, by=caller_of(request).actor)}


@router.post("/webhooks/{int:webhook_id}/test", **of_webhooks(WebhookEventOut, "Send a test"))
def test_webhook(request: HttpRequest, webhook_id: int) -> WebhookDelivery:
    """Post the event `webhook.test` now, even to a webhook that is off; return what came of it."""
    webhook = _webhook(request, webhook_id)
    event = WebhookDelivery.objects.create(
        instance=webhook.instance, webhook=webhook, event=WebhookDelivery.Event.TEST
    )
    attempt(event)
    event.refresh_from_db()
    return event


@router.get("/webhooks/{int:webhook_id}/events", **of_webhooks(WebhookEventsOut, "List events"))
def list_webhook_events(
    request: HttpRequest, webhook_id: int, params: Query[WebhookEventsIn]
) -> dict[str, Any]:
    """List what was sent to a webhook in the last 14 days, latest first. A test is among them."""
    rows = WebhookDelivery.objects.filter(webhook=_webhook(request, webhook_id))
    if params.state:
        rows = rows.filter(state=params.state)
    return page_of(rows, params, order=["-id"])


@router.delete("/webhooks/{int:webhook_id}", **of_webhooks({204: None}, "Remove a webhook"))
def remove_webhook(request: HttpRequest, webhook_id: int) -> Status[None]:
    """Remove a webhook with its events; what waits is not sent."""
    registration.remove(_webhook(request, webhook_id), by=caller_of(request).actor)
    return Status(204, None)


def _webhook(request: HttpRequest, number: int) -> Webhook:
    rows = Webhook.objects.select_related("instance")
    return visible_row(request, rows, number)
