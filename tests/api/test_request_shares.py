"""Shares of concurrent requests: no instance can use all slots of a process."""

from collections.abc import Iterator

import pytest
from django.test import Client

from instances.models import Instance, User
from memoryapp.api import request_shares
from memoryapp.fair_slots import FairSlots
from tests.api.conftest import Program, key_of


@pytest.fixture
def slots(monkeypatch: pytest.MonkeyPatch) -> Iterator[FairSlots]:
    """Four request slots."""
    slots = FairSlots(4, what="requests")
    monkeypatch.setattr(request_shares, "slots", slots)
    yield slots


def test_request_beyond_the_share_is_rejected_with_retry_after(
    program: Program, instance: Instance, slots: FairSlots
) -> None:
    other = key_of(Instance.objects.create(slug="other", name="Other"))[1]
    with slots.taken(instance.holder), slots.taken(instance.holder):
        response = program.ask("POST", "memories", {"content": "The user keeps bees."})
        assert (response.status_code, response.json()["code"]) == (429, "share_used")
        assert response["Retry-After"] == "1"
        other.send("GET", "me")
    program.send("GET", "me")
    assert slots.held_by(instance.holder) == 0


def test_private_instances_of_one_person_have_one_share(alice: User, slots: FairSlots) -> None:
    first, second = (
        Instance.objects.create(slug=slug, name=slug, private_to=alice) for slug in ("one", "two")
    )
    client = Client()
    client.force_login(alice)
    with slots.taken(first.holder), slots.taken(first.holder):
        key_of(second)[1].send("GET", "me", status=429)
        assert client.get("/api/me").status_code == 429
    assert client.get("/api/me").status_code == 200


def test_mem0_requests_count(instance: Instance, slots: FairSlots) -> None:
    secret = key_of(instance)[1].secret
    headers = {"Authorization": f"Token {secret}"}
    with slots.taken(instance.holder), slots.taken(instance.holder):
        assert Client().get("/v1/ping/", headers=headers).status_code == 429
    assert Client().get("/v1/ping/", headers=headers).status_code == 200


def test_failed_request_releases_its_slot(
    program: Program, instance: Instance, slots: FairSlots
) -> None:
    for _ in range(5):
        program.send("GET", "memories/1", status=404)
    assert slots.held_by(instance.holder) == 0
