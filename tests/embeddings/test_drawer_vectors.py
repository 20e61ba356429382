"""Vectors of messages: backfill, counts and re-embedding, like those of memories."""

from collections.abc import Callable

import numpy as np
import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.embeddings.missing_vectors import DRAWERS, count_without_vector
from memoryapp.embeddings.reembedding import estimate, switch_back
from memoryapp.models import Drawer, DrawerEmbedding, EmbeddingJob, Memory
from memoryapp.models.vectors import QueryVector
from memoryapp.palace.filing import PlacedMessage, file_messages
from memoryapp.providers.configured import space_of
from memoryapp.tasks import backfill
from memoryapp.web.embeddings.vector_state import vector_state
from tests.embeddings.models import (
    DIMENSIONS,
    choice_of,
    known,
    new,
    start_change,
    work,
)
from tests.embeddings.test_backfill import Picky
from tests.provider_fixtures import embed_with, fill_in
from tests.scripted_answers import bag_of_words
from tests.scripted_provider import ScriptedProvider

__all__ = ["known", "new"]

TEXTS = [
    "The new stove arrives on Monday.",
    "The fitter comes on Thursday.",
    "We cook on the camping stove until then.",
]


@pytest.fixture
def filed(conversation: Conversation) -> Callable[..., list[Drawer]]:
    """Append messages and file them without vectors: ``filed("…", "…")``."""

    def say(*texts: str) -> list[Drawer]:
        added: list[Message] = append(
            conversation, [NewMessage("user", text) for text in texts], finished=False
        ).added
        places = [PlacedMessage(message.pk, wing="Kitchen") for message in added]
        return file_messages(Conversation.objects.get(pk=conversation.pk), places)

    return say


Filed = Callable[..., list[Drawer]]


def vector_of(drawer: Drawer) -> list[float]:
    embedding: list[float] = drawer.embeddings.get().embedding
    return embedding


