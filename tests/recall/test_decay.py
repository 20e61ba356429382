"""Expired and stale memories rank lower: examples, properties of any ranking, and complete
questions.
"""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from instances.models import Instance
from memoryapp.models import Memory
from memoryapp.recall import RecallOptions, note_recalled, recall
from memoryapp.recall.decay import DecayPenalty, apply_penalties
from memoryapp.recall.fusion import Fused, fuse
from memoryapp.recall.scoring import WEIGHTS

Remember = Callable[..., Memory]
EXPIRED, STALE = DecayPenalty.EXPIRED, DecayPenalty.STALE
SHARE = WEIGHTS.losses


@pytest.mark.parametrize(
    ("lists", "fading", "order"),
    [
        ({"meaning": ["a", "b"]}, {}, "ab"),
        ({"meaning": ["a", "b"]}, {"a": STALE}, "ba"),
        ({"meaning": ["a", "b"]}, {"a": STALE, "b": EXPIRED}, "ab"),
        ({"meaning": ["a", "b"]}, {"a": EXPIRED, "b": STALE}, "ba"),
        # A result of both lists still precedes a result of one list.
        ({"meaning": ["a", "b"], "words": ["a"]}, {"a": EXPIRED}, "ab"),
        # At the top, a stale result loses one rank and an expired one loses three.
        ({"meaning": list("abcdefghi")}, {"a": STALE}, "bacdefghi"),
        ({"meaning": list("abcdefghi")}, {"a": EXPIRED}, "bcdaefghi"),
        ({"meaning": ["a", "b", "c"]}, {"z": STALE}, "abc"),
    ],
)
def test_decayed_memory_ranks_lower(
    lists: dict[str, list[str]], fading: dict[str, DecayPenalty], order: str
) -> None:
    assert "".join(entry.item for entry in apply_penalties(fuse(lists), fading, SHARE)) == order


@given(
    lists=st.dictionaries(st.sampled_from("mws"), st.lists(st.integers(0, 30), max_size=25)),
    fading=st.dictionaries(st.integers(0, 30), st.sampled_from(DecayPenalty)),
)
def test_decay_loses_no_results_and_parts_add_up(
    lists: dict[str, list[int]], fading: dict[int, DecayPenalty]
) -> None:
    before = {entry.item: entry.score for entry in fuse(lists)}
    ranked = apply_penalties(fuse(lists), fading, SHARE)
    assert {entry.item for entry in ranked} == set(before)
    assert [e.score for e in ranked] == sorted((e.score for e in ranked), reverse=True)
    for entry in ranked:
        share = SHARE[fading[entry.item]] if entry.item in fading else 0
        assert entry.score == pytest.approx(before[entry.item] * (1 - share))
        assert entry.score > 0
    kept = [entry.item for entry in ranked if entry.item not in fading]
    assert kept == [entry.item for entry in fuse(lists) if entry.item not in fading]


@pytest.fixture
def boats(store_memory: Remember) -> dict[str, Memory]:
    return {
        "old": store_memory("Tom sails a red boat."),
        "new": store_memory("Jim sails a red boat."),
    }


def test_negative_score_does_not_profit_from_decay() -> None:
    bad = [Fused("a", {}, {"meaning": 1.0, "importance": -4.0}), Fused("b", {}, {"meaning": -5.0})]
    for entry in apply_penalties(bad, {"a": STALE, "b": EXPIRED}, {STALE: 0.9, EXPIRED: 0.9}):
        assert not {"stale", "expired"} & set(entry.parts)


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
    earned = sum(part for part in parts.values() if part > 0)
    assert parts["stale"] == pytest.approx(-SHARE[STALE] * earned)
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
