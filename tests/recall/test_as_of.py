"""Search in the memories of an earlier moment."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Memory, MemoryRevision, Version
from memoryapp.pipeline import Changes, revise, undo
from memoryapp.recall import recall_past
from tests.provider_fixtures import embed_with
from tests.scripted_provider import ScriptedProvider

Store = Callable[..., Memory]
NOW = timezone.now()
BEFORE, SINCE, LONG_AGO = (NOW - timedelta(days=days) for days in (10, 5, 20))


@pytest.fixture
def changed_memory(instance: Instance, alice: User, store_memory: Store) -> Memory:
    """A memory that changed from Lisbon to Oslo five days ago."""
    memory = store_memory("The user lives in Lisbon by the river.", category="fact")
    outcome = revise(memory, Changes("The user has a flat in Oslo.", "fact", 8), by=Actor(alice))
    Memory.objects.filter(pk=memory.pk).update(created_at=BEFORE, updated_at=SINCE)
    MemoryRevision.objects.filter(memory=memory).update(valid_from=BEFORE, replaced_at=SINCE)
    outcome.memory.refresh_from_db()
    return outcome.memory


def at(instance: Instance, question: str, days: float) -> list[str]:
    found = recall_past(instance, question, NOW - timedelta(days=days))
    return [hit.content for hit in found.hits]


def test_each_version_is_found_in_its_period(instance: Instance, changed_memory: Memory) -> None:
    assert at(instance, "Lisbon or Oslo?", 7) == ["The user lives in Lisbon by the river."]
    assert at(instance, "Lisbon or Oslo?", 3) == ["The user has a flat in Oslo."]
    assert at(instance, "Lisbon or Oslo?", 15) == []


def test_versions_are_found_by_meaning(instance: Instance, changed_memory: Memory) -> None:
    """The question has no common words: only the vector of the earlier version matches."""
    (hit,) = recall_past(instance, "in which city is their home?", NOW - timedelta(days=7)).hits
    assert hit.content == "The user lives in Lisbon by the river."
    assert hit.ranks == {"meaning": 1}
    assert hit.similarity is not None and hit.similarity > 0.15


def test_boundary_belongs_to_the_later_version(instance: Instance, changed_memory: Memory) -> None:
    def standing(moment: object) -> list[str]:
        return list(Version.objects.as_of(moment).values_list("content", flat=True))  # type: ignore[arg-type]

    assert standing(SINCE) == ["The user lives in Lisbon by the river."]
    assert standing(SINCE + timedelta(microseconds=1)) == ["The user has a flat in Oslo."]
    assert standing(BEFORE) == []


def test_memory_has_one_version_at_any_moment(
    instance: Instance, alice: User, store_memory: Store
) -> None:
    """After any changes, restores and undos there is exactly one version at any moment since the
    first.
    """
    memory = store_memory("The user keeps bees.", category="fact")
    moments = [timezone.now()]
    for text in ("The user keeps wasps.", "The user keeps hornets.", "The user keeps goats."):
        memory = revise(memory, Changes(text, "fact", 5), by=Actor(alice)).memory
        moments.append(timezone.now())
    newest = memory.revisions.select_related("memory__instance").first()
    assert newest is not None
    undo(newest, by=Actor(alice))
    said = [list(Version.objects.as_of(m).values_list("content", flat=True)) for m in moments]
    assert [len(wordings) for wordings in said] == [1, 1, 1, 1]
    assert [wordings[0].split()[-1] for wordings in said[:3]] == ["bees.", "wasps.", "hornets."]


def test_rejected_value_was_never_current(instance: Instance, changed_memory: Memory) -> None:
    MemoryRevision.objects.filter(memory=changed_memory).update(reason=MemoryRevision.Reason.HEARD)
    assert at(instance, "Lisbon or Oslo?", 7) == ["The user has a flat in Oslo."]


def test_deleted_memory_is_gone_from_the_past(instance: Instance, changed_memory: Memory) -> None:
    changed_memory.delete()
    assert at(instance, "Lisbon", 7) == []


def test_other_instances_are_not_searched(
    private: Instance, instance: Instance, changed_memory: Memory
) -> None:
    assert at(private, "Lisbon", 7) == []


def test_filters_as_of_a_moment(instance: Instance, changed_memory: Memory) -> None:
    bobs = Version.objects.filter(end_user="bob")
    moment = NOW - timedelta(days=7)
    assert recall_past(instance, "Lisbon", moment, among=bobs).hits == []


def test_words_are_searched_without_vectors(
    instance: Instance, changed_memory: Memory, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    provider.fail_next(500, times=9)
    found = recall_past(instance, "Lisbon", NOW - timedelta(days=7))
    assert [hit.content for hit in found.hits] == ["The user lives in Lisbon by the river."]
    assert found.degraded == "embedding_unavailable"
