"""Backfill: missing vectors are created, never wrong ones, and old ones are deleted."""

from collections.abc import Callable
from datetime import timedelta

import numpy as np
import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from instances.actor import Actor
from instances.models import Instance, Secret, SecretName
from memoryapp.embeddings import backfill as backfill_module
from memoryapp.embeddings.backfill import CLAIMS_PER_COUNT, open_fill_in_job
from memoryapp.embeddings.missing_vectors import count_missing
from memoryapp.models import EmbeddingJob, EmbeddingSpace, Memory, MemoryEmbedding, Usage
from memoryapp.models.embedding_jobs import BATCH_SIZE
from memoryapp.pipeline import Changes, revise
from memoryapp.providers.builtin_embedder import BuiltinEmbedder
from memoryapp.recall import recall
from memoryapp.tasks import backfill, make_vectors
from tests.provider_fixtures import embed_with, end_pause, fill_in
from tests.scripted_answers import bag_of_words
from tests.scripted_provider import Fault, Request, ScriptedProvider

Remember = Callable[..., Memory]


def without_vectors(instance: Instance, count: int) -> list[Memory]:
    return Memory.objects.bulk_create(
        Memory(instance=instance, content=f"Fact number {n}.") for n in range(count)
    )


def test_missing_vectors_are_created_and_searchable(instance: Instance) -> None:
    Memory.objects.create(instance=instance, content="The user plays the cello.")
    assert recall(instance, "Which instrument?").hits == []
    assert fill_in(instance) == 1
    assert recall(instance, "Which instrument?").hits[0].ranks == {"meaning": 1}
    assert fill_in(instance) == 0


def test_failed_provider_is_paused_and_then_catches_up(
    instance: Instance, provider: ScriptedProvider, store_memory: Remember
) -> None:
    embed_with(provider, instance)
    provider.fail_next("500", 1, "embeddings")
    memory = store_memory("The user plays the cello.")
    assert not memory.embeddings.exists()
    assert fill_in(instance) == 0
    assert provider.count("embeddings") == 1, "the provider was called during its pause"
    end_pause()
    assert fill_in(instance) == 1
    stored = np.array(memory.embeddings.get().embedding)
    assert stored == pytest.approx(bag_of_words(memory.content, 1536), abs=1e-3)


