"""Single memories and owners, with mem0's client."""

from collections.abc import Callable
from typing import Any

import pytest
from mem0 import MemoryClient
from mem0.exceptions import MemoryNotFoundError, ValidationError

from instances.models import Instance
from memoryapp.models import Memory
from tests.api.mem0.client_calls import ANA, stored, texts


def test_memory_is_updated_with_history(client: MemoryClient) -> None:
    (pk,) = stored(client, "Ana rows.", agent_id="coach", metadata={"room": "a"})
    changed = client.update(
        pk,
        text="Ana sails.",
        metadata={"room": "b"},
        timestamp="2024-05-06T07:08:09Z",
        expiration_date="2199-01-31",
    )
    assert changed["memory"] == "Ana sails."
    assert (changed["metadata"], changed["agent_id"]) == ({"room": "b"}, "coach")
    assert changed["created_at"].startswith("2024-05-06T07:08:09")
    assert client.update(pk, expiration_date=None)["expiration_date"] is None
    first, second, third = client.history(pk)
    assert (first["event"], first["old_memory"], first["new_memory"]) == (
        "ADD",
        None,
        "Ana rows.",
    )
    assert (second["event"], second["old_memory"], second["new_memory"]) == (
        "UPDATE",
        "Ana rows.",
        "Ana sails.",
    )
    assert (first["metadata"], second["metadata"]) == ({"room": "a"}, {"room": "b"})
    assert third["new_memory"] == "Ana sails."
    memory = Memory.objects.get()
    assert memory.valid_until is None
    assert memory.revisions.count() == 2


def test_imported_mem0_ids_keep_working(
    client: MemoryClient, instance: Instance, store_memory: Callable[..., Memory]
) -> None:
    theirs = "892db2ae-06d9-49e5-8b3e-585ef9b85b8e"
    memory = store_memory("Ana rows.", end_user="ana", external_id=theirs)
    assert client.get(theirs)["id"] == theirs
    assert client.get_all(filters={"memory_ids": [theirs]})["count"] == 1
    with pytest.raises(MemoryNotFoundError):
        client.get(str(memory.pk))
    client.update(theirs, text="Ana sails.")
    assert [one["new_memory"] for one in client.history(theirs)] == ["Ana rows.", "Ana sails."]
    client.delete(theirs)
    assert not Memory.objects.exists()


def test_delete_removes_the_memory(client: MemoryClient) -> None:
    (pk,) = stored(client, "Ana rows.")
    assert "deleted" in client.delete(pk)["message"]
    for ask in (client.get, client.history, client.delete):
        with pytest.raises(MemoryNotFoundError):
            ask(pk)
    with pytest.raises(MemoryNotFoundError):
        client.update(pk, text="Ana sails.")


@pytest.mark.parametrize(
    "how",
    [
        {"user_id": "ana"},
        {"filters": {"user_id": "ana"}},
        {"filters": {"AND": [{"user_id": "ana"}, {"run_id": 'it\'s "quoted"'}]}},
    ],
)
def test_delete_all_is_limited_to_one_user(how: dict[str, Any], client: MemoryClient) -> None:
    stored(client, "Ana rows.", "Ana plays the violin.", run_id='it\'s "quoted"')
    stored(client, "Ben rows.", user_id="ben")
    assert client.delete_all(**how)["deleted"] == 2
    assert texts(client.get_all(filters={"user_id": "*"})) == ["Ben rows."]


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"user": "ana"},
        {"user_id": "ana", "categories": ["food"]},
        {"filters": {"user": "ana"}},
        {"filters": {"user_id": "ana", "NOT": [{"room": "a"}]}},
        {"filters": {"NOT": [{"user_id": "ana"}]}},
        {"filters": "user_id=ana"},
        {"filters": {"user_id": {"like": "ana"}}},
        {"filters": {}, "user_id": ""},
    ],
)
def test_unknown_parameters_delete_nothing(how: dict[str, Any], client: MemoryClient) -> None:
    stored(client, "Ana rows.")
    with pytest.raises(ValidationError):
        client.delete_all(**how)
    assert Memory.objects.count() == 1


def test_batch_update_and_delete(client: MemoryClient) -> None:
    first, second, third = stored(
        client, "Ana rows.", "Ana plays the violin.", "Ana has a dog called Rex."
    )
    changes = [
        {"memory_id": first, "text": "Ana sails."},
        {"memory_id": second, "metadata": {"a": 1}},
    ]
    client.batch_update(changes)
    assert client.get(first)["memory"] == "Ana sails."
    assert client.get(second)["metadata"] == {"a": 1}
    client.batch_delete([{"memory_id": first}, {"memory_id": third}])
    assert texts(client.get_all(filters=ANA)) == ["Ana plays the violin."]
    with pytest.raises(MemoryNotFoundError):
        client.batch_update([{"memory_id": second, "text": "Lost."}, {"memory_id": first}])
    assert client.get(second)["memory"] == "Ana plays the violin."


def test_users_are_listed_and_deleted(client: MemoryClient) -> None:
    stored(client, "Ana rows.", agent_id="coach")
    stored(client, "Ben rows.", user_id="ben")
    listed = [(one["type"], one["name"]) for one in client.users()["results"]]
    assert listed == [("user", "ana"), ("user", "ben"), ("agent", "coach")]
    client.delete_users(user_id="ana")
    assert texts(client.get_all(filters={"user_id": "*"})) == ["Ben rows."]
    with pytest.raises(MemoryNotFoundError):
        client.delete_users(user_id="ana")
