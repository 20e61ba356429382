"""Expired and stale memories rank lower."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from instances.models import Instance
from memoryapp.models import Memory
from memoryapp.recall import RecallOptions, note_recalled, recall
from memoryapp.recall.scoring import WEIGHTS

Remember = Callable[..., Memory]


@pytest.fixture
def boats(store_memory: Remember) -> dict[str, Memory]:
    return {
        "old": store_memory("Tom sails a red boat."),
        "new": store_memory("Jim sails a red boat."),
    }


def order_of(instance: Instance) -> list[str]:
    return [hit.content for hit in recall(instance, "Who sails a red boat?").hits]


def test_stale_memory_ranks_below_a_fresh_one_with_a_reason(
    instance: Instance, boats: dict[str, Memory], as_alice: Client
) -> None:
    best = recall(instance, "Who sails a red boat?").hits[0].memory
    assert best is not None
    Memory.objects.filter(pk=best.pk).update(stale_since=timezone.now())
    recalled = recall(instance, "Who sails a red boat?")
    assert recalled.hits[-1].memory == best
    parts = recalled.hits[-1].parts
    assert parts["stale"] == -WEIGHTS.stale
    assert recalled.hits[-1].score == pytest.approx(sum(parts.values()))
    assert "stale" not in recalled.hits[0].parts

    url = f"/memory/{best.pk}?instance=desk&q=Who sails a red boat?"
    panel = as_alice.get(url).content.decode()
    among_memories = recall(instance, "Who sails a red boat?", RecallOptions(with_messages=False))
    (parts,) = (hit.parts for hit in among_memories.hits if hit.memory == best)
    assert "<span>not used</span>" in panel
    assert f"−{-parts['stale']:.3f}" in panel


def test_expired_memory_ranks_lower_before_it_is_marked(
    instance: Instance, boats: dict[str, Memory]
) -> None:
    today = instance.date_of(timezone.now())
    Memory.objects.filter(pk=boats["old"].pk).update(valid_until=today)
    assert "expired" not in recall(instance, "red boat").hits[0].parts
    Memory.objects.filter(pk=boats["old"].pk).update(valid_until=today - timedelta(days=1))
    recalled = recall(instance, "Who sails a red boat?")
    assert recalled.hits[-1].memory == boats["old"]
    assert recalled.hits[-1].parts["expired"] < 0


def test_stale_memory_is_still_found(instance: Instance, boats: dict[str, Memory]) -> None:
    boats["new"].delete()
    Memory.objects.update(stale_since=timezone.now())
    assert order_of(instance) == [boats["old"].content]


def test_recalled_memory_is_fresh_at_once(instance: Instance, boats: dict[str, Memory]) -> None:
    yesterday = instance.date_of(timezone.now()) - timedelta(days=1)
    Memory.objects.update(stale_since=timezone.now())
    Memory.objects.filter(pk=boats["new"].pk).update(valid_until=yesterday)
    note_recalled(instance, recall(instance, "boat").hits)
    boats["old"].refresh_from_db()
    boats["new"].refresh_from_db()
    assert boats["old"].stale_since is None
    assert boats["new"].stale_since is not None, "an expired memory became current"
