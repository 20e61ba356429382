"""Changing the selected memories: the question with the number, one undo, and their export."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from instances.models import Instance
from memoryapp.models import Activity, Memory

Store = Callable[..., Memory]


def ask(client: Client, what: str, query: str = "", **data: Any) -> str:
    response = client.post(f"/memory/bulk/{what}?instance=desk&{query}", data)
    assert response.status_code == 200
    return response.content.decode()


def confirm(client: Client, what: str, query: str = "", **data: Any) -> str:
    response = client.post(
        f"/memory/bulk/{what}?instance=desk&{query}", {"confirmed": "yes", **data}, follow=True
    )
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def bees(store_memory: Store) -> Memory:
    return store_memory("The user keeps bees.", tags=["old"])


@pytest.fixture
def hives(store_memory: Store) -> Memory:
    return store_memory("The user owns three hives.")


@pytest.mark.parametrize(
    ("what", "title"),
    [
        ("tags", "Tag 2 memories"),
        ("category", "Set the category of 2 memories"),
        ("importance", "Set the importance of 2 memories"),
        ("end", "Set the end date of 2 memories"),
    ],
)
def test_question_names_the_number(
    what: str, title: str, as_alice: Client, bees: Memory, hives: Memory
) -> None:
    page = ask(as_alice, what, ids=f"{bees.pk},{hives.pk}")
    assert title in page
    assert f'name="ids" value="{bees.pk},{hives.pk}"' in page


@pytest.mark.parametrize(
    ("what", "data", "column", "value"),
    [
        ("tags", {"add": "Garden, honey", "remove": "old"}, "tags", ["garden", "honey"]),
        ("category", {"category": "event"}, "category", "event"),
        ("importance", {"importance": "9"}, "importance", 9),
    ],
)
def test_selected_memories_are_changed_and_only_they(
    what: str,
    data: dict[str, str],
    column: str,
    value: Any,
    as_alice: Client,
    bees: Memory,
    hives: Memory,
) -> None:
    before = getattr(bees, column), getattr(hives, column)
    page = confirm(as_alice, what, id=bees.pk, **data)
    assert "Changed 1 memory." in page
    bees.refresh_from_db()
    hives.refresh_from_db()
    assert (getattr(bees, column), getattr(hives, column)) == (value, before[1])
    # The button in the message undoes it.
    undo = re.search(r'action="(/memory/bulk/[0-9a-f-]+/undo[^"]+)"', page)
    assert undo is not None
    answer = as_alice.post(undo[1].replace("&amp;", "&"), follow=True).content.decode()
    assert "Undone for 1 memory." in answer
    bees.refresh_from_db()
    assert getattr(bees, column) == before[0]


def test_end_is_set_and_cleared(as_alice: Client, bees: Memory) -> None:
    confirm(as_alice, "end", id=bees.pk, valid_until="2031-02-03")
    bees.refresh_from_db()
    assert str(bees.valid_until) == "2031-02-03"
    confirm(as_alice, "end", id=bees.pk)
    bees.refresh_from_db()
    assert bees.valid_until is None


def test_all_that_match_are_changed_in_one_line_of_activity(
    as_alice: Client, instance: Instance, bees: Memory, hives: Memory, store_memory: Store
) -> None:
    event = store_memory("The fair is in May.", category="event")
    page = ask(as_alice, "importance", "category=general", all="yes")
    assert "Set the importance of 2 memories" in page
    until = re.search(r'name="until" value="(\d+)"', page)
    assert until is not None
    # One that arrives after the question was not in its number.
    late = store_memory("The user found a jug.")
    confirm(as_alice, "importance", "category=general", all="yes", until=until[1], importance="9")
    important = Memory.objects.filter(importance=9)
    assert set(important) == {bees, hives}
    assert {event.pk, late.pk}.isdisjoint(important.values_list("pk", flat=True))
    assert instance.activity.get(action=Activity.Action.UPDATED).count == 2


@pytest.mark.parametrize(
    ("what", "data", "error"),
    [
        ("tags", {}, "Enter a tag to add or to remove."),
        ("category", {"category": "no"}, "not one of the available choices"),
        ("importance", {"importance": "11"}, "less than or equal to 10"),
        ("end", {"valid_until": "soon"}, "Enter a valid date"),
    ],
)
def test_invalid_values_are_asked_for_again(
    what: str, data: dict[str, str], error: str, as_alice: Client, bees: Memory
) -> None:
    response = as_alice.post(
        f"/memory/bulk/{what}?instance=desk", {"confirmed": "yes", "id": bees.pk, **data}
    )
    assert response.status_code == 422
    assert error in response.content.decode()
    assert not bees.revisions.exists()


def test_dialog_suggests_tags(as_alice: Client, bees: Memory, hives: Memory) -> None:
    assert '<option value="old"></option>' in ask(as_alice, "tags", id=hives.pk)


def test_nothing_selected_and_unknown_actions(as_alice: Client, bees: Memory) -> None:
    assert "Nothing is selected" in ask(as_alice, "tags")
    assert as_alice.post("/memory/bulk/colour?instance=desk", {"id": bees.pk}).status_code == 404


def test_another_instance_is_neither_seen_nor_changed(
    client: Client,
    as_alice: Client,
    charlie: Any,
    private: Instance,
    bees: Memory,
    store_memory: Store,
) -> None:
    other = store_memory("The user sails.", into=private)
    confirm(as_alice, "importance", id=other.pk, importance="9")
    other.refresh_from_db()
    assert other.importance != 9
    client.force_login(charlie)
    assert client.post("/memory/bulk/tags?instance=desk", {"id": bees.pk}).status_code == 404


def test_viewers_change_nothing(client: Client, vera: Any, bees: Memory) -> None:
    client.force_login(vera)
    assert client.post("/memory/bulk/tags?instance=desk", {"id": bees.pk}).status_code == 403
    assert client.post("/memory/export?instance=desk&format=jsonl").status_code == 403


def test_selected_memories_are_exported(
    as_alice: Client, private: Instance, bees: Memory, hives: Memory, store_memory: Store
) -> None:
    other = store_memory("The user sails.", into=private)

    def exported(query: str = "", **data: Any) -> list[str]:
        address = f"/memory/export?instance=desk&format=jsonl{query}"
        response: Any = as_alice.post(address, data)
        lines = b"".join(response.streaming_content).decode().splitlines()
        return [json.loads(line)["content"] for line in lines]

    assert exported(ids=f"{hives.pk},{other.pk}") == [hives.content]
    assert exported(all="yes") == [hives.content, bees.content]
    # A search does not narrow the selection.
    assert exported("&q=bees", ids=f"{hives.pk},{bees.pk}") == [bees.content, hives.content]


def test_more_rows_than_fields_are_allowed(as_alice: Client, bees: Memory) -> None:
    ids = ",".join(map(str, [bees.pk, *range(10**9, 10**9 + 5_000)]))
    assert "Tag 1 memory" in ask(as_alice, "tags", ids=ids)
