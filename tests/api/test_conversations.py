"""Conversations over REST."""

from typing import Any

import pytest
from django.test import Client

from conversations.models import Conversation
from instances.models import Agent, Instance
from memoryapp.models import Run
from tests.api.conftest import Program
from tests.api.rest_calls import post


def test_conversation_is_created_once_per_external_id(as_alice: Client, instance: Instance) -> None:
    agent = Agent.objects.create(instance=instance, slug="nora", name="Nora")
    body = {
        "instance_id": "desk",
        "title": "Dinner",
        "user_id": "ana",
        "agent": "nora",
        "external_id": "mine-1",
    }
    first = post(as_alice, "/api/conversations", body, 201)
    assert first["title"] == "Dinner"
    assert (first["user_id"], first["external_id"]) == ("ana", "mine-1")
    again = post(as_alice, "/api/conversations", body | {"title": "Another title"})
    assert again == first
    conversation = Conversation.objects.get()
    assert (conversation.agent, conversation.instance) == (agent, instance)
    without = {"instance_id": "desk"}
    assert post(as_alice, "/api/conversations", without, 201)["id"] != first["id"]
    assert post(as_alice, "/api/conversations", without, 201)["title"] == ""
    assert Conversation.objects.count() == 3


def test_new_conversation_has_an_address_and_a_repeated_request_the_same_status(
    program: Program,
) -> None:
    body = {"external_id": "mine-2"}
    new, repeated = (program.ask("POST", "conversations", body, key="once") for _ in range(2))
    known = program.ask("POST", "conversations", body)
    assert [each.status_code for each in (new, repeated, known)] == [201, 201, 200]
    assert new.json() == repeated.json() == known.json()
    assert program.send("GET", new["Location"])["id"] == new.json()["id"]
    assert "Location" not in known


def test_external_id_of_nul_characters_is_ignored(
    as_alice: Client, conversation: Conversation
) -> None:
    body = {"instance_id": "desk", "external_id": "\x00"}
    ids = {post(as_alice, "/api/conversations", body, 201)["id"] for _ in range(2)}
    assert len(ids) == 2
    assert conversation.pk not in ids


@pytest.mark.parametrize("agent", ["nobody", "\x00", "theirs"])
def test_unknown_agent_is_404(
    agent: str, as_alice: Client, instance: Instance, private: Instance
) -> None:
    Agent.objects.create(instance=private, slug="theirs", name="Theirs")
    post(as_alice, "/api/conversations", {"instance_id": "desk", "agent": agent}, 404)
    assert not Conversation.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {"instance_id": "desk", "title": "x" * 301},
        {"instance_id": "desk", "user_id": "x" * 201},
        {"instance_id": "desk", "external_id": "x" * 301},
        {"instance_id": "desk", "title": 5},
        {"instance_id": "desk", "titel": "Dinner"},
        [],
    ],
)
def test_invalid_conversation_is_422(body: Any, as_alice: Client, instance: Instance) -> None:
    assert post(as_alice, "/api/conversations", body, 422)["code"] == "invalid"


def test_conversation_without_memory(program: Program, instance: Instance) -> None:
    begun = program.send("POST", "conversations", {"without_memory": True})
    assert begun["without_memory"] is True
    turn = [{"role": "user", "content": "I sail."}, {"role": "assistant", "content": "Nice."}]
    program.send("POST", f"conversations/{begun['id']}/messages", {"messages": turn})
    assert not Run.objects.exists()
    instance.provider, instance.base_url = "custom", "http://127.0.0.1:9/v1"
    instance.save()
    refused = program.send("POST", f"conversations/{begun['id']}/runs", status=409)
    assert refused["code"] == "without_memory"
    assert program.send("POST", "conversations", {})["without_memory"] is False
