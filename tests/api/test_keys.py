"""API keys and their scopes."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from conversations.models import Conversation
from instances.models import ApiKey, Instance, Permission, User
from memoryapp.models import Activity, Memory
from tests.api.conftest import Program, key_of

Store = Callable[..., Memory]


def test_key_implies_its_instance(
    program: Program, instance: Instance, store_memory: Store
) -> None:
    store_memory("The user keeps bees.")
    for named in ("", "?instance_id=desk", f"?instance_id={instance.pk}"):
        (item,) = program.send("GET", f"memories{named}")["items"]
        assert item["content"] == "The user keeps bees."
    assert program.send("POST", "conversations", {"title": "Dinner"})["title"] == "Dinner"
    assert Conversation.objects.get().instance == instance


def test_every_key_can_read_its_identity(program_that_may: Callable[..., Program]) -> None:
    answer = program_that_may("delete").send("GET", "me")
    assert answer["user"] is None
    assert answer["scopes"] == ["delete"]
    assert answer["instance"]["slug"] == "desk"
    assert answer["key"]["prefix"].startswith("ks_")
    assert answer["key"].keys() == {"name", "prefix", "created_at"}


def test_signed_in_user_can_read_their_identity(as_alice: Client) -> None:
    answer = as_alice.get("/api/me").json()
    assert (answer["user"], answer["key"], answer["instance"]) == ("alice", None, None)
    assert answer["scopes"] == list(Permission.values)


def test_only_a_digest_is_stored(program: Program) -> None:
    stored = json.dumps(list(ApiKey.objects.values()), default=str)
    assert program.secret not in stored
    assert program.secret[9:] not in stored
    # 256 random bits, in addition to the three characters by which people know a key.
    assert len(program.secret) == 3 + 43


@pytest.mark.parametrize(
    "header",
    [
        "Bearer {other}",
        "Bearer {prefix}",
        "Bearer {secret}x",
        "Bearer ",
        "Bearer",
        "Bearer \x00",
        "Bearer ks_é",
        "bearer " + "k" * 5000,
        "Basic {secret}",
        "{secret}",
    ],
)
def test_invalid_key_is_rejected(header: str, program: Program, client: Client) -> None:
    value = header.format(secret=program.secret, other="ks_" + "a" * 43, prefix=program.secret[:9])
    response = client.get("/api/me", headers={"Authorization": value})
    assert response.status_code == 401
    assert response.json()["code"] == "unauthenticated"
    assert response["WWW-Authenticate"].startswith("Bearer")


def test_invalid_key_is_rejected_despite_a_session(as_alice: Client) -> None:
    bad = {"Authorization": "Bearer ks_nothing"}
    assert as_alice.get("/api/me", headers=bad).status_code == 401
    # Basic authentication of a proxy does not identify the caller.
    assert as_alice.get("/api/me", headers={"Authorization": "Basic eDp5"}).status_code == 200


def test_revoked_key_is_rejected_at_once(instance: Instance) -> None:
    key, program = key_of(instance)
    assert program.send("GET", "memories")["items"] == []
    key.revoke()
    assert program.send("GET", "memories", status=401)["code"] == "unauthenticated"


def test_key_needs_no_csrf_token_and_overrides_the_session(
    instance: Instance, charlie: User
) -> None:
    _, program = key_of(instance)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(charlie)
    response = strict.post(
        "/api/memories",
        json.dumps({"content": "The user keeps bees."}),
        content_type="application/json",
        headers={"Authorization": f"Bearer {program.secret}"},
    )
    assert response.status_code == 201
    assert Memory.objects.get().instance == instance


def test_key_survives_its_creator(instance: Instance, alice: User) -> None:
    key, program = key_of(instance)
    key.created_by = alice
    key.save()
    alice.is_active = False
    alice.save()
    assert program.send("GET", "me")["key"]["name"] == key.name
    alice.delete()
    assert program.send("GET", "me")["key"]["name"] == key.name
    assert ApiKey.objects.get().created_by is None


def test_key_of_a_private_instance_is_disabled_with_its_owner(
    private: Instance, alice: User
) -> None:
    _, program = key_of(private)
    assert program.send("GET", "me")["instance"]["private"] is True
    User.objects.update(is_active=False)
    program.send("GET", "me", status=401)
    User.objects.update(is_active=True)
    program.send("GET", "me", status=200)
    alice.delete()
    program.send("GET", "me", status=401)


def test_last_use_is_saved_once_a_minute(
    instance: Instance, django_assert_num_queries: Any
) -> None:
    key, program = key_of(instance)
    program.send("GET", "me")
    key.refresh_from_db()
    first = key.last_used_at
    assert first is not None
    with django_assert_num_queries(1):
        program.send("GET", "me")
    key.refresh_from_db()
    assert key.last_used_at == first
    ApiKey.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))
    program.send("GET", "me")
    key.refresh_from_db()
    assert key.last_used_at is not None and key.last_used_at > first


def test_activity_names_the_key(program: Program) -> None:
    made = program.send("POST", "memories", {"content": "The user keeps bees."})
    program.send("PATCH", f"memories/{made['id']}", {"importance": 9})
    program.send("DELETE", f"memories/{made['id']}")
    lines = Activity.objects.order_by("pk")
    assert [line.action for line in lines] == ["created", "updated", "archived"]
    assert {line.via for line in lines} == {f"api {program.secret[:9]}"}
    assert {line.by for line in lines} == {None}


def test_key_is_not_logged(program: Program, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(0):
        program.ask("GET", "me")
        program.ask("GET", "nowhere")
        Client().get("/api/me", headers={"Authorization": program.secret})
        Program(program.secret + "x").ask("GET", "me")
    assert program.secret[9:] not in caplog.text


@pytest.mark.parametrize("scopes", [[], ["read", "admin"]])
def test_database_rejects_unknown_scopes(scopes: list[str], instance: Instance) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        key_of(instance, scopes)
