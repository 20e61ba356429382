"""Adding memories and messages with mem0's client."""

from datetime import datetime
from typing import Any

import pytest
from mem0 import MemoryClient
from mem0.client.types import AddMemoryOptions
from mem0.exceptions import ValidationError

from conversations.models import Conversation, ConversationOrigin
from instances.models import Instance
from memoryapp.models import Activity, Memory, Run
from tests.api.mem0.client_calls import ANA, read_waiting, stored, texts
from tests.provider_fixtures import keep_everything, read_with
from tests.scripted_provider import ScriptedProvider


def test_memory_without_inference_is_stored_with_its_metadata(
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


def test_adding_a_duplicate_reports_the_outcome(client: MemoryClient) -> None:
    (first,) = stored(client, "The user has three cats.", metadata={"id": "a"})
    again = client.add("the user has  three cats", user_id="ana", infer=False, metadata={"by": "b"})
    assert [(one["id"], one["event"]) for one in again["results"]] == [(first, "NONE")]
    assert client.get(first)["metadata"] == {"id": "a", "by": "b"}


@pytest.mark.parametrize("other", ["The user likes pizzas.", "The user likes pizza now."])
def test_alike_texts_without_inference_stay_apart(client: MemoryClient, other: str) -> None:
    (first,) = stored(client, "The user likes pizza.", metadata={"id": "a"})
    (second,) = stored(client, other, metadata={"id": "b"})
    assert first != second
    for pk, label in ((first, "a"), (second, "b")):
        filters = {"AND": [ANA, {"metadata": {"id": label}}]}
        assert [one["id"] for one in client.get_all(filters=filters)["results"]] == [pk]


def test_later_value_without_inference_stays_apart(client: MemoryClient) -> None:
    stored(client, "The user has three cats.")
    changed = client.add("The user has four cats.", user_id="ana", infer=False)
    assert [one["event"] for one in changed["results"]] == ["ADD"]
    assert len(texts(client.get_all(filters=ANA))) == 2


def test_new_wording_keeps_metadata(
    client: MemoryClient, instance: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    client.add("I have three cats.", user_id="ana", metadata={"id": "a", "room": "kitchen"})
    read_waiting()
    client.add("I have four cats.", user_id="ana", metadata={"id": "b", "by": "c"})
    read_waiting()
    (memory,) = client.get_all(filters=ANA)["results"]
    assert memory["memory"] == "I have four cats."
    assert memory["metadata"] == {"id": "b", "room": "kitchen", "by": "c"}


def test_each_message_is_a_memory_except_system_messages(
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


def test_messages_become_a_conversation_for_extraction(
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


def test_repeated_messages_are_not_added(
    client: MemoryClient, instance: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    said = [{"role": "user", "content": f"I have {number} boats."} for number in range(4)]
    for messages in (said[:2], said[:2], said[:3], said[2:]):
        client.add(messages, user_id="ana", run_id="r-1")
    talk = Conversation.objects.get()
    assert [one.content for one in talk.messages.all()] == [one["content"] for one in said]
    # Another run or another user is another conversation.
    client.add(said[:1], user_id="ana", run_id="r-2")
    client.add(said[:1], user_id="ben", run_id="r-1")
    client.add(said[:1], user_id="ana")
    assert Conversation.objects.count() == 4


def test_failed_extraction_is_reported(
    client: MemoryClient, instance: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, instance)
    answer = client.add("I moved to Lyon.", user_id="ana")
    Run.objects.update(state=Run.State.FAILED, error="The provider is closed.")
    event = client.client.get(f"/v1/event/{answer['event_id']}/").json()
    assert (event["status"], event["error"]) == ("FAILED", "The provider is closed.")


def test_missing_language_model_is_explained(client: MemoryClient) -> None:
    with pytest.raises(ValidationError, match="infer=false"):
        client.add("I moved to Lyon.", user_id="ana")
    assert not Conversation.objects.exists()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"custom_instructions": "Only food."}, "custom_instructions"),
        ({"immutable": True}, "immutable"),
        ({"user_id": ""}, "An owner is required"),
        ({"filters": {"AND": [ANA]}}, "only the owner is allowed"),
        ({"expiration_date": "soon"}, "expiration_date"),
        ({"timestamp": 10**15}, "seconds since 1970"),
        ({"metadata": {"all": "x" * 20_000}}, "Attach less"),
    ],
)
def test_unsupported_options_are_rejected_with_a_reason(
    options: dict[str, Any], says: str, client: MemoryClient
) -> None:
    with pytest.raises(ValidationError, match=says) as refused:
        client.add("I row.", **({"user_id": "ana", "infer": False} | options))
    assert "Value error" not in str(refused.value)
    assert not Memory.objects.exists()


def test_transcript_of_an_agent_is_stored_as_it_is(
    client: MemoryClient, instance: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, instance)
    picture = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    call = {"name": "weather", "arguments": '{"city": "Lyon"}'}
    transcript: list[dict[str, Any]] = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "What is this?"}, picture]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "type": "function", "function": call}],
            "refusal": None,
            "annotations": [],
            "audio": None,
        },
        {"role": "tool", "tool_call_id": "c1", "content": "sunny"},
        {"role": "assistant", "content": "It is sunny in Lyon.", "id": "m1", "created_at": 1},
        {"role": "user", "content": ""},
    ]
    client.add(transcript, user_id="ana", source="CLI", reference_date="2026-01-01")
    rows = Conversation.objects.get().messages.values_list("role", "content", "tool_name")
    assert list(rows) == [
        ("system", "Be brief.", ""),
        ("user", "What is this?\n[image]", ""),
        ("assistant", "", ""),
        ("tool", "sunny", "weather"),
        ("assistant", "It is sunny in Lyon.", ""),
    ]


