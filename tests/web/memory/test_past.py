"""The `/memory/past` screen: the memory at the end of an earlier day."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Memory, MemoryRevision
from memoryapp.pipeline import Changes, revise

Store = Callable[..., Memory]


def day(ago: int) -> str:
    return (timezone.localdate() - timedelta(ago)).isoformat()


@pytest.fixture
def changed(instance: Instance, alice: User, store_memory: Store) -> Memory:
    """A memory that changed from Lisbon to Oslo five days ago."""
    memory = store_memory(
        "The user lives in Lisbon.", category="fact", key="home_city", value="Lisbon"
    )
    changes = Changes("The user lives in Oslo.", "event", 8, key="home_city", value="Oslo")
    revise(memory, changes, by=Actor(alice))
    since, before = (timezone.now() - timedelta(days=days) for days in (5, 10))
    Memory.objects.update(created_at=before, updated_at=since)
    MemoryRevision.objects.update(valid_from=before, replaced_at=since)
    memory.refresh_from_db()
    return memory


def look_back(client: Client, **query: str) -> str:
    return client.get("/memory/past", {"instance": "desk"} | query).content.decode()


def test_past_text_is_shown_beside_the_current_one(as_alice: Client, changed: Memory) -> None:
    page = look_back(as_alice, on=day(7))
    assert "The user lives in Lisbon." in page
    assert "Today: </span>" in page and "The user lives in Oslo." in page
    assert "<code>home_city</code> = <bdi>Lisbon</bdi>" in page
    assert "1 memory at the end of that day" in page
    after = look_back(as_alice, on=day(2))
    assert "The user lives in Oslo." in after
    assert "Lisbon" not in after
    assert "No memories on that day" in look_back(as_alice, on=day(30))


def test_past_category_is_shown(as_alice: Client, changed: Memory) -> None:
    assert "The user lives in Lisbon." in look_back(as_alice, on=day(7), category="fact")
    assert "No memory matches these filters" in look_back(as_alice, on=day(7), category="event")


def test_search_in_the_past(as_alice: Client, changed: Memory) -> None:
    assert "The user lives in Lisbon." in look_back(as_alice, on=day(7), q="Lisbon")
    assert "No matches" in look_back(as_alice, on=day(7), q="violin concerto")


def test_past_of_one_person(as_alice: Client, changed: Memory, store_memory: Store) -> None:
    other = store_memory("Bob sails.", end_user="bob")
    Memory.objects.filter(pk=other.pk).update(created_at=timezone.now() - timedelta(days=9))
    page = look_back(as_alice, on=day(7), user="bob")
    assert "Bob sails." in page
    assert "Lisbon" not in page


@pytest.mark.parametrize("written", ["yesterday", "2025-02-30", "2999-01-01"])
def test_invalid_day(as_alice: Client, changed: Memory, written: str) -> None:
    page = look_back(as_alice, on=written)
    assert f"“{written}” is not a past day" in page
    assert "Choose a day" in page


def test_today_is_rejected(as_alice: Client, changed: Memory) -> None:
    assert "is not a past day" in look_back(as_alice, on=day(0))


def test_viewing_changes_nothing(as_alice: Client, changed: Memory) -> None:
    look_back(as_alice, on=day(7), q="Lisbon")
    changed.refresh_from_db()
    assert changed.content == "The user lives in Oslo."
    assert changed.recall_count == 0


def test_list_links_to_the_past(as_alice: Client, changed: Memory) -> None:
    assert (
        'href="/memory/past?instance=desk"'
        in as_alice.get("/memory?instance=desk").content.decode()
    )
    profile = as_alice.get("/memory/profile?instance=desk&end_user=").content.decode()
    assert 'href="/memory/past?instance=desk"' in profile