def test_missing_vectors_are_counted_created_and_searchable(
    instance: Instance, filed: Filed, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    drawers = filed(*TEXTS)
    assert (vector_state(instance).missing, vector_state(instance).missing_turns) == (0, 3)
    assert fill_in(instance) == 3
    job = EmbeddingJob.objects.get()
    assert (job.state, job.done, job.total) == ("done", 3, 3)
    for drawer, text in zip(drawers, TEXTS, strict=True):
        assert vector_of(drawer) == pytest.approx(bag_of_words(text, 1536), abs=1e-3)
    instance.refresh_from_db()
    question = np.array(bag_of_words(TEXTS[1], 1536), dtype=np.float32)
    nearest = DrawerEmbedding.objects.nearest(
        QueryVector(instance, space_of(instance.embeddings), question), limit=1
    )
    assert nearest[0][0] == drawers[1].pk
    assert vector_state(instance).has_missing == 0


def test_memories_and_messages_are_backfilled_together(
    instance: Instance, filed: Filed, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    filed(*TEXTS)
    Memory.objects.create(instance=instance, content="The user has a new stove.")
    assert fill_in(instance) == 4
    # The first call was for the dimensions.
    first, second = (request.body["input"] for request in provider.requests[-2:])
    assert first == ["The user has a new stove."], "memories are not first"
    assert second == TEXTS


def test_instance_with_only_messages_is_backfilled(instance: Instance, filed: Filed) -> None:
    filed(*TEXTS)
    backfill()
    assert EmbeddingJob.objects.get().total == 3


def test_secrets_are_not_sent_to_the_provider(
    instance: Instance, filed: Filed, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    filed("My card is 4111 1111 1111 1111, charge it.", "My password is somewhere in here.")
    assert fill_in(instance) == 2
    requests = str([request.body for request in provider.requests])
    assert "4111 1111" not in requests
    assert "somewhere in here" not in requests
    assert "charge it" in requests


def test_rejected_message_does_not_block_others_and_is_not_retried(
    instance: Instance, filed: Filed
) -> None:
    with Picky() as provider:
        embed_with(provider, instance)
        poison = filed(TEXTS[0], "poison", TEXTS[1])[1]
        assert fill_in(instance) == 2
        calls = provider.count("embeddings")
        job = EmbeddingJob.objects.get()
        assert (job.state, job.refused, job.refused_drawers) == ("done", [], [poison.pk])
        assert fill_in(instance) == 0
        assert provider.count("embeddings") == calls
    assert not poison.embeddings.exists()


def test_concurrently_deleted_message_is_skipped(
    instance: Instance, filed: Filed, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    deleted, stays, _ = filed(*TEXTS)
    deleted_id = deleted.pk
    texts = DRAWERS.texts(EmbeddingJob(instance=instance), after=0, most=64)
    assert list(texts.values()) == TEXTS
    assert deleted.message is not None
    deleted.message.delete()
    texts[stays.pk] = "what it said before the secrets in it were taken out"
    unchanged = DRAWERS.unchanged(instance, texts)
    assert unchanged == [pk for pk in texts if pk not in (deleted_id, stays.pk)]


def test_models_are_compared_without_secrets(
    instance: Instance, known: list[Memory], filed: Filed, new: ScriptedProvider
) -> None:
    (said,) = filed("My card is 4111 1111 1111 1111, and I keep bees.")
    assert said.message is not None
    known[0].sources.create(
        instance=instance, message=said.message, conversation=said.message.conversation
    )
    fill_in(instance)

    work(start_change(instance, new))

    asked = str([request.body for request in new.requests])
    assert "[REDACTED:CARD]" in asked
    assert "4111 1111" not in asked


def test_new_model_gets_vectors_of_all_messages_before_the_switch(
    instance: Instance, known: list[Memory], filed: Filed, new: ScriptedProvider
) -> None:
    drawers = filed(*TEXTS)
    fill_in(instance)
    former = space_of(Instance.objects.get().embeddings)
    needed = estimate(instance, choice_of(new))
    assert (needed.memories, needed.turns, needed.calls) == (len(known), 3, 2)

    job = start_change(instance, new)
    assert job.total == len(known) + 3
    job.batch = len(known)
    job.save(update_fields=["batch"])
    work(job, seconds=0)
    assert (job.state, job.done) == ("running", len(known)), "the messages are already done"
    assert Instance.objects.get().embedding_model == "old"
    work(job)
    assert (job.state, job.done, job.error) == ("done", len(known) + 3, "")
    # Each memory and message was compared with both models.
    assert job.verdict is not None
    assert (job.verdict["asked"], job.verdict["before"]) == (len(known) + 3,) * 2

    after = Instance.objects.get()
    assert after.embedding_model == "new"
    assert count_without_vector(after, space_of(after.embeddings)) == 0
    question = np.array(new.vector_of(TEXTS[2], DIMENSIONS), dtype=np.float32)
    nearest = DrawerEmbedding.objects.nearest(
        QueryVector(after, space_of(after.embeddings), question), limit=1
    )
    assert nearest[0][0] == drawers[2].pk
    assert nearest[0][1] == pytest.approx(1, abs=1e-3)

    # The change can be reverted for a week, which creates only newer vectors.
    filed("The stove is here.")
    back = switch_back(job, by=None)
    assert back.total == 1
    assert former == space_of(back.choice)


def test_message_vectors_of_an_unused_model_are_deleted(
    instance: Instance, known: list[Memory], filed: Filed, new: ScriptedProvider
) -> None:
    filed(*TEXTS)
    fill_in(instance)
    work(start_change(instance, new))
    assert DrawerEmbedding.objects.count() == 6
    EmbeddingJob.objects.update(kept_until=None)
    backfill()
    names = set(DrawerEmbedding.objects.values_list("space__name", flat=True))
    assert names == {space_of(Instance.objects.get().embeddings)}
    assert DrawerEmbedding.objects.count() == 3
