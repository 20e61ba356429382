"""Real workers that read conversations, also when killed or presumed dead."""

import threading
from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from memoryapp.models import Activity, Memory, MemorySource, Run
from memoryapp.tasks import sweep
from tests.faults.worker import Worker, sweep_until_over
from tests.provider_fixtures import eventually, keep_everything, unfinished_messages
from tests.scripted_provider import Request, ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)

CHAT = "chat/completions"
CELLO, SISTER, LYON = "I play the cello.", "My sister is a nurse.", "I moved to Lyon."


def append_messages(talk: Conversation, *facts: str) -> None:
    append(talk, [*(NewMessage("user", text) for text in facts), NewMessage("assistant", "I see.")])


def runs_finished(count: int = 1) -> bool:
    return Run.objects.filter(state=Run.State.SUCCEEDED).count() == count


def expire_lease() -> None:
    """Expire the lease of the running run, as if its worker had died."""
    Run.objects.filter(state=Run.State.RUNNING).update(
        lease_until=timezone.now() - timedelta(seconds=1)
    )


def each_fact_stored_once(*facts: str) -> None:
    assert sorted(Memory.objects.values_list("content", flat=True)) == sorted(facts)
    assert MemorySource.objects.count() == len(facts)
    assert Activity.objects.filter(action="created").count() == len(facts)


@pytest.mark.usefixtures("broker")
def test_messages_become_memories_in_the_background(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    with Worker():
        append_messages(talk, CELLO, SISTER)
        eventually(runs_finished, "the run has not finished")
        each_fact_stored_once(CELLO, SISTER)
        assert unfinished_messages(talk) == {}
        append_messages(talk, LYON)
        eventually(lambda: runs_finished(2), "the second run has not finished")
        assert reader.count(CHAT) == 2
    each_fact_stored_once(CELLO, SISTER, LYON)
    assert unfinished_messages(talk) == {}


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_long_conversation_is_read_to_the_end_automatically(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    facts = [f"I have been to place {n}." for n in range(50)]
    with Worker():
        append_messages(talk, *facts)
        eventually(lambda: runs_finished(3), "three windows are not read")
    each_fact_stored_once(*facts)
    assert unfinished_messages(talk) == {}


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_worker_killed_while_waiting_for_the_model_loses_nothing(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    reader.fail_next("hang", 1, CHAT)
    with Worker() as worker:
        append_messages(talk, CELLO, SISTER)
        eventually(lambda: reader.count(CHAT) == 1, "the model is not called")
        worker.kill()
    sweep()
    assert Run.objects.get().state == Run.State.RUNNING, (
        "the run was taken over before its lease expired"
    )
    append_messages(talk, LYON)

    with Worker():
        expire_lease()
        sweep_until_over()
    each_fact_stored_once(CELLO, SISTER, LYON)
    assert unfinished_messages(talk) == {}


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_returning_worker_with_a_lost_lease_stores_nothing(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    back = threading.Event()

    def late(request: Request) -> object:
        back.wait(60)
        return keep_everything(request)

    reader.reply_with(late, times=1)
    with Worker() as slow:
        append_messages(talk, CELLO, SISTER)
        eventually(lambda: reader.count(CHAT) == 1, "the model is not called")
        with Worker():
            expire_lease()
            sweep()
            eventually(runs_finished, "the second worker does not read it")
        each_fact_stored_once(CELLO, SISTER)
        before = list(Memory.objects.order_by("pk").values())
        run = Run.objects.get()

        back.set()
        eventually(
            lambda: "taken over by another worker" in slow.output, "the slow worker does not resume"
        )
    assert reader.count(CHAT) == 2
    each_fact_stored_once(CELLO, SISTER)
    assert list(Memory.objects.order_by("pk").values()) == before
    assert (run.attempts, Run.objects.get().attempts) == (2, 2)
    assert Run.objects.get().finished_at == run.finished_at
    assert unfinished_messages(talk) == {}


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_task_delivered_five_times_runs_once(reader: ScriptedProvider, talk: Conversation) -> None:
    append_messages(talk, CELLO)
    for _ in range(5):
        Run.objects.update(sent_at=None)
        sweep()
    with Worker():
        eventually(runs_finished, "the run has not finished")
        append_messages(talk, SISTER)
        eventually(lambda: runs_finished(2), "the second run has not finished")
    assert reader.count(CHAT) == 2
    each_fact_stored_once(CELLO, SISTER)
