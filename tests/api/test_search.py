"""Search over REST: memories, messages and notes in one list."""

from collections.abc import Callable
from typing import Any

import pytest

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.models import Memory
from tests.api.conftest import Program
from tests.palace_factories import file_note, file_turn

Store = Callable[..., Memory]


def test_notes_of_the_palace_are_results(program: Program, instance: Instance) -> None:
    note = file_note(instance, "The mast was varnished in spring.")
    answer = program.send("POST", "search", {"q": "When was the mast varnished?"})
    (item,) = answer["items"]
    assert (item["type"], item["memory"], item["message"]) == ("note", None, None)
    assert item["note"]["content"] == note.note
    assert item["note"]["pointer"] == str(note)
    assert "words" in item["note"]["parts"]


@pytest.mark.parametrize("written", ["§ W-001/R-01/D-001", "w-1/r-1/d-1"])
def test_pointer_finds_its_message(
    program: Program, conversation: Conversation, store_memory: Store, written: str
) -> None:
    message = conversation.messages.all()[0]
    file_turn(message, "Alice")
    store_memory("The user has a W-001 and an R-01.")
    (item,) = program.send("POST", "search", {"q": written})["items"]
    assert (item["type"], item["message"]["id"]) == ("message", message.pk)
    assert item["message"]["parts"] == {"pointer": 1.0}


def test_pointer_respects_the_filters(
    program: Program, instance: Instance, private: Instance
) -> None:
    file_note(private, "Nobody knows.")
    asked = {"q": "§ W-001/R-01/D-001", "weaker": True}
    assert program.send("POST", "search", asked)["items"] == []
    file_note(instance, "The mast was varnished in spring.")
    assert len(program.send("POST", "search", asked)["items"]) == 1
    assert program.send("POST", "search", {**asked, "user_id": "ben"})["items"] == []


def test_search_returns_one_explained_list(
    program: Program, conversation: Conversation, store_memory: Store
) -> None:
    memory = store_memory("The user is severely allergic to peanuts.")
    answer = program.send("POST", "search", {"q": "what about peanuts?"})
    assert answer["degraded"] is None
    first, *rest = answer["items"]
    assert (first["type"], first["memory"]["id"]) == ("memory", memory.pk)
    for item in answer["items"]:
        assert {name: item[name] for name in ("id", "content", "score", "relevant")} == {
            name: item[item["type"]][name] for name in ("id", "content", "score", "relevant")
        }
    assert first["said_at"].startswith(memory.said_at.date().isoformat())
    assert first["message"] is None
    assert first["memory"]["ranks"] == {"meaning": 1, "words": 1}
    parts = first["memory"]["parts"]
    assert {"meaning", "words"} < parts.keys()
    assert first["memory"]["score"] == pytest.approx(sum(parts.values()))
    assert 0.15 < first["memory"]["similarity"] <= 1
    message = next(item["message"] for item in rest if item["type"] == "message")
    assert message["conversation_id"] == conversation.pk
    assert message["parts"].keys() == {"words"}
    scores = [(item["memory"] or item["message"])["score"] for item in answer["items"]]
    assert scores == sorted(scores, reverse=True)
    memory.refresh_from_db()
    assert memory.recall_count == 1


@pytest.mark.parametrize("limit", [-5, 0, 1])
def test_weaker_matches_keep_the_clamped_limit(
    program: Program, store_memory: Store, limit: int
) -> None:
    for thing in ("tea", "rain", "boats"):
        store_memory(f"The user likes {thing}.")
    asked = {"q": "Good morning!", "weaker": True, "limit": limit}
    (item,) = program.send("POST", "search", asked)["items"]
    assert not item["memory"]["relevant"]


def test_search_respects_its_filters(program: Program, store_memory: Store) -> None:
    store_memory("The user is allergic to peanuts.", category="fact", end_user="ana", tags=["food"])
    store_memory("The user likes peanut butter.", category="preference", end_user="ben")
    narrowings: list[tuple[dict[str, Any], int]] = [
        ({}, 2),
        ({"category": "fact"}, 1),
        ({"tag": "FOOD"}, 1),
        ({"user_id": "ben"}, 1),
        ({"user_id": "nobody"}, 0),
        ({"until": "2024-01-01"}, 0),
        ({"limit": 1}, 1),
        ({"limit": -5}, 1),
    ]
    for narrowed, count in narrowings:
        answer = program.send("POST", "search", {"q": "peanuts", **narrowed})
        assert len(answer["items"]) == count, narrowed


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"q": ""}, 422),
        ({"q": "x" * 8001}, 422),
        ({"q": "x", "catgory": "fact"}, 422),
        ({"q": "x", "category": "rumour"}, 400),
        ({"q": "\x00"}, 200),
        ({"q": '"-'}, 200),
    ],
)
def test_invalid_question_is_rejected(body: Any, status: int, program: Program) -> None:
    program.send("POST", "search", body, status)


def test_weaker_matches_are_returned_on_request_and_do_not_count(
    program: Program, store_memory: Store
) -> None:
    greeting = store_memory("The user says good morning to the postman.")

    def found(**body: Any) -> list[tuple[int, bool]]:
        items = program.send("POST", "search", body)["items"]
        return [(item["memory"]["id"], item["memory"]["relevant"]) for item in items]

    assert found(q="Good evening!") == []
    assert found(q="Good evening!", weaker=True) == [(greeting.pk, False)]
    greeting.refresh_from_db()
    assert greeting.recall_count == 0
    assert found(q="Who greets the postman?") == [(greeting.pk, True)]
    greeting.refresh_from_db()
    assert greeting.recall_count == 1
