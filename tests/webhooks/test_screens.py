"""The settings page of webhooks, and the log of one."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from instances.models import Instance, User, Webhook
from memoryapp.models import Activity, Memory, WebhookDelivery
from memoryapp.web.settings.pages import card_url
from memoryapp.webhooks.delivery import deliver_due
from memoryapp.webhooks.registration import MAX_WEBHOOKS
from tests.webhooks.receiver import Receiver, add_webhook

StoreMemory = Callable[..., Memory]
HTMX = {"HX-Request": "true"}
NEW = "/instances/desk/webhooks"
PAGE = "/instances/desk/settings/webhooks"


def create(client: Client, url: str, *events: str, **kwargs: Any) -> Any:
    data = {"webhook-url": url, "webhook-events": events or ["memory.learned"]}
    return client.post(NEW, data, **kwargs)


def shown(client: Client, url: str = PAGE) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


def test_empty_page(as_alice: Client, instance: Instance) -> None:
    page = shown(as_alice)
    assert "None yet." in page
    assert "Create webhook" in page


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_secret_is_shown_once(
    as_alice: Client, instance: Instance, receiver: Receiver, headers: dict[str, str]
) -> None:
    page = create(as_alice, receiver.url, "memory.learned", "statement.held", headers=headers)
    webhook = Webhook.objects.get()
    (secret,) = webhook.signing_secrets(timezone.now())
    assert secret.startswith("whsec_")
    assert secret in page.content.decode()
    assert webhook.events == ["memory.learned", "statement.held"]
    assert webhook.token != secret
    again = shown(as_alice)
    assert secret not in again
    assert receiver.url.replace("&", "&amp;") in again
    assert "A memory is learned, A statement waits for review" in again
    # The log of the instance names the host only: an address may hold a key.
    assert Activity.objects.get().about == f"Webhook {webhook.host}"
    assert "?" not in Activity.objects.get().about


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("ftp://example.org", "must begin with http"),
        ("https://", "must begin with http"),
        ("https://ana:secret@example.org/", "must not contain a login"),
        ("https://example.org/ a", "contains a space"),
        ("https://example.org:99999/", "not a valid URL"),
        ("http://169.254.169.254/latest", "never called"),
        ("https://example.org/" + "x" * 1000, "at most 1000 characters"),
        ("", "This field is required."),
    ],
)
def test_bad_address_is_refused(
    as_alice: Client, instance: Instance, url: str, problem: str
) -> None:
    response = create(as_alice, url)
    assert response.status_code == 422
    assert problem in response.content.decode()
    assert not Webhook.objects.exists()


def test_private_address_is_refused_unless_allowed(
    as_alice: Client, instance: Instance, receiver: Receiver, settings: Settings
) -> None:
    allowed, settings.OUTGOING_ALLOW = settings.OUTGOING_ALLOW, []
    response = create(as_alice, receiver.url)
    assert response.status_code == 422
    assert "Keepsake does not call 127.0.0.1" in response.content.decode()
    settings.OUTGOING_ALLOW = allowed
    assert create(as_alice, receiver.url).status_code == 200


def test_event_is_required_and_must_be_known(as_alice: Client, instance: Instance) -> None:
    response = as_alice.post(NEW, {"webhook-url": "https://example.org"})
    assert "Choose at least one event." in response.content.decode()
    assert create(as_alice, "https://example.org", "memory.eaten").status_code == 422
    assert not Webhook.objects.exists()


def test_webhook_is_changed_and_turned_off(
    as_alice: Client, instance: Instance, webhook: Webhook
) -> None:
    url = f"/instances/desk/webhooks/{webhook.pk}"
    assert webhook.url in shown(as_alice, url)
    wrong = as_alice.post(url, {"url": "ftp://wrong", "events": ["memory.changed"]})
    assert wrong.status_code == 422
    data = {"url": "https://example.org/new", "events": ["memory.changed"]}
    saved = as_alice.post(url, data)
    assert saved["Location"] == card_url("desk", "webhooks")
    webhook.refresh_from_db()
    assert (webhook.url, webhook.events) == ("https://example.org/new", ["memory.changed"])
    assert not webhook.enabled
    assert '<span class="badge">off</span>' in shown(as_alice)


def test_paused_webhook_says_so_and_is_turned_on_again(
    as_alice: Client, instance: Instance, webhook: Webhook
) -> None:
    now = timezone.now()
    Webhook.objects.update(
        paused_at=now, failures=23, failing_since=now - timedelta(days=1), rests_until=now
    )
    log = f"/instances/desk/webhooks/{webhook.pk}/log"
    for url in (PAGE, log, f"/instances/desk/webhooks/{webhook.pk}"):
        page = shown(as_alice, url)
        assert "23 attempts in a row have failed" in page
        assert "Turn on again" in page
    as_alice.post(f"/instances/desk/webhooks/{webhook.pk}/on")
    webhook.refresh_from_db()
    assert webhook.is_active
    assert webhook.failures == 0
    assert "Turn on again" not in shown(as_alice, log)


def test_saving_an_enabled_webhook_ends_the_pause(
    as_alice: Client, instance: Instance, webhook: Webhook
) -> None:
    Webhook.objects.update(paused_at=timezone.now(), failures=23)
    data = {"url": webhook.url, "events": ["memory.changed"], "enabled": "on"}
    as_alice.post(f"/instances/desk/webhooks/{webhook.pk}", data)
    webhook.refresh_from_db()
    assert webhook.is_active


def test_new_secret(as_alice: Client, instance: Instance, webhook: Webhook) -> None:
    (former,) = webhook.signing_secrets(timezone.now())
    page = as_alice.post(f"/instances/desk/webhooks/{webhook.pk}/secret").content.decode()
    webhook.refresh_from_db()
    new, second = webhook.signing_secrets(timezone.now())
    assert second == former != new
    assert new in page
    assert new not in shown(as_alice, f"/instances/desk/webhooks/{webhook.pk}")


def test_removed_webhook_takes_its_log_along(
    as_alice: Client, instance: Instance, webhook: Webhook, store_memory: StoreMemory
) -> None:
    store_memory("The user sails.")
    as_alice.post(f"/instances/desk/webhooks/{webhook.pk}/remove")
    assert not Webhook.objects.exists()
    assert not WebhookDelivery.objects.exists()


def test_log_shows_what_was_sent_without_texts(
    as_alice: Client, webhook: Webhook, receiver: Receiver, store_memory: StoreMemory
) -> None:
    log = f"/instances/desk/webhooks/{webhook.pk}/log"
    assert "Nothing was sent yet" in shown(as_alice, log)
    memory = store_memory("The user sails to Zanzibar.")
    deliver_due(webhook, seconds=10)
    receiver.status = 500
    Memory.objects.update(importance=9)
    deliver_due(webhook, seconds=10)
    page = shown(as_alice, log)
    assert "Zanzibar" not in page
    assert f"/memory/{memory.pk}" in page
    assert "status 204" in page
    assert "answered with status 500." in page
    assert "next attempt " in page
    waiting = shown(as_alice, f"{log}?state=waiting")
    assert "status 500" in waiting
    assert "status 204" not in waiting
    assert "Nothing in this state" in shown(as_alice, f"{log}?state=failed")
    assert "status 204" in shown(as_alice, f"{log}?state=nonsense&page=7")
    # What was deleted since cannot be opened.
    Memory.objects.all().delete()
    page = shown(as_alice, log)
    assert f"memory {memory.pk}" in page
    assert f"/memory/{memory.pk}" not in page


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_failed_event_is_sent_again(
    as_alice: Client,
    webhook: Webhook,
    receiver: Receiver,
    store_memory: StoreMemory,
    headers: dict[str, str],
) -> None:
    store_memory("The user sails.")
    WebhookDelivery.objects.update(state="failed", attempts=8, error="It did not work.")
    event = WebhookDelivery.objects.get()
    again = f"/instances/desk/webhooks/{webhook.pk}/log/{event.pk}/again"
    page = as_alice.post(again, headers=headers, follow=True).content.decode()
    assert "status 204" in page
    assert "It did not work." not in page
    event.refresh_from_db()
    assert (event.state, event.attempts) == ("delivered", 1)
    # It is the same event for the receiver, however often it is sent.
    as_alice.post(again, headers=headers)
    assert {each["id"] for each in receiver.documents} == {event.message_id}
    assert len(receiver.documents) == 2


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_nothing_is_sent_again_to_a_webhook_that_is_off(
    as_alice: Client,
    webhook: Webhook,
    receiver: Receiver,
    store_memory: StoreMemory,
    headers: dict[str, str],
) -> None:
    store_memory("The user sails.")
    Webhook.objects.update(enabled=False)
    event = WebhookDelivery.objects.get()
    log = f"/instances/desk/webhooks/{webhook.pk}/log"
    response = as_alice.post(f"{log}/{event.pk}/again", headers=headers)
    assert response.headers.get("HX-Redirect", response.headers.get("Location")) == log
    assert "This webhook is off." in shown(as_alice, log)
    assert not receiver.received


def test_test_is_sent_at_once_and_not_repeated(
    as_alice: Client, webhook: Webhook, receiver: Receiver
) -> None:
    test = f"/instances/desk/webhooks/{webhook.pk}/test"
    page = as_alice.post(test, follow=True).content.decode()
    assert f"{webhook.host} has taken the test." in page
    assert receiver.documents[0]["type"] == "webhook.test"
    receiver.status = 403
    page = as_alice.post(test, follow=True).content.decode()
    assert "answered with status 403." in page
    assert not WebhookDelivery.objects.waiting().exists()
    webhook.refresh_from_db()
    assert webhook.failures == 0


def test_only_managers_see_webhooks(
    client: Client,
    instance: Instance,
    webhook: Webhook,
    store_memory: StoreMemory,
    bob: User,
    vera: User,
    charlie: User,
) -> None:
    store_memory("The user sails.")
    one = f"/instances/desk/webhooks/{webhook.pk}"
    event = WebhookDelivery.objects.get()
    # Who knows of the instance is told which role it takes.
    for person, status in ((bob, 403), (vera, 403), (charlie, 404)):
        client.force_login(person)
        for url in (PAGE, one, f"{one}/log"):
            assert client.get(url).status_code == status
        posts = (NEW, one, f"{one}/on", f"{one}/secret", f"{one}/remove", f"{one}/test")
        for url in (*posts, f"{one}/log/{event.pk}/again"):
            assert client.post(url).status_code == status
    assert Webhook.objects.get().url == webhook.url
    assert not event.attempts


def test_webhook_of_another_instance_is_not_found(
    as_alice: Client, private: Instance, webhook: Webhook
) -> None:
    other, _ = add_webhook(private, "https://example.org")
    event = WebhookDelivery.objects.create(
        instance=other.instance, webhook=other, event="webhook.test"
    )
    assert as_alice.get(f"/instances/desk/webhooks/{other.pk}").status_code == 404
    assert as_alice.get(f"/instances/desk/webhooks/{other.pk}/log").status_code == 404
    again = f"/instances/desk/webhooks/{webhook.pk}/log/{event.pk}/again"
    assert as_alice.post(again).status_code == 404


def test_number_of_webhooks_is_limited(as_alice: Client, instance: Instance) -> None:
    for number in range(MAX_WEBHOOKS):
        add_webhook(instance, f"https://example.org/{number}")
    response = create(as_alice, "https://example.org/more")
    assert response.status_code == 422
    assert "at most 20 webhooks" in response.content.decode()
    assert instance.webhooks.count() == MAX_WEBHOOKS
