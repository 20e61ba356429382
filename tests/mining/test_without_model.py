"""Mining without a language model: deterministic and safe under crashes and races."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance
from memoryapp.mining import windows
from memoryapp.mining.queue import queue
from memoryapp.mining.run import mine, mine_here
from memoryapp.models import Drawer, Palace, Room, Run, Unfiled, Wing
from memoryapp.tasks import sweep
from memoryapp.trust.conversation_deletion import forget_conversation
from tests.mining.conftest import palace, work

KITCHEN = "Kitchen renovation"


def append_messages(talk: Conversation, *texts: str) -> None:
    append(talk, [*(NewMessage("user", text) for text in texts), NewMessage("assistant", "I see.")])


def test_messages_are_filed_under_the_title(talk: Conversation) -> None:
    append_messages(talk, "The stove is here.")
    work()
    assert palace() == [
        (KITCHEN, KITCHEN, "general", [], "I see."),
        (KITCHEN, KITCHEN, "general", [], "The stove is here."),
    ]
    assert Drawer.objects.filter(search__isnull=False, embeddings__isnull=False).count() == 2


def test_untitled_conversation_is_filed_under_its_local_date(talk: Conversation) -> None:
    Instance.objects.update(time_zone="Asia/Tokyo")
    Conversation.objects.update(title=" \u200b", created_at="2024-12-31T20:00Z")
    append_messages(Conversation.objects.get(), "Happy new year!")
    work()
    assert Wing.objects.get().name == "Conversation of 2025-01-01"


def test_secret_in_a_title_does_not_become_a_name(talk: Conversation) -> None:
    Conversation.objects.update(title="Call me at +49 151 23456789")
    append_messages(Conversation.objects.get(), "Thanks.")
    work()
    assert Wing.objects.get().name == "Call me at [REDACTED:PHONE]"


def test_empty_conversation_files_nothing(talk: Conversation) -> None:
    queue(talk)
    (run,) = work()
    assert (run.state, run.filed) == (Run.State.SUCCEEDED, 0)
    assert palace() == []


def test_blank_message_is_skipped_once(talk: Conversation) -> None:
    recalled = "<memory_context>tea</memory_context>"
    append(
        talk, [NewMessage("user", recalled), NewMessage("tool", "tea"), NewMessage("assistant", "")]
    )
    (run,) = work()
    assert (run.filed, Unfiled.objects.filter(stays_out=True).count()) == (0, 3)
    queue(talk)
    (run,) = work()
    assert run.first_position is None


def test_new_messages_of_an_old_conversation_are_filed(talk: Conversation) -> None:
    append_messages(talk, "The stove is here.")
    work()
    append_messages(talk, "So is the sink.")
    (run,) = work()
    assert (run.filed, run.first_position) == (2, 3)
    assert Room.objects.count() == 1
    assert [str(drawer)[-5:] for drawer in Drawer.objects.all()] == [
        "D-001",
        "D-002",
        "D-003",
        "D-004",
    ]


def test_long_conversation_is_filed_in_several_transactions(
    talk: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(windows, "MAX_MESSAGES_WITHOUT_MODEL", 10)
    append_messages(talk, *(f"Thing {number}." for number in range(24)))
    assert [run.filed for run in work()] == [10, 10, 5]
    assert len(palace()) == 25


def test_drawers_are_deleted_with_their_conversation(talk: Conversation) -> None:
    append_messages(talk, "The stove is here.")
    work()
    forget_conversation(talk, with_memories=False, by=Actor())
    assert not Wing.objects.exists()
    assert Palace.objects.get().last_wing == 1


# Crashes


class Died(BaseException):
    """The simulated death of a worker."""


@contextmanager
def dying_at(statement: int) -> Iterator[list[str]]:
    """Raise `Died` before the statement of that number; yield the executed statements."""
    executed: list[str] = []

    def count(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if len(executed) == statement:
            raise Died(sql)
        executed.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(count):
        yield executed


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_worker_death_at_any_statement_gives_the_same_palace(talk: Conversation) -> None:
    append_messages(talk, "The stove is here.", "It does not fit.")
    work()
    expected = palace()
    statement = 0
    over = False
    while not over:
        Drawer.objects.all().delete()
        with transaction.atomic():
            queue(talk)
        run = Run.objects.minings().waiting().get()
        assert run.claim()
        try:
            with dying_at(statement):
                mine(run)
            over = True
        except Died:
            pass
        # All drawers are committed in one transaction with the end of the run.
        run.refresh_from_db()
        assert palace() == (expected if run.state == Run.State.SUCCEEDED else [])
        Run.objects.filter(state=Run.State.RUNNING).update(lease_until=timezone.now())
        sweep()
        Run.objects.update(due_at=timezone.now())
        work()
        assert palace() == expected
        assert not Drawer.objects.filter(search=None).exists()
        statement += 1
    assert statement > 20, "too few crash points were tested"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("workers", [2, 4])
def test_concurrent_workers_file_each_message_once(
    talk: Conversation, house: Instance, workers: int
) -> None:
    others = [Conversation.objects.create(instance=house, title=KITCHEN) for _ in range(3)]
    for conversation in (talk, *others):
        append_messages(
            conversation, *(f"Thing {number} of {conversation.pk}." for number in range(30))
        )
    barrier = threading.Barrier(workers, timeout=30)

    def take() -> None:
        try:
            barrier.wait()
            for run in Run.objects.minings().order_by("pk"):
                if run.claim():
                    mine(run)
        finally:
            connection.close()

    with ThreadPoolExecutor(workers) as pool:
        for future in [pool.submit(take) for _ in range(workers)]:
            future.result(timeout=60)
    assert set(Run.objects.values_list("state", flat=True)) == {Run.State.SUCCEEDED}
    assert len(palace()) == 4 * 31
    wing = Wing.objects.get()
    assert (wing.rooms.count(), wing.last_room) == (4, 4)
    assert {room.last_drawer for room in wing.rooms.all()} == {31}


@pytest.mark.django_db(transaction=True)
def test_concurrent_filing_and_deletion_leave_no_partial_state(
    talk: Conversation, house: Instance
) -> None:
    for _ in range(6):
        doomed = Conversation.objects.create(instance=house, title=KITCHEN)
        append_messages(doomed, *(f"Thing {number}." for number in range(20)))
        append_messages(talk, "One more.")
        barrier = threading.Barrier(3, timeout=30)

        def delete(conversation: Conversation = doomed, start: threading.Barrier = barrier) -> None:
            try:
                start.wait()
                forget_conversation(conversation, with_memories=True, by=Actor())
            finally:
                connection.close()

        def take(conversation: Conversation, start: threading.Barrier = barrier) -> None:
            try:
                run = Run.objects.minings().waiting().get(conversation=conversation)
                claimed = run.claim()
                start.wait()
                if claimed:
                    mine(run)
            finally:
                connection.close()

        with ThreadPoolExecutor(3) as pool:
            futures = [pool.submit(delete), pool.submit(take, doomed), pool.submit(take, talk)]
            for future in futures:
                future.result(timeout=60)
        assert not Conversation.objects.filter(pk=doomed.pk).exists()
    assert not Run.objects.exclude(state=Run.State.SUCCEEDED).exists(), "a run did not succeed"
    assert {conversation for _, conversation, *_ in palace()} == {KITCHEN}
    assert len(palace()) == 12
    assert Room.objects.count() == 1


# Manual command


def test_command_files_unfiled_messages(
    talk: Conversation, capsys: pytest.CaptureFixture[str]
) -> None:
    Instance.objects.update(palace_enabled=False)
    append_messages(Conversation.objects.get(), "The stove is here.")
    assert not Run.objects.exists()
    call_command("mine", "--instance", "desk")
    assert len(palace()) == 2
    assert "1 conversation: 2 turns filed." in capsys.readouterr().out
    call_command("mine", "--conversation", str(talk.pk))
    assert "0 conversations: 0 turns filed." in capsys.readouterr().out


def test_command_reports_an_unknown_conversation(house: Instance) -> None:
    with pytest.raises(CommandError, match="no conversation 4711"):
        call_command("mine", "--conversation", "4711")


def test_command_skips_a_conversation_that_a_worker_is_filing(talk: Conversation) -> None:
    append_messages(talk, "The stove is here.")
    assert Run.objects.minings().get().claim()
    assert mine_here(talk, with_model=False) == 0
    assert Run.objects.minings().waiting().count() == 1, "the queued run for the rest is missing"
