"""``as_of``: memories as of an earlier moment."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from instances.actor import Actor
from instances.models import User
from memoryapp.models import Memory, MemoryRevision
from memoryapp.pipeline import Changes, revise

THEN = timezone.now() - timedelta(days=7)


@pytest.fixture
def changed_memory(alice: User, store_memory: Callable[..., Memory]) -> Memory:
    """A memory that changed from Lisbon five days ago, and another one from yesterday."""
    memory = store_memory("The user lives in Lisbon.", category="fact", tags=["home"])
    revise(memory, Changes("The user lives in Oslo.", "event", 8), by=Actor(alice))
    since, before = (timezone.now() - timedelta(days=days) for days in (5, 10))
    Memory.objects.update(created_at=before, updated_at=since)
    MemoryRevision.objects.update(valid_from=before, replaced_at=since)
    store_memory("The user bought skis.")
    return memory


def get(client: Client, **query: str) -> Any:
    answer = client.get("/api/memories", {"instance_id": "desk", "as_of": THEN.isoformat()} | query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_list_as_of_a_moment(as_alice: Client, changed_memory: Memory) -> None:
    body = get(as_alice)
    (item,) = body["items"]
    assert (item["id"], item["content"]) == (changed_memory.pk, "The user lives in Lisbon.")
    assert (item["category"], item["tags"]) == ("fact", ["home"])
    assert body["count"] == 1


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"category": "fact"}, 1),
        ({"category": "event"}, 0),
        ({"tag": "home"}, 1),
        ({"user_id": "bob"}, 0),
        ({"since": THEN.isoformat()}, 0),
        ({"until": THEN.isoformat()}, 1),
    ],
)
def test_filters_apply_to_the_state_of_that_moment(
    as_alice: Client, changed_memory: Memory, query: dict[str, str], count: int
) -> None:
    assert get(as_alice, **query)["count"] == count


def test_search_as_of_a_moment(as_alice: Client, changed_memory: Memory) -> None:
    (item,) = get(as_alice, q="where do they live?")["items"]
    assert item["content"] == "The user lives in Lisbon."
    assert "words" in item["ranks"]


def test_pagination_as_of_a_moment(
    as_alice: Client, alice: User, changed_memory: Memory, store_memory: Any
) -> None:
    for text in ("The user keeps bees.", "Ana paints landscapes.", "The piano is out of tune."):
        memory = store_memory(text)
        Memory.objects.filter(pk=memory.pk).update(created_at=THEN - timedelta(days=1))
    first = get(as_alice, limit="3")
    second = get(as_alice, limit="3", cursor=first["next"])
    ids = [item["id"] for page in (first, second) for item in page["items"]]
    assert len(ids) == len(set(ids)) == 4
    assert second["next"] is None


def test_invalid_moment_is_rejected(as_alice: Client, changed_memory: Memory) -> None:
    answer = as_alice.get("/api/memories", {"instance_id": "desk", "as_of": "soon"})
    assert answer.status_code == 422
    assert "as_of" in answer.content.decode()
