"""Exports in the shape of a schema, and summaries, with mem0's own client."""

import contextlib
import json
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from mem0 import MemoryClient
from mem0.exceptions import MemoryNotFoundError, ValidationError
from pydantic import BaseModel

from instances.models import Instance
from memoryapp.api.mem0.export_shape import NotFilled, shaped
from memoryapp.models import Memory, Summary
from tests.api.mem0.client_calls import ANA, stored
from tests.api.mem0.conftest import Connect


class Note(BaseModel):
    """One memory."""

    memory: str
    user_id: str | None
    room: str | None
    unknown: int | None = None


class Profile(BaseModel):
    """What a program wants to know of a person."""

    home_city: str | None
    room: str
    pets: str | None = None
    notes: list[Note]
    texts: list[str]


@pytest.fixture
def ana(client: MemoryClient, instance: Instance) -> list[str]:
    """Ana's memories, the oldest first."""
    ids = stored(client, "Ana rows.", metadata={"room": "a"})
    home = Memory.objects.create(
        instance=instance,
        content="Ana lives in Lyon.",
        end_user="ana",
        key="home_city",
        value="Lyon",
    )
    stored(client, "Ben sings.", user_id="ben", metadata={"room": "b"})
    return [*ids, str(home.pk)]


@pytest.mark.parametrize("as_text", [True, False])
def test_export_has_the_shape_that_is_asked(
    as_text: bool, client: MemoryClient, ana: list[str]
) -> None:
    schema: Any = Profile.model_json_schema()
    created = client.create_memory_export(json.dumps(schema) if as_text else schema, **ANA)
    by_id = client.get_memory_export(memory_export_id=created["id"])
    assert by_id == client.get_memory_export(**ANA) == client.get_memory_export(filters=ANA)
    assert Profile.model_validate(by_id) == Profile(
        home_city="Lyon",
        room="a",
        notes=[
            Note(memory="Ana lives in Lyon.", user_id="ana", room=None),
            Note(memory="Ana rows.", user_id="ana", room="a"),
        ],
        texts=["Ana lives in Lyon.", "Ana rows."],
    )


def test_export_without_a_shape_has_all_fields(client: MemoryClient, ana: list[str]) -> None:
    client.create_memory_export("{}", filters=ANA)
    exported = client.get_memory_export(filters=ANA)
    assert [one["id"] for one in exported["memories"]] == ana[::-1]
    assert exported["memories"][0] == client.get(ana[1])


def test_export_has_the_memories_of_now(client: MemoryClient, ana: list[str]) -> None:
    created = client.create_memory_export({"type": "array", "items": {"type": "string"}}, **ANA)
    client.delete(ana[0])
    assert client.get_memory_export(memory_export_id=created["id"]) == ["Ana lives in Lyon."]
    client.delete_all(**ANA)
    assert client.get_memory_export(memory_export_id=created["id"]) == []


def test_shape_that_cannot_be_filled_is_refused_with_a_reason(
    client: MemoryClient, ana: list[str]
) -> None:
    schema = {"type": "object", "properties": {"mood": {"type": "string"}}}
    client.create_memory_export(schema, **ANA)
    with pytest.raises(ValidationError, match="without a language model"):
        client.get_memory_export(**ANA)


@pytest.mark.parametrize(
    ("schema", "owners", "says"),
    [
        ("no JSON", ANA, "must be a JSON schema"),
        ([], ANA, "must be a JSON schema"),
        ("[]", ANA, "must be a JSON schema"),
        ({"title": "x" * 20_000}, ANA, "at most 20,000"),
        ("{}", {}, "An owner is required"),
        ("{}", {"filters": {"user": "ana"}}, "not supported"),
    ],
)
def test_invalid_export_is_refused(
    schema: Any, owners: dict[str, Any], says: str, client: MemoryClient
) -> None:
    with pytest.raises(ValidationError, match=says):
        client.create_memory_export(schema, **owners)


def test_export_is_for_its_instance_and_readers_only(
    client: MemoryClient, connect: Connect, private: Instance, ana: list[str]
) -> None:
    created = client.create_memory_export("{}", **ANA)
    other = connect(private)
    for asked in ({"memory_export_id": created["id"]}, ANA, {"memory_export_id": "1"}):
        with pytest.raises(MemoryNotFoundError, match="no such export"):
            other.get_memory_export(**asked)
    cache.clear()
    with pytest.raises(MemoryNotFoundError):
        client.get_memory_export(**ANA)
    assert client.get_memory_export(memory_export_id=created["id"])["memories"]


def test_too_many_values_are_refused() -> None:
    lists: dict[str, Any] = {
        str(n): {"items": {"properties": {"id": {}, "memory": {}}}} for n in range(200)
    }
    memories = [Memory(pk=n, content="x") for n in range(300)]
    with pytest.raises(NotFilled, match="at most"):
        shaped({"properties": lists}, memories)


names = st.sampled_from(["type", "properties", "items", "$ref", "anyOf", "$defs", "memory", "a"])
schemas = st.recursive(
    st.none() | st.booleans() | st.sampled_from(["array", "object", "#/", "#/$defs/a", "#/items"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(names, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=200)
@given(schema=st.dictionaries(names, schemas, max_size=4))
def test_any_schema_is_filled_or_refused(schema: Any) -> None:
    with contextlib.suppress(NotFilled):
        shaped(schema, [Memory(pk=1, content="Ana rows.")])


def test_summary_is_that_of_one_user(
    client: MemoryClient, instance: Instance, ana: list[str]
) -> None:
    assert client.get_summary(filters=ANA)["summary"] is None
    Summary.objects.update_or_create(
        instance=instance,
        end_user="ana",
        defaults={"text": "Ana rows in Lyon.", "written_at": timezone.now()},
    )
    instance.summary_enabled = True
    instance.save()
    summary = client.get_summary(filters={"AND": [ANA]})
    assert (summary["summary"], summary["count"]) == ("Ana rows in Lyon.", 2)
    narrow = client.get_summary(filters={"AND": [ANA, {"metadata": {"room": "a"}}]})
    assert (narrow["summary"], narrow["count"]) == (None, 1)
    with pytest.raises(ValidationError, match="An owner is required"):
        client.get_summary()


def test_schema_that_refers_to_itself_twice_is_refused() -> None:
    again = {"$ref": "#/$defs/self"}
    schema: dict[str, Any] = {"type": "object", "properties": dict.fromkeys("abcdefgh", again)}
    with pytest.raises(NotFilled, match="at most"):
        shaped(schema | {"$defs": {"self": dict(schema)}}, [], ())
