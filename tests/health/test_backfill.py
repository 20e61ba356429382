"""Back-filling: missing vectors come, wrong ones never do, old ones go at the end."""

import time
from collections.abc import Callable
from datetime import timedelta

import numpy as np
import pytest
from django.db import connection
from django.utils import timezone

from instances.models import Instance, Secret, SecretName
from memoryapp.health.backfill import BATCH, fill_in
from memoryapp.models import Memory, MemoryEmbedding, Usage
from memoryapp.pipeline import Changes, revise
from memoryapp.providers.builtin import BuiltinEmbedder
from memoryapp.recall import recall
from memoryapp.tasks import backfill
from tests.provided import embed_with
from tests.scripted_answers import bag_of_words
from tests.scripted_provider import Fault, Request, ScriptedProvider

Remember = Callable[..., Memory]


def without_vectors(instance: Instance, count: int) -> list[Memory]:
    return Memory.objects.bulk_create(
        Memory(instance=instance, content=f"Fact number {n}.") for n in range(count)
    )


def rested() -> None:
    """Let the time pass for which a provider that has failed is left alone."""
    Usage.objects.update(at=timezone.now() - timedelta(seconds=61))


def test_what_is_missing_is_filled_in_and_then_found_by_meaning(instance: Instance) -> None:
    Memory.objects.create(instance=instance, content="The user plays the cello.")
    assert recall(instance, "Which instrument?").hits == []
    assert fill_in(instance) == 1
    assert recall(instance, "Which instrument?").hits[0].ranks == {"meaning": 1}
    assert fill_in(instance) == 0


def test_a_provider_that_failed_is_left_alone_for_a_while_and_then_catches_up(
    instance: Instance, provider: ScriptedProvider, remembered: Remember
) -> None:
    embed_with(provider, instance)
    provider.fail_next("500", 1, "embeddings")
    memory = remembered("The user plays the cello.")
    assert not memory.embeddings.exists()
    assert fill_in(instance) == 0
    assert provider.count("embeddings") == 1, "resting"
    rested()
    assert fill_in(instance) == 1
    stored = np.array(memory.embeddings.get().embedding)
    assert stored == pytest.approx(bag_of_words(memory.content, 1536), abs=1e-3)


def test_many_are_filled_in_batch_by_batch(instance: Instance, provider: ScriptedProvider) -> None:
    embed_with(provider, instance)
    memories = without_vectors(instance, 2 * BATCH + 1)
    assert fill_in(instance) == 2 * BATCH + 1
    for memory in (memories[0], memories[BATCH], memories[-1]):
        stored = np.array(memory.embeddings.get().embedding)
        assert stored == pytest.approx(bag_of_words(memory.content, 1536), abs=1e-3)
    # One to learn how long the vectors are, then a call for each batch.
    assert provider.count("embeddings") == 4


