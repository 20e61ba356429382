"""Agents, apps and runs that state the same memory, with mem0's own client."""

from typing import Any

import pytest
from mem0 import MemoryClient

from instances.models import Instance
from memoryapp.models import Activity, ArchivedMemory, Memory
from tests.api.mem0.client_calls import ANA, stored, texts
from tests.api.mem0.conftest import Connect

FACT = "Ana likes vanilla."


def found(client: MemoryClient, **filters: Any) -> list[str]:
    """The memories that the list and the search find."""
    listed, searched = client.get_all(filters=filters), client.search("vanilla", filters=filters)
    assert texts(listed) == texts(searched)
    return texts(listed)


@pytest.fixture
def shared(client: MemoryClient) -> str:
    """The id of a memory that two agents have stated, in two runs."""
    (pk,) = stored(client, FACT, agent_id="coach", run_id="r-1", metadata={"room": "a", "seat": 1})
    (again,) = stored(client, FACT, agent_id="cook", run_id="r-2", metadata={"room": "b", "cup": 2})
    assert again == pk
    return pk


def test_a_repetition_adds_its_labels(client: MemoryClient, shared: str) -> None:
    for filters in ({"agent_id": "coach"}, {"agent_id": "cook"}, {"run_id": "r-2"} | ANA):
        assert found(client, **filters) == [FACT]
    assert found(client, agent_id="choir") == []
    memory = client.get(shared)
    assert (memory["agent_id"], memory["agent_ids"]) == ("coach", ["coach", "cook"])
    assert (memory["run_ids"], memory["app_id"]) == (["r-1", "r-2"], None)
    assert memory["metadata"] == {"room": "a", "seat": 1, "cup": 2}
    assert [(one["type"], one["name"]) for one in client.users()["results"]] == [
        *(("user", "ana"), ("agent", "coach"), ("agent", "cook"), ("run", "r-1"), ("run", "r-2"))
    ]


def test_an_answer_names_the_agent_that_is_asked_for(client: MemoryClient, shared: str) -> None:
    filters = {"AND": [ANA, {"agent_id": {"in": ["cook"]}}]}
    (listed,) = client.get_all(filters=filters)["results"]
    (hit,) = client.search("vanilla", filters=filters)["results"]
    assert listed["agent_id"] == hit["agent_id"] == "cook"
    assert listed["agent_ids"] == ["coach", "cook"]
    assert listed["run_id"] == "r-1"


def test_a_new_wording_keeps_the_labels(client: MemoryClient, shared: str) -> None:
    client.update(shared, text="Ana likes vanilla a lot.", metadata={"room": "c"})
    memory = client.get(shared)
    assert memory["agent_ids"] == ["coach", "cook"]
    assert memory["metadata"] == {"room": "c"}


@pytest.mark.parametrize("how", ["delete_all", "delete_users"])
def test_deleting_an_agent_leaves_what_others_said(
    how: str, client: MemoryClient, shared: str, instance: Instance
) -> None:
    stored(client, "Ana rows.", agent_id="coach")
    getattr(client, how)(agent_id="coach")
    assert found(client, agent_id="coach") == []
    assert found(client, agent_id="cook") == [FACT]
    assert found(client, **ANA) == [FACT]
    assert client.get(shared)["agent_ids"] == ["cook"]
    line = Activity.objects.get(action=Activity.Action.UPDATED)
    assert str(line.memory_id) == shared or line.count == 1
    # The last label goes with the memory.
    getattr(client, how)(agent_id="cook")
    assert not Memory.objects.exists()


def test_deleting_an_agent_leaves_what_a_person_said(
    client: MemoryClient, instance: Instance
) -> None:
    memory = Memory.objects.create(instance=instance, content=FACT, end_user="ana")
    stored(client, FACT, agent_id="coach")
    assert found(client, agent_id="coach") == [FACT]
    client.delete_all(agent_id="coach")
    assert found(client, agent_id="coach") == []
    assert found(client, **ANA) == [FACT]
    assert [one["name"] for one in client.users()["results"]] == ["ana"]
    memory.refresh_from_db()
    assert memory.stated_by == []


def test_deleting_a_run_of_an_agent(client: MemoryClient, shared: str) -> None:
    client.delete_all(agent_id="coach", run_id="r-1")
    assert found(client, run_id="r-1") == []
    assert found(client, agent_id="cook", run_id="r-2") == [FACT]
    client.delete_all(run_id="r-2")
    assert found(client, **ANA) == []


@pytest.mark.parametrize("owners", [ANA, {"agent_id": "*"}])
def test_deleting_a_user_deletes_what_any_agent_said(
    owners: dict[str, str], client: MemoryClient, shared: str
) -> None:
    client.delete_all(**owners)
    assert not Memory.objects.exists()


def test_a_key_that_may_not_forget_takes_labels_and_archives(
    connect: Connect, instance: Instance
) -> None:
    client = connect(instance, "read", "write", "delete")
    stored(client, FACT, agent_id="coach")
    stored(client, FACT, agent_id="cook")
    client.delete_all(agent_id="coach")
    assert found(client, **ANA) == [FACT]
    client.delete_all(agent_id="cook")
    assert found(client, **ANA) == []
    assert ArchivedMemory.objects.get().content == FACT


def test_other_instances_are_left_alone(
    client: MemoryClient, shared: str, instance: Instance, private: Instance
) -> None:
    memory = Memory.objects.create(
        instance=private, content=FACT, end_user="ana", labels=["agent:coach", "agent:cook"]
    )
    client.delete_all(agent_id="coach")
    memory.refresh_from_db()
    assert memory.labels == ["agent:coach", "agent:cook"]
