"""Memories over REST: create, read, correct, delete, restore."""

import threading
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any
from unicodedata import normalize
from urllib.parse import quote

import pytest
from django.db import connection
from django.utils import timezone

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance
from memoryapp.api.rest import memories
from memoryapp.models import Activity, Memory, MemoryRevision, MemorySource
from memoryapp.pipeline import Changes, revise
from tests.api.conftest import Program
from tests.provider_fixtures import embed_with, eventually, provider  # noqa: F401 - a fixture
from tests.scripted_provider import ScriptedProvider

Store = Callable[..., Memory]

BEES = "The user keeps bees on the roof."


def test_new_memory_is_returned_with_its_outcome(
    program: Program, conversation: Conversation
) -> None:
    message = conversation.messages.order_by("position")[0]
    body = {
        "content": "  The user’s passport\x00 runs out in May 2031. ",
        "category": "fact",
        "importance": 8,
        "tags": ["Papers", "papers", "travel"],
        "valid_until": "2031-05-31",
        "user_id": "ana",
        "confidence": 90,
        "conversation_id": conversation.pk,
        "message_id": message.pk,
    }
    answer = program.send("POST", "memories", body, 201)
    memory = Memory.objects.get()
    assert answer == {
        "id": memory.pk,
        "content": "The user’s passport runs out in May 2031.",
        "category": "fact",
        "importance": 8,
        "categories": ["papers", "travel"],
        "external_id": "",
        "metadata": {},
        "temporal": {"type": "temporal", "valid_until": "2031-05-31"},
        "dedup": {"action": "stored_new", "existing_id": None},
        "pii": {"redactions": {}},
        "held_id": None,
        "not_taken": False,
        "degraded": None,
    }
    assert (memory.origin, memory.end_user, memory.confidence) == ("api", "ana", 90)
    source = MemorySource.objects.get()
    assert (source.conversation, source.message) == (conversation, message)
    assert memory.embeddings.count() == 1


def test_omitted_fields_get_defaults(program: Program) -> None:
    answer = program.send("POST", "memories", {"content": BEES}, 201)
    assert (answer["category"], answer["importance"], answer["categories"]) == ("general", 5, [])
    assert answer["temporal"] == {"type": "persistent", "valid_until": None}
    assert not Memory.objects.get().assessed


def test_duplicate_is_200_and_names_the_existing_memory(program: Program) -> None:
    first = program.send("POST", "memories", {"content": "The user has 2 cats."}, 201)
    again = program.send("POST", "memories", {"content": "the user has 2 cats"}, 200)
    assert again["dedup"] == {"action": "duplicate_exact", "existing_id": first["id"]}
    changed = program.send("POST", "memories", {"content": "The user has 3 cats."}, 200)
    assert changed["dedup"] == {"action": "updated_existing", "existing_id": first["id"]}
    assert (changed["id"], changed["content"]) == (first["id"], "The user has 3 cats.")
    assert MemoryRevision.objects.get().content == "The user has 2 cats."
    # For another person it is another fact.
    other = {"content": "The user has 3 cats.", "user_id": "ana"}
    assert program.send("POST", "memories", other, 201)["id"] != first["id"]


def test_memory_without_a_vector_is_stored_and_marked(program: Program, instance: Instance) -> None:
    instance.embedding_provider = "custom"
    instance.embedding_base_url = "http://127.0.0.1:9/v1"
    instance.embedding_model = "any"
    instance.save()
    answer = program.send("POST", "memories", {"content": BEES}, 201)
    assert answer["degraded"] == "embedding_unavailable"
    assert program.send("GET", "memories?q=bees")["items"][0]["id"] == answer["id"]


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({}, 422, "content"),
        ({"content": ""}, 422, "content"),
        ({"content": " \n\x00"}, 422, "content"),
        ({"content": "x" * 4001}, 422, "content"),
        ({"content": BEES, "category": "rumour"}, 422, "category"),
        ({"content": BEES, "importance": 0}, 422, "importance"),
        ({"content": BEES, "importance": 11}, 422, "importance"),
        ({"content": BEES, "confidence": 101}, 422, "confidence"),
        ({"content": BEES, "tags": ["t"] * 13}, 422, "tags"),
        ({"content": BEES, "tags": ["t" * 51]}, 422, "tags"),
        ({"content": BEES, "valid_until": "soon"}, 422, "valid_until"),
        ({"content": BEES, "user_id": "x" * 201}, 422, "user_id"),
        ({"content": BEES, "importence": 9}, 422, "importence"),
        ({"content": BEES, "message_id": 1}, 422, "conversation_id"),
        ({"content": BEES, "conversation_id": 999_999}, 404, "999999"),
        ({"content": BEES, "conversation_id": 2**70}, 404, str(2**70)),
        ({"content": BEES, "conversation_id": -1}, 404, "-1"),
    ],
)
def test_invalid_memory_is_rejected_with_the_field(
    body: dict[str, Any], status: int, message: str, program: Program
) -> None:
    assert message in program.send("POST", "memories", body, status)["detail"]
    assert not Memory.objects.exists()


