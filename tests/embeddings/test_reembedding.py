"""Re-embedding: new vectors beside the searched ones, activated completely or not at all."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import numpy as np
import pytest
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance, Secret, SecretName
from memoryapp.embeddings import reembedding
from memoryapp.embeddings.backfill import run_job
from memoryapp.forgetting.deletion import forget
from memoryapp.models import Activity, EmbeddingJob, EmbeddingSpace, Memory, MemoryEmbedding, Usage
from memoryapp.models.embedding_jobs import BATCH_SIZE
from memoryapp.pipeline import Changes, revise
from memoryapp.providers.configured import embedding_endpoint
from memoryapp.recall import recall
from tests.embeddings.models import (
    DIMENSIONS,
    FACTS,
    Elsewhere,
    Forgetful,
    choice_of,
    known,
    new,
    spaces,
    start_change,
    work,
)
from tests.provider_fixtures import embed_with, end_pause, fill_in
from tests.scripted_provider import Fault, Request, ScriptedProvider

__all__ = ["known", "new"]

Remember = Callable[..., Memory]


def found_by_meaning(instance: Instance, question: str) -> Memory | None:
    """Return the best semantic result if it matches exactly."""
    for hit in recall(Instance.objects.get(pk=instance.pk), question).hits:
        if hit.ranks.get("meaning") == 1 and hit.similarity and hit.similarity > 0.99:
            return hit.memory
    return None


def test_new_vectors_are_created_beside_the_old_and_activated_together(
    instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    job = start_change(instance, new)
    job.batch = 5
    job.save(update_fields=["batch"])
    work(job, seconds=0)
    assert (job.state, job.done, job.total, job.percent) == ("running", 5, 12, 41)
    assert spaces(instance) == {"old", "new"}
    assert Instance.objects.get().embedding_model == "old"
    assert found_by_meaning(instance, FACTS[0]) == known[0]

    work(job)
    assert (job.state, job.done, job.total, job.error) == ("done", 12, 12, "")
    assert job.verdict == {"asked": 12, "before": 12, "after": 12, "agreement": pytest.approx(1)}
    after = Instance.objects.get()
    assert (after.embedding_model, after.embedding_dimensions) == ("new", DIMENSIONS)
    for fact, memory in zip(FACTS, known, strict=True):
        assert found_by_meaning(instance, fact) == memory
    assert new.requests[-1].body["input"] == [FACTS[-1]]
    assert Activity.objects.get(action="settings").via == "reembedding"


def test_search_with_old_settings_uses_the_old_vectors(
    instance: Instance, known: list[Memory], new: ScriptedProvider, provider: ScriptedProvider
) -> None:
    """At the moment of the switch, and in an answer that takes a minute."""
    before = Instance.objects.get(pk=instance.pk)
    work(start_change(instance, new))
    calls = provider.count("embeddings")
    hits = recall(before, FACTS[3]).hits
    assert hits[0].memory == known[3]
    assert hits[0].similarity == pytest.approx(1.0, abs=0.001)
    assert provider.count("embeddings") == calls + 1


def test_worse_model_is_not_activated_automatically(
    instance: Instance, store_memory: Remember, provider: ScriptedProvider
) -> None:
    provider.dimensions = DIMENSIONS
    embed_with(provider, instance, "old")
    for number in range(40):
        store_memory(f"The user owns old thing{number} with part{number}.")
    with Forgetful(dimensions=DIMENSIONS) as forgetful:
        job = work(start_change(instance, forgetful))
        assert job.state == "held"
        assert job.verdict and job.verdict["before"] > 35 > job.verdict["after"]
        assert Instance.objects.get().embedding_model == "old"
        assert spaces(instance) == {"old", "new"}
        assert work(job).state == "held", "the change was decided automatically"

        reembedding.switch_anyway(job)
        store_memory("The user has a late idea.")
        assert work(job).state == "done"
    assert Instance.objects.get().embedding_model == "new"
    assert MemoryEmbedding.objects.filter(space=job.space).count() == 41


def test_undecided_change_is_cancelled_after_a_week(
    instance: Instance, known: list[Memory]
) -> None:
    with Forgetful(dimensions=DIMENSIONS) as forgetful:
        job = work(start_change(instance, forgetful))
    assert job.state == "held"
    reembedding.delete_unused_vectors(instance)
    assert spaces(instance) == {"old", "new"}
    EmbeddingJob.objects.update(kept_until=timezone.now() - timedelta(seconds=1))
    reembedding.delete_unused_vectors(instance)
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert spaces(instance) == {"old"}


def test_cancelling_restores_the_previous_state(
    instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    before = Instance.objects.filter(pk=instance.pk).values().get()
    job = reembedding.start(instance, choice_of(new), by=None, key="sk-0123456789abcdef")
    job.batch = 5
    job.save(update_fields=["batch"])
    work(job, seconds=0)
    assert job.claim()
    reembedding.cancel(job)
    reembedding.delete_unused_vectors(instance)
    assert Instance.objects.filter(pk=instance.pk).values().get() == before
    assert spaces(instance) == {"old"}
    assert not Secret.objects.exists()
    with pytest.raises(reembedding.TooLate):
        reembedding.cancel(job)
    assert EmbeddingSpace.objects.count() == 1


def test_worker_of_a_cancelled_job_stores_nothing_more(
    instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    job = start_change(instance, new)
    job.batch = 2
    job.save(update_fields=["batch"])
    work(job, seconds=0)
    mine = EmbeddingJob.objects.get()
    assert mine.claim()
    reembedding.cancel(EmbeddingJob.objects.get())
    reembedding.delete_unused_vectors(instance)
    run_job(mine, seconds=60)
    assert spaces(instance) == {"old"}
    assert EmbeddingJob.objects.get().state == "cancelled"


def test_concurrent_changes_have_new_vectors_at_the_switch(
    instance: Instance, known: list[Memory], new: ScriptedProvider, store_memory: Remember
) -> None:
    job = start_change(instance, new)
    job.batch = 5
    job.save(update_fields=["batch"])
    work(job, seconds=0)
    done = Memory.objects.filter(embeddings__space=job.space).order_by("pk")
    changed, deleted = done[0], done[1]
    revise(changed, Changes("The user plays the trombone.", "fact", 5), by=Actor())
    forget(instance, Memory.objects.filter(pk=deleted.pk), by=Actor())
    came = store_memory("The user has bought a canoe.")
    assert work(job).state == "done"
    assert MemoryEmbedding.objects.filter(space=job.space).count() == Memory.objects.count() == 12
    assert found_by_meaning(instance, "The user plays the trombone.") == changed
    assert found_by_meaning(instance, "The user has bought a canoe.") == came
    stored = changed.embeddings.get(space=job.space).embedding
    expected = new.vector_of("The user plays the trombone.", DIMENSIONS)
    assert np.array(stored) == pytest.approx(np.array(expected), abs=1e-3)


def test_provider_outage_pauses_the_change_without_affecting_search(
    instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    job = start_change(instance, new)
    job.batch = 5
    job.save(update_fields=["batch"])
    work(job, seconds=0)
    new.fail_next("500", None, "embeddings")
    work(job)
    assert (job.state, job.done) == ("running", 5)
    assert "500" in job.error
    recalled = recall(Instance.objects.get(), FACTS[0])
    assert recalled.degraded is None
    assert recalled.hits[0].ranks["meaning"] == 1
    reembedding.retry_now(job)
    new.reset()
    assert work(job).state == "done"
    assert job.error == ""


def test_going_back_creates_only_vectors_of_later_changes(
    instance: Instance,
    known: list[Memory],
    new: ScriptedProvider,
    provider: ScriptedProvider,
    store_memory: Remember,
) -> None:
    job = work(start_change(instance, new))
    assert job.can_go_back
    instance.refresh_from_db()
    came = store_memory("The user has bought a canoe.")
    provider.reset()
    back = reembedding.switch_back(job, by=None)
    assert work(back).state == "done"
    assert [request.body["input"] for request in provider.requests] == [[came.content]]
    assert (back.done, back.total, back.verdict) == (1, 1, None)
    assert Instance.objects.get().embedding_model == "old"
    assert found_by_meaning(instance, came.content) == came
    # And forward again with the same button.
    assert work(reembedding.switch_back(back, by=None)).state == "done"
    assert Instance.objects.get().embedding_model == "new"


def test_previous_vectors_are_deleted_after_a_week(
    instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    secret = Secret(instance=instance, name=SecretName.EMBEDDING_API_KEY)
    secret.seal("sk-old-0123456789", instance.embedding_base_url)
    secret.save()
    job = work(start_change(instance, new))
    reembedding.delete_unused_vectors(instance)
    assert spaces(instance) == {"old", "new"}
    EmbeddingJob.objects.update(kept_until=timezone.now() - timedelta(seconds=1))
    reembedding.delete_unused_vectors(instance)
    job.refresh_from_db()
    assert spaces(instance) == {"new"}
    assert job.former_space is None
    assert not job.can_go_back
    assert not Secret.objects.exists(), "the old key is kept"
    with pytest.raises(reembedding.TooLate):
        reembedding.switch_back(job, by=None)
    assert found_by_meaning(instance, FACTS[0]) == known[0]


def test_immediate_change_of_model_cannot_be_reverted(
    instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    job = work(start_change(instance, new))
    third = reembedding.start(instance, choice_of(new, "third"), by=None)
    job.refresh_from_db()
    assert not job.can_go_back
    reembedding.delete_unused_vectors(instance)
    assert spaces(instance) == {"new"}
    assert work(third).state == "done"
    assert spaces(instance) == {"new", "third"}


def test_one_change_at_a_time(
    instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    start_change(instance, new)
    with pytest.raises(reembedding.ReembeddingRunning):
        reembedding.start(instance, choice_of(new, "third"), by=None)


def test_each_model_uses_its_own_key(
    instance: Instance, known: list[Memory], new: ScriptedProvider, provider: ScriptedProvider
) -> None:
    old_key, new_key = "sk-old-0123456789", "sk-new-9876543210"
    secret = Secret(instance=instance, name=SecretName.EMBEDDING_API_KEY)
    secret.seal(old_key, provider.base_url)
    secret.save()
    provider.api_key, new.api_key = old_key, new_key
    before = Instance.objects.get(pk=instance.pk)
    job = reembedding.start(instance, choice_of(new), by=None, key=new_key)
    assert work(job).state == "done"
    after = Instance.objects.get(pk=instance.pk)
    for row, key in ((before, old_key), (after, new_key)):
        endpoint = embedding_endpoint(row, row.embeddings)
        assert endpoint and endpoint.api_key == key
        assert recall(row, FACTS[0]).degraded is None
    # Reverting needs the old key, which is kept.
    assert work(reembedding.switch_back(job, by=None)).state == "done"
    keys = {request.headers.get("authorization") for request in new.requests}
    assert keys == {f"Bearer {new_key}"}


def test_key_is_not_sent_to_another_server(
    instance: Instance, known: list[Memory], new: ScriptedProvider, provider: ScriptedProvider
) -> None:
    secret = Secret(instance=instance, name=SecretName.EMBEDDING_API_KEY)
    secret.seal("sk-old-0123456789", instance.embedding_base_url)
    secret.save()
    work(start_change(instance, new))
    assert all("sk-old" not in str(request.headers) for request in new.requests)
    # Another model of the same server uses the same key.
    job = reembedding.start(
        Instance.objects.get(), choice_of(new, "third"), by=None, key="sk-third-0123456789"
    )
    work(job)
    fourth = reembedding.start(Instance.objects.get(), choice_of(new, "fourth"), by=None)
    work(fourth)
    assert "sk-third-0123456789" in str(new.requests[-1].headers)


def test_unreachable_current_model_requires_a_manual_decision(
    instance: Instance, known: list[Memory], new: ScriptedProvider, provider: ScriptedProvider
) -> None:
    provider.fail_next("500", None, "embeddings")
    job = work(start_change(instance, new))
    assert job.state == "held"
    assert "The present model does not answer" in job.error
    reembedding.switch_anyway(job)
    assert work(job).state == "done"
    assert found_by_meaning(instance, FACTS[0]) == known[0]


def test_text_rejected_by_the_new_model_does_not_stop_the_change(
    instance: Instance, known: list[Memory]
) -> None:
    class Picky(Elsewhere):
        def take_fault(self, path: str, body: Request) -> Fault | None:
            if any("bees" in text for text in body.get("input", ())):
                self.fail_next("500", 1, "embeddings")
            return super().take_fault(path, body)

    with Picky(dimensions=DIMENSIONS) as picky:
        job = work(start_change(instance, picky))
    assert (job.state, job.refused) == ("done", [known[3].pk])
    assert MemoryEmbedding.objects.filter(space=job.space).count() == len(FACTS) - 1


def test_deleting_the_instance_deletes_the_job(
    instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    job = start_change(instance, new)
    job.batch = 5
    job.save(update_fields=["batch"])
    work(job, seconds=0)
    assert job.claim()
    instance.delete()
    run_job(job, seconds=60)
    assert not EmbeddingJob.objects.exists()
    assert not MemoryEmbedding.objects.exists()


def test_effort_of_a_change_is_estimated(
    instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    needed = reembedding.estimate(instance, choice_of(new))
    assert (needed.memories, needed.calls, needed.cost) == (12, 1, Decimal(0))
    assert needed.tokens == pytest.approx(sum(map(len, FACTS)) / 4, abs=1)
    instance.embedding_price = Decimal(2)
    cost = reembedding.estimate(instance, choice_of(new)).cost
    assert cost == needed.tokens * Decimal("0.000002")
    Memory.objects.bulk_create(
        Memory(instance=instance, content=f"Fact {n}.") for n in range(BATCH_SIZE)
    )
    assert reembedding.estimate(instance, choice_of(new)).calls == 2


def test_calls_to_the_new_model_are_recorded_with_its_name(
    instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    work(start_change(instance, new))
    models = set(Usage.objects.values_list("model", flat=True))
    assert {model.split("/")[-2] for model in models} == {"old", "new"}
    assert not Usage.objects.exclude(error="").exists()


def test_missing_vectors_are_created_during_a_change(
    instance: Instance,
    known: list[Memory],
    new: ScriptedProvider,
    provider: ScriptedProvider,
    store_memory: Remember,
) -> None:
    job = start_change(instance, new)
    provider.fail_next("500", 1, "embeddings")
    instance.refresh_from_db()
    late = store_memory("The user has bought a canoe.")
    assert not late.embeddings.exists()
    end_pause()
    assert fill_in(instance) == 1
    assert found_by_meaning(instance, late.content) == late
    assert work(job).state == "done"
