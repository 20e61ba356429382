"""Messages over REST: order, idempotency and validation."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.models import Run
from tests.api.rest_calls import post


def messages_of(conversation: Conversation) -> list[Message]:
    return list(conversation.messages.order_by("position"))


def test_messages_are_appended_in_order(as_alice: Client, conversation: Conversation) -> None:
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
    # Without an id, the same text is added again.
    for _ in range(2):
        assert (
            post(as_alice, url, {"messages": [{"role": "user", "content": "Yes."}]})["added"] == 1
        )
    positions = [message.position for message in messages_of(conversation)]
    assert positions == list(range(1, 9))


@pytest.mark.parametrize(("memory_enabled", "queued"), [(True, 1), (False, 0)])
def test_reply_queues_a_run_when_memory_is_on(
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
    told = {"messages": [{"role": "assistant", "content": "How nice.", "id": "m-2"}]}
    run = post(as_alice, url, told)["run"]
    assert [each.pk for each in Run.objects.all()] == ([run["id"]] if run else [])
    assert bool(run) == bool(queued)
    assert post(as_alice, url, told)["run"] is None, "known already"


def test_append_waits_for_its_run(
    as_alice: Client, conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    Instance.objects.update(memory_enabled=True)

    def read_meanwhile(_seconds: float) -> None:
        last = messages_of(conversation)[-1].position
        Run.objects.update(state=Run.State.SUCCEEDED, stored=2, last_position=last)

    monkeypatch.setattr("memoryapp.api.rest.runs.time.sleep", read_meanwhile)
    url = f"/api/conversations/{conversation.pk}/messages"
    reply = {"role": "assistant", "content": "How nice.", "id": "m-1"}
    waited = post(as_alice, url, {"messages": [reply], "wait": 5})["run"]
    assert (waited["state"], waited["stored"]) == ("succeeded", 2)
    question = {"role": "user", "content": "And you?"}
    assert post(as_alice, url, {"messages": [question], "wait": 5})["run"] is None


def test_append_waits_no_longer_than_asked(
    as_alice: Client, conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    Instance.objects.update(memory_enabled=True)
    slept: list[float] = []
    clock = lambda: 100 + sum(slept)  # noqa: E731
    monkeypatch.setattr("memoryapp.api.rest.runs.time.sleep", slept.append)
    monkeypatch.setattr("memoryapp.api.rest.runs.time.monotonic", clock)
    url = f"/api/conversations/{conversation.pk}/messages"
    reply = {"role": "assistant", "content": "How nice."}
    assert post(as_alice, url, {"messages": [reply], "wait": 3})["run"]["state"] == "queued"
    assert sum(slept) == pytest.approx(3)
    post(as_alice, url, {"messages": [reply], "wait": 31}, 422)


def test_nul_characters_are_removed(as_alice: Client, conversation: Conversation) -> None:
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


def test_nested_lone_surrogate_is_replaced(as_alice: Client, conversation: Conversation) -> None:
    url = f"/api/conversations/{conversation.pk}/messages"
    call = b'{"name": "n", "arguments": {"\\ud83d": ["\\ud83d"]}}'
    post(as_alice, url, b'{"messages": [{"role": "assistant", "tool_calls": [%s]}]}' % call)
    stored = conversation.messages.latest("position").tool_calls
    assert stored == [{"name": "n", "arguments": {"\ufffd": ["\ufffd"]}}]


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
def test_invalid_message_is_422_and_nothing_is_added(
    turn: dict[str, Any], as_alice: Client, conversation: Conversation
) -> None:
    url = f"/api/conversations/{conversation.pk}/messages"
    body = {"messages": [{"role": "user", "content": "Fine."}, turn]}
    assert post(as_alice, url, body, 422)["code"] == "invalid"
    assert conversation.messages.count() == 2
    assert as_alice.get(f"/conversations/{conversation.pk}").status_code == 200


@pytest.mark.parametrize(("count", "status"), [(0, 422), (1, 200), (1000, 200), (1001, 422)])
def test_request_has_1_to_1000_messages(
    count: int, status: int, as_alice: Client, conversation: Conversation
) -> None:
    url = f"/api/conversations/{conversation.pk}/messages"
    turns = [{"role": "user", "content": "Yes."}] * count
    post(as_alice, url, {"messages": turns}, status)
    assert conversation.messages.count() == 2 + (count if status == 200 else 0)


def test_conversation_id_must_be_a_number(as_alice: Client, instance: Instance) -> None:
    body = {"messages": [{"role": "user", "content": "Hello?"}]}
    post(as_alice, "/api/conversations/one/messages", body, 404)


@pytest.mark.parametrize("number", [0, 2**31, 2**63 - 1, 2**63, 10**30, -1])
def test_unknown_conversation_is_404(number: int, as_alice: Client, instance: Instance) -> None:
    url = f"/api/conversations/{number}/messages"
    body = {"messages": [{"role": "user", "content": "Hello?"}]}
    assert post(as_alice, url, body, 404)["code"] == "not_found"
