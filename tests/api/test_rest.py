"""The REST API: lists, search, conversations, and an error in JSON for everything that is wrong."""

import json
import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from ninja import Schema

from conversations.models import Conversation, Message
from instances.models import Agent, Instance, User
from memoryapp.models import Memory, Run

Store = Callable[..., Memory]
LIST = "/api/memories"


def fetch(client: Client, status: int = 200, /, **params: Any) -> Any:
    """Ask for memories; return the JSON."""
    response = client.get(LIST, params)
    assert response.status_code == status, response.content
    return checked(response)


def post(client: Client, url: str, body: Any, status: int = 200) -> Any:
    """Post *body* as JSON; return the JSON that comes back."""
    data = body if isinstance(body, str | bytes) else json.dumps(body)
    response = client.post(url, data, content_type="application/json")
    assert response.status_code == status, response.content
    return checked(response)


def checked(response: Any) -> Any:
    """The JSON of a response; an error has ``detail`` and ``code``, and nothing else."""
    assert response["Content-Type"].startswith("application/json")
    answer = response.json()
    if response.status_code >= 400:
        assert answer.keys() == {"detail", "code"}
        assert answer["detail"] and answer["code"]
    return answer


def texts(answer: Any) -> list[str]:
    return [item["content"] for item in answer["items"]]


# Whose memories.


def test_without_an_instance_it_is_400_to_the_letter(as_alice: Client) -> None:
    response = as_alice.get(LIST)
    assert response.status_code == 400
    assert response.json() == {"detail": "instanceId is required", "code": "instance_required"}
    assert fetch(as_alice, 400, instanceId="") == response.json()


def test_an_instance_is_named_by_slug_or_id(
    as_alice: Client, instance: Instance, remembered: Store
) -> None:
    remembered("The user keeps bees on the roof.")
    for name in ("desk", str(instance.pk)):
        assert texts(fetch(as_alice, instanceId=name)) == ["The user keeps bees on the roof."]


@pytest.mark.parametrize(
    "name", ["nowhere", "0", "-1", "9" * 18, "9" * 30, "\x00", "desk\x00x", "²", "DESK", "a" * 500]
)
def test_an_unknown_instance_is_404(name: str, as_alice: Client, instance: Instance) -> None:
    assert fetch(as_alice, 404, instanceId=name)["code"] == "not_found"


def test_an_instance_of_somebody_else_is_404_by_slug_and_by_id(
    client: Client, charlie: User, instance: Instance
) -> None:
    client.force_login(charlie)
    nobodys = fetch(client, 404, instanceId="nowhere")
    for name in ("desk", str(instance.pk)):
        assert fetch(client, 404, instanceId=name) == nobodys
        assert post(client, "/api/conversations", {"instanceId": name}, 404) == nobodys


# Lists.


def test_a_list_says_all_of_a_memory_newest_first(
    as_alice: Client, instance: Instance, remembered: Store
) -> None:
    remembered("The user keeps bees on the roof.")
    memory = remembered(
        "The user’s passport runs out in May 2031.",
        category="fact",
        importance=8,
        tags=["papers"],
        end_user="ana",
        valid_until=datetime(2031, 5, 31, tzinfo=UTC).date(),
        confidence=90,
    )
    answer = fetch(as_alice, instanceId="desk")
    assert answer["count"] == 2
    assert (answer["limit"], answer["next"], answer["degraded"]) == (20, None, None)
    assert answer["messages"] == []
    assert answer["items"][0] == {
        "id": memory.pk,
        "content": "The user’s passport runs out in May 2031.",
        "category": "fact",
        "importance": 8,
        "tags": ["papers"],
        "user_id": "ana",
        "key": "",
        "value": "",
        "valid_until": "2031-05-31",
        "origin": "manual",
        "confidence": 90,
        "verified_at": None,
        "created_at": answer["items"][0]["created_at"],
        "updated_at": answer["items"][0]["updated_at"],
        "score": None,
        "ranks": None,
        "parts": None,
        "similarity": None,
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
    ("asked", "given"),
    [(None, 20), (1, 1), (100, 100), (0, 1), (-5, 1), (101, 100), (1000, 100), (10**30, 100)],
)
def test_a_limit_is_brought_between_1_and_100(
    asked: int | None, given: int, as_alice: Client, facts: None
) -> None:
    params = {} if asked is None else {"limit": asked}
    answer = fetch(as_alice, instanceId="desk", **params)
    assert answer["limit"] == given
    assert len(answer["items"]) == given
    assert answer["count"] == 130
    found = fetch(as_alice, instanceId="desk", q="fact", **params)
    assert found["limit"] == given
    assert len(found["items"]) == min(given, 130)


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
    assert fetch(as_alice, instanceId="desk", **params)["count"] == count


