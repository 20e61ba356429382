"""Extraction of idle conversations: selection, timing and exceptions."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from conversations.messages import NewMessage, append
from conversations.models import Conversation, ConversationOrigin
from instances.models import ExtractWhen, Instance
from memoryapp import tasks
from memoryapp.extraction.run import queue_stale, read
from memoryapp.models import Memory, Run
from memoryapp.tasks import dispatch
from tests.provider_fixtures import keep_everything, read_with
from tests.scripted_provider import ScriptedProvider

Talk = Callable[..., Conversation]


@pytest.fixture
def patient(instance: Instance, provider: ScriptedProvider) -> Instance:
    """An instance that reads conversations after 30 idle minutes."""
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    instance.extract_when = ExtractWhen.STALE
    instance.save()
    return instance


@pytest.fixture
def talk(patient: Instance) -> Talk:
    """A conversation that has been idle for some minutes."""

    def begin(*, idle: float, content: str = "I keep bees.", **fields: str) -> Conversation:
        conversation = Conversation.objects.create(instance=patient, **fields)
        append(conversation, [NewMessage("user", content), NewMessage("assistant", "I see.")])
        silence(conversation, idle)
        return conversation

    return begin


def silence(conversation: Conversation, minutes: float) -> None:
    since = timezone.now() - timedelta(minutes=minutes)
    Conversation.objects.filter(pk=conversation.pk).update(last_activity_at=since)


def queued() -> list[int]:
    return sorted(Run.objects.filter(state="queued").values_list("conversation", flat=True))


def test_reply_alone_queues_nothing(talk: Talk) -> None:
    talk(idle=0)
    assert queue_stale() == 0
    assert not Run.objects.exists()


def test_idle_conversation_is_read_once(talk: Talk) -> None:
    old = talk(idle=31)
    talk(idle=29)
    assert queue_stale() == 1
    assert queued() == [old.pk]
    assert queue_stale() == 0
    run = Run.objects.get()
    assert run.claim()
    read(run)
    assert Memory.objects.get().content == "I keep bees."
    assert queue_stale() == 0


def test_idle_minutes_are_set_per_instance(talk: Talk, patient: Instance) -> None:
    talk(idle=31)
    Instance.objects.update(stale_minutes=60)
    assert queue_stale() == 0
    Instance.objects.update(stale_minutes=5)
    assert queue_stale() == 1


@pytest.mark.parametrize(
    "change",
    [{"memory_enabled": False}, {"extract_when": "by_hand"}, {"extract_when": "after_response"}],
)
def test_other_modes_do_not_read_idle_conversations(talk: Talk, change: dict[str, object]) -> None:
    conversation = talk(idle=600)
    Instance.objects.update(**change)
    assert queue_stale() == 0
    assert Conversation.objects.get(pk=conversation.pk).goes_stale_at is None


def test_imported_conversation_is_read_only_on_request(talk: Talk) -> None:
    imported = talk(idle=600, origin=ConversationOrigin.IMPORT)
    assert queue_stale() == 0
    assert Conversation.objects.get(pk=imported.pk).goes_stale_at is None


def test_failed_run_is_not_repeated_without_new_messages(talk: Talk) -> None:
    conversation = talk(idle=31)
    assert queue_stale() == 1
    Run.objects.update(state="failed", finished_at=timezone.now(), error="The key was refused.")
    assert queue_stale() == 0
    append(conversation, [NewMessage("user", "And goats."), NewMessage("assistant", "Fine.")])
    assert queue_stale() == 0
    Run.objects.update(finished_at=timezone.now() - timedelta(minutes=40))
    silence(conversation, 31)
    assert queue_stale() == 1


def test_screen_shows_the_time_of_the_next_run(talk: Talk) -> None:
    conversation = talk(idle=0)
    conversation = Conversation.objects.get(pk=conversation.pk)
    due = conversation.goes_stale_at
    assert due is not None
    assert due == conversation.last_activity_at + timedelta(minutes=30)


def test_new_conversation_triggers_reading_of_idle_ones(
    talk: Talk,
    patient: Instance,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    old = talk(idle=31)

    def carry_out(task: str, kwargs: dict[str, int]) -> None:
        """Carry out a task as a worker does, without the broker."""
        getattr(tasks, task)(**kwargs)

    monkeypatch.setattr(dispatch, "send_in_background", carry_out)
    with django_capture_on_commit_callbacks(execute=True):
        Conversation.objects.create(instance=patient)
    assert queued() == [old.pk]


def test_new_conversation_triggers_nothing_in_other_modes(
    talk: Talk,
    patient: Instance,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    patient.extract_when = ExtractWhen.AFTER_RESPONSE
    with django_capture_on_commit_callbacks() as callbacks:
        Conversation.objects.create(instance=patient)
    assert callbacks == []