def test_source_message_must_be_in_the_same_instance(
    program: Program, conversation: Conversation, private: Instance
) -> None:
    secret = Conversation.objects.create(instance=private)
    program.send("POST", "memories", {"content": BEES, "conversation_id": secret.pk}, 404)
    message = conversation.messages.order_by("position")[0]
    other = Conversation.objects.create(instance=conversation.instance)
    body = {"content": BEES, "conversation_id": other.pk, "message_id": message.pk}
    program.send("POST", "memories", body, 404)
    assert not Memory.objects.exists()


def test_memory_is_read_with_its_sources(
    program: Program, conversation: Conversation, store_memory: Store
) -> None:
    message = conversation.messages.order_by("position")[0]
    memory = store_memory(BEES, conversation_id=conversation.pk, message_id=message.pk)
    answer = program.send("GET", f"memories/{memory.pk}")
    (source,) = answer.pop("sources")
    assert source["message_id"] == message.pk
    assert source["conversation_id"] == conversation.pk
    assert source["action"] == "stored_new"
    assert (answer["content"], answer["recall_count"]) == (BEES, 0)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "memories", {}),
        ("GET", "memories?q=bees", {}),
        ("GET", "memories?as_of={now}", {}),
        ("GET", "memories?q=bees&as_of={now}", {}),
        ("POST", "search", {"q": "bees"}),
    ],
)
def test_every_list_names_the_sources_that_one_memory_names(
    program: Program,
    conversation: Conversation,
    store_memory: Store,
    method: str,
    path: str,
    body: dict[str, Any],
) -> None:
    message = conversation.messages.order_by("position")[0]
    memory = store_memory(BEES, conversation_id=conversation.pk, message_id=message.pk)
    by_hand = store_memory("The user sells bees and hives.")
    now = quote((timezone.now() + timedelta(seconds=5)).isoformat())
    answer = program.send(method, path.format(now=now), body or None)
    items = [item.get("memory", item) for item in answer["items"]]
    sources = {item["id"]: item["sources"] for item in items if item}
    for each in (memory, by_hand):
        assert sources[each.pk] == program.send("GET", f"memories/{each.pk}")["sources"]
    assert len(sources[memory.pk]) == 1
    assert sources[by_hand.pk] == []
    conversation.delete()
    answer = program.send(method, path.format(now=now), body or None)
    assert all((item.get("memory") or item).get("sources") == [] for item in answer["items"])


def test_memory_is_known_by_the_id_that_models_are_shown(
    program: Program, store_memory: Store
) -> None:
    memory, other = store_memory("The user has a cat."), store_memory("The user sings.")
    assert program.send("GET", f"memories/m{memory.pk}")["id"] == memory.pk
    assert program.send("PATCH", f"memories/m{memory.pk}", {"importance": 9})["importance"] == 9
    for path in (f"memories/mm{memory.pk}", f"memories/m{'9' * 30}", "memories/m", "memories/s1"):
        assert program.send("GET", path, status=404)["code"] == "not_found"
    ids = [f"m{memory.pk}", other.pk]
    assert program.send("POST", "memories/delete", {"ids": ids})["deleted"] == 2
    program.send("POST", "memories/delete", {"ids": ["24"]}, 422)


