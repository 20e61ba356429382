"""Deleting a conversation, with or without its memories."""

import pytest
from django.test import Client

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Agent, Instance
from memoryapp.models import Activity, Memory, MemorySource, Origin, Run
from memoryapp.pipeline import Candidate, Writer, remember


@pytest.fixture
def extracted(instance: Instance, conversation: Conversation) -> Memory:
    """A memory whose only source is the conversation."""
    candidate = Candidate(
        "The user is severely allergic to peanuts.",
        conversation_id=conversation.pk,
        message_id=conversation.messages.earliest("position").pk,
    )
    (outcome,) = remember(
        instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="extraction"))
    )
    return outcome.memory


@pytest.fixture
def shared_memory(instance: Instance, conversation: Conversation, extracted: Memory) -> Memory:
    """A memory with another conversation as a second source."""
    other = Conversation.objects.create(instance=instance, title="Another talk")
    for source in (conversation, other):
        candidate = Candidate("The user keeps bees on the roof.", conversation_id=source.pk)
        (outcome,) = remember(instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="test")))
    return outcome.memory


def test_delete_asks_about_the_memories(
    as_alice: Client, conversation: Conversation, shared_memory: Memory
) -> None:
    page = as_alice.get(f"/conversations/{conversation.pk}/delete").content.decode()
    assert "Delete the conversation “Dinner for eight”?" in page
    assert "2 memories come from this conversation." in page
    assert "1 comes only from here" in page
    assert "Delete conversation and 1 memory" in page
    assert Conversation.objects.filter(pk=conversation.pk).exists()


@pytest.mark.parametrize("answer", ["", "all", "yes"])
def test_nothing_is_deleted_without_a_choice(
    answer: str, as_alice: Client, conversation: Conversation
) -> None:
    response = as_alice.post(f"/conversations/{conversation.pk}/delete", {"memories": answer})
    assert response.status_code == 200
    assert Conversation.objects.filter(pk=conversation.pk).exists()


def test_memories_can_be_kept_without_their_source(
    as_alice: Client, conversation: Conversation, extracted: Memory
) -> None:
    url = f"/conversations/{conversation.pk}/delete"
    page = as_alice.post(url, {"memories": "keep"}, follow=True).content.decode()
    assert "Deleted the conversation." in page
    assert not Conversation.objects.exists()
    assert not Message.objects.exists()
    assert not MemorySource.objects.exists()
    assert Memory.objects.get() == extracted


def test_memories_without_another_source_can_be_deleted(
    as_alice: Client, conversation: Conversation, extracted: Memory, shared_memory: Memory
) -> None:
    url = f"/conversations/{conversation.pk}/delete"
    page = as_alice.post(url, {"memories": "delete"}, follow=True).content.decode()
    assert "Deleted the conversation and 1 memory." in page
    assert Memory.objects.get() == shared_memory
    assert shared_memory.sources.count() == 1
    assert Activity.objects.get(action="deleted").memory_id == extracted.pk
    assert as_alice.get(url).status_code == 404


def test_conversation_with_runs_and_an_agent_can_be_deleted(
    as_alice: Client, instance: Instance, conversation: Conversation
) -> None:
    conversation.agent = Agent.objects.create(instance=instance, slug="nora", name="Nora")
    conversation.save()
    Run.objects.create(instance=instance, conversation=conversation, state="queued")
    as_alice.post(f"/conversations/{conversation.pk}/delete", {"memories": "keep"})
    assert not Run.objects.exists()
    assert Agent.objects.exists()
