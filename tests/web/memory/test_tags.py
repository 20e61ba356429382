"""The list of tags: counts, renaming, merging and deleting, each with an undo."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from instances.models import Instance
from memoryapp.models import Activity, Memory
from tests.web.page_text import text_of

Store = Callable[..., Memory]
TAGS = "/memory/tags?instance=desk"


@pytest.fixture
def boats(store_memory: Store) -> list[Memory]:
    return [
        store_memory("The user sails.", tags=["sea", "boat"]),
        store_memory("The user rows.", tags=["sea"]),
        store_memory("The user swims."),
    ]


def tags_of(memories: list[Memory]) -> list[list[str]]:
    return [Memory.objects.get(pk=memory.pk).tags for memory in memories]


def post(client: Client, what: str, **data: str) -> str:
    address = f"/memory/tags/{what}?instance=desk"
    return client.post(address, data, follow=True).content.decode()


def undo(client: Client, page: str) -> None:
    address = re.search(r'action="(/memory/bulk/[0-9a-f-]+/undo[^"]+)"', page)
    assert address is not None
    client.post(address[1].replace("&amp;", "&"))


def test_tags_are_listed_with_their_counts_and_searched(
    as_alice: Client, boats: list[Memory]
) -> None:
    page = text_of(as_alice.get(TAGS).content.decode())
    assert re.search(r"sea 2 memories.*boat 1 memory", page)
    found = text_of(as_alice.get(f"{TAGS}&q=BO").content.decode())
    assert "boat 1 memory" in found and "sea 2" not in found
    assert "No tag contains “x”." in text_of(as_alice.get(f"{TAGS}&q=x").content.decode())


def test_tag_is_renamed_in_one_line_of_activity(
    as_alice: Client, instance: Instance, boats: list[Memory]
) -> None:
    page = post(as_alice, "rename", tag="sea", name=" Ocean ")
    assert "Renamed the tag “sea” to “ocean”: 2 memories." in page
    assert tags_of(boats) == [["ocean", "boat"], ["ocean"], []]
    assert instance.activity.get(action=Activity.Action.UPDATED).count == 2
    undo(as_alice, page)
    assert tags_of(boats) == [["sea", "boat"], ["sea"], []]


def test_tag_is_merged_with_another(as_alice: Client, boats: list[Memory]) -> None:
    page = post(as_alice, "rename", tag="boat", name="sea")
    assert "Merged the tag “boat” into “sea”: 1 memory." in page
    assert tags_of(boats) == [["sea"], ["sea"], []]
    undo(as_alice, page)
    assert tags_of(boats) == [["sea", "boat"], ["sea"], []]


def test_tag_is_removed(as_alice: Client, boats: list[Memory]) -> None:
    page = post(as_alice, "delete", tag="sea")
    assert "Removed the tag “sea” from 2 memories." in page
    assert tags_of(boats) == [["boat"], [], []]
    undo(as_alice, page)
    assert tags_of(boats) == [["sea", "boat"], ["sea"], []]
    assert "No memory has this tag any more." in post(as_alice, "delete", tag="train")


@pytest.mark.parametrize("name", ["", "  ", "a, b"])
def test_invalid_names(name: str, as_alice: Client, boats: list[Memory]) -> None:
    assert "without commas" in post(as_alice, "rename", tag="sea", name=name)
    assert tags_of(boats)[0] == ["sea", "boat"]


def test_other_instances_keep_their_tags(
    client: Client, as_alice: Client, charlie: Any, private: Instance, store_memory: Store
) -> None:
    other = store_memory("The user sails.", into=private, tags=["sea"])
    post(as_alice, "delete", tag="sea")
    assert tags_of([other]) == [["sea"]]
    client.force_login(charlie)
    assert client.get(TAGS).status_code == 404
    assert client.post("/memory/tags/delete?instance=desk", {"tag": "sea"}).status_code == 404


def test_viewers_see_tags_and_change_none(client: Client, vera: Any, boats: list[Memory]) -> None:
    client.force_login(vera)
    page = client.get(TAGS).content.decode()
    assert "sea" in page and "Rename" not in page.split("<main")[1]
    assert client.post("/memory/tags/rename?instance=desk", {"tag": "sea"}).status_code == 403