def test_patch_changes_the_given_fields(program: Program, store_memory: Store) -> None:
    memory = store_memory(
        BEES, category="fact", importance=3, tags=["roof"], valid_until=date(2031, 1, 1)
    )
    path = f"memories/{memory.pk}"
    answer = program.send("PATCH", path, {"importance": 9})
    expected = ("fact", 9, ["roof"], "2031-01-01", BEES)
    names = ("category", "importance", "tags", "valid_until", "content")
    assert tuple(answer[name] for name in names) == expected
    answer = program.send("PATCH", path, {"valid_until": None, "tags": [], "category": "event"})
    assert tuple(answer[name] for name in names) == ("event", 9, [], None, BEES)
    vector = memory.embeddings.get().embedding
    answer = program.send("PATCH", path, {"content": "The user keeps wasps."})
    assert answer["content"] == "The user keeps wasps."
    assert memory.embeddings.get().embedding != vector
    assert memory.revisions.count() == 3
    # An unchanged value is no change.
    for body in ({}, {"importance": None}, {"importance": 9}, {"content": "The user keeps wasps."}):
        assert program.send("PATCH", path, body)["content"] == "The user keeps wasps."
    assert memory.revisions.count() == 3


@pytest.mark.parametrize("body", [{"content": " "}, {"importance": 11}, {"id": 5}, {"tags": "x"}])
def test_invalid_patch_is_422(body: Any, program: Program, store_memory: Store) -> None:
    memory = store_memory(BEES)
    assert program.send("PATCH", f"memories/{memory.pk}", body, 422)["code"] == "invalid"
    memory.refresh_from_db()
    assert memory.content == BEES


@pytest.mark.django_db(transaction=True)
def test_patch_keeps_concurrent_changes_of_other_fields(
    program: Program,
    instance: Instance,
    store_memory: Store,
    provider: ScriptedProvider,  # noqa: F811
) -> None:
    memory = store_memory(BEES, importance=3)
    embed_with(provider, instance)
    provider.fail_next("hang", path="embeddings", seconds=2)
    message: dict[str, Any] = {}

    def correct() -> None:
        try:
            body = {"content": "The user keeps wasps."}
            message.update(program.send("PATCH", f"memories/{memory.pk}", body))
        finally:
            connection.close()

    thread = threading.Thread(target=correct)
    thread.start()
    eventually(lambda: provider.count("embeddings"), "it never asked for the vector")
    revise(memory, Changes(BEES, "fact", 10), by=Actor())
    thread.join()
    assert (message["content"], message["importance"]) == ("The user keeps wasps.", 10)


def test_deleted_memory_is_gone_with_its_related_rows(
    program: Program, store_memory: Store
) -> None:
    memory = store_memory(BEES)
    revise(memory, Changes("The user keeps wasps.", "fact", 5), by=Actor())
    program.send("DELETE", f"memories/{memory.pk}", status=204)
    program.send("DELETE", f"memories/{memory.pk}", status=404)
    for table in ("memory", "memoryembedding", "memoryrevision", "memorysource"):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT count(*) FROM memoryapp_{table}")  # noqa: S608
            assert cursor.fetchone() == (0,)
    assert Activity.objects.latest("pk").action == "archived"


def test_bulk_delete_affects_only_own_memories(
    program: Program, store_memory: Store, private: Instance
) -> None:
    mine = [store_memory(f"The user sold the {thing}.") for thing in ("harp", "boat", "kettle")]
    theirs = store_memory(BEES, into=private)
    ids = [mine[0].pk, mine[1].pk, mine[1].pk, theirs.pk, 999_999, -1, 2**70]
    assert program.send("POST", "memories/delete", {"ids": ids})["deleted"] == 2
    assert program.send("POST", "memories/delete", {"ids": ids})["deleted"] == 0
    assert set(Memory.objects.values_list("pk", flat=True)) == {mine[2].pk, theirs.pk}
    for ids in ([], [1] * 1001):
        program.send("POST", "memories/delete", {"ids": ids}, 422)


