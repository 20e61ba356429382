"""What is pinned is told with each message, before what answers it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance, RecallProfile
from memoryapp.context.builder import build_context, context_for_message
from memoryapp.models import Memory, MemoryEmbedding
from memoryapp.models.memory import MAX_PINS
from memoryapp.pipeline import set_pinned
from memoryapp.recall import recall

Remember = Callable[..., Memory]


@pytest.fixture
def facts(store_memory: Remember) -> dict[str, Memory]:
    return {
        "name": store_memory("The user is called Captain."),
        "boat": store_memory("The user has a boat in Kiel."),
        "ana": store_memory("Ana is called Admiral.", end_user="ana"),
    }


@pytest.fixture
def pinned(facts: dict[str, Memory]) -> dict[str, Memory]:
    for name in ("name", "ana"):
        set_pinned(facts[name], True, by=Actor(via="test"))
    return facts


def told(instance: Instance, message: str, end_user: str = "") -> list[str]:
    context = context_for_message(instance, message, end_user=end_user, conversation=None)
    return list(context.sources)


@pytest.mark.parametrize("profile", RecallProfile.values)
def test_pins_come_first_whatever_the_message_is(
    profile: str, instance: Instance, pinned: dict[str, Memory]
) -> None:
    instance.recall_profile = profile
    name, boat, ana = (f"m{pinned[each].pk}" for each in ("name", "boat", "ana"))
    assert told(instance, "Hello!") == [name]
    assert told(instance, "Where is the boat?") == [name, boat]
    assert told(instance, "What am I called?").count(name) == 1
    assert told(instance, "Hello!", "ana") == [ana]
    assert told(instance, "Hello!", "ben") == []


def test_pins_take_no_place(instance: Instance, pinned: dict[str, Memory]) -> None:
    instance.top_k = 1
    assert told(instance, "Where is the boat?") == [
        f"m{pinned['name'].pk}",
        f"m{pinned['boat'].pk}",
    ]


def test_without_a_pin_a_greeting_brings_nothing(
    instance: Instance, facts: dict[str, Memory]
) -> None:
    assert told(instance, "Hello!") == []


def test_model_reads_that_it_is_pinned(instance: Instance, pinned: dict[str, Memory]) -> None:
    text = build_context(instance, "Where is the boat?", end_user="").text
    first, second = text.splitlines()[2:4]
    assert ", pinned): The user is called Captain." in first
    assert "pinned" not in second


def test_expired_pin_is_told_no_longer(instance: Instance, pinned: dict[str, Memory]) -> None:
    yesterday = timezone.localdate() - timedelta(days=2)
    pinned["name"].row().update(valid_until=yesterday)
    assert told(instance, "Hello!") == []


def test_pins_beyond_the_limit_are_not_told(instance: Instance, store_memory: Remember) -> None:
    """Undoing a deletion can bring back more than can be pinned."""
    kinds = "oak elm ash fir yew box bay fig may nut yam".split()
    trees = [store_memory(f"The user planted one {kind}.", keep_apart=True) for kind in kinds]
    Memory.objects.update(pinned_at=timezone.now())
    assert told(instance, "Hello!") == [f"m{each.pk}" for each in trees[:MAX_PINS]]


def test_search_by_a_person_knows_no_pins(instance: Instance, pinned: dict[str, Memory]) -> None:
    assert not recall(instance, "Hello!").hits
    assert [hit.memory for hit in recall(instance, "boat in Kiel").hits] == [pinned["boat"]]


def test_pins_are_told_without_vectors_and_count_as_recalled(
    instance: Instance, pinned: dict[str, Memory]
) -> None:
    MemoryEmbedding.objects.all().delete()
    assert told(instance, "Hello!") == [f"m{pinned['name'].pk}"]
    assert Memory.objects.get(pk=pinned["name"].pk).recall_count == 1
