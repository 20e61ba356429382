"""A person's file over the API: for managers, and for keys that they trust with it."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from conversations.models import Conversation
from instances.models import Instance, User
from memoryapp.models import Erasure, Memory
from memoryapp.tasks import erase
from tests.api.conftest import Program
from tests.people.factories import create_person

ANA = "ana@example.org"


@pytest.fixture
def ana(instance: Instance, alice: User, settings: Settings, tmp_path: Path) -> Conversation:
    settings.ERASURES_DIR = str(tmp_path)
    return create_person(instance, ANA, author=alice)


def test_inventory(program: Program, ana: Conversation) -> None:
    answer = program.send("GET", f"people/inventory?user_id={ANA}")
    assert answer["user_ids"] == [ANA, f"{ANA}.old"]
    assert answer["tables"]["memoryapp.Memory"] == 2
    assert program.send("GET", "people/inventory?user_id=nobody")["tables"] == {}


def test_export(program: Program, ana: Conversation) -> None:
    response = program.ask("GET", f"people/export?user_id={ANA}")
    assert response["Content-Type"] == "application/zip"
    archive = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    assert "data/memoryapp.Memory.jsonl" in archive.namelist()


def test_erasure_from_request_to_certificate(program: Program, ana: Conversation) -> None:
    body = {"user_id": ANA, "confirm": ANA}
    asked = program.send("POST", "people/erasures", body, 202)
    assert asked["state"] == "running" and asked["certificate"] == {}
    assert program.send("POST", "people/erasures", body, 202)["id"] == asked["id"]
    erase(erasure_id=Erasure.objects.get(uid=asked["id"]).pk)
    done = program.send("GET", f"people/erasures/{asked['id']}")
    assert done["state"] == "done" and done["certificate"]["tables"]
    assert done["asked_by"].startswith("api ks_")
    assert not Memory.objects.filter(end_user=ANA).exists()
    listed = program.send("GET", f"people/erasures?user_id={ANA}")
    assert listed["items"][0]["id"] == asked["id"]
    assert program.send("GET", "people/erasures?user_id=ben")["items"] == []


def test_erasure_has_to_be_confirmed(program: Program, ana: Conversation) -> None:
    body = {"user_id": ANA, "confirm": "ana"}
    assert program.send("POST", "people/erasures", body, 422)["code"] == "not_confirmed"
    stranger = {"user_id": "ben", "confirm": "ben"}
    assert program.send("POST", "people/erasures", stranger, 404)["code"] == "not_found"


def test_a_key_needs_to_be_trusted_with_people(
    program_that_may: Callable[..., Program], ana: Conversation
) -> None:
    program = program_that_may("read", "write", "delete")
    for path in ("inventory", "export", "erasures"):
        answer = program.send("GET", f"people/{path}?user_id={ANA}", status=403)
        assert answer["code"] == "scope_required"


def test_a_member_is_no_manager(client: Client, bob: User, ana: Conversation) -> None:
    client.force_login(bob)
    refused = client.get(f"/api/people/export?instance_id=desk&user_id={ANA}")
    assert refused.status_code == 403
    assert refused.json()["code"] == "role_required"
