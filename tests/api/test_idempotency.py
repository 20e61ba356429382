"""Idempotency keys: a repeated request is carried out once."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from django.utils import timezone

from conversations.models import Conversation, Message
from instances.models import Instance, User
from memoryapp.models import IdempotentRequest, Memory, Run
from memoryapp.tasks import sweep
from tests.api.conftest import Program, key_of

FACT = {"content": "The user keeps bees on the roof."}
ONCE = "first-try"


def test_repeated_request_returns_the_same_memory(program: Program) -> None:
    first = program.ask("POST", "memories", FACT, key=ONCE)
    again = program.ask("POST", "memories", FACT, key=ONCE)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert first.json()["dedup"] == {"action": "stored_new", "existing_id": None}
    # Without the key, the request runs again and finds the duplicate.
    assert program.ask("POST", "memories", FACT).json()["dedup"]["action"] == "duplicate_exact"


def test_conversations_messages_and_runs_are_created_once(
    program: Program, instance: Instance, settings: Any
) -> None:
    first = program.send("POST", "conversations", {"title": "Dinner"}, key=ONCE)
    assert program.send("POST", "conversations", {"title": "Dinner"}, key=ONCE) == first
    assert Conversation.objects.count() == 1
    path = f"conversations/{first['id']}/messages"
    turns = {"messages": [{"role": "user", "content": "Yes."}] * 2}
    added = program.send("POST", path, turns, key="second")
    assert program.send("POST", path, turns, key="second") == added
    assert Message.objects.count() == added["added"] == 2
    instance.provider, instance.base_url = "custom", "http://127.0.0.1:9/v1"
    instance.save()
    path = f"conversations/{first['id']}/runs"
    run = program.send("POST", path, key="third")
    Run.objects.update(state="succeeded")
    assert program.send("POST", path, key="third")["id"] == run["id"]
    assert program.send("POST", path)["id"] != run["id"]


def test_same_key_with_another_request_is_422(program: Program) -> None:
    program.send("POST", "memories", FACT, key=ONCE)
    for path, body in (("memories", FACT | {"importance": 9}), ("conversations", FACT)):
        body = body if path == "memories" else {"title": "Dinner"}
        answer = program.send("POST", path, body, 422, key=ONCE)
        assert answer["code"] == "idempotency_mismatch"
    assert Memory.objects.count() == 1
    assert not Conversation.objects.exists()


def test_key_is_scoped_to_caller_and_instance(
    program: Program, instance: Instance, private: Instance, as_alice: Client
) -> None:
    program.send("POST", "memories", FACT, key=ONCE)
    for other in (key_of(instance)[1], key_of(private)[1]):
        other.send("POST", "memories", {"content": "Something else entirely."}, key=ONCE)
    for slug in ("desk", "diary"):
        body = {"instance_id": slug, "content": f"A fact for {slug} and nobody else."}
        response = as_alice.post(
            "/api/memories",
            json.dumps(body),
            content_type="application/json",
            headers={"Idempotency-Key": "first-try"},
        )
        assert response.status_code == 201
    assert IdempotentRequest.objects.count() == 5


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_key_length_is_1_to_255_characters(key: str, program: Program) -> None:
    assert program.send("POST", "memories", FACT, 422, key=key)["code"] == "invalid"


def test_failed_request_can_be_retried(program: Program) -> None:
    bad = FACT | {"conversation_id": 999_999}
    program.send("POST", "memories", bad, 404, key=ONCE)
    program.send("POST", "memories", {"content": " \x00 "}, 422, key=ONCE)
    assert not IdempotentRequest.objects.exists()
    program.send("POST", "memories", FACT, 201, key=ONCE)


def test_repeated_request_for_a_deleted_object_is_410(program: Program) -> None:
    made = program.send("POST", "memories", FACT, key=ONCE)
    program.send("DELETE", f"memories/{made['id']}", status=204)
    assert program.send("POST", "memories", FACT, 410, key=ONCE)["code"] == "gone"
    assert not Memory.objects.exists()
    begun = program.send("POST", "conversations", {}, key="other")
    program.send("DELETE", f"conversations/{begun['id']}?memories=keep")
    assert program.send("POST", "conversations", {}, 410, key="other")["code"] == "gone"


def test_only_ids_and_counts_are_stored(program: Program) -> None:
    program.send("POST", "memories", FACT, key="The user keeps bees")
    stored = json.dumps(list(IdempotentRequest.objects.values()), default=str)
    assert "bees" not in stored
    assert "desk" not in stored
    (row,) = IdempotentRequest.objects.all()
    assert row.result == {
        "id": Memory.objects.get().pk,
        "action": "stored_new",
        "waits": False,
        "held_id": None,
        "not_taken": False,
        "redactions": {},
    }


def test_request_of_a_dead_process_is_executed_after_its_lease_expires(
    program: Program,
) -> None:
    program.send("POST", "memories", FACT, key=ONCE)
    Memory.objects.all().delete()
    # The state after a process has died between its claim and its result.
    IdempotentRequest.objects.update(result=None)
    assert program.send("POST", "memories", FACT, 409, key=ONCE)["code"] == "in_progress"
    assert not Memory.objects.exists()
    IdempotentRequest.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    program.send("POST", "memories", FACT, 201, key=ONCE)
    assert Memory.objects.count() == 1


def test_key_expires_after_a_day(program: Program) -> None:
    program.send("POST", "conversations", {}, key=ONCE)
    yesterday = timezone.now() - timedelta(hours=24, seconds=1)
    IdempotentRequest.objects.update(created_at=yesterday)
    program.send("POST", "conversations", {}, key=ONCE)
    assert Conversation.objects.count() == 2
    IdempotentRequest.objects.update(created_at=yesterday)
    IdempotentRequest.objects.create(
        instance=Instance.objects.get(),
        key_digest="k",
        request_digest="r",
        lease_until=timezone.now(),
    )
    sweep()
    assert [row.key_digest for row in IdempotentRequest.objects.all()] == ["k"]


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """Make all *calls* concurrently, each in its own thread."""
    barrier = Barrier(len(calls))

    def make(call: Callable[[], Any]) -> Any:
        try:
            barrier.wait(30)
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(make, calls))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("memories", FACT),
        ("conversations", {"title": "Dinner"}),
        ("conversations/{talk}/messages", {"messages": [{"role": "user", "content": "Yes."}]}),
    ],
)
def test_concurrent_requests_execute_once(path: str, body: Any, alice: User) -> None:
    instance = Instance.objects.create(slug="desk", name="Desk")
    talk = Conversation.objects.create(instance=instance)
    secret = key_of(instance)[1].secret
    path = path.format(talk=talk.pk)
    for round_, fact in enumerate(["keeps bees", "plays the cello", "was born in Lima"]):
        once = f"round {round_}"
        body_of_request = body if "content" not in body else {"content": f"The user {fact}."}

        def post(once: str = once, body_of_request: Any = body_of_request) -> Any:
            return Program(secret).ask("POST", path, body_of_request, key=once)

        responses = at_once([post] * 6)
        statuses = sorted({response.status_code for response in responses})
        assert statuses in ([200], [200, 409], [201], [201, 409]), statuses
        for response in responses:
            if response.status_code == 409:
                assert response.json()["code"] == "in_progress"
        # Repeated requests get the response of the one that was carried out.
        done = [response.json() for response in responses if response.status_code < 400]
        assert all(answer == done[0] for answer in done)
        assert post().json() == done[0]
        counts = (Memory.objects.count(), Conversation.objects.count(), Message.objects.count())
        assert sum(counts) == 1 + round_ + 1


@pytest.mark.django_db(transaction=True)
def test_concurrent_takeover_of_an_expired_lease_executes_once(alice: User) -> None:
    instance = Instance.objects.create(slug="desk", name="Desk")
    program = key_of(instance)[1]
    program.send("POST", "conversations", {}, key=ONCE)
    for round_ in range(3):
        Conversation.objects.all().delete()
        IdempotentRequest.objects.update(
            result=None, lease_until=timezone.now() - timedelta(seconds=1)
        )
        at_once([lambda: Program(program.secret).ask("POST", "conversations", {}, key=ONCE)] * 4)
        assert Conversation.objects.count() == 1, round_
