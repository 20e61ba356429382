"""Webhooks over REST: a program subscribes, sees what was sent, and leaves."""

from collections.abc import Callable

import pytest

from instances.models import Webhook
from memoryapp.models import Activity, Memory
from memoryapp.webhooks.delivery import deliver_due
from memoryapp.webhooks.registration import MAX_WEBHOOKS
from tests.api.conftest import Program, program_that_may
from tests.webhooks.receiver import Receiver

__all__ = ["program_that_may"]

StoreMemory = Callable[..., Memory]
EVERY = ["memory.learned", "memory.changed", "memory.forgotten", "statement.held"]


@pytest.fixture
def program(program_that_may: Callable[..., Program]) -> Program:
    return program_that_may("webhooks")


def test_program_subscribes_and_is_told(
    program: Program, receiver: Receiver, store_memory: StoreMemory
) -> None:
    response = program.ask("POST", "webhooks", {"url": receiver.url})
    assert response.status_code == 201
    added = response.json()
    assert (added["url"], added["events"], added["enabled"]) == (receiver.url, EVERY, True)
    webhook = Webhook.objects.get()
    assert added["secret"] in webhook.signing_secrets(webhook.created_at)
    known = program.send("GET", response["Location"])
    assert known == {name: value for name, value in added.items() if name != "secret"}
    assert program.send("GET", "webhooks")["items"] == [known]
    assert "api ks_" in Activity.objects.get().via

    store_memory("The user keeps bees.")
    deliver_due(webhook, seconds=5)
    (event,) = program.send("GET", f"webhooks/{webhook.pk}/events?state=delivered")["items"]
    assert (event["type"], event["status"], event["error"]) == ("memory.learned", 204, "")
    assert program.send("GET", f"webhooks/{webhook.pk}/events?state=failed")["items"] == []
    assert [each["id"] for each in receiver.documents] == [event["id"]]

    program.send("DELETE", f"webhooks/{webhook.pk}", status=204)
    program.send("GET", f"webhooks/{webhook.pk}", status=404)
    assert not Webhook.objects.exists()


def test_webhook_is_changed_and_its_pause_ended(program: Program, webhook: Webhook) -> None:
    path = f"webhooks/{webhook.pk}"
    assert program.send("PATCH", path, {"enabled": False})["enabled"] is False
    changed = program.send("PATCH", path, {"events": ["statement.held"]})
    assert (changed["events"], changed["enabled"]) == (["statement.held"], False)
    Webhook.objects.update(enabled=True, paused_at=webhook.created_at, failures=20)
    changed = program.send("PATCH", path, {"enabled": True})
    assert (changed["paused_at"], changed["failures"]) == (None, 0)


def test_secret_is_replaced(program: Program, webhook: Webhook) -> None:
    secret = program.send("POST", f"webhooks/{webhook.pk}/secret")["secret"]
    former = webhook.signing_secrets(webhook.created_at)
    webhook.refresh_from_db()
    assert webhook.signing_secrets(webhook.created_at) == [secret, *former]


def test_test_is_sent_at_once(program: Program, webhook: Webhook, receiver: Receiver) -> None:
    Webhook.objects.update(enabled=False)
    event = program.send("POST", f"webhooks/{webhook.pk}/test")
    assert (event["type"], event["state"], event["status"]) == ("webhook.test", "delivered", 204)
    receiver.status = 500
    event = program.send("POST", f"webhooks/{webhook.pk}/test")
    assert event["error"]


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://example.org/", "must begin with http:// or https://"),
        ("https://user:secret@example.org/", "must not contain a login"),
        ("https://example .org/", "contains a space"),
        ("https://[example.org/", "not a valid URL"),
        ("http://169.254.169.254/latest", "never called"),
    ],
)
def test_address_that_is_refused(url: str, reason: str, program: Program, webhook: Webhook) -> None:
    for answer in (
        program.send("POST", "webhooks", {"url": url}, 422),
        program.send("PATCH", f"webhooks/{webhook.pk}", {"url": url}, 422),
    ):
        assert reason in answer["detail"]
    assert Webhook.objects.get().url == webhook.url


def test_events_are_of_those_that_there_are(program: Program, receiver: Receiver) -> None:
    for events in ([], ["memory.sold"]):
        program.send("POST", "webhooks", {"url": receiver.url, "events": events}, 422)
    assert not Webhook.objects.exists()


def test_webhooks_are_limited_in_number(program: Program, receiver: Receiver) -> None:
    for _ in range(MAX_WEBHOOKS):
        program.send("POST", "webhooks", {"url": receiver.url}, 201)
    answer = program.send("POST", "webhooks", {"url": receiver.url}, 422)
    assert f"at most {MAX_WEBHOOKS} webhooks" in answer["detail"]


@pytest.mark.parametrize("scope", ["read", "write", "delete", "people"])
def test_other_scopes_open_no_webhook(
    scope: str, program_that_may: Callable[..., Program], webhook: Webhook
) -> None:
    other = program_that_may(scope)
    for method, path in (
        ("GET", "webhooks"),
        ("POST", "webhooks"),
        ("DELETE", f"webhooks/{webhook.pk}"),
    ):
        answer = other.send(
            method, path, {"url": "https://example.invalid/"} if method == "POST" else None, 403
        )
        assert answer["code"] == "scope_required" and "manage webhooks" in answer["detail"]
