"""When runs are queued."""

import pytest
from django.db import transaction

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.extraction.run import queue, read
from memoryapp.models import Memory, Run
from tests.extraction.runs import CHAT, exchange, work
from tests.provider_fixtures import (
    unfinished_messages,
)
from tests.scripted_provider import ScriptedProvider


def test_a_reply_queues_a_run_and_a_question_alone_does_not(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    append(talk, [NewMessage("user", "Hello?")])
    assert not Run.objects.exists()
    append(talk, [NewMessage("assistant", "Hello!")])
    assert Run.objects.get().state == Run.State.QUEUED


def test_without_memory_no_run_is_queued(
    reader: ScriptedProvider, instance: Instance, talk: Conversation
) -> None:
    Instance.objects.update(memory_enabled=False)
    exchange(talk, "I play the cello.")
    assert not Run.objects.exists()


def test_by_hand_means_only_when_somebody_asks(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    Instance.objects.update(extract_when="by_hand")
    exchange(talk, "I play the cello.")
    assert not Run.objects.exists()
    assert queue(talk) is not None
    assert [run.stored for run in work(talk)] == [1]


def test_the_run_is_kept_or_lost_with_the_reply(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        exchange(talk, "I play the cello.")
        assert Run.objects.exists()
        raise RuntimeError
    assert not talk.messages.exists()
    assert not Run.objects.exists()


def test_one_waiting_run_reads_all_that_came_meanwhile(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    exchange(talk, "My sister is a nurse.")
    assert queue(talk) is None
    assert [run.stored for run in work(talk)] == [2]
    assert reader.count(CHAT) == 1


def test_a_turn_that_ends_while_a_run_is_reading_queues_another(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    running = Run.objects.get()
    assert running.claim()
    exchange(talk, "My sister is a nurse.")
    waiting = Run.objects.get(state=Run.State.QUEUED)
    assert not waiting.claim(), "two at once would read the same messages"
    read(running)
    work(talk)
    assert Memory.objects.count() == 2
    assert unfinished_messages(talk) == {}
