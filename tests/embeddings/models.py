"""Embedding models with different vectors of the same words, or with useless ones."""

import itertools
from collections.abc import Callable, Iterator

import pytest

from instances.embedding_choice import EmbeddingChoice
from instances.models import Instance
from memoryapp.embeddings import reembedding
from memoryapp.embeddings.backfill import run_job
from memoryapp.models import EmbeddingJob, Memory, MemoryEmbedding
from tests.provider_fixtures import embed_with
from tests.scripted_answers import bag_of_words
from tests.scripted_provider import ScriptedProvider

DIMENSIONS = 96

#: Texts without common words.
FACTS = [
    "The user plays the cello in an orchestra.",
    "The user collects stamps from Iceland.",
    "The user has a sister in Toulouse.",
    "The user keeps bees on the roof.",
    "The user drinks green tea every morning.",
    "The user drives an old Citroën.",
    "The user is afraid of large dogs.",
    "The user studied chemistry in Graz.",
    "The user rows on the lake each Sunday.",
    "The user works night shifts as a nurse.",
    "The user speaks Portuguese with her mother.",
    "The user repairs clocks for a living.",
]


class Elsewhere(ScriptedProvider):
    """A model as good as the usual one, with incompatible vectors of the same length, so that
    comparing the two would be noticed.
    """

    def vector_of(self, text: str, dimensions: int) -> list[float]:
        vector = bag_of_words(text, dimensions)
        return [-x for x in vector[1:] + vector[:1]]


class Forgetful(ScriptedProvider):
    """Gives another vector each time."""

    moods: Iterator[int] = itertools.count()

    def vector_of(self, text: str, dimensions: int) -> list[float]:
        return bag_of_words(f"mood{next(self.moods)}", dimensions)


@pytest.fixture
def new() -> Iterator[ScriptedProvider]:
    """The new model."""
    with Elsewhere(dimensions=DIMENSIONS) as provider:
        yield provider


@pytest.fixture
def known(
    instance: Instance, provider: ScriptedProvider, store_memory: Callable[..., Memory]
) -> list[Memory]:
    """Memories of the instance with vectors of the old model."""
    provider.dimensions = DIMENSIONS
    embed_with(provider, instance, "old")
    return [store_memory(fact) for fact in FACTS]


def choice_of(provider: ScriptedProvider, model: str = "new") -> EmbeddingChoice:
    return EmbeddingChoice("custom", provider.base_url, model)


def start_change(instance: Instance, provider: ScriptedProvider) -> EmbeddingJob:
    """Start a change to *provider* that no worker has claimed yet."""
    return reembedding.start(instance, choice_of(provider), by=None)


def work(job: EmbeddingJob, seconds: float = 60.0) -> EmbeddingJob:
    """Carry out *job* as a worker does."""
    job.refresh_from_db()
    if job.claim():
        run_job(job, seconds=seconds)
    job.refresh_from_db()
    return job


def spaces(instance: Instance) -> set[str]:
    """Return the models of the vectors of *instance*."""
    names = MemoryEmbedding.objects.filter(instance=instance).values_list("space__name", flat=True)
    return {name.split("/")[-2] for name in names}