def test_one_call_takes_no_more_than_it_is_given(
    instance: Instance, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    without_vectors(instance, 3 * BATCH)
    assert fill_in(instance, most=BATCH) == BATCH
    assert MemoryEmbedding.objects.count() == BATCH


def test_a_failure_halfway_keeps_what_was_done(
    instance: Instance, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    without_vectors(instance, BATCH)
    fill_in(instance)
    without_vectors(instance, BATCH)
    provider.fail_next("nan", 2, "embeddings")
    assert fill_in(instance) == 0
    assert MemoryEmbedding.objects.count() == BATCH
    rested()
    assert fill_in(instance) == BATCH


class Picky(ScriptedProvider):
    """Refuses whatever speaks of poison."""

    def take_fault(self, path: str, body: Request) -> Fault | None:
        if any("poison" in text for text in body.get("input", ())):
            self.fail_next("500", 1, "embeddings")
        return super().take_fault(path, body)


def test_one_text_that_is_always_refused_does_not_keep_the_others_waiting(
    instance: Instance,
) -> None:
    with Picky() as provider:
        embed_with(provider, instance)
        without_vectors(instance, BATCH)
        Memory.objects.create(instance=instance, content="poison")
        deadline = time.monotonic() + 30
        while MemoryEmbedding.objects.count() < BATCH and time.monotonic() < deadline:
            fill_in(instance)
            rested()
    assert MemoryEmbedding.objects.count() == BATCH


class Interrupted(ScriptedProvider):
    """Lets something happen before the next answer, in a thread of the provider's."""

    happening: Callable[[], object] | None = None

    def take_fault(self, path: str, body: Request) -> Fault | None:
        happening, self.happening = self.happening, None
        if happening is not None:
            try:
                happening()
            finally:
                connection.close()
        return super().take_fault(path, body)


@pytest.mark.django_db(transaction=True)
def test_a_text_that_is_changed_meanwhile_does_not_get_the_old_ones_vector(
    instance: Instance, remembered: Remember
) -> None:
    with Interrupted() as provider:
        embed_with(provider, instance)
        remembered("The user collects stamps.")
        memory = Memory.objects.create(instance=instance, content="The user plays the cello.")
        changed = Memory.objects.filter(pk=memory.pk)
        provider.happening = lambda: changed.update(content="The user plays the drums.")
        assert fill_in(instance) == 1
        assert provider.happening is None
    stored = np.array(memory.embeddings.get().embedding)
    assert stored == pytest.approx(bag_of_words("The user plays the drums.", 1536), abs=1e-3)


@pytest.mark.django_db(transaction=True)
def test_a_memory_that_is_deleted_meanwhile_stops_nobody(instance: Instance) -> None:
    with Interrupted() as provider:
        embed_with(provider, instance)
        gone, *_ = without_vectors(instance, 3)
        instance.embedding_dimensions = 1536
        provider.happening = Memory.objects.filter(pk=gone.pk).delete
        assert fill_in(instance) == 2
    assert not MemoryEmbedding.objects.filter(memory=gone.pk).exists()


def test_a_change_of_model_embeds_everything_anew_and_then_drops_the_old_vectors(
    instance: Instance, provider: ScriptedProvider, remembered: Remember
) -> None:
    facts = ["The user plays the cello.", "The user collects stamps.", "The user has a sister."]
    for content in facts:
        remembered(content)
    embed_with(provider, instance)
    assert recall(instance, "stamps").hits[0].ranks == {"words": 1}, "old vectors are not compared"

    fill_in(instance)
    fill_in(instance)
    names = MemoryEmbedding.objects.values_list("space__name", flat=True)
    assert [name.rpartition("/")[0].endswith("/words") for name in names] == [True] * 3
    assert recall(instance, "collecting stamps").hits[0].ranks == {"meaning": 1, "words": 1}


def test_old_vectors_stay_until_the_last_new_one_is_there(
    instance: Instance, provider: ScriptedProvider
) -> None:
    without_vectors(instance, BATCH + 1)
    fill_in(instance)
    embed_with(provider, instance)
    fill_in(instance, most=BATCH)
    assert MemoryEmbedding.objects.count() == 2 * BATCH + 1
    fill_in(instance)
    assert MemoryEmbedding.objects.count() == BATCH + 1
    assert MemoryEmbedding.objects.values("space").distinct().count() == 1


def test_going_back_to_the_built_in_embedder_works_as_well(
    instance: Instance, provider: ScriptedProvider, remembered: Remember
) -> None:
    embed_with(provider, instance)
    memory = remembered("The user plays the cello.")
    instance.embedding_provider = "builtin"
    instance.save()
    assert fill_in(instance) == 1
    stored = np.array(memory.embeddings.get().embedding)
    assert stored @ BuiltinEmbedder().embed([memory.content]).vectors[0] > 0.999


def test_a_correction_without_a_vector_is_made_up_for(
    instance: Instance, provider: ScriptedProvider, remembered: Remember
) -> None:
    embed_with(provider, instance)
    memory = Memory.objects.get(pk=remembered("The user plays the cello.").pk)
    provider.fail_next("500", 1, "embeddings")
    revise(memory, Changes("The user plays the drums.", "fact", 5), by=None)
    rested()
    assert fill_in(instance) == 1
    stored = np.array(memory.embeddings.get().embedding)
    assert stored == pytest.approx(bag_of_words("The user plays the drums.", 1536), abs=1e-3)


def test_another_instances_memories_are_left_alone(
    instance: Instance, private: Instance, provider: ScriptedProvider
) -> None:
    without_vectors(private, 2)
    fill_in(private)
    without_vectors(private, 1)
    without_vectors(instance, 3)
    embed_with(provider, instance)
    assert fill_in(instance) == 3
    assert MemoryEmbedding.objects.filter(instance=private).count() == 2


def test_one_instances_trouble_does_not_keep_the_others_waiting(
    instance: Instance, private: Instance
) -> None:
    instance.embedding_provider = "openai"
    instance.save()
    Secret.objects.create(instance=instance, name=SecretName.EMBEDDING_API_KEY, token="garbage")
    without_vectors(instance, 1)
    without_vectors(private, 1)
    backfill()
    assert list(MemoryEmbedding.objects.values_list("instance", flat=True)) == [private.pk]


def test_without_a_provider_there_is_nothing_to_do(instance: Instance) -> None:
    instance.embedding_provider = "openai"
    instance.save()
    without_vectors(instance, 1)
    assert fill_in(instance) == 0
    assert not Usage.objects.exists()
