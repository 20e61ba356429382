"""Conditions under which mining runs are queued."""

import pytest
from django.db import transaction

from conversations.messages import NewMessage, append
from conversations.models import Conversation, ConversationOrigin
from instances.models import Instance
from memoryapp.imports.dispatch import leave_unread, read_for_facts
from memoryapp.mining.queue import queue_all
from memoryapp.models import Run
from tests.mining.conftest import palace, work


def reply(talk: Conversation, content: str = "The stove is here.") -> None:
    append(talk, [NewMessage("user", content), NewMessage("assistant", "Good.")])


@pytest.mark.parametrize("when", ["after_response", "stale", "by_hand"])
def test_reply_queues_a_run_in_every_mode(talk: Conversation, when: str) -> None:
    Instance.objects.update(extract_when=when)
    append(talk, [NewMessage("user", "Hello?")])
    assert not Run.objects.exists()
    reply(Conversation.objects.get())
    assert Run.objects.minings().get().with_model
    assert Run.objects.extractions().count() == (when == "after_response")


def test_palace_is_enabled_by_default(db: None) -> None:
    assert Instance.objects.create(slug="new", name="New").palace_enabled


@pytest.mark.parametrize("switch", ["memory_enabled", "palace_enabled"])
def test_palace_off_queues_no_run(talk: Conversation, switch: str) -> None:
    Instance.objects.update(**{switch: False})
    reply(Conversation.objects.get())
    leave_unread(Conversation.objects.get())
    assert not Run.objects.exists()


def test_run_is_committed_or_rolled_back_with_the_reply(talk: Conversation) -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        reply(talk)
        assert Run.objects.exists()
        raise RuntimeError
    assert not Run.objects.exists()


def test_queued_run_files_all_messages_since(talk: Conversation) -> None:
    reply(talk)
    reply(talk, "And the sink.")
    (run,) = work()
    assert (run.filed, run.first_position, run.last_position) == (4, 1, 4)
    assert (run.state, run.error) == (Run.State.SUCCEEDED, "")


def test_extraction_and_mining_runs_are_independent(talk: Conversation) -> None:
    Instance.objects.update(extract_when="after_response")
    reply(Conversation.objects.get())
    extraction, mining = Run.objects.extractions().get(), Run.objects.minings().get()
    assert extraction.claim()
    assert mining in Run.objects.unsent()
    assert mining.claim()
    Run.objects.filter(pk=extraction.pk).update(state=Run.State.FAILED)
    assert list(Run.objects.unresolved_failures()) == [extraction], (
        "a later run files earlier messages"
    )


@pytest.mark.parametrize(("read", "with_model"), [(False, False), (True, True)])
def test_import_is_filed_without_calls_unless_read(
    talk: Conversation, read: bool, with_model: bool
) -> None:
    append(talk, [NewMessage("user", "The stove is here.")], finished=False)
    (read_for_facts if read else leave_unread)(talk)
    assert Run.objects.minings().get().with_model == with_model
    assert Run.objects.extractions().exists() == read
    (run,) = work()
    assert run.filed == 1
    (read_for_facts if read else leave_unread)(talk)
    assert not Run.objects.minings().waiting().exists(), "a run was queued without new messages"


@pytest.mark.parametrize(("when", "with_model"), [("after_response", True), ("by_hand", False)])
def test_model_files_an_import_only_if_it_is_read(
    talk: Conversation, when: str, with_model: bool
) -> None:
    Instance.objects.update(extract_when=when)
    Conversation.objects.update(origin=ConversationOrigin.IMPORT)
    reply(Conversation.objects.get())
    assert Run.objects.minings().get().with_model == with_model


def test_earlier_messages_can_be_filed_later(talk: Conversation, house: Instance) -> None:
    append(talk, [NewMessage("user", "The stove is here.")])
    Conversation.objects.create(instance=house, title="Empty")
    assert queue_all(house.conversations.all(), with_model=False) == 1
    assert queue_all(house.conversations.all(), with_model=False) == 0
    work()
    assert [text for *_, text in palace()] == ["The stove is here."]
    assert queue_all(house.conversations.all(), with_model=False) == 0