def test_memories_are_deleted_by_key_and_category(
    program: Program, store_memory: Store, private: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    city = {"key": "home_city", "value": "Lyon"}
    home = store_memory("Ana lives in Lyon.", category="fact", end_user="ana", **city)
    other = store_memory("Imre lives in Lyon.", category="fact", end_user="imre", **city)
    events = [store_memory(f"The user sold the {x}.", category="event") for x in ("harp", "boat")]
    theirs = store_memory(BEES, into=private, category="event")

    def delete(**chosen: object) -> object:
        return program.send("POST", "memories/delete", chosen)

    assert delete(key="home_city", category="event") == {"deleted": 0, "more": False}
    assert delete(ids=[home.pk], category="event") == {"deleted": 0, "more": False}
    assert delete(key="Home City", user_id="ana") == {"deleted": 1, "more": False}
    monkeypatch.setattr(memories, "MAX_DELETED_AT_ONCE", 1)
    assert delete(category="event") == {"deleted": 1, "more": True}
    assert delete(category="event") == {"deleted": 1, "more": False}
    assert set(Memory.objects.values_list("pk", flat=True)) == {other.pk, theirs.pk}
    assert not Memory.objects.filter(pk__in=[event.pk for event in events]).exists()
    for nothing in ({}, {"key": "!!"}, {"key": "!!", "category": "fact"}, {"user_id": "imre"}):
        program.send("POST", "memories/delete", nothing, 422)


def test_deletion_knows_a_person_by_any_form_of_the_id(
    program: Program, instance: Instance, store_memory: Store
) -> None:
    store_memory("Zoë lives in Lyon.", category="fact", end_user=normalize("NFC", "Zoë"))
    asked = {"category": "fact", "user_id": normalize("NFD", "Zoë")}
    assert program.send("POST", "memories/delete", asked)["deleted"] == 1


def test_memory_may_end_after_some_days_and_say_where_it_comes_from(
    program: Program, instance: Instance
) -> None:
    body = {
        "content": BEES,
        "expires_days": 30,
        "source_context": " while planning the roof, card 4111 1111 1111 1111 ",
    }
    answer = program.send("POST", "memories", body, 201)
    ends = instance.date_of(timezone.now()) + timedelta(days=30)
    assert answer["temporal"] == {"type": "temporal", "valid_until": ends.isoformat()}
    context = Memory.objects.get().metadata["source_context"]
    assert context.startswith("while planning the roof")
    assert "4111 1111" not in context
    for wrong in (
        {"expires_days": 0},
        {"expires_days": 10**6},
        {"expires_days": 1, "valid_until": "2031-05-31"},
        {"source_context": "x" * 301},
    ):
        program.send("POST", "memories", {"content": BEES, **wrong}, 422)


def test_earlier_version_is_restored(program: Program, store_memory: Store) -> None:
    memory = store_memory("The user has 2 cats.", importance=4)
    program.send("PATCH", f"memories/{memory.pk}", {"content": "The user has 3 cats."})
    (revision,) = program.send("GET", f"memories/{memory.pk}/revisions")["items"]
    assert (revision["content"], revision["reason"]) == ("The user has 2 cats.", "edited")
    path = f"memories/{memory.pk}/revisions/{revision['id']}/restore"
    assert program.send("POST", path)["content"] == "The user has 2 cats."
    assert Activity.objects.latest("pk").action == "restored"
    contents = [
        r["content"] for r in program.send("GET", f"memories/{memory.pk}/revisions")["items"]
    ]
    assert contents == ["The user has 3 cats.", "The user has 2 cats."]
    other = store_memory("The user plays the cello.")
    program.send("POST", path.replace(str(memory.pk), str(other.pk), 1), status=404)
    program.send("POST", f"memories/{memory.pk}/revisions/{2**64}/restore", status=404)


def test_list_is_filtered_by_creation_time(program: Program, store_memory: Store) -> None:
    old, new = store_memory(BEES), store_memory("The user plays the cello.")
    Memory.objects.filter(pk=old.pk).update(created_at="2024-02-01T12:00:00Z")
    for query, expected in [
        ("since=2024-03-01", [new.pk]),
        ("until=2024-03-01T00:00:00Z", [old.pk]),
        ("since=2024-02-01T12:00:00Z&until=2024-02-01T12:00:01Z", [old.pk]),
        ("since=2024-02-01T14:00:01%2B02:00&until=2024-03-01", []),
    ]:
        answer = program.send("GET", f"memories?{query}")
        assert [item["id"] for item in answer["items"]] == expected
        body = program.send("GET", f"memories?q=bees+cello&{query}")
        assert [item["id"] for item in body["items"]] == expected
    assert program.send("GET", "memories?since=yesterday", status=422)["code"] == "invalid"
    program.send("GET", "memories?since=0001-01-01T00:00:00%2B14:00", status=422)