@pytest.mark.parametrize("params", [{"limit": "ten"}, {"limit": "1.5"}, {"limit": ""}])
def test_a_number_that_is_none_is_422_and_named(
    params: dict[str, str], as_alice: Client, instance: Instance
) -> None:
    answer = fetch(as_alice, 422, instanceId="desk", **params)
    assert answer["code"] == "invalid"
    assert next(iter(params)) in answer["detail"]


def test_an_unknown_category_is_400_and_the_known_ones_are_told(
    as_alice: Client, instance: Instance
) -> None:
    answer = fetch(as_alice, 400, instanceId="desk", category="rumour")
    assert answer["code"] == "unknown_category"
    assert "general, preference, fact, event, relationship, decision" in answer["detail"]


# Search.


def test_a_search_explains_each_result(
    as_alice: Client, conversation: Conversation, remembered: Store
) -> None:
    remembered("The user plays the cello in an orchestra.")
    memory = remembered("The user is severely allergic to peanuts: never cook with them.")
    answer = fetch(as_alice, instanceId="desk", q="what about peanuts?")
    first = answer["items"][0]
    assert first["id"] == memory.pk
    assert first["ranks"] == {"meaning": 1, "words": 1}
    assert first["score"] == pytest.approx(sum(first["parts"].values()))
    # Messages from which nothing was learned answer too.
    said = next(message for message in answer["messages"] if message["role"] == "user")
    assert said["content"] == "No satay please, peanuts would put me in hospital."
    assert said["conversation_id"] == conversation.pk
    assert said["author"] == "Alice"
    assert said["ranks"]["said"] in (1, 2)
    assert answer["count"] == len(answer["items"]) + len(answer["messages"])
    assert answer["degraded"] is None


def test_a_search_by_meaning_needs_no_word_in_common(as_alice: Client, remembered: Store) -> None:
    remembered("The user plays the cello in an orchestra.")
    remembered("The user is severely allergic to peanuts: never cook with them.")
    answer = fetch(as_alice, instanceId="desk", q="which food is dangerous?")
    assert "peanuts" in texts(answer)[0]


def test_a_search_keeps_to_the_filters(
    as_alice: Client, conversation: Conversation, remembered: Store
) -> None:
    remembered("The user is allergic to peanuts.", category="fact", end_user="ana", tags=["food"])
    remembered("The user likes peanut butter.", category="preference", end_user="ben")
    for params, expected in [
        ({"category": "fact"}, ["The user is allergic to peanuts."]),
        ({"tag": "food"}, ["The user is allergic to peanuts."]),
        ({"user_id": "ben"}, ["The user likes peanut butter."]),
        ({"user_id": "nobody"}, []),
    ]:
        answer = fetch(as_alice, instanceId="desk", q="peanuts", **params)
        assert texts(answer) == expected
        # What was said to nobody in particular was not said to this person.
        assert answer["messages"] == []


def test_an_unreachable_provider_degrades_the_search_and_fails_nothing(
    as_alice: Client, instance: Instance, remembered: Store
) -> None:
    remembered("The user keeps bees on the roof.")
    instance.embedding_provider = "custom"
    instance.embedding_base_url = "http://127.0.0.1:9/v1"
    instance.embedding_model = "any"
    instance.save()
    answer = fetch(as_alice, instanceId="desk", q="bees")
    assert answer["degraded"] == "embedding_unavailable"
    assert texts(answer) == ["The user keeps bees on the roof."]
    assert answer["items"][0]["ranks"] == {"words": 1}
    assert fetch(as_alice, instanceId="desk")["degraded"] is None
    instance.embedding_provider = "openai"
    instance.embedding_base_url = ""
    instance.save()
    assert fetch(as_alice, instanceId="desk", q="bees")["degraded"] == "embedding_unavailable"


