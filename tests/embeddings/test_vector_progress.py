"""How long it takes until search finds everything by meaning, and where screens say so."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from conversations.models import Conversation, Import
from instances.models import Instance, User
from memoryapp.embeddings.vector_progress import vector_progress
from memoryapp.models import EmbeddingJob, Memory, Run
from memoryapp.templatetags.amounts import time_left

HINT = "Still indexing. Word search already works."


@pytest.fixture
def job(instance: Instance) -> EmbeddingJob:
    """A job that has made a quarter of its vectors within three minutes."""
    now = timezone.now()
    return EmbeddingJob.objects.create(
        instance=instance,
        kind=EmbeddingJob.Kind.FILL_IN,
        total=400,
        done=100,
        created_at=now - timedelta(minutes=3),
        heartbeat_at=now,
    )


def file_conversations(instance: Instance, *, done: int, left: int, minutes: float) -> None:
    """Have *done* of the conversations of an import been filed within *minutes*."""
    began = timezone.now() - timedelta(minutes=minutes)
    for number in range(done + left):
        Run.objects.create(
            instance=instance,
            conversation=Conversation.objects.create(instance=instance),
            kind=Run.Kind.MINING,
            state=Run.State.SUCCEEDED if number and number <= done else Run.State.QUEUED,
            created_at=began,
        )


def text(client: Client, url: str) -> str:
    return " ".join(client.get(url).content.decode().split())


def test_nothing_is_under_way(instance: Instance) -> None:
    assert vector_progress(instance) is None


def test_missing_vectors(instance: Instance, job: EmbeddingJob) -> None:
    progress = vector_progress(instance)
    assert progress is not None and not progress.problem
    assert progress.seconds_left == pytest.approx(9 * 60, abs=5)


def test_messages_that_are_filed(instance: Instance, job: EmbeddingJob) -> None:
    file_conversations(instance, done=2, left=4, minutes=1)
    progress = vector_progress(instance)
    assert progress is not None
    # Two minutes for the conversations, and nine for the vectors.
    assert progress.seconds_left == pytest.approx(11 * 60, abs=10)
    job.delete()
    progress = vector_progress(instance)
    assert progress is not None
    assert progress.seconds_left == pytest.approx(2 * 60, abs=5)


def test_no_estimate_without_a_measurement(instance: Instance, job: EmbeddingJob) -> None:
    file_conversations(instance, done=0, left=2, minutes=1)
    progress = vector_progress(instance)
    assert progress is not None and progress.seconds_left is None


@pytest.mark.parametrize(
    "changes",
    [
        {"error": "The server does not answer."},
        {"done": 0},
        # No worker runs.
        {"heartbeat_at": timezone.now() - timedelta(minutes=3)},
    ],
    ids=["waits", "has not begun", "is stuck"],
)
def test_no_estimate_while_it_is_unknown(
    instance: Instance, job: EmbeddingJob, changes: dict[str, object]
) -> None:
    EmbeddingJob.objects.update(**changes)
    progress = vector_progress(instance)
    assert progress is not None and progress.seconds_left is None
    assert progress.problem == changes.get("error", "")


def test_list_of_memories_without_a_vector(
    as_alice: Client, instance: Instance, job: EmbeddingJob
) -> None:
    assert f'{HINT} <span class="muted">about 9 min left</span>' in text(
        as_alice, "/memory?instance=desk&state=waiting"
    )
    assert HINT not in text(as_alice, "/memory?instance=desk")
    EmbeddingJob.objects.update(error="The server does not answer.")
    said = text(as_alice, "/memory?instance=desk&state=waiting")
    assert f"{HINT} The server does not answer." in said
    assert "min left" not in said


def test_health_screen(as_alice: Client, instance: Instance, job: EmbeddingJob) -> None:
    Memory.objects.create(instance=instance, content="The user plays the cello.")
    assert "100 of 400 done · about 9 min left" in text(as_alice, "/status/health?instance=desk")
    EmbeddingJob.objects.update(error="The server does not answer.")
    assert "min left" not in text(as_alice, "/status/health?instance=desk")


def test_result_of_an_import(as_alice: Client, alice: User, instance: Instance) -> None:
    import_ = Import.objects.create(
        instance=instance,
        by=alice,
        filename="talks.jsonl",
        bytes_total=400,
        state="succeeded",
        finished_at=timezone.now(),
    )
    assert HINT not in text(as_alice, import_.get_absolute_url())
    file_conversations(instance, done=2, left=4, minutes=1)
    assert f'{HINT} <span class="muted">about 2 min left</span>' in text(
        as_alice, import_.get_absolute_url()
    )


def test_estimate_has_a_limit() -> None:
    assert time_left(47 * 3600) == "about 47.0 h left"
    assert time_left(49 * 3600) == "more than two days left"
