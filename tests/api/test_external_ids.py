"""Metadata of memories, and the ids that they have in other programs."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import ApiKey, Instance
from instances.tiers import Tier
from memoryapp.models import ArchivedMemory, Memory
from tests.api.conftest import Program, key_of

Store = Callable[..., Memory]

BEES = {"content": "The user keeps bees.", "external_id": "crm:4711"}


def test_both_are_stored_and_returned(program: Program) -> None:
    body = BEES | {"metadata": {"project": "atlas", "mail": "ana@example.org"}}
    made = program.send("POST", "memories", body)
    redacted = {"project": "atlas", "mail": "[REDACTED:EMAIL]"}
    assert (made["external_id"], made["metadata"]) == ("crm:4711", redacted)
    assert made["pii"]["redactions"] == {"EMAIL": 1}
    memory = program.send("GET", f"memories/{made['id']}")
    (listed,) = program.send("GET", "memories")["items"]
    for answer in (memory, listed):
        assert (answer["external_id"], answer["metadata"]) == ("crm:4711", redacted)


def test_ids_of_agents_become_labels(program: Program) -> None:
    made = program.send("POST", "memories", BEES | {"metadata": {"agent_id": "coach", "a": 1}})
    memory = program.send("GET", f"memories/{made['id']}")
    assert (memory["labels"], memory["metadata"]) == (["agent:coach"], {"a": 1})


def test_same_id_changes_the_memory(program: Program) -> None:
    first = BEES | {"tags": ["hobby"], "importance": 8, "metadata": {"a": 1, "b": 2}}
    made = program.send("POST", "memories", first)
    goats = BEES | {"content": "The user keeps goats.", "metadata": {"a": 3}}
    changed = program.send("POST", "memories", goats, 200)
    assert changed["dedup"] == {"action": "updated_existing", "existing_id": made["id"]}
    memory = Memory.objects.get()
    assert (memory.content, memory.tags, memory.importance, memory.metadata) == (
        "The user keeps goats.",
        ["hobby"],
        8,
        {"a": 3},
    )
    # Also back to an earlier text, and with no change at all.
    again = [program.send("POST", "memories", BEES, 200) for _ in range(2)]
    actions = [answer["dedup"]["action"] for answer in again]
    assert actions == ["updated_existing", "duplicate_exact"]
    assert (again[1]["content"], again[1]["metadata"]) == (BEES["content"], {"a": 3})
    assert len(program.send("GET", f"memories/{made['id']}/revisions")["items"]) == 2


def test_two_ids_are_two_memories(program: Program) -> None:
    program.send("POST", "memories", BEES)
    program.send("POST", "memories", BEES | {"external_id": "crm:4712"}, 201)
    assert Memory.objects.count() == 2


def test_id_is_added_to_a_memory_without_one(program: Program, store_memory: Store) -> None:
    pk = store_memory(BEES["content"]).pk
    assert program.send("POST", "memories", BEES, 200)["id"] == pk
    assert Memory.objects.get().external_id == "crm:4711"


def test_repeated_request_with_a_known_id(program: Program) -> None:
    program.send("POST", "memories", BEES)
    goats = BEES | {"content": "The user keeps goats."}
    changed = program.send("POST", "memories", goats, 200, key="once")
    program.send("POST", "memories", BEES, 200)
    # The first result, with the memory as it is now.
    again = program.send("POST", "memories", goats, 200, key="once")
    assert again == changed | {"content": BEES["content"]}


def test_id_of_another_person_is_taken(program: Program, instance: Instance) -> None:
    program.send("POST", "memories", BEES | {"user_id": "ana"})
    refused = program.send("POST", "memories", BEES | {"user_id": "bob"}, 409)
    assert refused["code"] == "external_id_taken"
    other = Instance.objects.create(slug="other", name="Other")
    key_of(other)[1].send("POST", "memories", BEES | {"user_id": "bob"}, 201)
    assert Memory.objects.get(instance=instance).end_user == "ana"


def test_less_trusted_key_does_not_change_it(program: Program, instance: Instance) -> None:
    program.send("POST", "memories", BEES)
    key, tool = key_of(instance)
    ApiKey.objects.filter(pk=key.pk).update(trust=Tier.TOOL)
    goats = BEES | {"content": "The user keeps goats."}
    assert tool.send("POST", "memories", goats, 403)["code"] == "outranked"
    talk = Conversation.objects.create(instance=instance)
    said = append(talk, [NewMessage("tool", goats["content"])]).added[0]
    from_tool = goats | {"conversation_id": talk.pk, "message_id": said.pk}
    assert program.send("POST", "memories", from_tool, 403)["code"] == "outranked"
    assert Memory.objects.get().content == BEES["content"]


def test_fact_that_is_not_to_be_stored_again_is_refused(
    program_that_may: Callable[..., Program],
) -> None:
    program = program_that_may("read", "write", "delete", "forget")
    goats = program.send("POST", "memories", {"content": "The user keeps goats."})
    program.send("DELETE", f"memories/{goats['id']}?never_again=true", status=204)
    program.send("POST", "memories", BEES)
    again = BEES | {"content": "The user keeps goats."}
    assert program.send("POST", "memories", again, 422)["code"] == "never_again"
    assert Memory.objects.get().content == BEES["content"]


def test_id_is_free_again_after_deletion(program: Program) -> None:
    made = program.send("POST", "memories", BEES)
    program.send("DELETE", f"memories/{made['id']}", status=204)
    assert ArchivedMemory.objects.exists()
    assert program.send("POST", "memories", BEES, 201)["external_id"] == "crm:4711"


def test_metadata_is_changed_as_a_whole(program: Program) -> None:
    made = program.send("POST", "memories", BEES | {"metadata": {"a": 1, "b": 2}})
    path = f"memories/{made['id']}"
    assert program.send("PATCH", path, {"metadata": {"c": 3}})["metadata"] == {"c": 3}
    assert program.send("PATCH", path, {"importance": 9})["metadata"] == {"c": 3}
    assert program.send("PATCH", path, {"metadata": {}})["metadata"] == {}


def test_filters(program: Program) -> None:
    for number, project in enumerate(["atlas", "atlas", "pegasus"]):
        body = {"content": f"Fact {number}.", "external_id": f"crm:{number}"}
        program.send("POST", "memories", body | {"metadata": {"project": project, "x": {"y": 1}}})

    def found(query: str) -> set[str]:
        items = program.send("GET", f"memories?{query}")["items"]
        return {item["external_id"] for item in items}

    assert found("external_id=crm:1") == {"crm:1"}
    assert found("external_id=crm:7") == set()
    assert found(f"metadata={quote(json.dumps({'project': 'atlas'}))}") == {"crm:0", "crm:1"}
    assert found(f"metadata={quote(json.dumps({'x': {'y': 1}}))}") == {"crm:0", "crm:1", "crm:2"}
    infinite = f"memories?metadata={quote(json.dumps({'x': 1e999}))}&q=Fact"
    assert "infinite" in program.send("GET", infinite, status=422)["detail"]
    then = "as_of=2199-01-01T00:00:00Z"
    assert found(f"{then}&external_id=crm:1") == {"crm:1"}
    assert found(f"{then}&metadata={quote(json.dumps({'project': 'pegasus'}))}") == {"crm:2"}
    metadata = {"project": "pegasus"}
    hits = program.send("POST", "search", {"q": "Fact", "metadata": metadata, "weaker": True})
    assert [hit["memory"]["external_id"] for hit in hits["items"]] == ["crm:2"]
    retrieved = {"query": "Fact", "filters": {"metadata": metadata, "external_id": "crm:1"}}
    assert program.send("POST", "memory/retrieve", retrieved)["results"] == []


@pytest.mark.parametrize(
    "body",
    [
        {"external_id": "4711"},
        {"external_id": "x" * 301},
        {"external_id": 4711},
        {"metadata": []},
        {"metadata": {"x": "a" * 10_000}},
    ],
)
def test_unusable_values_are_refused(body: dict[str, Any], program: Program) -> None:
    refused = program.send("POST", "memories", BEES | body, 422)
    assert refused["code"] == "invalid"
    assert refused["detail"].startswith(f"body.{next(iter(body))}: ")
    assert not Memory.objects.exists()


@pytest.mark.parametrize("text", ["[]", "{", "1", "[" * 100, '{"a":' * 100])
def test_unusable_metadata_filters_are_refused(text: str, program: Program) -> None:
    assert program.send("GET", f"memories?metadata={quote(text)}", None, 422)["code"] == "invalid"
