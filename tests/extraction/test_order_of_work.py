"""Runs that are sent to the workers can start: none waits for one that is not sent."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.conf import settings

from conversations.models import Conversation, ConversationOrigin
from instances.models import Instance
from memoryapp import tasks
from memoryapp.models import Run, Summary
from memoryapp.tasks import dispatch
from tests.extraction.runs import exchange
from tests.extraction.test_slow_models import measured
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.usefixtures("idle_broker")

#: More than one holder has under way.
MANY = settings.WORKER_SHARE + 2
Sent = list[tuple[str, Mapping[str, int]]]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """What goes to the broker, where no worker takes it."""
    sent: Sent = []

    def send(task: str, kwargs: Mapping[str, int]) -> bool:
        sent.append((task, kwargs))
        return True

    monkeypatch.setattr(dispatch, "send", send)
    monkeypatch.setattr(dispatch, "send_in_background", lambda task, kwargs: None)
    return sent


@pytest.fixture
def work_through(sent: Sent) -> Callable[[], None]:
    """Let the sweeper send, and a worker take what it has sent, once for each conversation."""

    def work_through() -> None:
        for _ in range(MANY):
            dispatch.send_runs()
            batch, sent[:] = sent[:], []
            for task, kwargs in batch:
                getattr(tasks, task)(**kwargs)

    return work_through


def conversations(instance: Instance, number: int, origin: ConversationOrigin) -> list[Any]:
    talks = [Conversation.objects.create(instance=instance, origin=origin) for _ in range(number)]
    for place, talk in enumerate(talks):
        exchange(talk, f"I have been to place {place}.")
    return talks


@pytest.fixture
def local(instance: Instance, reader: ScriptedProvider) -> Instance:
    """The instance, whose model is on this machine, so that it gets one call at a time."""
    measured(instance, read=500.0)
    return instance


def states(kind: Run.Kind) -> list[str]:
    return list(Run.objects.filter(kind=kind).order_by("pk").values_list("state", flat=True))


@pytest.mark.parametrize("origin", [ConversationOrigin.IMPORT, ConversationOrigin.API])
def test_all_conversations_are_read_although_filing_waits_for_that(
    origin: ConversationOrigin, local: Instance, work_through: Callable[[], None]
) -> None:
    conversations(local, MANY, origin)
    # Filing is queued after reading, so that it is the latest.
    assert len(states(Run.Kind.MINING)) == MANY
    work_through()
    assert states(Run.Kind.EXTRACTION) == ["succeeded"] * MANY


@pytest.mark.parametrize("origin", [ConversationOrigin.IMPORT, ConversationOrigin.API])
def test_last_conversation_is_read_although_the_filing_of_others_is_later(
    origin: ConversationOrigin, local: Instance, work_through: Callable[[], None]
) -> None:
    first, *others = conversations(local, MANY, origin)
    read = Run.objects.extractions().filter(conversation__in=others)
    read.update(state=Run.State.SUCCEEDED)
    work_through()
    assert Run.objects.extractions().get(conversation=first).state == Run.State.SUCCEEDED


def test_new_messages_are_filed_before_imported_ones_are_read(local: Instance, sent: Sent) -> None:
    conversations(local, MANY, ConversationOrigin.IMPORT)
    (talk,) = conversations(local, 1, ConversationOrigin.CHAT)
    Run.objects.extractions().filter(conversation=talk).delete()
    dispatch.send_runs()
    filing = Run.objects.minings().get(conversation=talk)
    tasks.mine(run_id=filing.pk)
    filing.refresh_from_db()
    assert filing.attempts == 1


def test_filing_does_not_wait_for_what_the_cap_keeps_from_being_read(local: Instance) -> None:
    capped = Instance.objects.get(pk=local.pk)
    capped.pk, capped.slug, capped.monthly_cap = None, "capped", 0
    capped.save()
    conversations(capped, 1, ConversationOrigin.CHAT)
    conversations(local, 1, ConversationOrigin.CHAT)
    Run.objects.extractions().filter(instance=local).delete()
    filing = Run.objects.minings().get(instance=local)
    tasks.mine(run_id=filing.pk)
    filing.refresh_from_db()
    assert filing.attempts == 1


@pytest.mark.parametrize("table", [Run, Summary])
def test_work_that_cannot_start_is_sent_again_by_the_next_sweep(
    table: type[Run | Summary], local: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    (talk, _) = conversations(local, 2, ConversationOrigin.CHAT)
    Run.objects.minings().delete()
    Run.objects.filter(conversation=talk).update(state=Run.State.RUNNING)
    Summary.objects.all().delete()
    waiting: Any = (
        Run.objects.waiting().get()
        if table is Run
        else Summary.objects.create(instance=local, due_at=talk.created_at)
    )

    def worker_at_once(task: str, kwargs: Mapping[str, int]) -> bool:
        getattr(tasks, task)(**kwargs)
        return True

    monkeypatch.setattr(dispatch, "send", worker_at_once)
    dispatch.send_runs()
    dispatch.send_summaries()
    waiting.refresh_from_db()
    assert waiting.sent_at is None
