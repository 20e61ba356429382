"""Instances and conversations as resources."""

from collections.abc import Callable

import pytest
from django.test import Client

from conversations.models import Conversation
from instances.models import Agent, Instance
from memoryapp.models import Memory
from tests.api.conftest import Program

Store = Callable[..., Memory]

BEES = "The user keeps bees on the roof."


def test_conversation_is_read_renamed_and_listed(
    program: Program, instance: Instance, conversation: Conversation, store_memory: Store
) -> None:
    store_memory(BEES, conversation_id=conversation.pk)
    agent = Agent.objects.create(instance=instance, slug="nora", name="Nora")
    Conversation.objects.update(agent=agent, end_user="ana")
    path = f"conversations/{conversation.pk}"
    answer = program.send("GET", path)
    assert (answer["messages"], answer["memories"], answer["state"]) == (2, 1, "unread")
    assert (answer["agent"], answer["user_id"]) == ("nora", "ana")
    assert program.send("PATCH", path, {"title": "Din\x00ner"})["title"] == "Dinner"
    assert [c["title"] for c in program.send("GET", "conversations")["items"]] == ["Dinner"]
    assert program.send("GET", "conversations?user_id=ben")["items"] == []
    for body in ({}, {"title": "x" * 301}, {"title": None}, {"title": "x", "user_id": "y"}):
        program.send("PATCH", path, body, 422)


@pytest.mark.parametrize(("choice", "left"), [("keep", 2), ("delete", 1)])
def test_deleting_a_conversation_reports_the_effect_on_memories(
    choice: str,
    left: int,
    program: Program,
    instance: Instance,
    conversation: Conversation,
    store_memory: Store,
) -> None:
    other = Conversation.objects.create(instance=instance)
    store_memory(BEES, conversation_id=conversation.pk)
    store_memory("The user plays the cello.", conversation_id=conversation.pk)
    store_memory("The user plays the cello.", conversation_id=other.pk)
    path = f"conversations/{conversation.pk}"
    for query in ("", "?memories=", "?memories=maybe"):
        program.send("DELETE", path + query, status=422)
    answer = program.send("DELETE", f"{path}?memories={choice}")
    assert answer == {"memories_deleted": 2 - left, "memories_taken_back": 0}
    assert Memory.objects.count() == left
    program.send("DELETE", f"{path}?memories={choice}", status=404)


def test_instance_is_read_with_its_settings(
    program: Program, instance: Instance, as_alice: Client, private: Instance
) -> None:
    Agent.objects.create(instance=instance, slug="nora", name="Nora")
    answer = program.send("GET", f"instances/{instance.pk}")
    assert answer["slug"] == "desk"
    assert (answer["private"], answer["memory_enabled"]) == (False, False)
    assert answer["context_placement"] == "user_message"
    assert (answer["has_language_model"], answer["has_embeddings"]) == (False, True)
    assert answer["builtin_reader"] is False
    Instance.objects.update(builtin_reader=True)
    assert program.send("GET", "instances/desk")["builtin_reader"] is True
    assert answer["agents"] == [{"slug": "nora", "name": "Nora", "recall_enabled": True}]
    for name in ("nowhere", "diary", "0", "9" * 30):
        program.send("GET", f"instances/{name}", status=404)
    listed = as_alice.get("/api/instances").json()["items"]
    assert [(i["slug"], i["private"]) for i in listed] == [("desk", False), ("diary", True)]
