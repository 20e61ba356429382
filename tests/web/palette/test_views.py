"""The command palette: screens, actions, instances, and what the memory has for a text."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from conversations.models import Conversation
from instances.models import Instance, User
from memoryapp.models import Memory

pytestmark = pytest.mark.django_db


def commands(client: Client, query: str = "instance=desk", **headers: str) -> dict[str, list[str]]:
    """Return the labels of the palette's commands by their headings."""
    page = client.get(f"/palette?{query}", headers={"HX-Request": "true"} | headers)
    groups = page.content.decode().split('<div role="group" aria-label="')[1:]
    return {
        group.partition('"')[0]: re.findall(r'<span class="grow" dir="auto">(.*?)</span>', group)
        for group in groups
    }


def test_all_screens_and_actions_are_listed_to_begin_with(
    as_alice: Client, instance: Instance, private: Instance
) -> None:
    listed = commands(as_alice)

    assert list(listed) == ["Go to", "Create", "Switch instance"]
    assert {"Memories", "What the assistant sees", "Chat", "Health", "Settings", "Bin"} <= set(
        listed["Go to"]
    )
    assert listed["Create"][0] == "New memory"
    assert listed["Switch instance"] == ["Diary"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("heal", ["Health"]),
        ("ASK mem", ["What the assistant sees"]),
        ("memory", ["What the assistant sees", "Memory on a day", "Settings: Memory"]),
        ("settings mod", ["Settings: What models see", "Settings: Models"]),
        # Other words for the same.
        ("claude", ["Settings: API keys", "Your account"]),
        ("password", ["Your account"]),
        ("ollama", ["Settings: Models"]),
        # Only the beginnings of words.
        ("ealth", []),
    ],
)
def test_words_choose_among_the_screens(
    as_alice: Client, instance: Instance, text: str, found: list[str]
) -> None:
    assert commands(as_alice, f"instance=desk&q={text}").get("Go to", []) == found


def test_actions_are_found_by_what_they_do(as_alice: Client, instance: Instance) -> None:
    assert commands(as_alice, "instance=desk&q=new+inst")["Create"] == ["New instance"]
    assert commands(as_alice, "q=new+inst")["Create"] == ["New instance"]
    assert commands(as_alice, "instance=desk&q=backup")["Create"] == ["Export memories"]


def test_memories_and_conversations_are_found(
    as_alice: Client, instance: Instance, store_memory: Callable[..., Memory]
) -> None:
    store_memory("The user keeps bees on the roof.")
    store_memory("The user sold the car.")
    Conversation.objects.create(instance=instance, title="About the bees")

    listed = commands(as_alice, "instance=desk&q=bees")

    assert listed["Memories"] == ["The user keeps bees on the roof."]
    assert listed["Conversations"] == ["About the bees"]


def test_nothing_found_is_said(as_alice: Client, instance: Instance) -> None:
    page = as_alice.get("/palette?instance=desk&q=zyzzyva").content.decode()

    assert "Nothing found for “zyzzyva”" in page


def test_viewers_are_offered_no_forms(client: Client, vera: User) -> None:
    client.force_login(vera)

    listed = commands(client)

    # Anyone may have an instance of their own.
    assert listed["Create"] == ["New instance"]
    assert "Memories" in listed["Go to"]
    assert "Settings: Models" not in listed["Go to"]


def test_others_instances_are_neither_listed_nor_searched(
    client: Client, bob: User, private: Instance, store_memory: Callable[..., Memory]
) -> None:
    store_memory("The user keeps bees on the roof.", into=private)
    client.force_login(bob)

    assert "Switch instance" not in commands(client, "instance=desk&q=bees")
    assert client.get("/palette?instance=diary&q=bees").status_code == 404


def test_the_instance_is_switched_on_the_screen_behind(
    as_alice: Client, instance: Instance, private: Instance
) -> None:
    behind = "http://testserver/status/health?instance=desk"
    page = as_alice.get(
        "/palette?instance=desk&q=diary",
        headers={"HX-Request": "true", "HX-Current-URL": behind},
    )

    assert 'href="/status/health?instance=diary"' in page.content.decode()


def test_it_is_a_page_without_javascript(as_alice: Client, instance: Instance) -> None:
    page = as_alice.get("/palette?instance=desk&q=usage").content.decode()

    assert "<html" in page
    assert 'href="/status/usage?instance=desk"' in page
    assert page.count('id="palette-text"') == 1
