"""Sending events: signatures, retries, pauses, and what a hostile receiver can do."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import AllowedAddress, Instance, User, Webhook
from instances.outgoing.limits import Limits
from memoryapp.forgetting.deletion import forget
from memoryapp.models import Memory, WebhookDelivery, webhooks_due
from memoryapp.models.erasures import hash_of
from memoryapp.models.webhook_deliveries import LOG_DAYS
from memoryapp.people.erasure import ask_for_erasure, carry_out
from memoryapp.people.inventory import Person, ids_with_hashes
from memoryapp.tasks import delete_old_events, dispatch, send_events, sweep
from memoryapp.webhooks import delivery as sending
from memoryapp.webhooks.delivery import attempt, deliver_due
from memoryapp.webhooks.retries import MAX_ATTEMPTS, seconds_until_next
from memoryapp.webhooks.signature import signed_headers
from tests.outgoing.wire import Wire, request, wire
from tests.webhooks.receiver import Receiver, add_webhook

StoreMemory = Callable[..., Memory]
State = WebhookDelivery.State


@pytest.fixture
def verified() -> Callable[[str, dict[str, str], bytes], bool]:
    """The function that the documentation tells receivers to use."""
    text = (Path(settings.BASE_DIR) / "docs/api.md").read_text()
    (snippet,) = (
        part.partition("```")[0] for part in text.split("```python\n") if "def verified(" in part
    )
    namespace: dict[str, Any] = {}
    exec(snippet, namespace)  # noqa: S102 - Our own documentation.
    found: Callable[[str, dict[str, str], bytes], bool] = namespace["verified"]
    return found


def latest() -> WebhookDelivery:
    return WebhookDelivery.objects.select_related("webhook__instance").latest("pk")


def test_documented_snippet_verifies_what_is_sent(
    instance: Instance,
    receiver: Receiver,
    store_memory: StoreMemory,
    verified: Callable[[str, dict[str, str], bytes], bool],
) -> None:
    webhook, secret = add_webhook(instance, receiver.url)
    store_memory("The user sails. ⛵", end_user="ana")
    deliver_due(webhook, seconds=10)
    (received,) = receiver.received
    assert verified(secret, received.headers, received.body)
    assert received.headers["webhook-id"] == received.document["id"] == latest().message_id
    assert received.headers["content-type"] == "application/json"
    assert not verified(secret, received.headers, received.body + b" ")
    other = "whsec_" + "A" * 43 + "="
    assert not verified(other, received.headers, received.body)
    late = received.headers | {"webhook-timestamp": str(int(time.time()) - 301)}
    assert not verified(secret, late, received.body)


def test_example_of_the_specification() -> None:
    """The signature that the specification computes in its example."""
    headers = signed_headers(
        ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_both_secrets_sign_after_a_change(
    webhook: Webhook,
    receiver: Receiver,
    store_memory: StoreMemory,
    verified: Callable[[str, dict[str, str], bytes], bool],
) -> None:
    first = webhook.signing_secrets(timezone.now())[0]
    second = webhook.make_secret()
    webhook.save()
    store_memory("The user sails.")
    deliver_due(webhook, seconds=10)
    (received,) = receiver.received
    for secret in (first, second):
        assert verified(secret, received.headers, received.body)
    Webhook.objects.update(former_until=timezone.now() - timedelta(seconds=1))
    attempt(latest())
    received = receiver.received[1]
    assert verified(second, received.headers, received.body)
    assert not verified(first, received.headers, received.body)


def test_data_is_the_memory_of_the_api(
    webhook: Webhook, receiver: Receiver, store_memory: StoreMemory, as_alice: Client
) -> None:
    memory = store_memory("The user sails.", end_user="ana", tags=["sea"], metadata={"a": 1})
    deliver_due(webhook, seconds=10)
    (document,) = receiver.documents
    assert document["data"] == as_alice.get(f"/api/memories/{memory.pk}").json()
    assert document["type"] == "memory.learned"
    assert document["instance"] == "desk"
    assert (latest().state, latest().status, latest().attempts) == ("delivered", 204, 1)


def test_secrets_are_masked_as_in_the_api(
    webhook: Webhook, receiver: Receiver, store_memory: StoreMemory
) -> None:
    store_memory("The user's card is 4111 1111 1111 1111, and they sail.")
    deliver_due(webhook, seconds=10)
    assert b"4111 1111" not in receiver.received[0].body
    assert "sail" in receiver.documents[0]["data"]["content"]


# Deletion.


def test_deleted_memory_is_not_sent(
    instance: Instance,
    webhook: Webhook,
    receiver: Receiver,
    store_memory: StoreMemory,
    alice: User,
) -> None:
    memory = store_memory("The user sails to Zanzibar.", end_user="ana")
    forget(instance, Memory.objects.filter(pk=memory.pk), by=Actor(alice))
    rows = json.dumps(list(WebhookDelivery.objects.values()), default=str)
    assert "Zanzibar" not in rows
    deliver_due(webhook, seconds=10)
    (document,) = receiver.documents
    assert document["type"] == "memory.forgotten"
    assert document["data"] == {"id": memory.pk, "user_id": "ana"}
    assert b"Zanzibar" not in receiver.received[0].body
    states = WebhookDelivery.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["obsolete", "delivered"]


def test_changed_memory_is_sent_as_it_is_now(
    webhook: Webhook, receiver: Receiver, store_memory: StoreMemory
) -> None:
    store_memory("The user sails.")
    Memory.objects.update(content="The user rows.")
    deliver_due(webhook, seconds=10)
    assert [each["data"]["content"] for each in receiver.documents] == ["The user rows."] * 2


def test_erased_person_is_in_no_event(
    instance: Instance,
    webhook: Webhook,
    receiver: Receiver,
    store_memory: StoreMemory,
    alice: User,
) -> None:
    memory = store_memory("The user sails.", end_user="quokka")
    other = store_memory("The user rows.", end_user="ben")
    erasure = ask_for_erasure(instance, "quokka", by=Actor(alice), with_rules=True)
    assert erasure.claim()
    assert carry_out(erasure)
    assert "quokka" not in json.dumps(list(WebhookDelivery.objects.values()), default=str)
    deliver_due(webhook, seconds=10)
    told = [(each["type"], each["data"]["id"]) for each in receiver.documents]
    assert told == [("memory.learned", other.pk), ("memory.forgotten", memory.pk)]
    assert receiver.documents[1]["data"]["user_id"] is None


def test_erasure_after_a_restored_backup_finds_events(
    instance: Instance, webhook: Webhook, store_memory: StoreMemory
) -> None:
    store_memory("The user sails.", end_user="quokka").delete()
    assert ids_with_hashes(instance, [hash_of(instance.pk, "quokka")]) == ["quokka"]
    assert Person.of(instance, "quokka").ids == ("quokka",)


# Retries.


def test_waits_add_up_to_about_a_day() -> None:
    waits = [seconds_until_next(attempts, 0.5) or 0 for attempts in range(1, MAX_ATTEMPTS)]
    assert waits[:3] == [15, 60, 240]
    assert 20 * 3600 < sum(waits) < 28 * 3600
    assert all(before < after for before, after in pairwise(waits))
    assert seconds_until_next(MAX_ATTEMPTS, 0.5) is None
    assert [seconds_until_next(1, draw) for draw in (0, 1)] == [12, 18]


def test_failed_attempt_is_repeated_later(
    webhook: Webhook, receiver: Receiver, store_memory: StoreMemory
) -> None:
    receiver.status = 500
    store_memory("The user sails.")
    before = timezone.now()
    assert not deliver_due(webhook, seconds=10)
    event = latest()
    assert (event.state, event.attempts, event.status) == ("waiting", 1, 500)
    assert event.error.endswith("answered with status 500.")
    assert 11 < (event.due_at - before).total_seconds() < 20
    # Not before that, and not while the server is left alone.
    deliver_due(webhook, seconds=10)
    assert len(receiver.received) == 1
    receiver.status = 200
    WebhookDelivery.objects.update(due_at=before)
    deliver_due(webhook, seconds=10)
    assert len(receiver.received) == 1
    Webhook.objects.update(rests_until=before)
    deliver_due(webhook, seconds=10)
    event = latest()
    assert (event.state, event.attempts, event.error) == ("delivered", 2, "")
    first, second = receiver.documents
    assert first["id"] == second["id"]
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.failing_since, webhook.rests_until) == (0, None, None)


def test_last_attempt_fails(
    webhook: Webhook, receiver: Receiver, store_memory: StoreMemory
) -> None:
    receiver.status = 404
    store_memory("The user sails.")
    WebhookDelivery.objects.update(attempts=MAX_ATTEMPTS - 1)
    assert not attempt(latest())
    assert (latest().state, latest().attempts) == (State.FAILED, MAX_ATTEMPTS)
    webhook.refresh_from_db()
    assert webhook.is_active


def test_server_that_fails_is_asked_once_for_many_events(
    webhook: Webhook, receiver: Receiver, store_memory: StoreMemory
) -> None:
    receiver.status = 503
    for content in ("The user sails.", "Ben bakes bread in Lyon.", "The cat is called Minka."):
        store_memory(content)
    deliver_due(webhook, seconds=10)
    assert len(receiver.received) == 1
    webhook.refresh_from_db()
    assert webhook.rests_until is not None
    assert webhook.lease_until is None


def test_rest_grows_and_is_limited(webhook: Webhook) -> None:
    now = timezone.now()
    rests = []
    for _ in range(10):
        webhook.note_failure(at=now)
        webhook.refresh_from_db()
        assert webhook.rests_until is not None
        rests.append((webhook.rests_until - now).total_seconds())
    assert rests == [5, 10, 20, 40, 80, 160, 300, 300, 300, 300]


def test_webhook_is_paused_after_a_day_of_failures(
    webhook: Webhook, receiver: Receiver, store_memory: StoreMemory
) -> None:
    receiver.status = 500
    store_memory("The user sails.")
    store_memory("Ben bakes bread in Lyon.")
    Webhook.objects.update(failures=30, failing_since=timezone.now() - timedelta(hours=23))
    deliver_due(webhook, seconds=10)
    webhook.refresh_from_db()
    assert webhook.is_active
    Webhook.objects.update(failures=3, failing_since=timezone.now() - timedelta(hours=25))
    attempt(latest())
    webhook.refresh_from_db()
    assert webhook.is_active
    Webhook.objects.update(failures=30)
    attempt(latest())
    webhook.refresh_from_db()
    assert not webhook.is_active
    assert {each.state for each in WebhookDelivery.objects.all()} == {"failed"}
    # Nothing is recorded any more.
    store_memory("The cat is called Minka.")
    assert WebhookDelivery.objects.count() == 2
    webhook.resume()
    store_memory("The dog is called Bello.")
    assert WebhookDelivery.objects.count() == 3


def test_gone_receiver_pauses_at_once(
    webhook: Webhook, receiver: Receiver, store_memory: StoreMemory
) -> None:
    receiver.status = 410
    store_memory("The user sails.")
    deliver_due(webhook, seconds=10)
    webhook.refresh_from_db()
    assert webhook.paused_at is not None
    assert latest().state == State.FAILED


def test_webhook_that_is_off_is_sent_nothing(
    webhook: Webhook, receiver: Receiver, store_memory: StoreMemory
) -> None:
    store_memory("The user sails.")
    Webhook.objects.update(enabled=False)
    deliver_due(webhook, seconds=10)
    assert not receiver.received
    assert not webhooks_due().exists()


# Workers.


@pytest.mark.django_db(transaction=True)
def test_worker_is_told_on_commit(
    webhook: Webhook, store_memory: StoreMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[str, Any]] = []
    monkeypatch.setattr(dispatch, "send_in_background", lambda *task: sent.append(task))
    store_memory("The user sails.")
    assert ("send_events", {"webhook_id": webhook.pk}) in sent


@pytest.mark.django_db(transaction=True)
def test_process_that_dies_after_the_commit_loses_nothing(
    webhook: Webhook,
    receiver: Receiver,
    store_memory: StoreMemory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The sweeper finds what nobody was told of."""

    def die(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(dispatch, "send_in_background", die)
        with pytest.raises(SystemExit):
            store_memory("The user sails.")
    assert latest().state == State.WAITING
    tasks: list[dict[str, int]] = []

    def keep(task: str, kwargs: dict[str, int], **_: object) -> bool:
        if task == "send_events":
            tasks.append(kwargs)
        return True

    monkeypatch.setattr(dispatch, "send", keep)
    sweep()
    assert tasks == [{"webhook_id": webhook.pk}]
    send_events(**tasks[0])
    assert [each["type"] for each in receiver.documents] == ["memory.learned"]
    sweep()
    assert len(tasks) == 1


def test_lease_keeps_a_second_worker_away(
    webhook: Webhook, receiver: Receiver, store_memory: StoreMemory
) -> None:
    store_memory("The user sails.")
    Webhook.objects.update(lease_until=timezone.now() + timedelta(seconds=20))
    deliver_due(webhook, seconds=10)
    assert not receiver.received
    # The worker has died.
    Webhook.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    deliver_due(webhook, seconds=10)
    assert len(receiver.received) == 1


def test_worker_goes_on_after_a_slice(
    webhook: Webhook, receiver: Receiver, store_memory: StoreMemory
) -> None:
    store_memory("The user sails.")
    store_memory("Ben bakes bread in Lyon.")
    assert deliver_due(webhook, seconds=0)
    assert len(receiver.received) == 1
    assert deliver_due(webhook, seconds=0)
    assert not deliver_due(webhook, seconds=0)
    assert len(receiver.received) == 2


def test_old_events_are_deleted(webhook: Webhook, store_memory: StoreMemory) -> None:
    store_memory("The user sails.")
    old = timezone.now() - timedelta(days=LOG_DAYS, seconds=1)
    store_memory("Ben bakes bread in Lyon.")
    WebhookDelivery.objects.filter(pk=latest().pk).update(created_at=old)
    delete_old_events()
    assert WebhookDelivery.objects.count() == 1


# Hostile receivers and addresses.


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Wait a second instead of ten."""
    limits = Limits(silence_seconds=1.0, total_seconds=1.0, max_bytes=64_000)
    monkeypatch.setattr(sending, "LIMITS", limits)
    yield


def failure_at(instance: Instance, url: str) -> WebhookDelivery:
    webhook, _ = add_webhook(instance, url)
    event = WebhookDelivery.objects.create(
        instance=webhook.instance, webhook=webhook, event="webhook.test"
    )
    assert not attempt(event)
    event.refresh_from_db()
    assert event.state == State.FAILED
    return event


def test_private_address_is_not_called(
    instance: Instance, receiver: Receiver, settings: Settings
) -> None:
    settings.OUTGOING_ALLOW = []
    event = failure_at(instance, receiver.url)
    assert event.error.startswith("Keepsake does not call 127.0.0.1: ")
    assert event.status is None
    assert not receiver.received
    AllowedAddress.objects.create(address="127.0.0.1")
    assert attempt(event)


@pytest.mark.parametrize("url", ["http://169.254.169.254/latest", "http://[::ffff:169.254.1.1]/"])
def test_metadata_service_is_never_called(instance: Instance, url: str) -> None:
    assert "never called" in failure_at(instance, url).error


def test_redirect_is_not_followed(instance: Instance, receiver: Receiver) -> None:
    receiver.status = 302
    receiver.headers = {"Location": "http://169.254.169.254/latest?token=hidden"}
    event = failure_at(instance, receiver.url)
    assert "which is not followed" in event.error
    assert "hidden" not in event.error
    assert len(receiver.received) == 1


def test_endless_answer_is_not_read(instance: Instance, brief: None) -> None:
    def endless(connection: socket.socket, state: Wire) -> None:
        request(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        while state.sent < 400_000_000:
            connection.sendall(b"x" * 65536)
            state.sent += 65536

    with wire(endless) as server:
        webhook, _ = add_webhook(instance, server.url)
        event = WebhookDelivery.objects.create(
            instance=webhook.instance, webhook=webhook, event="webhook.test"
        )
        # It has taken the event: only the status counts.
        assert attempt(event)
    assert server.sent < 40_000_000


def test_endless_headers_are_cut_off(instance: Instance, brief: None) -> None:
    def endless(connection: socket.socket, state: Wire) -> None:
        request(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while state.sent < 400_000_000:
            connection.sendall(b"X-Header: x\r\n" * 5000)
            state.sent += 65000

    with wire(endless) as server:
        failure_at(instance, server.url)
    assert server.sent < 40_000_000


@pytest.mark.parametrize("pause", [0.1, 30.0])
def test_slow_answer_is_cut_off(instance: Instance, brief: None, pause: float) -> None:
    def slow(connection: socket.socket, state: Wire) -> None:
        request(connection)
        while True:
            time.sleep(min(pause, 3))
            connection.sendall(b"H" if pause < 1 else b"")

    began = time.monotonic()
    with wire(slow) as server:
        event = failure_at(instance, server.url)
        assert time.monotonic() - began < 5
    assert "second" in event.error
    assert event.duration_ms is not None
    assert 900 < event.duration_ms < 5000


def test_closed_port_is_reported(instance: Instance) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert "connection refused" in failure_at(instance, f"http://127.0.0.1:{port}/").error


def test_unreadable_secret_is_reported(instance: Instance, receiver: Receiver) -> None:
    webhook, _ = add_webhook(instance, receiver.url)
    Webhook.objects.update(token="gAAAAA")
    webhook.refresh_from_db()
    event = WebhookDelivery.objects.create(
        instance=webhook.instance, webhook=webhook, event="webhook.test"
    )
    assert not attempt(event)
    event.refresh_from_db()
    assert "Make a new secret." in event.error
    assert not receiver.received


def test_conversation_of_a_memory_is_named(
    instance: Instance,
    webhook: Webhook,
    receiver: Receiver,
    store_memory: StoreMemory,
    conversation: Conversation,
) -> None:
    store_memory("The user sails.", conversation_id=conversation.pk)
    deliver_due(webhook, seconds=10)
    (source,) = receiver.documents[0]["data"]["sources"]
    assert source["conversation_id"] == conversation.pk
