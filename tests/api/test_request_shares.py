"""Shares of concurrent requests: no instance can use all slots of a process."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from instances.models import Instance, User
from memoryapp.api import request_shares
from memoryapp.process.fair_slots import FairSlots
from tests.api.conftest import Program, key_of


@pytest.fixture
def slots(monkeypatch: pytest.MonkeyPatch) -> Iterator[FairSlots]:
    """Four request slots."""
    slots = FairSlots(4, what="requests")
    monkeypatch.setattr(request_shares, "slots", slots)
    monkeypatch.setattr(request_shares, "WAIT_SECONDS", 0.0)
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


def test_key_and_person_and_client_have_shares_of_their_own(
    alice: User, charlie: User, instance: Instance, program: Program, slots: FairSlots
) -> None:
    """Also at addresses that belong to no instance, and for those who do not sign in."""
    hers, his, stranger = Client(), Client(), Client()
    hers.force_login(alice)
    his.force_login(charlie)
    for holder, refused in (
        (f"person {charlie.pk}", his),
        (f"person {alice.pk}", hers),
        ("client 127.0.0.1", stranger),
    ):
        with slots.taken(holder), slots.taken(holder):
            for client in (hers, his, stranger):
                response = client.get("/accounts/login" if client is stranger else "/account")
                expected = 429 if client is refused else 200
                assert response.status_code == expected, holder
                if client is refused:
                    assert response["Retry-After"] == "1"
                    assert "busy" in response.content.decode()
            program.send("GET", "me")


@pytest.mark.parametrize(
    "path", ["/api/openapi.json", "/api/docs", "/api/instances", "/instances/new", "/", "/nowhere"]
)
def test_addresses_without_an_instance_count(path: str, charlie: User, slots: FairSlots) -> None:
    client = Client()
    client.force_login(charlie)
    holder = f"person {charlie.pk}"
    with slots.taken(holder), slots.taken(holder):
        assert client.get(path).status_code == (404 if path == "/nowhere" else 429)
    assert client.get(path).status_code != 429
    assert slots.held_by(holder) == 0


@pytest.mark.django_db
def test_key_that_opens_nothing_uses_the_share_of_its_client(slots: FairSlots) -> None:
    client = Client(headers={"Authorization": "Bearer ks_unknown"})
    with slots.taken("client 127.0.0.1"), slots.taken("client 127.0.0.1"):
        assert client.get("/api/me").status_code == 429
        assert client.get("/v1/models").json()["error"]["code"] == "share_used"
    assert client.get("/api/me").status_code == 401


@pytest.mark.django_db
def test_probes_answer_however_busy_the_process_is(slots: FairSlots) -> None:
    with slots.taken("client 127.0.0.1"), slots.taken("client 127.0.0.1"):
        assert Client().get("/healthz").status_code == 200


def test_request_beyond_the_share_waits_for_a_slot(
    charlie: User, slots: FairSlots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_shares, "WAIT_SECONDS", 60.0)
    client = Client()
    client.force_login(charlie)
    holder = f"person {charlie.pk}"
    slots.take(holder)
    slots.take(holder)
    refused = FairSlots.take
    tries = []

    def take(self: FairSlots, name: str, *, leaving: int = 0) -> None:
        if self is slots:
            tries.append(name)
            if len(tries) == 3:
                slots.give_back(holder)
        refused(self, name, leaving=leaving)

    monkeypatch.setattr(FairSlots, "take", take)
    assert client.get("/account").status_code == 200
    assert tries == [holder] * 3
    assert slots.held_by(holder) == 1


def test_export_has_its_slot_until_it_is_sent(
    alice: User, instance: Instance, slots: FairSlots
) -> None:
    client = Client()
    client.force_login(alice)
    response = client.get(f"/memory/export?instance={instance.slug}&format=jsonl")
    assert response.streaming
    assert slots.held_by(f"person {alice.pk}") == 1
    response.close()
    assert slots.held_by(f"person {alice.pk}") == 0


def test_openapi_document_is_made_once(
    charlie: User, django_assert_max_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client()
    client.force_login(charlie)
    first = client.get("/api/openapi.json")
    assert first.json()["openapi"]

    def make(*args: object) -> None:
        pytest.fail("the document is made again")

    monkeypatch.setattr("memoryapp.api.openapi_document.tidied", make)
    with django_assert_max_num_queries(2):
        assert client.get("/api/openapi.json").content == first.content
    again = client.get("/api/openapi.json", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
