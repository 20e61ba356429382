"""Fixtures and helpers for tests with a scripted provider.

Packages whose tests need the fixtures import them in their conftest.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from conversations.models import Conversation
from instances.models import CircuitBreaker, EmbeddingProvider, Instance, Provider
from memoryapp.embeddings.backfill import open_fill_in_job, run_job
from memoryapp.embeddings.reembedding import delete_unused_vectors
from memoryapp.extraction.message_status import ExtractionProgress
from memoryapp.models import EmbeddingJob, MemorySource, Usage
from tests.scripted_provider import Request, ScriptedProvider
from tests.waiting import eventually as eventually


@pytest.fixture
def provider() -> Iterator[ScriptedProvider]:
    """A new server for each test, so that no state is stored for its address."""
    with ScriptedProvider() as provider:
        yield provider


def embed_with(provider: ScriptedProvider, instance: Instance, model: str = "words") -> None:
    """Let *provider* create the vectors of *instance*, with a model that was not called before."""
    instance.embedding_provider = EmbeddingProvider.CUSTOM
    instance.embedding_base_url = provider.base_url
    instance.embedding_model = model
    instance.embedding_dimensions = None
    instance.save()


def fill_in(instance: Instance, *, seconds: float = 60.0) -> int:
    """Create missing vectors as a worker does; return their number."""
    instance = Instance.objects.get(pk=instance.pk)
    job = open_fill_in_job(instance)
    if job is None or not job.claim():
        return 0
    before = job.done
    run_job(job, seconds=seconds)
    delete_unused_vectors(instance)
    job.refresh_from_db()
    return job.done - before


def end_pause() -> None:
    """End the pause after a failure of the provider, as if its time had passed."""
    Usage.objects.update(at=timezone.now() - timedelta(minutes=2))
    EmbeddingJob.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    CircuitBreaker.objects.try_now()


def read_with(provider: ScriptedProvider, instance: Instance) -> None:
    """Enable memory, with *provider* as the model that reads conversations."""
    instance.memory_enabled = True
    instance.provider = Provider.CUSTOM
    instance.base_url = provider.base_url
    instance.fast_model = "reader"
    instance.save()


def end_all_sessions() -> None:
    """End every session of the test's database, as a restart of the server does."""
    with psycopg.connect(**connection.get_connection_params()) as own:  # a separate session
        own.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def fact(message: int, content: str, **more: object) -> dict[str, object]:
    """Return an item of the model's answer."""
    item = {"category": "fact", "importance": 6, "tags": ["test"], "valid_until": None}
    return {"message": message, "content": content, "confidence": 90, **item, **more}


def prompt_of(request: Request) -> str:
    """Return the last message of a request to the model, which contains the transcript."""
    return str(request["messages"][-1]["content"])


def numbered_lines(request: Request) -> dict[int, str]:
    """Return the numbered lines of the transcript, without speaker and date."""
    lines = re.findall(r"^\[(\d+) · [^]]*\] [^:\n]*: (.*)$", prompt_of(request), re.MULTILINE)
    return {int(number): text for number, text in lines}


def keep_everything(request: Request) -> dict[str, Any]:
    """Answer with a memory for each numbered line of the transcript, with the text of the line."""
    return {"memories": [fact(number, text) for number, text in numbered_lines(request).items()]}


#: Status of a message in the transcript for which nothing more will happen by itself.
FINAL = re.compile(r"Nothing|Read for context|Not read: system message|Failed: .")


def unfinished_messages(conversation: Conversation) -> dict[int, str]:
    """Return messages without a final status, as position → status shown in the transcript."""
    conversation = Conversation.objects.get(pk=conversation.pk)
    reading = ExtractionProgress.of(conversation)
    unfinished = {}
    for message in conversation.messages.all():
        sources = list(MemorySource.objects.filter(message=message))
        fate = reading.status_of(message, sources)
        if not (fate.sources or FINAL.match(fate.words)):
            unfinished[message.position] = fate.words
    return unfinished
