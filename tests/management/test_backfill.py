"""``manage.py backfill``: what is missing, made while somebody looks on."""

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


def test_it_makes_what_is_missing_and_says_how_far_it_is(
    instance: Instance, private: Instance
) -> None:
    without_vectors(instance, 5)
    without_vectors(private, 3)
    said = backfill()
    assert "desk: done, 5 of 5 vectors." in said
    assert "diary: done, 3 of 3 vectors." in said
    assert MemoryEmbedding.objects.count() == 8
    assert backfill() == "desk: nothing is missing.\ndiary: nothing is missing.\n"


def test_it_takes_one_instance_and_a_size(
    instance: Instance, private: Instance, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    without_vectors(instance, 5)
    without_vectors(private, 1)
    backfill("--instance", "desk", "--batch", "2")
    assert MemoryEmbedding.objects.filter(instance=private).count() == 0
    texts = [len(request.body["input"]) for request in provider.requests]
    assert texts == [1, 2, 2, 1], "one to learn how long the vectors are"


def test_it_goes_no_faster_than_it_is_told(instance: Instance, provider: ScriptedProvider) -> None:
    embed_with(provider, instance)
    without_vectors(instance, 4)
    backfill("--rate", "60", "--batch", "2")
    calls = [request.at for request in provider.requests][1:]
    assert len(calls) == 2
    assert calls[1] - calls[0] > 1.5, "two texts take two seconds"


def test_it_waits_for_a_provider_that_asks_for_a_pause(
    instance: Instance, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    without_vectors(instance, 2)
    # The client itself tries again a few times before it gives up.
    provider.fail_next("429", 4, "embeddings", retry_after=1)
    said = backfill()
    assert re.search(r"desk: 0 of \d vectors; waits until \d\d:\d\d:\d\d: .*429|rate", said)
    assert "desk: done, 2 of 2 vectors." in said


def test_one_that_was_killed_is_gone_on_with(instance: Instance) -> None:
    without_vectors(instance, 5)
    job = open_fill_in_job(instance)
    assert job and job.claim()
    EmbeddingJob.objects.update(lease_until=timezone.now() + timedelta(seconds=1))
    assert "desk: done, 5 of 5 vectors." in backfill()


def test_nobody_to_make_them_is_said(instance: Instance) -> None:
    without_vectors(instance, 1)
    Instance.objects.update(embedding_provider="openai")
    assert backfill() == "desk: no embedding provider is set up.\n"


def test_an_unknown_instance_is_named_with_those_that_there_are(instance: Instance) -> None:
    with pytest.raises(CommandError, match=r"no instance “none”\. There are: desk"):
        backfill("--instance", "none")


@pytest.mark.parametrize("number", ["0", "-3", "many", "1000000"])
def test_a_size_that_makes_no_sense_is_refused(number: str, instance: Instance) -> None:
    with pytest.raises(CommandError, match="whole number from 1 to 10,000"):
        backfill("--rate", number)
