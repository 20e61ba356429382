"""The sweeper: imports of dead workers are retried a few times, and answers of dead web servers
fail.
"""

from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from conversations.models import Conversation, Import
from instances.models import Instance
from instances.models.leased_jobs import LEASE_SECONDS
from memoryapp.models import Answer
from memoryapp.models.answers import RESTARTED
from memoryapp.tasks import sweep, take_up
from memoryapp.tasks.sweep import DECISION_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)


def an_import(
    instance: Instance, *, silent: float, attempts: int = 1, state: str = "running"
) -> Import:
    return Import.objects.create(
        instance=instance,
        filename="talk.jsonl",
        file=ContentFile(b'{"content": "I moved to Lyon."}\n', name="talk.jsonl"),
        state=state,
        attempts=attempts,
        heartbeat_at=timezone.now() - timedelta(seconds=silent),
        lease_until=timezone.now() - timedelta(seconds=silent - LEASE_SECONDS),
    )


def test_import_of_a_dead_worker_is_queued_again(instance: Instance) -> None:
    import_ = an_import(instance, silent=LEASE_SECONDS + 1)
    sweep()
    import_.refresh_from_db()
    assert import_.state == Import.State.QUEUED
    take_up(import_id=import_.pk)
    import_.refresh_from_db()
    assert (import_.state, import_.attempts) == (Import.State.SUCCEEDED, 2)
    assert import_.messages_added == 1


def test_import_with_a_recent_heartbeat_keeps_running(instance: Instance) -> None:
    import_ = an_import(instance, silent=LEASE_SECONDS - 10)
    sweep()
    import_.refresh_from_db()
    assert import_.state == Import.State.RUNNING


def test_import_fails_after_too_many_attempts(instance: Instance) -> None:
    import_ = an_import(instance, silent=LEASE_SECONDS + 1, attempts=Import.MAX_ATTEMPTS)
    sweep()
    import_.refresh_from_db()
    assert import_.state == Import.State.FAILED
    assert "has died" in import_.error
    assert not import_.file


def test_check_of_a_dead_worker_is_repeated(
    instance: Instance,
) -> None:
    import_ = an_import(instance, silent=LEASE_SECONDS + 1, state="checking")
    sweep()
    import_.refresh_from_db()
    assert import_.state == Import.State.UPLOADED
    take_up(import_id=import_.pk)
    import_.refresh_from_db()
    assert (import_.state, import_.messages_added) == (Import.State.READY, 1)


def test_unconfirmed_upload_is_deleted_after_a_day(instance: Instance) -> None:
    young = an_import(instance, silent=DECISION_SECONDS - 60, state="ready")
    old = an_import(instance, silent=DECISION_SECONDS + 60, state="ready")
    name = old.file.name
    sweep()
    young.refresh_from_db()
    old.refresh_from_db()
    assert (young.state, old.state) == (Import.State.READY, Import.State.CANCELLED)
    assert young.file
    assert not old.file.storage.exists(str(name))


@pytest.mark.parametrize(("silent", "state"), [(-2, "running"), (2, "failed")])
def test_answer_of_a_dead_server_fails(silent: int, state: str, conversation: Conversation) -> None:
    answer = Answer.objects.create(
        instance=conversation.instance,
        conversation=conversation,
        message=conversation.messages.earliest("pk"),
        heartbeat_at=timezone.now() - timedelta(seconds=Answer.MAX_SILENCE_SECONDS + silent),
    )
    sweep()
    answer.refresh_from_db()
    assert answer.state == state
    assert answer.error == (RESTARTED if state == "failed" else "")
