"""The palace over REST: places, drawers, pointers, notes, deletion."""

import pytest

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.models import Drawer, Unfiled
from tests.api.conftest import Program, key_of
from tests.palace_factories import file_note, file_turn


@pytest.fixture
def turns(conversation: Conversation) -> list[Drawer]:
    first, second = conversation.messages.all()
    return [file_turn(first, "Alice", "food", people=["Alice"]), file_turn(second, "Alice", "food")]


@pytest.fixture
def its_program(instance: Instance) -> Program:
    return key_of(instance)[1]


def ids(answer: dict[str, list[dict[str, int]]]) -> list[int]:
    return [item["id"] for item in answer["items"]]


def test_places_are_listed_with_their_counts(its_program: Program, turns: list[Drawer]) -> None:
    (wing,) = its_program.send("GET", "palace/wings?q=ali")["items"]
    assert (wing["name"], wing["drawers"], wing["number"]) == ("Alice", 2, 1)
    (room,) = its_program.send("GET", f"palace/rooms?wing_id={wing['id']}")["items"]
    assert (room["title"], room["drawers"]) == ("Dinner for eight", 2)
    assert [topic["name"] for topic in room["topics"]] == ["food"]
    assert its_program.send("GET", "palace/rooms?wing_id=0")["items"] == []


def test_drawers_are_paginated(its_program: Program, turns: list[Drawer]) -> None:
    first = its_program.send("GET", "palace/drawers?limit=1")
    assert ids(first) == [turns[1].pk]
    second = its_program.send("GET", f"palace/drawers?limit=1&cursor={first['next']}")
    assert ids(second) == [turns[0].pk]
    assert second["next"] is None
    (item,) = second["items"]
    assert item["content"] == "No satay please, peanuts would put me in hospital."
    assert (item["pointer"], item["wing"], item["topic"]) == (str(turns[0]), "Alice", "food")
    assert item["tags"]["people"] == ["Alice"]


def test_place_filters_a_search(
    its_program: Program, instance: Instance, turns: list[Drawer]
) -> None:
    note = file_note(instance, "Peanuts for the birds.", "Garden")
    body = its_program.send("GET", "palace/drawers?q=peanuts")
    assert set(ids(body)) >= {note.pk, turns[0].pk}
    assert body["items"][0]["ranks"]
    garden = note.closet.room.wing_id
    assert ids(its_program.send("GET", f"palace/drawers?q=peanuts&wing_id={garden}")) == [note.pk]


def test_search_for_a_pointer_finds_its_drawer(
    its_program: Program, turns: list[Drawer], instance: Instance
) -> None:
    garden = file_note(instance, "The bees swarm.", "Garden").closet.room.wing_id
    pointer = str(turns[1].pointer)
    assert ids(its_program.send("GET", f"palace/drawers?q={pointer}")) == [turns[1].pk]
    assert ids(its_program.send("GET", f"palace/drawers?q={pointer}&wing_id={garden}")) == []


def test_pointer_in_any_notation_finds_its_drawer(
    its_program: Program, turns: list[Drawer]
) -> None:
    address = "palace/drawers/by-pointer?pointer="
    assert its_program.send("GET", f"{address}w-1/r-1/d-2")["id"] == turns[1].pk
    assert its_program.send("GET", f"{address}W-9/R-1/D-2", status=404)["code"] == "not_found"
    wrong = its_program.send("GET", f"{address}nonsense", status=400)
    assert wrong["code"] == "invalid_pointer"
    assert "W-042/R-11/D-007" in wrong["detail"]


def test_deleting_a_drawer_keeps_its_message(
    its_program: Program, conversation: Conversation, turns: list[Drawer]
) -> None:
    its_program.send("DELETE", f"palace/drawers/{turns[0].pk}", status=204)
    its_program.send("DELETE", f"palace/drawers/{turns[0].pk}", status=404)
    body = {"ids": [turns[0].pk, turns[1].pk, 999_999]}
    done = its_program.send("POST", "palace/drawers/delete", body)
    assert done == {"deleted": 1, "notes": 0}
    assert conversation.messages.count() == Unfiled.objects.count() == 2


def test_note_is_created_once_and_changed(its_program: Program, instance: Instance) -> None:
    body = {"text": "Order frames.", "wing": "Пчёлы", "kind": "project", "topic": "hive"}
    filed = its_program.send("POST", "palace/notes", body, status=201)
    assert (filed["wing"], filed["topic"], filed["message_id"]) == ("Пчёлы", "hive", None)
    changed = its_program.send("PATCH", f"palace/notes/{filed['id']}", {"text": "Order wax."})
    assert (changed["content"], changed["pointer"]) == ("Order wax.", filed["pointer"])
    for _ in range(2):
        assert its_program.ask("POST", "palace/notes", body, key="once").status_code == 201
    assert Drawer.objects.count() == 2


def test_invalid_note_is_rejected(
    its_program: Program, instance: Instance, turns: list[Drawer]
) -> None:
    secret = {"text": "My password is somewhere in here", "wing": "Alice"}
    refused = its_program.send("POST", "palace/notes", secret, status=422)
    assert refused["code"] == "pii_rejected"
    its_program.send("PATCH", f"palace/notes/{turns[0].pk}", {"text": "Never said."}, status=404)


def test_each_operation_needs_its_scope(instance: Instance, turns: list[Drawer]) -> None:
    _, reader = key_of(instance, ["read"])
    assert reader.send("GET", f"palace/drawers/{turns[0].pk}")["id"] == turns[0].pk
    for method, path, body in (
        ("DELETE", f"palace/drawers/{turns[0].pk}", None),
        ("POST", "palace/drawers/delete", {"ids": [1]}),
        ("POST", "palace/notes", {"text": "x", "wing": "y"}),
        ("PATCH", "palace/notes/1", {"text": "x"}),
    ):
        assert reader.send(method, path, body, status=403)["code"] == "scope_required"