def test_what_a_search_returned_counts_as_recalled(as_alice: Client, remembered: Store) -> None:
    memory = remembered("The user keeps bees on the roof.")
    other = remembered("The user once visited the Andes.")
    fetch(as_alice, instanceId="desk")
    fetch(as_alice, instanceId="desk", q='"bees"', limit=1)
    memory.refresh_from_db()
    other.refresh_from_db()
    assert (memory.recall_count, other.recall_count) == (1, 0)
    assert memory.last_recalled_at is not None


# Conversations.


def test_a_conversation_is_begun_once_for_each_id_of_the_callers(
    as_alice: Client, instance: Instance
) -> None:
    agent = Agent.objects.create(instance=instance, slug="nora", name="Nora")
    body = {
        "instanceId": "desk",
        "title": "Dinner",
        "user_id": "ana",
        "agent": "nora",
        "external_id": "mine-1",
    }
    first = post(as_alice, "/api/conversations", body)
    assert first["title"] == "Dinner"
    assert (first["user_id"], first["external_id"]) == ("ana", "mine-1")
    again = post(as_alice, "/api/conversations", body | {"title": "Another title"})
    assert again == first
    conversation = Conversation.objects.get()
    assert (conversation.agent, conversation.instance) == (agent, instance)
    without = {"instanceId": "desk"}
    assert post(as_alice, "/api/conversations", without)["id"] != first["id"]
    assert post(as_alice, "/api/conversations", without)["title"] == ""
    assert Conversation.objects.count() == 3


def test_an_id_of_nothing_but_nul_is_no_id(as_alice: Client, conversation: Conversation) -> None:
    body = {"instanceId": "desk", "external_id": "\x00"}
    ids = {post(as_alice, "/api/conversations", body)["id"] for _ in range(2)}
    assert len(ids) == 2
    assert conversation.pk not in ids


@pytest.mark.parametrize("agent", ["nobody", "\x00", "theirs"])
def test_an_unknown_agent_is_404(
    agent: str, as_alice: Client, instance: Instance, private: Instance
) -> None:
    Agent.objects.create(instance=private, slug="theirs", name="Theirs")
    post(as_alice, "/api/conversations", {"instanceId": "desk", "agent": agent}, 404)
    assert not Conversation.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {"instanceId": "desk", "title": "x" * 301},
        {"instanceId": "desk", "user_id": "x" * 201},
        {"instanceId": "desk", "external_id": "x" * 301},
        {"instanceId": "desk", "title": 5},
        {"instanceId": "desk", "titel": "Dinner"},
        [],
    ],
)
def test_a_conversation_out_of_bounds_is_422(
    body: Any, as_alice: Client, instance: Instance
) -> None:
    assert post(as_alice, "/api/conversations", body, 422)["code"] == "invalid"


# Messages.


def messages_of(conversation: Conversation) -> list[Message]:
    return list(conversation.messages.order_by("position"))


def test_turns_are_appended_in_order(as_alice: Client, conversation: Conversation) -> None:
    url = f"/api/conversations/{conversation.pk}/messages"
    body = {
        "messages": [
            {"role": "user", "content": "What is the weather?", "author": "Ana"},
            {
                "role": "assistant",
                "tool_calls": [{"name": "weather", "arguments": {"city": "Lyon"}}],
            },
            {"role": "tool", "content": "Rain.", "tool_name": "weather"},
            {
                "role": "assistant",
                "content": "It rains.",
                "id": "m-4",
                "created_at": "2024-02-29T12:00:00+02:00",
            },
        ]
    }
    answer = post(as_alice, url, body)
    assert (answer["added"], answer["known"]) == (4, 0)
    added = messages_of(conversation)[2:]
    assert answer["ids"] == [message.pk for message in added]
    assert [message.position for message in added] == [3, 4, 5, 6]
    assert [message.role for message in added] == ["user", "assistant", "tool", "assistant"]
    assert added[1].tool_calls == [{"name": "weather", "arguments": {"city": "Lyon"}}]
    assert added[2].tool_name == "weather"
    assert added[3].sent_at == datetime(2024, 2, 29, 10, 0, tzinfo=UTC)
    assert {message.instance_id for message in added} == {conversation.instance_id}


