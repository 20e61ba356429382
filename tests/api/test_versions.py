"""The address of the REST API with its version, and the former names of fields."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from instances.models import Instance
from memoryapp.models import Memory
from tests.api.conftest import Program
from tests.api.rest_calls import fetch, post

Store = Callable[..., Memory]


def test_each_operation_answers_below_its_version(program: Program, store_memory: Store) -> None:
    memory = store_memory("The user keeps bees.")
    for root in ("/api/v1", "/api"):
        assert program.send("GET", f"{root}/memories/{memory.pk}")["id"] == memory.pk
        assert program.send("GET", f"{root}/memories/{memory.pk}/")["id"] == memory.pk
        created = program.ask("POST", f"{root}/conversations", {})
        assert created.status_code == 201
        assert program.send("GET", created["Location"])["id"] == created.json()["id"]
    assert "/api/docs" in program.send("GET", "/api/v1/nothing", status=404)["detail"]
    assert program.send("GET", "/api/v2/memories", status=404)["code"] == "not_found"


def test_repeated_request_is_the_same_at_both_addresses(program: Program) -> None:
    answers = [
        program.ask("POST", f"{root}/conversations", {}, key="once").json()
        for root in ("/api/v1", "/api")
    ]
    assert answers[0] == answers[1]


def test_document_names_the_version_in_each_path(as_alice: Client) -> None:
    document = as_alice.get("/api/v1/openapi.json").json()
    assert all(path.startswith("/api/v1/") for path in document["paths"])
    assert document == as_alice.get("/api/openapi.json").json()


def test_address_of_mem0_that_begins_alike_is_its_own(program: Program) -> None:
    project = f"/api/v1/orgs/organizations/keepsake/projects/{Instance.objects.get().slug}/"
    assert program.send("GET", project)


@pytest.mark.parametrize("name", ["instance_id", "instanceId"])
def test_former_names_are_taken(name: str, as_alice: Client, store_memory: Store) -> None:
    store_memory("The user keeps bees.")
    named: dict[str, Any] = {name: "desk"}
    assert len(fetch(as_alice, 200, **named)["items"]) == 1
    assert post(as_alice, "/api/search", {"q": "bees", **named})["items"]
    day = {"instance_id": "as_of", "instanceId": "asOf"}[name]
    assert fetch(as_alice, 200, **named, **{day: "2001-01-01T00:00:00Z"})["items"] == []
    refused = post(as_alice, "/api/search", {"q": "bees", "instance_ID": "desk"}, 422)
    assert "instance_ID" in refused["detail"]
