"""A chat begun without memory: nothing is recalled, nothing is kept but the transcript."""

from collections.abc import Callable

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation, ConversationOrigin
from instances.models import Instance
from memoryapp.assistant.answer import answer
from memoryapp.assistant.submission import begin_conversation
from memoryapp.extraction.run import (
    WithoutMemory,
    queue_again,
    queue_all,
    queue_by_hand,
    queue_stale,
)
from memoryapp.mining import queue as mining
from memoryapp.models import Memory, Run, Summary, awaiting_filing
from memoryapp.recall import recall
from tests.assistant.answering import system_message, talk, transcript, user_message
from tests.scripted_provider import ScriptedProvider

# A thread reads what the provider streams.
pytestmark = pytest.mark.django_db(transaction=True)

Store = Callable[..., Memory]


@pytest.fixture
def silent(assisted: Instance) -> Conversation:
    Instance.objects.filter(pk=assisted.pk).update(palace_enabled=True)
    assisted.refresh_from_db()
    return Conversation.objects.create(
        instance=assisted, origin=ConversationOrigin.CHAT, without_memory=True
    )


def test_nothing_is_recalled(
    silent: Conversation, provider: ScriptedProvider, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.")
    Summary.objects.update_or_create(
        instance=silent.instance, end_user="", defaults={"text": "A person who sails."}
    )
    talk(silent, "What should I not cook, with my peanuts allergy?")
    request = provider.requests[-1].body
    assert "peanuts." not in system_message(provider) + user_message(provider)
    assert "memory_context" not in str(request) and "sails" not in str(request)
    assert "tools" not in request


def test_nothing_is_read_or_filed(silent: Conversation, provider: ScriptedProvider) -> None:
    talk(silent, "I am allergic to peanuts.")
    assert [role for role, _ in transcript(silent)] == ["user", "assistant"]
    assert not Run.objects.exists()
    assert not awaiting_filing(silent.messages.all()).exists()
    assert queue_stale() == 0
    everything = Conversation.objects.all()
    assert queue_all(everything) == mining.queue_all(everything, with_model=False) == 0
    for by_hand in (queue_by_hand, queue_again):
        with pytest.raises(WithoutMemory):
            by_hand(silent)
    assert not Run.objects.exists()


def test_what_was_said_is_not_recalled_elsewhere(silent: Conversation, assisted: Instance) -> None:
    heard = Conversation.objects.create(instance=assisted)
    for conversation in (silent, heard):
        append(conversation, [NewMessage("user", "My boat is the red Ocarina.")])
    hits = recall(assisted, "Which boat is the red Ocarina?").hits
    assert [hit.said.conversation for hit in hits] == [heard]


def test_it_is_chosen_when_the_chat_begins(assisted: Instance) -> None:
    attempt = begin_conversation(assisted, "Hello.", agent=None, without_memory=True)
    assert attempt.conversation.without_memory
    list(answer(attempt))
    assert not Run.objects.exists()
    usual = begin_conversation(assisted, "Hello.", agent=None)
    assert not usual.conversation.without_memory
    list(answer(usual))
    assert Run.objects.filter(conversation=usual.conversation).exists()