def test_many_vectors_are_created_in_batches(
    instance: Instance, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    memories = without_vectors(instance, 2 * BATCH_SIZE + 1)
    assert fill_in(instance) == 2 * BATCH_SIZE + 1
    for memory in (memories[0], memories[BATCH_SIZE], memories[-1]):
        stored = np.array(memory.embeddings.get().embedding)
        assert stored == pytest.approx(bag_of_words(memory.content, 1536), abs=1e-3)
    # One call for the dimensions, then one for each batch.
    assert provider.count("embeddings") == 4


def test_worker_yields_and_continues_later(instance: Instance, provider: ScriptedProvider) -> None:
    embed_with(provider, instance)
    without_vectors(instance, 3 * BATCH_SIZE)
    assert fill_in(instance, seconds=0) == BATCH_SIZE
    assert MemoryEmbedding.objects.count() == BATCH_SIZE


def test_failure_keeps_finished_batches(instance: Instance, provider: ScriptedProvider) -> None:
    embed_with(provider, instance)
    without_vectors(instance, BATCH_SIZE)
    fill_in(instance)
    without_vectors(instance, BATCH_SIZE)
    provider.fail_next("nan", 3, "embeddings")
    assert fill_in(instance) == 0
    assert MemoryEmbedding.objects.count() == BATCH_SIZE
    end_pause()
    assert fill_in(instance) == BATCH_SIZE


def test_missing_texts_are_not_counted_at_each_claim(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[int] = []

    def count(job: EmbeddingJob) -> int:
        counted.append(job.claims)
        return count_missing(job)

    monkeypatch.setattr(backfill_module, "count_missing", count)
    monkeypatch.setattr(backfill_module, "BUILTIN_BATCH_SIZE", 2)
    without_vectors(instance, 3 * CLAIMS_PER_COUNT)
    for _ in range(CLAIMS_PER_COUNT + 1):
        assert fill_in(instance, seconds=0) == 2
    assert counted == [1, CLAIMS_PER_COUNT + 1]


class Picky(ScriptedProvider):
    """A model that rejects texts with the word poison."""

    def take_fault(self, path: str, body: Request) -> Fault | None:
        if any("poison" in text for text in body.get("input", ())):
            self.fail_next("500", 1, "embeddings")
        return super().take_fault(path, body)


def test_rejected_text_does_not_block_others(instance: Instance) -> None:
    with Picky() as provider:
        embed_with(provider, instance)
        before = without_vectors(instance, BATCH_SIZE)
        poison = Memory.objects.create(instance=instance, content="poison")
        after = without_vectors(instance, 3)
        assert fill_in(instance) == len(before) + len(after)
    job = EmbeddingJob.objects.get()
    assert (job.state, job.refused, job.error) == ("done", [poison.pk], "")
    assert not MemoryEmbedding.objects.filter(memory=poison).exists()


def test_rejected_text_is_retried_after_a_change(instance: Instance) -> None:
    with Picky() as provider:
        embed_with(provider, instance)
        poison = Memory.objects.create(instance=instance, content="poison")
        fill_in(instance)
        calls = provider.count("embeddings")
        assert fill_in(instance) == 0
        without_vectors(instance, 2)
        assert fill_in(instance) == 2
        assert provider.count("embeddings") == calls + 1, "more than one batch"
        # The button retries immediately.
        instance.refresh_from_db()
        assert open_fill_in_job(instance, resting=False)
        EmbeddingJob.objects.all().delete()
        fill_in(instance)
        changed = timezone.now() + timedelta(seconds=1)
        Memory.objects.filter(pk=poison.pk).update(content="honey", updated_at=changed)
        assert fill_in(instance) == 1
    assert poison.embeddings.exists()


class Interrupted(ScriptedProvider):
    """Runs a function before the next answer, in a thread of the provider."""

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
def test_concurrently_changed_text_does_not_get_the_old_vector(
    instance: Instance, store_memory: Remember
) -> None:
    with Interrupted() as provider:
        embed_with(provider, instance)
        store_memory("The user collects stamps.")
        memory = Memory.objects.create(instance=instance, content="The user plays the cello.")
        changed = Memory.objects.filter(pk=memory.pk)
        provider.happening = lambda: changed.update(content="The user plays the drums.")
        assert fill_in(instance) == 1
        assert provider.happening is None
    stored = np.array(memory.embeddings.get().embedding)
    assert stored == pytest.approx(bag_of_words("The user plays the drums.", 1536), abs=1e-3)


@pytest.mark.django_db(transaction=True)
def test_concurrently_deleted_memory_is_skipped(instance: Instance) -> None:
    with Interrupted() as provider:
        embed_with(provider, instance)
        deleted, *_ = without_vectors(instance, 3)
        instance.embedding_dimensions = 1536
        provider.happening = Memory.objects.filter(pk=deleted.pk).delete
        assert fill_in(instance) == 2
    assert not MemoryEmbedding.objects.filter(memory=deleted.pk).exists()


def test_change_of_model_replaces_all_vectors(
    instance: Instance, provider: ScriptedProvider, store_memory: Remember
) -> None:
    facts = ["The user plays the cello.", "The user collects stamps.", "The user has a sister."]
    for content in facts:
        store_memory(content)
    embed_with(provider, instance)
    assert recall(instance, "stamps").hits[0].ranks == {"words": 1}, "old vectors were compared"

    fill_in(instance)
    fill_in(instance)
    names = MemoryEmbedding.objects.values_list("space__name", flat=True)
    assert [name.rpartition("/")[0].endswith("/words") for name in names] == [True] * 3
    assert recall(instance, "collecting stamps").hits[0].ranks == {"meaning": 1, "words": 1}


def test_change_to_the_built_in_embedder_works(
    instance: Instance, provider: ScriptedProvider, store_memory: Remember
) -> None:
    embed_with(provider, instance)
    memory = store_memory("The user plays the cello.")
    instance.embedding_provider = "builtin"
    instance.save()
    assert fill_in(instance) == 1
    stored = np.array(memory.embeddings.get().embedding)
    assert stored @ BuiltinEmbedder().embed([memory.content]).vectors[0] > 0.999


def test_edited_memory_without_a_vector_gets_one(
    instance: Instance, provider: ScriptedProvider, store_memory: Remember
) -> None:
    embed_with(provider, instance)
    memory = Memory.objects.get(pk=store_memory("The user plays the cello.").pk)
    provider.fail_next("500", 1, "embeddings")
    revise(memory, Changes("The user plays the drums.", "fact", 5), by=Actor())
    end_pause()
    assert fill_in(instance) == 1
    stored = np.array(memory.embeddings.get().embedding)
    assert stored == pytest.approx(bag_of_words("The user plays the drums.", 1536), abs=1e-3)


def test_memories_of_another_instance_are_not_touched(
    instance: Instance, private: Instance, provider: ScriptedProvider
) -> None:
    without_vectors(private, 2)
    fill_in(private)
    without_vectors(private, 1)
    without_vectors(instance, 3)
    embed_with(provider, instance)
    assert fill_in(instance) == 3
    assert MemoryEmbedding.objects.filter(instance=private).count() == 2


def test_failure_of_one_instance_does_not_delay_others(
    instance: Instance, private: Instance
) -> None:
    instance.embedding_provider = "openai"
    instance.save()
    Secret.objects.create(
        instance=instance,
        name=SecretName.EMBEDDING_API_KEY,
        token="garbage",
        server="https://api.openai.com",
    )
    without_vectors(instance, 1)
    without_vectors(private, 1)
    backfill()
    job = EmbeddingJob.objects.get()
    assert job.instance == private
    make_vectors(job_id=job.pk)
    assert list(MemoryEmbedding.objects.values_list("instance", flat=True)) == [private.pk]


def test_no_provider_means_no_work(instance: Instance) -> None:
    instance.embedding_provider = "openai"
    instance.save()
    without_vectors(instance, 1)
    assert fill_in(instance) == 0
    assert not Usage.objects.exists()


# The visible job.


def test_failing_provider_is_retried_later_and_reported(
    instance: Instance, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    without_vectors(instance, 2)
    provider.fail_next("500", None, "embeddings")
    fill_in(instance)
    job = EmbeddingJob.objects.get()
    assert (job.state, job.done, job.total) == ("running", 0, 2)
    assert "500" in job.error
    wait = (job.due_at - timezone.now()).total_seconds()
    assert 50 < wait <= 60
    assert provider.count("embeddings") == 1
    end_pause()
    fill_in(instance)
    job.refresh_from_db()
    assert (job.due_at - timezone.now()).total_seconds() > 100, "the delay does not grow"
    provider.reset()
    end_pause()
    assert fill_in(instance) == 2
    job.refresh_from_db()
    assert (job.state, job.done, job.total, job.error) == ("done", 2, 2, "")


def test_retry_after_is_respected(instance: Instance, provider: ScriptedProvider) -> None:
    embed_with(provider, instance)
    without_vectors(instance, 2)
    provider.fail_next("429", None, "embeddings", retry_after=37)
    fill_in(instance)
    job = EmbeddingJob.objects.get()
    assert 30 < (job.due_at - timezone.now()).total_seconds() <= 37
    assert not job.claim(), "retried too early"


def test_rate_limit_is_respected(
    instance: Instance, provider: ScriptedProvider, settings: Settings
) -> None:
    settings.BACKFILL_RATE = 120
    embed_with(provider, instance)
    without_vectors(instance, 30)
    assert fill_in(instance, seconds=0) == 10, "the rate limit is exceeded"
    job = EmbeddingJob.objects.get()
    assert 3 < (job.due_at - timezone.now()).total_seconds() <= 5
    assert fill_in(instance) == 0, "resumed too early"


def test_job_of_a_dead_worker_is_resumed(instance: Instance) -> None:
    without_vectors(instance, 3)
    job = open_fill_in_job(instance)
    assert job and job.claim()
    assert fill_in(instance) == 0, "the job was claimed twice"
    EmbeddingJob.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert fill_in(instance) == 3
    assert not job.heartbeat(), "a worker kept a lost lease"


def test_only_the_latest_job_is_kept(instance: Instance) -> None:
    for _ in range(3):
        without_vectors(instance, 1)
        assert fill_in(instance) == 1
    assert EmbeddingJob.objects.get().state == "done"


def test_vectors_of_an_unused_model_are_deleted(
    instance: Instance, provider: ScriptedProvider
) -> None:
    without_vectors(instance, 3)
    fill_in(instance)
    embed_with(provider, instance)
    fill_in(instance)
    assert MemoryEmbedding.objects.count() == 3
    assert EmbeddingSpace.objects.get().name.endswith("/words/1536")
