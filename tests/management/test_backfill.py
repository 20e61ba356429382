"""``manage.py backfill`` creates missing vectors in the foreground."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from instances.models import Instance
from memoryapp.embeddings.backfill import open_fill_in_job
from memoryapp.models import EmbeddingJob, Memory, MemoryEmbedding
from tests.provider_fixtures import embed_with, provider
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]


def backfill(*args: str) -> str:
    out = StringIO()
    call_command("backfill", *args, stdout=out)
    return out.getvalue()


def without_vectors(instance: Instance, count: int) -> None:
    Memory.objects.bulk_create(
        Memory(instance=instance, content=f"Fact number {n}.") for n in range(count)
    )


def test_missing_vectors_are_created_with_progress(instance: Instance, private: Instance) -> None:
    without_vectors(instance, 5)
    without_vectors(private, 3)
    output = backfill()
    assert "desk: done, 5 of 5 vectors." in output
    assert "diary: done, 3 of 3 vectors." in output
    assert MemoryEmbedding.objects.count() == 8
    assert backfill() == "desk: nothing is missing.\ndiary: nothing is missing.\n"


def test_instance_and_batch_size_options(
    instance: Instance, private: Instance, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    without_vectors(instance, 5)
    without_vectors(private, 1)
    backfill("--instance", "desk", "--batch", "2")
    assert MemoryEmbedding.objects.filter(instance=private).count() == 0
    texts = [len(request.body["input"]) for request in provider.requests]
    assert texts == [1, 2, 2, 1], "one request is for the dimensions of the vectors"


def test_rate_limit_is_respected(instance: Instance, provider: ScriptedProvider) -> None:
    embed_with(provider, instance)
    without_vectors(instance, 4)
    backfill("--rate", "60", "--batch", "2")
    calls = [request.at for request in provider.requests][1:]
    assert len(calls) == 2
    assert calls[1] - calls[0] > 1.5, "the rate limit is exceeded"


def test_retry_after_is_respected(instance: Instance, provider: ScriptedProvider) -> None:
    embed_with(provider, instance)
    without_vectors(instance, 2)
    # The client retries a few times before it gives up.
    provider.fail_next("429", 4, "embeddings", retry_after=1)
    output = backfill()
    assert re.search(r"desk: 0 of \d vectors; waits until \d\d:\d\d:\d\d: .*429|rate", output)
    assert "desk: done, 2 of 2 vectors." in output


def test_killed_backfill_is_continued(instance: Instance) -> None:
    without_vectors(instance, 5)
    job = open_fill_in_job(instance)
    assert job and job.claim()
    EmbeddingJob.objects.update(lease_until=timezone.now() + timedelta(seconds=1))
    assert "desk: done, 5 of 5 vectors." in backfill()


def test_missing_embedder_is_reported(instance: Instance) -> None:
    without_vectors(instance, 1)
    Instance.objects.update(embedding_provider="openai")
    assert backfill() == "desk: no embedding provider is set up.\n"


def test_unknown_instance_is_reported_with_existing_ones(instance: Instance) -> None:
    with pytest.raises(CommandError, match=r"no instance “none”\. There are: desk"):
        backfill("--instance", "none")


@pytest.mark.parametrize("number", ["0", "-3", "many", "1000000"])
def test_invalid_batch_size_is_rejected(number: str, instance: Instance) -> None:
    with pytest.raises(CommandError, match="whole number from 1 to 10,000"):
        backfill("--rate", number)
