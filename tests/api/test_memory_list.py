"""Listing and searching memories: isolation, pages, filters, explained results."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.test import Client

from conversations.models import Conversation
from instances.models import Instance, User
from memoryapp.models import Memory
from tests.api.rest_calls import fetch, post, texts

Store = Callable[..., Memory]
LIST = "/api/memories"


def test_missing_instance_is_400_with_the_exact_body(as_alice: Client) -> None:
    response = as_alice.get(LIST)
    assert response.status_code == 400
    assert response.json() == {
        "type": "about:blank",
        "title": "Bad Request",
        "status": 400,
        "detail": "instance_id is required",
        "code": "instance_required",
        "request_id": response["X-Request-ID"],
    }
    assert fetch(as_alice, 400, instance_id="")["code"] == "instance_required"


def test_instance_is_given_by_slug_or_id(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    store_memory("The user keeps bees on the roof.")
    for name in ("desk", str(instance.pk)):
        assert texts(fetch(as_alice, instance_id=name)) == ["The user keeps bees on the roof."]


def test_instance_may_be_in_the_query_of_a_request_with_a_body(
    as_alice: Client, store_memory: Store
) -> None:
    store_memory("The user keeps bees on the roof.")
    found = post(as_alice, "/api/search?instance_id=desk", {"q": "bees on the roof"})
    assert [item["memory"]["content"] for item in found["items"]] == [
        "The user keeps bees on the roof."
    ]
    missing = post(as_alice, "/api/search?instance_id=nowhere", {"q": "bees"}, 404)
    assert missing["code"] == "not_found"


@pytest.mark.parametrize(
    "name", ["nowhere", "0", "-1", "9" * 18, "9" * 30, "\x00", "desk\x00x", "²", "DESK", "a" * 500]
)
def test_unknown_instance_is_404(name: str, as_alice: Client, instance: Instance) -> None:
    assert fetch(as_alice, 404, instance_id=name)["code"] == "not_found"


def test_instance_of_another_user_is_404_by_slug_and_id(
    client: Client, charlie: User, instance: Instance
) -> None:
    client.force_login(charlie)
    nobodys = fetch(client, 404, instance_id="nowhere")
    for name, shown in (("desk", "“desk”"), (str(instance.pk), str(instance.pk))):
        expected = nobodys | {"detail": nobodys["detail"].replace("“nowhere”", shown)}
        assert fetch(client, 404, instance_id=name) == expected
        assert post(client, "/api/conversations", {"instance_id": name}, 404) == expected


def test_list_has_all_fields_newest_first(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    store_memory("The user keeps bees on the roof.")
    memory = store_memory(
        "The user’s passport runs out in May 2031.",
        category="fact",
        importance=8,
        tags=["papers"],
        end_user="ana",
        valid_until=datetime(2031, 5, 31, tzinfo=UTC).date(),
        confidence=90,
    )
    answer = fetch(as_alice, instance_id="desk")
    assert answer["count"] == 2
    assert (answer["limit"], answer["next"], answer["degraded"]) == (20, None, None)
    assert answer["messages"] == []
    assert answer["items"][0] == {
        "id": memory.pk,
        "content": "The user’s passport runs out in May 2031.",
        "category": "fact",
        "pinned": False,
        "sources": [],
        "importance": 8,
        "tags": ["papers"],
        "user_id": "ana",
        "key": "",
        "value": "",
        "valid_until": "2031-05-31",
        "origin": "manual",
        "tier": "user",
        "confidence": 90,
        "verified_at": None,
        "shared_by": None,
        "external_id": "",
        "metadata": {},
        "created_at": answer["items"][0]["created_at"],
        "updated_at": answer["items"][0]["updated_at"],
        "score": None,
        "ranks": None,
        "parts": None,
        "similarity": None,
        "relevant": None,
    }
    assert datetime.fromisoformat(answer["items"][0]["created_at"]).tzinfo is not None


@pytest.fixture
def facts(instance: Instance) -> None:
    Memory.objects.bulk_create(
        Memory(
            instance=instance,
            content=f"Fact {n}",
            category="fact" if n % 2 else "event",
            tags=["odd"] if n % 2 else [],
            end_user="ana" if n < 30 else "",
        )
        for n in range(130)
    )


@pytest.mark.parametrize(
    ("requested", "expected"),
    [(None, 20), (1, 1), (100, 100), (0, 1), (-5, 1), (101, 100), (1000, 100), (10**30, 100)],
)
def test_limit_is_clamped_to_1_and_100(
    requested: int | None, expected: int, as_alice: Client, facts: None
) -> None:
    params = {} if requested is None else {"limit": requested}
    answer = fetch(as_alice, instance_id="desk", **params)
    assert answer["limit"] == expected
    assert len(answer["items"]) == expected
    assert answer["count"] == 130
    body = fetch(as_alice, instance_id="desk", q="fact", **params)
    assert body["limit"] == expected
    assert len(body["items"]) == min(expected, 130)


@pytest.mark.parametrize(
    ("params", "count"),
    [
        ({"category": "fact"}, 65),
        ({"category": "decision"}, 0),
        ({"tag": "odd"}, 65),
        ({"tag": " ODD"}, 0),
        ({"tag": "ODD"}, 65),
        ({"user_id": "ana"}, 30),
        ({"user_id": "an"}, 0),
        ({"category": "fact", "tag": "odd", "user_id": "ana"}, 15),
        ({"category": "event", "tag": "odd"}, 0),
        ({"tag": "\x00odd\x00"}, 65),
        ({"q": "\x00 "}, 130),
    ],
)
def test_filters_narrow_the_list(
    params: dict[str, str], count: int, as_alice: Client, facts: None
) -> None:
    assert fetch(as_alice, instance_id="desk", **params)["count"] == count


@pytest.mark.parametrize("params", [{"limit": "ten"}, {"limit": "1.5"}, {"limit": ""}])
def test_invalid_number_is_422_with_its_field(
    params: dict[str, str], as_alice: Client, instance: Instance
) -> None:
    answer = fetch(as_alice, 422, instance_id="desk", **params)
    assert answer["code"] == "invalid"
    assert next(iter(params)) in answer["detail"]


def test_unknown_category_is_400_and_lists_known_ones(as_alice: Client, instance: Instance) -> None:
    answer = fetch(as_alice, 400, instance_id="desk", category="rumour")
    assert answer["code"] == "unknown_category"
    assert "general, preference, fact, event, relationship, decision" in answer["detail"]


def test_search_explains_each_result(
    as_alice: Client, conversation: Conversation, store_memory: Store
) -> None:
    store_memory("The user plays the cello in an orchestra.")
    memory = store_memory("The user is severely allergic to peanuts: never cook with them.")
    answer = fetch(as_alice, instance_id="desk", q="what about peanuts?")
    first = answer["items"][0]
    assert first["id"] == memory.pk
    assert first["ranks"] == {"meaning": 1, "words": 1}
    assert first["score"] == pytest.approx(sum(first["parts"].values()))
    # Messages without memories are results, too.
    user_message = next(message for message in answer["messages"] if message["role"] == "user")
    assert user_message["content"] == "No satay please, peanuts would put me in hospital."
    assert user_message["conversation_id"] == conversation.pk
    assert user_message["author"] == "Alice"
    assert user_message["ranks"]["said"] in (1, 2)
    assert answer["count"] == len(answer["items"]) + len(answer["messages"])
    assert answer["degraded"] is None


def test_semantic_search_needs_no_common_words(as_alice: Client, store_memory: Store) -> None:
    store_memory("The user plays the cello in an orchestra.")
    store_memory("The user is severely allergic to peanuts: never cook with them.")
    answer = fetch(as_alice, instance_id="desk", q="which food is dangerous?")
    assert "peanuts" in texts(answer)[0]


def test_search_respects_the_filters(
    as_alice: Client, conversation: Conversation, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.", category="fact", end_user="ana", tags=["food"])
    store_memory("The user likes peanut butter.", category="preference", end_user="ben")
    for params, expected in [
        ({"category": "fact"}, ["The user is allergic to peanuts."]),
        ({"tag": "food"}, ["The user is allergic to peanuts."]),
        ({"user_id": "ben"}, ["The user likes peanut butter."]),
        ({"user_id": "nobody"}, []),
    ]:
        answer = fetch(as_alice, instance_id="desk", q="peanuts", **params)
        assert texts(answer) == expected
        # Messages without an end user do not belong to this person.
        assert answer["messages"] == []


def test_search_degrades_without_the_provider(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    store_memory("The user keeps bees on the roof.")
    instance.embedding_provider = "custom"
    instance.embedding_base_url = "http://127.0.0.1:9/v1"
    instance.embedding_model = "any"
    instance.save()
    answer = fetch(as_alice, instance_id="desk", q="bees")
    assert answer["degraded"] == "embedding_unavailable"
    assert texts(answer) == ["The user keeps bees on the roof."]
    assert answer["items"][0]["ranks"] == {"words": 1}
    assert fetch(as_alice, instance_id="desk")["degraded"] is None
    instance.embedding_provider = "openai"
    instance.embedding_base_url = ""
    instance.save()
    assert fetch(as_alice, instance_id="desk", q="bees")["degraded"] == "embedding_unavailable"


def test_search_results_count_as_recalled(as_alice: Client, store_memory: Store) -> None:
    memory = store_memory("The user keeps bees on the roof.")
    other = store_memory("The user once visited the Andes.")
    fetch(as_alice, instance_id="desk")
    fetch(as_alice, instance_id="desk", q='"bees"', limit=1)
    memory.refresh_from_db()
    other.refresh_from_db()
    assert (memory.recall_count, other.recall_count) == (1, 0)
    assert memory.last_recalled_at is not None
