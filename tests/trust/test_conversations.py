"""Deleting a conversation with its memories: what it made goes, what it changed is as before."""

from dataclasses import replace
from typing import Any

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Memory, MemoryRevision, Origin
from memoryapp.pipeline import Candidate, Changes, Writer, remember, revise
from memoryapp.trust.conversation_deletion import forget_conversation

WRITER = Writer(
    Origin.CONVERSATION, Actor(via="extraction"), reason=MemoryRevision.Reason.EXTRACTED
)


def learn(talk: Conversation, content: str, **fields: Any) -> Memory:
    (message,) = append(talk, [NewMessage("user", content)]).added
    candidate = Candidate(
        content, conversation_id=talk.pk, message_id=message.pk, confidence=100, **fields
    )
    (outcome,) = remember(talk.instance, [candidate], WRITER)
    return outcome.memory


@pytest.fixture
def talk(instance: Instance) -> Conversation:
    return Conversation.objects.create(instance=instance, title="A page")


@pytest.fixture
def earlier(instance: Instance) -> Conversation:
    return Conversation.objects.create(instance=instance)


def texts() -> list[str]:
    return list(Memory.objects.order_by("pk").values_list("content", flat=True))


def delete(talk: Conversation) -> tuple[int, int]:
    done = forget_conversation(talk, with_memories=True, by=Actor())
    return done.deleted, done.taken_back


DOCTOR: dict[str, Any] = {"key": "doctor", "category": "fact"}


def test_changed_memory_has_its_former_text(talk: Conversation, earlier: Conversation) -> None:
    learn(earlier, "The user's doctor is Dr Weiss.", value="Weiss", **DOCTOR)
    learn(talk, "The user's doctor is Dr Evil.", value="Evil", **DOCTOR)
    learn(talk, "The user's doctor is Dr Worse.", value="Worse", **DOCTOR)
    learn(talk, "The user has a boat.")
    assert texts() == ["The user's doctor is Dr Worse.", "The user has a boat."]

    assert delete(talk) == (1, 1)
    assert texts() == ["The user's doctor is Dr Weiss."]
    weiss = Memory.objects.get()
    assert (weiss.value, weiss.revisions.count()) == ("Weiss", 0)


def test_memory_with_another_source_stays(talk: Conversation, instance: Instance) -> None:
    learn(talk, "The user has a boat.")
    other = Conversation.objects.create(instance=instance)
    learn(other, "The user has a boat.")
    assert delete(talk) == (0, 0)
    assert texts() == ["The user has a boat."]


def test_memory_that_a_person_edited_stays(talk: Conversation, alice: User) -> None:
    memory = learn(talk, "The user has a boat.")
    revise(memory, replace(Changes.of(memory), content="The user has two boats."), by=Actor(alice))
    assert delete(talk) == (0, 0)
    assert texts() == ["The user has two boats."]


def test_later_change_from_elsewhere_stays(
    talk: Conversation, instance: Instance, earlier: Conversation
) -> None:
    learn(earlier, "The user's doctor is Dr Weiss.", value="Weiss", **DOCTOR)
    learn(talk, "The user's doctor is Dr Evil.", value="Evil", **DOCTOR)
    other = Conversation.objects.create(instance=instance)
    learn(other, "The user's doctor is Dr Good.", value="Good", **DOCTOR)
    assert delete(talk) == (0, 0)
    assert texts() == ["The user's doctor is Dr Good."]


def test_without_its_memories_all_stay(talk: Conversation) -> None:
    learn(talk, "The user has a boat.")
    forget_conversation(talk, with_memories=False, by=Actor())
    assert texts() == ["The user has a boat."]
