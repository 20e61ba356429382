"""Queues work again that a dead worker or broker left behind."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from conversations.models import Import
from instances.translatable import translatable
from memoryapp.forgetting.undo_buffer import GRACE, UNDO_SECONDS
from memoryapp.models import Answer, IdempotentRequest, MutedMessage, MutedNote, Run
from memoryapp.tasks.dispatch import (
    send_erasures,
    send_imports,
    send_runs,
    send_summaries,
    send_webhooks,
)
from memoryapp.telemetry.counters import RUNS

#: Seconds after which an undecided file is deleted.
DECISION_SECONDS = 24 * 3600


def sweep_up() -> None:
    """Make one pass over all tables of work."""
    for run in Run.objects.abandoned():
        _put_back(run)
    Answer.objects.give_up()
    _put_imports_back()
    send_runs()
    send_summaries()
    send_imports()
    send_erasures()
    send_webhooks()
    IdempotentRequest.objects.forgotten().delete()
    undoable_since = timezone.now() - timedelta(seconds=UNDO_SECONDS + GRACE)
    MutedMessage.objects.delete_taken_out(undoable_since)
    MutedMessage.objects.delete_filing(undoable_since)
    MutedNote.objects.delete_final(undoable_since)


def _put_back(run: Run) -> None:
    error = (
        translatable("The worker died while filing.")
        if run.is_mining
        else translatable("The worker died while reading.")
    )
    RUNS.add(run.kind, "worker_died")
    mine = run.abandoned()
    try:
        with transaction.atomic():
            if run.attempts < Run.MAX_ATTEMPTS:
                mine.update(state=Run.State.QUEUED, lease_until=None, sent_at=None, error=error)
                return
    except IntegrityError:
        pass  # A newer run waits, and will read these messages.
    mine.update(state=Run.State.FAILED, lease_until=None, error=error, finished_at=timezone.now())


def _put_imports_back() -> None:
    now = timezone.now()
    for at_work, waiting in Import.AT_WORK.items():
        abandoned = Import.objects.filter(state=at_work, lease_until__lt=now)
        for import_ in abandoned.filter(attempts__gte=Import.MAX_ATTEMPTS):
            import_.lose(
                translatable(
                    "Every worker that tried to read this file has died. What was imported before "
                    "that is kept."
                )
            )
        abandoned.filter(attempts__lt=Import.MAX_ATTEMPTS).update(state=waiting, lease_until=None)
    forgotten = now - timedelta(seconds=DECISION_SECONDS)
    for import_ in Import.objects.filter(state=Import.State.READY, heartbeat_at__lt=forgotten):
        import_.cancel()
