"""Sends events to webhooks. An event may arrive twice, in any order: its id tells receivers."""

import json
import logging
import random
import time
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx2
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from instances.models import Webhook
from instances.outgoing.client import Client
from instances.outgoing.limits import Limits, OutgoingError
from instances.provider_urls import server_of
from instances.secrets import UnreadableSecret
from instances.translatable import cleaned, sentences, shortened, translatable
from memoryapp.models import WebhookDelivery
from memoryapp.providers.errors import MAX_ERROR_CHARACTERS, why_unreachable
from memoryapp.providers.field_values import storable
from memoryapp.webhooks.payload import payload_of
from memoryapp.webhooks.retries import seconds_until_next
from memoryapp.webhooks.signature import signed_headers

logger = logging.getLogger(__name__)

#: The answer must come in this time. Only its status counts: the body is never read.
LIMITS = Limits(silence_seconds=10.0, total_seconds=10.0, max_bytes=64_000)
#: Seconds after which a worker that sends to one webhook counts as hanging.
MAX_SECONDS = 120.0
_GONE = 410


@dataclass(frozen=True)
class Attempt:
    """Outcome of one request."""

    #: None if no answer came.
    status: int | None
    milliseconds: int
    #: What went wrong, translatable; empty if the receiver has taken it.
    error: str


def deliver_due(webhook: Webhook, *, seconds: float) -> bool:
    """Send what is due to *webhook*, the oldest first, for about so many *seconds*, until an
    attempt fails; return whether there is more to send. Does nothing if another worker sends to it.
    """
    if not webhook.claim_among(Webhook.objects.ready()):
        return False
    ends = time.monotonic() + seconds
    with webhook.kept(seconds=MAX_SECONDS):
        try:
            while (delivery := _next_due(webhook)) is not None:
                # A server that fails is not asked again at once for each event that waits.
                if not attempt(delivery):
                    return False
                if time.monotonic() >= ends:
                    return True
        finally:
            webhook.release()
    return False


def _next_due(webhook: Webhook) -> WebhookDelivery | None:
    due = WebhookDelivery.objects.due(timezone.now())
    # It may have been turned off meanwhile.
    due = due.filter(webhook=webhook, webhook__in=Webhook.objects.active())
    return due.select_related("webhook__instance").order_by("due_at", "pk").first()


def attempt(delivery: WebhookDelivery) -> bool:
    """Send *delivery* once and note what came of it; return False if it failed. A failed one waits
    for its next attempt, unless it has had all of them.
    """
    rows = delivery.row()
    document = payload_of(delivery)
    if document is None:
        rows.update(state=WebhookDelivery.State.OBSOLETE)
        return True
    result = _post(delivery, document)
    now = timezone.now()
    columns: dict[str, Any] = {
        "attempts": delivery.attempts + 1,
        "tried_at": now,
        "status": result.status,
        "duration_ms": result.milliseconds,
        "error": result.error,
    }
    if not result.error:
        rows.update(state=WebhookDelivery.State.DELIVERED, **columns)
        delivery.webhook.note_success()
        return True
    if delivery.event == WebhookDelivery.Event.TEST:
        # A person waits for the answer, so it is not repeated, and is no evidence of an outage.
        rows.update(state=WebhookDelivery.State.FAILED, **columns)
        return False
    wait = seconds_until_next(delivery.attempts + 1, random.random())  # noqa: S311 - No secret.
    if wait is None:
        rows.update(state=WebhookDelivery.State.FAILED, **columns)
    else:
        waiting = WebhookDelivery.State.WAITING
        rows.update(state=waiting, due_at=now + timedelta(seconds=wait), **columns)
    if delivery.webhook.note_failure(at=now, gone=result.status == _GONE):
        given_up = WebhookDelivery.objects.filter(webhook=delivery.webhook).give_up()
        logger.warning("webhook %s is paused, with %s waiting", delivery.webhook_id, given_up)
    return False


def _post(delivery: WebhookDelivery, document: dict[str, Any]) -> Attempt:
    """Post *document* through the gate for outgoing calls."""
    webhook = delivery.webhook
    server = server_of(webhook.url) or webhook.host
    began, status, error = time.monotonic(), None, ""
    # Dates are written as in the API.
    body = json.dumps(
        document, ensure_ascii=False, separators=(",", ":"), cls=DjangoJSONEncoder
    ).encode()
    now = timezone.now()
    try:
        signed = signed_headers(
            webhook.signing_secrets(now), delivery.message_id, int(now.timestamp()), body
        )
        headers = {"Content-Type": "application/json", "User-Agent": "Keepsake", **signed}
        # A client for each request, since one that is kept would keep cookies.
        with Client() as client:
            request = client.build_request(
                "POST", webhook.url, content=body, headers=headers, extensions={"limits": LIMITS}
            )
            response = client.send(request, stream=True)
            status = response.status_code
            response.close()
    except UnreadableSecret:
        error = translatable(
            "The secret cannot be read, because ENCRYPTION_KEY has changed. Make a new secret."
        )
    except OutgoingError as problem:
        error = problem.at(server, scrub=storable)
    except httpx2.TimeoutException:
        error = translatable(
            "%(server)s did not answer within %(seconds)s seconds.",
            server=server,
            seconds=LIMITS.total_seconds,
        )
    except (httpx2.HTTPError, httpx2.InvalidURL) as problem:
        error = why_unreachable(problem, server)
    if status is not None and not 200 <= status < 300:
        error = translatable(
            "%(server)s answered with status %(status)s.", server=server, status=status
        )
        if status == _GONE:
            error = sentences(error, translatable("It is gone for good."))
    milliseconds = round(1000 * (time.monotonic() - began))
    error = shortened(cleaned(error, storable), MAX_ERROR_CHARACTERS) if error else ""
    return Attempt(status, milliseconds, error)