def test_appending_twice_adds_once(as_alice: Client, conversation: Conversation) -> None:
    url = f"/api/conversations/{conversation.pk}/messages"
    turns = [{"role": "user", "content": f"Line {n}.", "id": f"m-{n}"} for n in range(3)]
    assert post(as_alice, url, {"messages": turns})["added"] == 3
    answer = post(as_alice, url, {"messages": [*turns, turns[0], turns[0] | {"id": "m-3"}]})
    assert (answer["added"], answer["known"]) == (1, 4)
    # Without an id, saying the same twice is saying it twice.
    for _ in range(2):
        assert (
            post(as_alice, url, {"messages": [{"role": "user", "content": "Yes."}]})["added"] == 1
        )
    positions = [message.position for message in messages_of(conversation)]
    assert positions == list(range(1, 9))


@pytest.mark.parametrize(("memory_enabled", "queued"), [(True, 1), (False, 0)])
def test_a_reply_queues_a_run_when_memory_is_on(
    memory_enabled: bool,
    queued: int,
    as_alice: Client,
    instance: Instance,
    conversation: Conversation,
) -> None:
    instance.memory_enabled = memory_enabled
    instance.save()
    url = f"/api/conversations/{conversation.pk}/messages"
    post(as_alice, url, {"messages": [{"role": "user", "content": "I keep bees."}]})
    assert not Run.objects.exists()
    post(as_alice, url, {"messages": [{"role": "assistant", "content": "How nice."}]})
    assert Run.objects.count() == queued


def test_nul_is_left_out_and_the_rest_is_kept(as_alice: Client, conversation: Conversation) -> None:
    turn = {
        "role": "tool",
        "content": "a\x00b",
        "author": "\x00Ana",
        "id": "\x00m",
        "tool_name": "\x00t",
        "tool_calls": [{"name": "\x00n", "arguments": {"\x00k": ["\x00v", 1.5, None, True]}}],
    }
    post(as_alice, f"/api/conversations/{conversation.pk}/messages", {"messages": [turn]})
    message = conversation.messages.latest("position")
    assert (message.content, message.author, message.external_id) == ("ab", "Ana", "m")
    assert message.tool_name == "t"
    assert message.tool_calls == [{"name": "n", "arguments": {"k": ["v", 1.5, None, True]}}]


@pytest.mark.parametrize("field", ["content", "author", "id", "tool_name"])
def test_half_of_a_surrogate_pair_is_422(
    field: str, as_alice: Client, conversation: Conversation
) -> None:
    url = f"/api/conversations/{conversation.pk}/messages"
    body = b'{"messages": [{"role": "user", "%s": "\\ud83d"}]}' % field.encode()
    assert field in post(as_alice, url, body, 422)["detail"]
    assert conversation.messages.count() == 2
    whole = b'{"messages": [{"role": "user", "content": "\\ud83e\\uded6"}]}'
    post(as_alice, url, whole)
    assert conversation.messages.latest("position").content == "🫖"


def test_half_of_a_surrogate_pair_deep_inside_is_replaced(
    as_alice: Client, conversation: Conversation
) -> None:
    url = f"/api/conversations/{conversation.pk}/messages"
    call = b'{"name": "n", "arguments": {"\\ud83d": ["\\ud83d", NaN, Infinity]}}'
    post(as_alice, url, b'{"messages": [{"role": "assistant", "tool_calls": [%s]}]}' % call)
    stored = conversation.messages.latest("position").tool_calls
    assert stored == [{"name": "n", "arguments": {"\ufffd": ["\ufffd", None, None]}}]


