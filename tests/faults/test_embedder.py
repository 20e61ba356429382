"""The process of the built-in embedder is killed while it is needed."""

import threading
from collections.abc import Callable

import psutil
import pytest
from django.conf import settings

from instances.models import Instance
from memoryapp.embeddings.backfill import open_fill_in_job, run_job
from memoryapp.models import EmbeddingJob, Memory, MemoryEmbedding
from memoryapp.providers.builtin_embedder import BuiltinEmbedder
from memoryapp.recall import recall

TEXTS = [f"The user keeps {n} hens and {n + 3} geese." for n in range(600)]


def kill_embedders() -> int:
    """Kill the embedding processes of this home; return how many there were."""
    killed = 0
    for each in psutil.process_iter(["cmdline"]):
        if {"memoryapp.providers.builtin_model.process", str(settings.HOME)} <= set(
            each.info["cmdline"] or ()
        ):
            each.kill()
            killed += 1
    return killed


@pytest.mark.django_db(transaction=True)
def test_back_fill_survives_kills(instance: Instance) -> None:
    Memory.objects.bulk_create(Memory(instance=instance, content=text) for text in TEXTS)
    over, killed = threading.Event(), 0

    def kill() -> None:
        nonlocal killed
        while not over.wait(0.3):
            killed += kill_embedders()

    job = open_fill_in_job(instance)
    assert job is not None
    killer = threading.Thread(target=kill)
    killer.start()
    try:
        for _ in range(100):
            EmbeddingJob.objects.update(lease_until=None)
            if killed >= 3:
                over.set()
            job = EmbeddingJob.objects.get()
            if not job.is_open:
                break
            EmbeddingJob.objects.update(due_at=job.created_at)
            assert job.claim()
            run_job(job, seconds=0.5)
    finally:
        over.set()
        killer.join()
    assert killed
    expected = BuiltinEmbedder().embed(TEXTS).vectors
    stored = MemoryEmbedding.objects.order_by("memory__pk").values_list("embedding", flat=True)
    assert [list(vector) for vector in stored] == [
        list(vector) for vector in expected.astype("float16")
    ]


def test_question_after_a_kill_is_answered_by_meaning(
    instance: Instance, store_memory: Callable[..., Memory]
) -> None:
    hens = store_memory("The user keeps hens.")
    assert kill_embedders()
    (hit,) = recall(instance, "Does the user own poultry?").hits
    assert hit.memory == hens
    assert hit.ranks["meaning"] == 1
