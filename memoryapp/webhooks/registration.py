"""The webhooks of an instance: they are added, changed and removed here, whoever asks, and each
change is on record.
"""

from collections.abc import Sequence
from urllib.parse import urlsplit

from django.db import transaction

from instances.activity import InstanceAction, record
from instances.actor import Actor
from instances.models import Instance, Webhook
from instances.outgoing.current_policy import refusal_of
from instances.provider_urls import server_of
from instances.translatable import translatable

#: Webhooks of one instance: each change of a memory makes an event for each of them.
MAX_WEBHOOKS = 20


class WebhookRefused(ValueError):
    """A webhook that cannot be as asked; the message says why, translatable."""


def checked_address(url: str) -> str:
    """*url* without spaces around it, if events may be posted there; raises `WebhookRefused`."""
    url = url.strip()
    if any(c.isspace() or not c.isprintable() for c in url):
        raise WebhookRefused(translatable("The address contains a space or a line break."))
    try:
        parts = urlsplit(url)
        _host, _port = parts.hostname, parts.port
    except ValueError:
        raise WebhookRefused(translatable("The address is not a valid URL.")) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not server_of(url):
        raise WebhookRefused(
            translatable("The address must begin with http:// or https://, then a host name.")
        )
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise WebhookRefused(translatable("The address must not contain a login or #."))
    # Checked again at each request: the host may have another address then.
    if refusal := refusal_of(url):
        raise WebhookRefused(refusal.text)
    return url


def check_room(instance: Instance) -> None:
    """Raise `WebhookRefused` if *instance* may have no further webhook."""
    if instance.webhooks.count() >= MAX_WEBHOOKS:
        raise WebhookRefused(
            translatable(
                "An instance has at most %(number)s webhooks. Remove one first.",
                number=MAX_WEBHOOKS,
            )
        )


def add(instance: Instance, url: str, events: Sequence[str], *, by: Actor) -> tuple[Webhook, str]:
    """Add a webhook to *instance*; return it with its secret, which nobody can read again. Raises
    `WebhookRefused`.
    """
    check_room(instance)
    webhook = Webhook(
        instance=instance, url=checked_address(url), events=list(events), created_by=by.user
    )
    secret = webhook.make_secret()
    with transaction.atomic():
        webhook.save()
        _record(webhook, f"Webhook {webhook}", by)
    return webhook, secret


def change(webhook: Webhook, *, by: Actor) -> None:
    """Save the address, the events and the switch of *webhook*, and no columns that a worker may be
    changing; one that is on is sent to again, whatever has failed.
    """
    with transaction.atomic():
        webhook.save(update_fields=["url", "events", "enabled"])
        if webhook.enabled:
            webhook.resume()
        _record(webhook, f"Webhook {webhook}", by)


def resume(webhook: Webhook, *, by: Actor) -> None:
    """Turn *webhook*, which was paused, on again."""
    with transaction.atomic():
        webhook.resume()
        _record(webhook, f"Webhook {webhook}", by)


def replace_secret(webhook: Webhook, *, by: Actor) -> str:
    """Give *webhook* a new secret, and return it."""
    secret = webhook.make_secret()
    with transaction.atomic():
        webhook.save(update_fields=["token", "former_token", "former_until"])
        _record(webhook, f"Secret of webhook {webhook}", by)
    return secret


def remove(webhook: Webhook, *, by: Actor) -> None:
    """Remove *webhook* with its log."""
    with transaction.atomic():
        webhook.delete()
        _record(webhook, f"Webhook {webhook} removed", by)


def _record(webhook: Webhook, about: str, by: Actor) -> None:
    record(webhook.instance, by, InstanceAction.SETTINGS, about=about[:150])
