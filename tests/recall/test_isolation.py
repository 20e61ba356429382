"""Isolation of instances: no search crosses it, and vector search within one is exact."""

import numpy as np
import pytest
from numpy.typing import NDArray
from pgvector import HalfVector

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import EmbeddingSpace, Memory, MemoryEmbedding, MemorySource, Origin
from memoryapp.models.vectors import QueryVector
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.recall import RecallOptions, recall

TEXTS = [
    "The user is allergic to peanuts.",
    "Alice moved to Lyon in May 2021.",
    "The user plays the cello in an orchestra.",
]


def fill(instance: Instance) -> None:
    """Store the same messages and memories in *instance* as in every other."""
    conversation = Conversation.objects.create(instance=instance, title="Hello")
    said = append(conversation, [NewMessage("user", text) for text in TEXTS]).added
    remember(
        instance,
        [
            Candidate(text, conversation_id=conversation.pk, message_id=message.pk)
            for text, message in zip(TEXTS[:2], said, strict=False)
        ],
        Writer(Origin.CONVERSATION, Actor(via="test")),
    )


@pytest.fixture
def both(instance: Instance, private: Instance) -> tuple[Instance, Instance]:
    for each in (instance, private):
        fill(each)
    return instance, private


@pytest.mark.parametrize("with_messages", [True, False])
@pytest.mark.parametrize("end_user", [None, ""])
def test_same_texts_are_found_only_in_their_instance(
    both: tuple[Instance, Instance], end_user: str | None, with_messages: bool
) -> None:
    for here in both:
        hits = recall(
            here,
            "peanuts Lyon cello orchestra allergic Alice",
            RecallOptions(limit=20, end_user=end_user, with_messages=with_messages),
        ).hits
        assert len(hits) == (3 if with_messages else 2)
        assert {hit.memory.instance_id for hit in hits if hit.memory} == {here.pk}
        assert {hit.message.instance_id for hit in hits if hit.message} <= {here.pk}


def test_filter_cannot_reach_another_instance(both: tuple[Instance, Instance]) -> None:
    here, there = both
    assert recall(here, "peanuts", RecallOptions(memories=Memory.objects.all())).hits
    nothing = recall(
        here, "peanuts", RecallOptions(memories=there.memories.all(), with_messages=False)
    )
    assert nothing.hits == []


def test_other_instances_do_not_affect_ranks(instance: Instance, private: Instance) -> None:
    fill(instance)
    question = "Who is Alice, and is she allergic to anything?"
    before = [(hit.content, hit.ranks, hit.score) for hit in recall(instance, question).hits]
    fill(private)
    texts = [f"Alice is allergic to pollen {n}." for n in range(30)]
    private.dedup_exact = private.dedup_update = 1.0
    remember(private, [Candidate(text) for text in texts], Writer(Origin.API, Actor(via="test")))
    after = [(hit.content, hit.ranks, hit.score) for hit in recall(instance, question).hits]
    assert after == before
    assert not MemorySource.objects.exclude(memory__instance=private).filter(instance=private)


# Exactness


def unit_vectors(count: int, dimensions: int, seed: int) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).normal(size=(count, dimensions)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    # In half precision, as stored.
    return vectors.astype(np.float16).astype(np.float32)


def store(instance: Instance, vectors: NDArray[np.float32], name: str) -> list[int]:
    """Store a memory for each vector, every second one about bob; return their ids."""
    space = EmbeddingSpace.objects.create(instance=instance, name=name)
    memories = Memory.objects.bulk_create(
        [
            Memory(instance=instance, content=f"memory {n}", end_user="bob" if n % 2 else "")
            for n in range(len(vectors))
        ]
    )
    MemoryEmbedding.objects.bulk_create(
        [
            MemoryEmbedding(
                memory=memory, instance=instance, space=space, embedding=HalfVector(vector)
            )
            for memory, vector in zip(memories, vectors, strict=True)
        ],
        batch_size=500,
    )
    return [memory.pk for memory in memories]


@pytest.mark.parametrize(("dimensions", "others"), [(384, 3_000), (1536, 600)])
def test_small_instance_in_a_large_table_is_searched_exactly(
    instance: Instance, private: Instance, dimensions: int, others: int
) -> None:
    space = f"test/{dimensions}"
    store(private, unit_vectors(others, dimensions, seed=1), space)
    vectors = unit_vectors(40, dimensions, seed=2)
    ids = np.array(store(instance, vectors, space))
    store(instance, unit_vectors(40, dimensions, seed=3), "former")

    for question in unit_vectors(20, dimensions, seed=4):
        cosines = vectors @ question
        order = np.argsort(-cosines)[:25]
        found = MemoryEmbedding.objects.nearest(QueryVector(instance, space, question), limit=25)
        assert [pk for pk, _ in found] == ids[order].tolist()
        assert [cosine for _, cosine in found] == pytest.approx(cosines[order].tolist(), abs=1e-3)

        bobs = [at for at in np.argsort(-cosines) if at % 2]
        found = MemoryEmbedding.objects.nearest(
            QueryVector(instance, space, question),
            limit=25,
            among=Memory.objects.in_instance(instance).filter(end_user="bob"),
        )
        assert [pk for pk, _ in found] == ids[bobs].tolist()


def test_unused_space_is_empty(instance: Instance) -> None:
    store(instance, unit_vectors(3, 384, seed=1), "a")
    question = unit_vectors(1, 384, seed=2)[0]
    assert MemoryEmbedding.objects.nearest(QueryVector(instance, "b", question), limit=5) == []