def test_text_alone_is_what_the_user_says(client: MemoryClient) -> None:
    body = {"messages": "Ana rows.", "user_id": "ana", "infer": False}
    answer = client.client.post("/v1/memories/", json=body)
    assert answer.status_code == 200, answer.text
    assert Memory.objects.get().content == "Ana rows."


def test_unknown_fields_are_ignored(client: MemoryClient) -> None:
    (pk,) = stored(client, "Ana rows.")
    found = client.client.post(
        "/v3/memories/search/",
        json={"query": "Does Ana row?", "filters": ANA, "source": "CLI", "later": {"x": 1}},
    )
    assert [row["id"] for row in found.json()["results"]] == [pk]
    listed = client.client.get("/v1/memories/", params={"user_id": "ana", "source": "CLI"})
    assert [row["id"] for row in listed.json()] == [pk]
    changed = client.client.put(f"/v1/memories/{pk}/", json={"text": "Ana sails.", "source": "CLI"})
    assert changed.json()["memory"] == "Ana sails."
    deleted = client.client.delete("/v1/memories/", params={"user_id": "ana", "source": "CLI"})
    assert deleted.json()["deleted"] == 1


def test_error_names_the_field_and_no_type(client: MemoryClient) -> None:
    with pytest.raises(ValidationError) as refused:
        client.add([{"role": "user", "content": [1]}], user_id="ana")
    assert "body.messages.0.content.0: " in str(refused.value)
    assert "[" not in str(refused.value)


def test_secrets_are_redacted_in_text_and_metadata(client: MemoryClient) -> None:
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
    # Ids are not redacted, because they must keep matching.
    assert client.get_all(filters={"run_id": run})["count"] == 1


def test_unredactable_secret_is_rejected_and_nothing_stored(
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


def test_memory_without_inference_is_rated_by_its_text(client: MemoryClient) -> None:
    (flight,) = stored(client, "Flug nach Oslo am 3. Mai 2031")
    (allergy,) = stored(client, "Ana is allergic to walnuts.")
    assert client.get(flight)["expiration_date"] == "2031-05-03"
    assert Memory.objects.get(pk=allergy).importance == 9
