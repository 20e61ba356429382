"""Undo of changes to memories."""

from collections.abc import Callable
from datetime import date

import pytest

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance, User
from instances.tiers import Tier
from memoryapp.models import (
    Activity,
    EmbeddingSpace,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
    Origin,
)
from memoryapp.pipeline import (
    Candidate,
    Changes,
    NotTheNewest,
    Outcome,
    Writer,
    remember,
    restore,
    revise,
    undo,
)
from memoryapp.policy.dedup import Action
from tests.provider_fixtures import embed_with
from tests.scripted_provider import ScriptedProvider

FROM_A_CONVERSATION = Writer(
    Origin.CONVERSATION,
    Actor(via="extraction"),
    reason=MemoryRevision.Reason.EXTRACTED,
    tier=Tier.PERSON,
)


@pytest.fixture
def memory(store_memory: Callable[..., Memory]) -> Memory:
    return store_memory(
        "The user has three cats.", category="fact", importance=4, tags=["pets"], confidence=80
    )


def row(memory: Memory) -> dict[str, object]:
    """Return all fields of the row and its vectors."""
    vectors = dict(memory.embeddings.values_list("space__name", "embedding"))
    return {**Memory.objects.filter(pk=memory.pk).values()[0], "vectors": vectors}


def merge(instance: Instance, content: str, message: Message | None = None) -> Outcome:
    """Store a message that becomes a new version of an existing fact."""
    candidate = Candidate(
        content,
        category="event",
        importance=9,
        tags=["animals"],
        valid_until=date(2031, 2, 3),
        confidence=90,
        conversation_id=message.conversation_id if message else None,
        message_id=message.pk if message else None,
    )
    (outcome,) = remember(instance, [candidate], FROM_A_CONVERSATION)
    return outcome


def newest(memory: Memory) -> MemoryRevision:
    return memory.revisions.all()[0]


def test_edit_merge_and_restore_are_undone_step_by_step(
    instance: Instance, memory: Memory, alice: User
) -> None:
    steps = [row(memory)]
    revise(memory, Changes("The user keeps bees.", "general", 6, ["x"]), by=Actor(alice))
    steps.append(row(memory))
    revise(Memory.objects.get(), Changes("The user has three cats.", "fact", 6), by=Actor(alice))
    steps.append(row(memory))
    assert merge(instance, "The user has four cats.").action is Action.UPDATED
    steps.append(row(memory))
    restore(MemoryRevision.objects.earliest("pk"), by=Actor(alice))
    assert len({str(step) for step in steps}) == 4

    for before in reversed(steps):
        left = memory.revisions.count()
        undo(newest(memory), by=Actor(alice))
        assert row(memory) == before
        assert memory.revisions.count() == left - 1
    assert not MemoryRevision.objects.exists()


def test_activity_names_the_user_without_the_text(memory: Memory, bob: User) -> None:
    revise(memory, Changes("The user keeps bees.", "fact", 4), by=Actor())
    undo(newest(memory), by=Actor(bob))
    line = Activity.objects.values()[0]
    assert (line["action"], line["by_id"], line["memory_id"]) == ("undone", bob.pk, memory.pk)
    assert "bees" not in str(line)


def test_vectors_are_restored_in_every_space_without_a_call(
    instance: Instance, memory: Memory, provider: ScriptedProvider
) -> None:
    other = EmbeddingSpace.objects.create(instance=instance, name="other/3")
    MemoryEmbedding.objects.create(
        memory=memory, instance=instance, space=other, embedding=[0.6, 0.8, 0]
    )
    before = row(memory)
    revise(memory, Changes("The user keeps bees.", "fact", 4), by=Actor())
    assert memory.embeddings.count() == 1
    embed_with(provider, instance)
    undo(newest(memory), by=Actor())
    assert row(memory) == before
    assert provider.requests == []


def test_vector_added_meanwhile_stays_with_its_text(instance: Instance, memory: Memory) -> None:
    memory.embeddings.all().delete()
    revise(memory, Changes(memory.content, "general", 4), by=Actor())
    space = EmbeddingSpace.objects.get(instance=instance)
    MemoryEmbedding.objects.create(
        memory=memory, instance=instance, space=space, embedding=[1.0, 0, 0]
    )
    undo(newest(memory), by=Actor())
    assert memory.embeddings.count() == 1


def test_only_the_latest_change_can_be_undone(memory: Memory) -> None:
    revise(memory, Changes("The user keeps bees.", "fact", 4), by=Actor())
    first = newest(memory)
    revise(memory, Changes("The user keeps goats.", "fact", 4), by=Actor())
    second = newest(memory)
    with pytest.raises(NotTheNewest):
        undo(first, by=Actor())
    undo(second, by=Actor())
    with pytest.raises(NotTheNewest):
        undo(second, by=Actor())
    assert Memory.objects.get().content == "The user keeps bees."
    stale = newest(memory)
    Memory.objects.all().delete()
    with pytest.raises(NotTheNewest):
        undo(stale, by=Actor())


# The message keeps its status.


@pytest.fixture
def new_message(conversation: Conversation, store_message: Callable[..., Message]) -> Message:
    return store_message(conversation, "We have four cats now.")


def test_source_link_is_kept_and_marked_as_undone(
    instance: Instance, memory: Memory, new_message: Message
) -> None:
    merge(instance, "The user has four cats.", new_message)
    undo(newest(memory), by=Actor())
    source = MemorySource.objects.in_conversations().get()
    assert (source.memory, source.message, source.action) == (memory, new_message, "undone")


def test_repeated_extraction_does_not_redo_an_undone_change(
    instance: Instance, memory: Memory, new_message: Message, store_message: Callable[..., Message]
) -> None:
    merge(instance, "The user has four cats.", new_message)
    undo(newest(memory), by=Actor())
    before = row(memory)
    assert merge(instance, "The user has four cats.", new_message).action is Action.DUPLICATE
    assert row(memory) == before
    # A new message with the same statement is different.
    later = store_message(new_message.conversation, "Four cats, I said.")
    assert merge(instance, "The user has four cats.", later).action is Action.UPDATED
    actions = (
        MemorySource.objects.in_conversations().order_by("pk").values_list("message", "action")
    )
    assert list(actions) == [(new_message.pk, "undone"), (later.pk, "updated_existing")]


def test_repeated_statement_reactivates_a_conversation_link(
    instance: Instance, memory: Memory, conversation: Conversation
) -> None:
    candidate = Candidate("The user has four cats.", confidence=90, conversation_id=conversation.pk)
    for action in ("undone", "undone"):
        (outcome,) = remember(instance, [candidate], FROM_A_CONVERSATION)
        assert outcome.action is Action.UPDATED
        assert MemorySource.objects.in_conversations().get().action == "updated_existing"
        undo(newest(memory), by=Actor())
        assert MemorySource.objects.in_conversations().get().action == action


def test_original_source_link_is_not_undone(instance: Instance, new_message: Message) -> None:
    learned = merge(instance, "The user has three cats.", new_message).memory
    merge(instance, "The user has four cats.", new_message)
    undo(newest(learned), by=Actor())
    assert MemorySource.objects.in_conversations().get().action == "stored_new"
