"""Conditions under which runs are queued."""

import pytest
from django.db import transaction

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.extraction.run import queue, read
from memoryapp.models import Memory, Run
from tests.extraction.runs import CHAT, exchange, work
from tests.provider_fixtures import unfinished_messages
from tests.scripted_provider import ScriptedProvider


def test_reply_queues_a_run_and_a_question_does_not(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    append(talk, [NewMessage("user", "Hello?")])
    assert not Run.objects.exists()
    append(talk, [NewMessage("assistant", "Hello!")])
    assert Run.objects.get().state == Run.State.QUEUED


def test_memory_off_queues_no_run(
    reader: ScriptedProvider, instance: Instance, talk: Conversation
) -> None:
    Instance.objects.update(memory_enabled=False)
    exchange(talk, "I play the cello.")
    assert not Run.objects.exists()


def test_manual_mode_queues_only_on_request(reader: ScriptedProvider, talk: Conversation) -> None:
    Instance.objects.update(extract_when="by_hand")
    exchange(talk, "I play the cello.")
    assert not Run.objects.exists()
    assert queue(talk) is not None
    assert [run.stored for run in work(talk)] == [1]


def test_run_is_committed_or_rolled_back_with_the_reply(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        exchange(talk, "I play the cello.")
        assert Run.objects.exists()
        raise RuntimeError
    assert not talk.messages.exists()
    assert not Run.objects.exists()


def test_queued_run_reads_all_messages_since(reader: ScriptedProvider, talk: Conversation) -> None:
    exchange(talk, "I play the cello.")
    exchange(talk, "My sister is a nurse.")
    assert queue(talk) is None
    assert [run.stored for run in work(talk)] == [2]
    assert reader.count(CHAT) == 1


def test_reply_during_a_running_run_queues_another(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    running = Run.objects.get()
    assert running.claim()
    exchange(talk, "My sister is a nurse.")
    waiting = Run.objects.get(state=Run.State.QUEUED)
    assert not waiting.claim(), "two queued runs would read the same messages"
    read(running)
    work(talk)
    assert Memory.objects.count() == 2
    assert unfinished_messages(talk) == {}