@pytest.mark.parametrize(
    "turn",
    [
        {},
        {"role": "narrator", "content": "Meanwhile …"},
        {"role": "user", "content": 5},
        {"role": "user", "content": None},
        {"role": "user", "author": "x" * 201},
        {"role": "user", "id": "x" * 301},
        {"role": "user", "content": "x" * 1_000_001},
        {"role": "user", "created_at": "yesterday"},
        {"role": "user", "created_at": "0001-01-01T00:00:00+14:00"},
        {"role": "user", "created_at": "9999-12-31T23:59:59-14:00"},
        {"role": "user", "created_at": "1899-12-31T00:00:00Z"},
        {"role": "assistant", "tool_calls": [{"arguments": {}}]},
        {"role": "assistant", "tool_calls": {"name": "n"}},
    ],
)
def test_a_turn_out_of_bounds_is_422_and_none_of_the_others_is_added(
    turn: dict[str, Any], as_alice: Client, conversation: Conversation
) -> None:
    url = f"/api/conversations/{conversation.pk}/messages"
    body = {"messages": [{"role": "user", "content": "Fine."}, turn]}
    assert post(as_alice, url, body, 422)["code"] == "invalid"
    assert conversation.messages.count() == 2
    assert as_alice.get(f"/conversations/{conversation.pk}").status_code == 200


@pytest.mark.parametrize(("count", "status"), [(0, 422), (1, 200), (1000, 200), (1001, 422)])
def test_a_request_has_1_to_1000_messages(
    count: int, status: int, as_alice: Client, conversation: Conversation
) -> None:
    url = f"/api/conversations/{conversation.pk}/messages"
    turns = [{"role": "user", "content": "Yes."}] * count
    post(as_alice, url, {"messages": turns}, status)
    assert conversation.messages.count() == 2 + (count if status == 200 else 0)


def test_a_conversation_has_a_number(as_alice: Client, instance: Instance) -> None:
    body = {"messages": [{"role": "user", "content": "Hello?"}]}
    post(as_alice, "/api/conversations/one/messages", body, 404)


@pytest.mark.parametrize("number", [0, 2**31, 2**63 - 1, 2**63, 10**30, -1])
def test_an_unknown_conversation_is_404(number: int, as_alice: Client, instance: Instance) -> None:
    url = f"/api/conversations/{number}/messages"
    body = {"messages": [{"role": "user", "content": "Hello?"}]}
    assert post(as_alice, url, body, 404)["code"] == "not_found"


# Errors.


def test_whoever_has_not_signed_in_gets_401(client: Client, conversation: Conversation) -> None:
    expected = {"detail": "Sign in first, or send an API key.", "code": "unauthenticated"}
    assert fetch(client, 401, instanceId="desk") == expected
    url = f"/api/conversations/{conversation.pk}/messages"
    assert post(client, url, {"messages": [{"role": "user"}]}, 401) == expected
    assert post(client, "/api/conversations", "{", 401) == expected
    # Not 403: that a token is missing too is not their trouble.
    strict = Client(enforce_csrf_checks=True)
    assert post(strict, "/api/conversations", {"instanceId": "desk"}, 401) == expected


def test_a_post_with_a_session_needs_the_csrf_token(
    alice: User, conversation: Conversation
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    body = {"instanceId": "desk"}
    assert post(client, "/api/conversations", body, 403)["code"] == "csrf_failed"
    url = f"/api/conversations/{conversation.pk}/messages"
    post(client, url, {"messages": [{"role": "user", "content": "Forged."}]}, 403)
    assert conversation.messages.count() == 2
    assert Conversation.objects.count() == 1
    assert client.get(LIST, {"instanceId": "desk"}).status_code == 200
    client.get("/memory?instance=desk")  # Which sets the cookie.
    token = client.cookies["csrftoken"].value
    response = client.post(
        "/api/conversations",
        json.dumps(body),
        content_type="application/json",
        headers={"X-CSRFToken": token},
    )
    assert response.status_code == 200


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("{", "application/json"),
        ("[" * 60, "application/json"),
        (b'{"instanceId": "\xe9"}', "application/json"),
        ("instanceId=desk", "application/x-www-form-urlencoded"),
    ],
)
def test_a_body_that_is_no_json_is_400(
    body: str | bytes, content_type: str, as_alice: Client, instance: Instance
) -> None:
    response = as_alice.post("/api/conversations", body, content_type=content_type)
    assert response.status_code == 400
    checked(response)


def test_a_body_that_is_too_large_is_413(as_alice: Client, conversation: Conversation) -> None:
    turns = [{"role": "user", "content": "x" * 900_000}] * 4
    url = f"/api/conversations/{conversation.pk}/messages"
    assert post(as_alice, url, {"messages": turns}, 413)["code"] == "too_large"


