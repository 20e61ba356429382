"""Pinned memories among the hits that a model is shown: always, and before all others."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils import timezone

from instances.models import Instance
from memoryapp.models import Memory
from memoryapp.models.memory import MAX_PINS
from memoryapp.recall.results import Hit, RecallResult

#: The part of a score that says that a hit is pinned; it adds nothing to the score.
PINNED = "pinned"


def pinned_memories(instance: Instance, people: Sequence[str]) -> list[Memory]:
    """The memories about *people* that are pinned and still hold: those of the first one first, and
    each one's in the order in which they were pinned. After a deletion was undone, there may be
    more pins than are told.
    """
    memories = Memory.objects.in_instance(instance).filter(end_user__in=people).pinned()
    today = instance.date_of(timezone.now())
    pinned = memories.current(today).order_by("pinned_at", "pk").defer("search")
    return sorted(pinned, key=lambda memory: people.index(memory.end_user))[:MAX_PINS]


def pinned_first(result: RecallResult, pinned: Sequence[Memory]) -> RecallResult:
    """*result* with the *pinned* memories before its other hits, whether they answer or not. They
    take no place of what answers.
    """
    if not pinned:
        return result
    found = {hit.memory.pk: hit for hit in [*result.hits, *result.weaker] if hit.memory}
    pins = {
        memory.pk: _as_pinned(
            found.get(memory.pk) or Hit(memory, None, score=0.0, ranks={}, parts={})
        )
        for memory in pinned
    }
    hits, weaker = (
        [hit for hit in hits if not (hit.memory and hit.memory.pk in pins)]
        for hits in (result.hits, result.weaker)
    )
    return replace(result, hits=[*pins.values(), *hits], weaker=weaker)


def is_pinned(hit: Hit) -> bool:
    """True if *hit* is told because it is pinned."""
    return PINNED in hit.parts


def _as_pinned(hit: Hit) -> Hit:
    return replace(hit, parts={PINNED: 0.0, **hit.parts}, is_relevant=True)
