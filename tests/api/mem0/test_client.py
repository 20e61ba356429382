"""mem0's own client works unchanged, against the running application."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any

import httpx
import pytest
from mem0 import AsyncMemoryClient, MemoryClient
from mem0.client.types import AddMemoryOptions, GetAllMemoryOptions, SearchMemoryOptions
from mem0.exceptions import (
    AuthenticationError,
    MemoryNotFoundError,
    RateLimitError,
    ValidationError,
)
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from conversations.models import Conversation, ConversationOrigin
from instances.models import ApiKey, Instance
from memoryapp.api import throttling
from memoryapp.extraction.run import read
from memoryapp.models import Activity, Memory, Run
from tests.api.conftest import key_of
from tests.api.mem0.conftest import Connect
from tests.provider_fixtures import keep_everything, read_with
from tests.scripted_provider import ScriptedProvider

ANA, BEN = {"user_id": "ana"}, {"user_id": "ben"}


def stored(client: MemoryClient, *texts: str, **more: Any) -> list[str]:
    """Add texts as they are; return the ids of the memories."""
    messages = [{"role": "user", "content": text} for text in texts]
    answer = client.add(messages, infer=False, **({"user_id": "ana"} | more))
    return [one["id"] for one in answer["results"]]


def texts(answer: Any) -> list[str]:
    return [one["memory"] for one in answer["results"]]


def read_waiting() -> None:
    for run in Run.objects.filter(state=Run.State.QUEUED):
        assert run.claim()
        read(run)


# Adding.


def test_what_is_added_as_it_is_comes_back_with_all_that_was_attached(
    client: MemoryClient,
) -> None:
    labels = {"room": "a", "seat": {"row": 3}, "seen": [1, None]}
    answer = client.add(
        "Ana rows on the lake.",
        user_id="ana",
        agent_id="coach",
        app_id="club",
        run_id="r-1",
        metadata=labels,
        infer=False,
        timestamp=1_700_000_000,
        expiration_date="2199-01-31",
    )
    (event,) = answer["results"]
    assert (event["memory"], event["event"]) == ("Ana rows on the lake.", "ADD")
    memory = client.get(event["id"])
    assert memory["id"] == event["id"]
    assert memory["memory"] == "Ana rows on the lake."
    owners = [memory[name] for name in ("user_id", "agent_id", "app_id", "run_id")]
    assert owners == ["ana", "coach", "club", "r-1"]
    assert memory["metadata"] == labels
    assert memory["expiration_date"] == "2199-01-31"
    assert datetime.fromisoformat(memory["created_at"]).timestamp() == 1_700_000_000
    assert Activity.objects.get().via.startswith("api ks_")


def test_adding_again_says_what_became_of_it(client: MemoryClient) -> None:
    (first,) = stored(client, "The user has three cats.")
    again = client.add("The user has three cats.", user_id="ana", infer=False)
    changed = client.add("The user has four cats.", user_id="ana", infer=False)
    for answer, event in ((again, "NONE"), (changed, "UPDATE")):
        assert [(one["id"], one["event"]) for one in answer["results"]] == [(first, event)]
    assert texts(client.get_all(filters=ANA)) == ["The user has four cats."]


def test_several_messages_are_several_memories_and_instructions_are_none(
    client: MemoryClient,
) -> None:
    client.add(
        [
            {"role": "system", "content": "You are a coach."},
            {"role": "user", "content": "I row.", "name": "Ana"},
            {"role": "assistant", "content": [{"type": "text", "text": "The lake is frozen."}]},
        ],
        options=AddMemoryOptions(filters=ANA, infer=False),
    )
    assert sorted(texts(client.get_all(filters=ANA))) == ["I row.", "The lake is frozen."]


def test_messages_become_a_conversation_that_is_read(
    client: MemoryClient, instance: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    messages = [
        {"role": "user", "content": "I moved to Lyon."},
        {"role": "assistant", "content": "How do you like it there?"},
    ]
    answer = client.add(messages, user_id="ana", run_id="r-1", metadata={"room": "a"})
    assert answer["status"] == "PENDING"
    assert answer["results"][0]["event_id"] == answer["event_id"]
    event = client.client.get(f"/v1/event/{answer['event_id']}/").json()
    assert (event["status"], event["results"]) == ("PENDING", [])

    read_waiting()
    event = client.client.get(f"/v1/event/{answer['event_id']}/").json()
    assert event["status"] == "SUCCEEDED"
    assert [(one["memory"], one["event"]) for one in event["results"]] == [
        ("I moved to Lyon.", "ADD")
    ]
    (memory,) = client.get_all(filters=ANA)["results"]
    assert memory["id"] == event["results"][0]["id"]
    assert (memory["metadata"], memory["run_id"]) == ({"room": "a"}, "r-1")
    talk = Conversation.objects.get()
    assert (talk.origin, talk.end_user) == (ConversationOrigin.MEM0, "ana")
    assert client.history(memory["id"])[0]["input"] == messages[:1]


def test_what_is_sent_again_is_not_added_again(
    client: MemoryClient, instance: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    said = [{"role": "user", "content": f"I have {number} boats."} for number in range(4)]
    for messages in (said[:2], said[:2], said[:3], said[2:]):
        client.add(messages, user_id="ana", run_id="r-1")
    talk = Conversation.objects.get()
    assert [one.content for one in talk.messages.all()] == [one["content"] for one in said]
    # Another run and another person are other conversations.
    client.add(said[:1], user_id="ana", run_id="r-2")
    client.add(said[:1], user_id="ben", run_id="r-1")
    client.add(said[:1], user_id="ana")
    assert Conversation.objects.count() == 4


def test_a_failed_reading_says_so(
    client: MemoryClient, instance: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, instance)
    answer = client.add("I moved to Lyon.", user_id="ana")
    Run.objects.update(state=Run.State.FAILED, error="The provider is closed.")
    event = client.client.get(f"/v1/event/{answer['event_id']}/").json()
    assert (event["status"], event["error"]) == ("FAILED", "The provider is closed.")


def test_without_a_language_model_it_says_what_to_do(client: MemoryClient) -> None:
    with pytest.raises(ValidationError, match="infer=false"):
        client.add("I moved to Lyon.", user_id="ana")
    assert not Conversation.objects.exists()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"custom_instructions": "Only food."}, "custom_instructions"),
        ({"immutable": True}, "immutable"),
        ({"user_id": ""}, "Say whose memories"),
        ({"filters": {"AND": [ANA]}}, "name an owner"),
        ({"expiration_date": "soon"}, "expiration_date"),
        ({"timestamp": 10**15}, "seconds since 1970"),
        ({"metadata": {"all": "x" * 20_000}}, "Attach less"),
    ],
)
def test_what_is_not_done_is_refused_with_words(
    options: dict[str, Any], says: str, client: MemoryClient
) -> None:
    with pytest.raises(ValidationError, match=says):
        client.add("I row.", **({"user_id": "ana", "infer": False} | options))
    assert not Memory.objects.exists()


def test_pictures_are_refused_and_not_passed_over(client: MemoryClient) -> None:
    picture = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    with pytest.raises(ValidationError):
        client.add([{"role": "user", "content": [picture]}], user_id="ana", infer=False)


def test_secrets_are_taken_out_of_texts_and_of_what_is_attached(client: MemoryClient) -> None:
    card, run = "4111 1111 1111 1111", "+49 30 901820"
    (pk,) = stored(
        client,
        f"Ana pays with {card} on Mondays.",
        metadata={"note": [f"card {card}"]},
        run_id=run,
    )
    memory = client.get(pk)
    assert card not in str(memory)
    assert memory["memory"] == "Ana pays with [REDACTED:CARD] on Mondays."
    assert memory["metadata"] == {"note": ["card [REDACTED:CARD]"]}
    # An id is not something said: it must go on finding things.
    assert client.get_all(filters={"run_id": run})["count"] == 1


def test_a_secret_that_cannot_be_told_apart_is_refused_and_nothing_is_kept(
    client: MemoryClient, instance: Instance
) -> None:
    instance.pii_policy = "reject"
    instance.save()
    with pytest.raises(ValidationError) as caught:
        stored(client, "Ana rows.", "Ana pays with 4111 1111 1111 1111.")
    assert caught.value.details["code"] == "pii_rejected"
    assert "card number" in str(caught.value)
    (pk,) = stored(client, "Ana rows.")
    with pytest.raises(ValidationError):
        client.update(pk, text="Ana pays with 4111 1111 1111 1111.")
    assert Memory.objects.get().content == "Ana rows."


# Searching and listing.


def test_search_finds_what_answers_of_one_person_only(client: MemoryClient) -> None:
    stored(client, "Ana is allergic to peanuts.", "Ana plays the violin.")
    stored(client, "Ben is allergic to peanuts.", user_id="ben")
    answer = client.search("Who is allergic to peanuts?", filters=ANA)
    first = answer["results"][0]
    assert first["memory"] == "Ana is allergic to peanuts."
    assert 0.3 < first["score"] <= 1
    assert {one["user_id"] for one in answer["results"]} == {"ana"}
    strict = SearchMemoryOptions(filters=ANA, top_k=1, threshold=first["score"], rerank=True)
    assert texts(client.search("Who is allergic to peanuts?", strict)) == [first["memory"]]
    none = client.search("Who is allergic to peanuts?", filters=ANA, threshold=0.9999)
    assert none["results"] == []
    few = client.search("peanuts", filters=ANA, fields=["memory"])
    assert all(one.keys() == {"id", "memory"} for one in few["results"])


def test_everybody_at_once_must_be_asked_for(client: MemoryClient) -> None:
    stored(client, "Ana rows.")
    stored(client, "Ben rows.", user_id="ben")
    with pytest.raises(ValidationError, match="Say whose memories"):
        client.get_all()
    with pytest.raises(ValidationError, match="Say whose memories"):
        client.search("rows", filters={"NOT": [ANA]})
    assert client.get_all(filters={"user_id": "*"})["count"] == 2


def test_pages_hold_together(client: MemoryClient) -> None:
    stored(client, *(f"Ana {what}." for what in ("rows", "sings bass", "keeps bees", "is tall")))
    stored(client, "Her sister lives in Oslo.")
    seen: list[str] = []
    page = client.get_all(filters=ANA, page=1, page_size=2)
    while True:
        assert page["count"] == 5
        seen += texts(page)
        if page["next"] is None:
            break
        page = client.client.post(page["next"], json={"filters": ANA}).json()
    assert len(seen) == len(set(seen)) == 5
    assert page["previous"].endswith("page=2&page_size=2")


def test_what_has_expired_is_shown_on_demand(client: MemoryClient) -> None:
    stored(client, "Ana is in Oslo.", expiration_date="2020-01-31")
    assert client.get_all(filters=ANA)["results"] == []
    assert client.search("Where is Ana?", filters=ANA)["results"] == []
    options = GetAllMemoryOptions(filters=ANA, show_expired=True)
    assert texts(client.get_all(options)) == ["Ana is in Oslo."]


# One memory.


def test_a_memory_is_changed_and_its_history_told(client: MemoryClient) -> None:
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


def test_ids_of_another_system_go_on_working(
    client: MemoryClient, instance: Instance, remembered: Callable[..., Memory]
) -> None:
    theirs = "892db2ae-06d9-49e5-8b3e-585ef9b85b8e"
    memory = remembered("Ana rows.", end_user="ana", external_id=theirs)
    assert client.get(theirs)["id"] == theirs
    assert client.get_all(filters={"memory_ids": [theirs]})["count"] == 1
    with pytest.raises(MemoryNotFoundError):
        client.get(str(memory.pk))
    client.update(theirs, text="Ana sails.")
    assert [one["new_memory"] for one in client.history(theirs)] == ["Ana rows.", "Ana sails."]
    client.delete(theirs)
    assert not Memory.objects.exists()


def test_deleting_is_for_good(client: MemoryClient) -> None:
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
def test_all_of_one_person_are_deleted_and_no_other(
    how: dict[str, Any], client: MemoryClient
) -> None:
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
        {"filters": {"NOT": [{"user_id": "ana"}]}},
        {"filters": "user_id=ana"},
        {"filters": {"user_id": {"like": "ana"}}},
        {"filters": {}, "user_id": ""},
    ],
)
def test_what_is_not_understood_deletes_nothing(how: dict[str, Any], client: MemoryClient) -> None:
    stored(client, "Ana rows.")
    with pytest.raises(ValidationError):
        client.delete_all(**how)
    assert Memory.objects.count() == 1


def test_several_at_once(client: MemoryClient) -> None:
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


# Who may.


def test_a_key_opens_its_own_instance_only(
    client: MemoryClient, connect: Connect, private: Instance
) -> None:
    theirs = connect(private)
    (pk,) = stored(theirs, "The diary is green.")
    for ask in (client.get, client.history, client.delete):
        with pytest.raises(MemoryNotFoundError):
            ask(pk)
    with pytest.raises(MemoryNotFoundError):
        client.update(pk, text="Mine now.")
    with pytest.raises(MemoryNotFoundError):
        client.batch_update([{"memory_id": pk, "text": "Mine now."}])
    client.batch_delete([{"memory_id": pk}])
    everybody = {"user_id": "*"}
    assert client.get_all(filters=everybody)["results"] == []
    assert client.get_all(filters={"memory_ids": [pk]})["results"] == []
    assert client.search("What is green?", filters=everybody)["results"] == []
    assert client.users()["results"] == []
    assert client.delete_all(filters=everybody)["deleted"] == 0
    assert texts(theirs.get_all(filters=ANA)) == ["The diary is green."]


def test_another_instance_s_event_is_not_there(
    client: MemoryClient, connect: Connect, private: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, private)
    theirs = connect(private).add("The diary is green.", user_id="ana")["event_id"]
    for event in (theirs, "0", "first", "9" * 30):
        assert client.client.get(f"/v1/event/{event}/").status_code == 404


@pytest.mark.parametrize(
    ("scopes", "may"),
    [
        (["read"], {"get", "history", "get_all", "search", "users"}),
        (["write"], {"add", "update", "batch_update"}),
        (["delete"], {"delete_all", "batch_delete", "delete_users", "delete"}),
    ],
)
def test_a_key_may_do_what_its_scopes_say(
    scopes: list[str], may: set[str], client: MemoryClient, connect: Connect, instance: Instance
) -> None:
    (pk,) = stored(client, "Ana rows.")
    limited = connect(instance, *scopes)
    ways: dict[str, Callable[[], Any]] = {
        "get": lambda: limited.get(pk),
        "history": lambda: limited.history(pk),
        "get_all": lambda: limited.get_all(filters=ANA),
        "search": lambda: limited.search("rows", filters=ANA),
        "users": lambda: limited.users(),
        "add": lambda: limited.add("Ben rows.", user_id="ben", infer=False),
        "update": lambda: limited.update(pk, metadata={"a": 1}),
        "batch_update": lambda: limited.batch_update([{"memory_id": pk, "metadata": {"a": 2}}]),
        "delete_all": lambda: limited.delete_all(user_id="nobody"),
        "batch_delete": lambda: limited.batch_delete([{"memory_id": "nothing"}]),
        "delete_users": lambda: limited.delete_users(user_id="ana"),
        "delete": lambda: limited.delete(pk),
    }
    for name, way in ways.items():
        try:
            way()
        except AuthenticationError:
            assert name not in may
        except MemoryNotFoundError:
            assert name == "delete"  # Deleted by the one before.
        else:
            assert name in may


def test_a_bad_key_is_told_so_at_once(live_server: LiveServer, instance: Instance) -> None:
    with httpx.Client() as http, pytest.raises(ValueError, match="opens nothing"):
        MemoryClient(api_key="ks_nothing", host=live_server.url, client=http)


def test_a_key_that_is_revoked_meanwhile(client: MemoryClient) -> None:
    ApiKey.objects.all().delete()
    with pytest.raises(AuthenticationError, match="revoked"):
        client.get_all(filters=ANA)


def test_too_many_requests_say_how_long_to_wait(
    client: MemoryClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttling, "WINDOW_SECONDS", 10**7)
    settings.API_RATE_LIMIT = 1
    with pytest.raises(RateLimitError) as caught:
        for _ in range(3):
            client.get_all(filters=ANA)
    assert caught.value.debug_info["retry_after"] > 0


# The other client, and older ones.


def test_the_asynchronous_client_does_the_same(live_server: LiveServer, instance: Instance) -> None:
    secret = key_of(instance)[1].secret

    async def use() -> list[str]:
        client = AsyncMemoryClient(api_key=secret, host=live_server.url)
        (added,) = (await client.add("Ana rows.", user_id="ana", infer=False))["results"]
        pk = added["id"]
        await client.update(pk, text="Ana sails.")
        assert (await client.get(pk))["memory"] == "Ana sails."
        assert len(await client.history(pk)) == 2
        found = texts(await client.search("Who sails?", filters=ANA))
        found += texts(await client.get_all(filters=ANA))
        await client.delete(pk)
        await client.delete_all(user_id="ana")
        await client.async_client.aclose()
        return found

    assert asyncio.run(use()) == ["Ana sails."] * 2
    assert not Memory.objects.exists()


def test_older_clients_get_the_answers_they_expect(client: MemoryClient) -> None:
    """The requests that mem0ai 0.1.115 and 1.0.11 make."""
    http = client.client
    body = {
        "messages": [{"role": "user", "content": "Ana rows."}],
        "user_id": "ana",
        "infer": False,
        "version": "v2",
        "async_mode": True,
        "output_format": "v1.1",
    }
    assert http.post("/v1/memories/", json=body).json()["results"][0]["event"] == "ADD"
    first = http.get("/v1/memories/", params={"user_id": "ana"}).json()
    assert [one["memory"] for one in first] == ["Ana rows."]
    paged = {"user_id": "ana", "page": 1, "page_size": 10}
    assert http.get("/v1/memories/", params=paged).json()["count"] == 1
    assert http.get("/v1/memories/", params={"user_id": "ana", "nearly": "x"}).status_code == 400
    v2 = http.post("/v2/memories/", json={"filters": {"AND": [ANA]}}).json()
    assert v2 == first
    v2 = http.post("/v2/memories/", params={"page": 1, "page_size": 5}, json={"filters": ANA})
    assert v2.json()["results"] == first
    for version in ("v1", "v2"):
        asked = {"query": "Who rows?", "user_id": "ana", "top_k": 3}
        url = f"/{version}/memories/search/"
        found = http.post(url, json=asked).json()
        assert [one["memory"] for one in found] == ["Ana rows."]
        assert http.post(url, json=asked | {"output_format": "v1.1"}).json()["results"] == found


def test_what_mem0_has_and_keepsake_has_not_is_said_to_be_missing(client: MemoryClient) -> None:
    with pytest.raises(MemoryNotFoundError, match=r"docs/mem0\.md"):
        client.create_memory_export(schema="{}")