@pytest.mark.parametrize(
    ("method", "url", "status"),
    [
        ("delete", LIST, 405),
        ("put", LIST, 405),
        ("delete", "/api/conversations", 405),
        ("put", "/api/conversations/1/messages", 405),
        ("get", "/api/", 404),
        ("get", "/api/nowhere", 404),
        ("post", "/api/nowhere/at/all", 404),
        ("get", "/api/memories/", 404),
        ("post", "/api/conversations", 400),
        ("post", "/api/conversations/1/messages", 400),
        ("post", "/api/conversations/1/runs/", 404),
    ],
)
@pytest.mark.parametrize("signed_in", [True, False])
def test_what_the_api_does_not_have_is_said_in_json(
    signed_in: bool, method: str, url: str, status: int, client: Client, alice: User
) -> None:
    if signed_in:
        client.force_login(alice)
    elif status == 400:
        status = 401
    response = getattr(client, method)(url)
    assert response.status_code == status
    checked(response)
    assert ("Allow" in response) is (status == 405)


@pytest.mark.parametrize("levels", [900, 5_000])
def test_what_is_nested_too_deeply_is_422(
    as_alice: Client, conversation: Conversation, levels: int
) -> None:
    nested = "[" * levels + "]" * levels
    turn = f'{{"role": "assistant", "tool_calls": [{{"name": "n", "arguments": {nested}}}]}}'
    url = f"/api/conversations/{conversation.pk}/messages"
    assert post(as_alice, url, f'{{"messages": [{turn}]}}', 422)["code"] == "invalid"
    assert conversation.messages.count() == 2


def test_an_error_of_our_own_is_json_too_and_goes_to_the_log(
    as_alice: Client, conversation: Conversation, caplog: pytest.LogCaptureFixture
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE conversations_message RENAME TO mislaid")
    url = f"/api/conversations/{conversation.pk}/messages"
    with transaction.atomic():
        response = as_alice.get(url)
        transaction.set_rollback(True)
    assert response.status_code == 500
    assert checked(response)["code"] == "internal_error"
    assert "UndefinedTable" in caplog.text
    assert "mislaid" not in response.content.decode()


# The document.


def test_the_document_describes_every_operation_and_its_errors(as_alice: Client) -> None:
    document = as_alice.get("/api/openapi.json").json()
    assert document["info"]["title"] == "Keepsake"
    operations = [
        (method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    assert len(operations) == 44
    assert len({operation["operationId"] for _, _, operation in operations}) == len(operations)
    for _, path, operation in operations:
        assert operation["summary"] and operation["description"], path
        assert operation["security"] == [{"Key": []}, {"Session": []}], path
        assert {"400", "401", "403", "404", "422", "429"} <= operation["responses"].keys(), path
        for status, response in operation["responses"].items():
            if status == "204":
                continue
            schema = response["content"]["application/json"]["schema"]["$ref"]
            assert (schema == "#/components/schemas/Problem") is (status >= "400")


def test_the_docs_page_shows_the_document(as_alice: Client) -> None:
    response = as_alice.get("/api/docs")
    assert response.status_code == 200
    page = response.content.decode()
    assert "/api/openapi.json" in page
    assert "Keepsake" in page


@pytest.mark.parametrize("url", ["/api/docs", "/api/openapi.json"])
def test_the_docs_are_for_who_has_signed_in(url: str, client: Client, db: None) -> None:
    response = client.get(url)
    assert response["Location"] == f"/accounts/login?next={url}"


def test_no_two_parts_of_the_document_have_the_same_name() -> None:
    # The later one would take the place of the earlier one, unsaid.
    names = Counter(schema.__name__ for schema in _schemas(Schema))
    assert [name for name, times in names.items() if times > 1] == []


def _schemas(base: type[Schema]) -> set[type[Schema]]:
    """All schemas of this API; those of its other doors have a document of their own, or none."""
    below = {schema for own in base.__subclasses__() for schema in {own, *_schemas(own)}}
    return {schema for schema in below if re.match(r"memoryapp\.api\.\w+$", schema.__module__)}
