"""Scan for duplicates: per person, by the rules of the write path, each memory once."""

from collections.abc import Callable
from typing import Any

import pytest
from pgvector import HalfVector

from instances.actor import Actor
from instances.models import Instance
from memoryapp.forgetting.deletion import forget
from memoryapp.health import duplicate_scan as surveying
from memoryapp.health.duplicate_scan import duplicate_groups, instances_to_scan, scan_for_duplicates
from memoryapp.models import EmbeddingSpace, Likeness, Memory, MemoryEmbedding
from memoryapp.providers.builtin_embedder import BuiltinEmbedder
from memoryapp.tasks import compare, find_alike

Plant = Callable[..., Memory]

PEANUTS = "The user is allergic to peanuts."


@pytest.fixture
def plant(instance: Instance) -> Plant:
    """Create a memory with its vector, bypassing the deduplication of the write path."""
    embedder = BuiltinEmbedder()

    def put(content: str, *, into: Instance = instance, **fields: Any) -> Memory:
        memory = Memory.objects.create(instance=into, content=content, **fields)
        space, _ = EmbeddingSpace.objects.get_or_create(instance=into, name=embedder.space)
        vector = HalfVector(embedder.embed([content]).vectors[0])
        memory.embeddings.create(instance=into, space=space, embedding=vector)
        return memory

    return put


def groups(instance: Instance) -> list[list[int]]:
    return [list(group) for group in duplicate_groups(instance).groups]


def test_duplicates_are_grouped(instance: Instance, plant: Plant) -> None:
    first = plant(PEANUTS)
    second = plant("User is allergic to peanuts")
    plant("The user plays chess by post.")
    assert scan_for_duplicates(instance, seconds=60) is False
    assert groups(instance) == [[first.pk, second.pk]]
    found = duplicate_groups(instance)
    assert found.compared == 3
    assert found.memories == 2
    assert sum(found.histogram) == 3


def test_paraphrases_are_duplicates(instance: Instance, plant: Plant) -> None:
    first, second = (
        plant("The user works as a nurse in Hamburg."),
        plant("The user is a nurse who works in Hamburg."),
    )
    scan_for_duplicates(instance, seconds=60)
    assert groups(instance) == [[first.pk, second.pk]]


@pytest.mark.parametrize(
    "other", [{"end_user": "ana"}, {"key": "allergy", "value": "peanuts"}, {"external_id": "two"}]
)
def test_different_people_keys_or_ids_are_not_duplicates(
    other: dict[str, str], instance: Instance, plant: Plant
) -> None:
    fields = {"external_id": "one"} if "external_id" in other else {}
    plant(
        PEANUTS, key="food" if "key" in other else "", value="x" if "key" in other else "", **fields
    )
    plant(PEANUTS, **other)
    scan_for_duplicates(instance, seconds=60)
    assert groups(instance) == []
    assert duplicate_groups(instance).compared == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user keeps box 8 in the cellar.", "The user keeps box 18 in the cellar."),
        ("The user eats fish.", "The user does not eat fish."),
        ("Ines dreams of a telescope near Lisbon.", "Ines dreams of a observatory near Lisbon."),
        ("Ana moved to Lyon.", "Ben moved to Lyon."),
        ("由紀子は京都に住んでいる。", "直美は京都に住んでいる。"),
    ],
)
def test_different_details_are_not_duplicates(
    one: str, other: str, instance: Instance, plant: Plant
) -> None:
    plant(one)
    plant(other)
    scan_for_duplicates(instance, seconds=60)
    assert groups(instance) == []


def test_instances_are_compared_separately(
    instance: Instance, private: Instance, plant: Plant
) -> None:
    plant(PEANUTS)
    plant(PEANUTS, into=private)
    scan_for_duplicates(instance, seconds=60)
    scan_for_duplicates(private, seconds=60)
    assert groups(instance) == groups(private) == []
    assert not Likeness.objects.exclude(other=None).exists()


def test_new_memories_are_compared_with_existing_ones(instance: Instance, plant: Plant) -> None:
    first = plant(PEANUTS)
    scan_for_duplicates(instance, seconds=60)
    assert Likeness.objects.get().other is None
    second = plant("User is allergic to peanuts")
    assert list(instances_to_scan()) == [instance]
    scan_for_duplicates(instance, seconds=60)
    assert groups(instance) == [[first.pk, second.pk]]
    nearest = Likeness.objects.filter(nearest=True).values_list(
        "embedding__memory", "other__memory"
    )
    assert set(nearest) == {(first.pk, second.pk), (second.pk, first.pk)}
    assert not instances_to_scan().exists()


def test_changed_text_is_compared_again(instance: Instance, plant: Plant) -> None:
    first, second = plant(PEANUTS), plant("User is allergic to peanuts")
    scan_for_duplicates(instance, seconds=60)
    second.embeddings.all().delete()
    assert groups(instance) == []
    assert list(instances_to_scan()) == [instance]
    scan_for_duplicates(instance, seconds=60)
    assert duplicate_groups(instance).compared == 1
    assert Likeness.objects.get().embedding.memory == first


def test_deleting_a_memory_deletes_its_scan_rows(instance: Instance, plant: Plant) -> None:
    first = plant(PEANUTS)
    plant("User is allergic to peanuts")
    scan_for_duplicates(instance, seconds=60)
    forget(instance, Memory.objects.filter(pk=first.pk), by=Actor())
    assert not Likeness.objects.exists()


def test_interrupted_scan_is_resumed(
    instance: Instance, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surveying, "BLOCK_SIZE", 2)
    texts = [PEANUTS, "User is allergic to peanuts", "It rains.", "It rained.", "The user sails."]
    ids = [plant(text).pk for text in texts]
    slices = 1
    while scan_for_duplicates(instance, seconds=0):
        slices += 1
    assert slices == 4  # the last one finds nothing left
    assert duplicate_groups(instance).compared == 5
    assert ids[:2] in groups(instance)
    before = set(Likeness.objects.values_list("pk", flat=True))
    assert scan_for_duplicates(instance, seconds=60) is False
    assert set(Likeness.objects.values_list("pk", flat=True)) == before


def test_nothing_is_scanned_without_vectors(instance: Instance) -> None:
    Memory.objects.create(instance=instance, content=PEANUTS)
    assert scan_for_duplicates(instance, seconds=60) is False
    assert duplicate_groups(instance).compared == 0


def test_tasks_run_the_scan(instance: Instance, plant: Plant) -> None:
    plant(PEANUTS)
    compare(instance_id=instance.pk)
    assert not instances_to_scan().exists()
    find_alike()
    compare(instance_id=0)
    assert MemoryEmbedding.objects.count() == Likeness.objects.count() == 1
