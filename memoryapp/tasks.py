"""Celery: a task loads its rows and makes one call. The ledger decides; the broker only hints."""

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from threading import BoundedSemaphore

from celery import Task, shared_task
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from structlog.contextvars import bound_contextvars

from conversations.importers import import_file
from conversations.models import Import
from instances.models import Instance
from memoryapp.extraction import reading
from memoryapp.health.backfill import fill_in
from memoryapp.models import Answer, IdempotentRequest, Run

logger = logging.getLogger(__name__)

# A worker ends its task before the lease does, so that no run is ever read by two.
TIME_LIMITS = {
    "soft_time_limit": settings.RUN_LEASE_SECONDS - 20,
    "time_limit": settings.RUN_LEASE_SECONDS - 10,
}
#: Seconds without a sign of life after which an import has lost its worker.
IMPORT_SILENCE = 60

#: Seconds for which a broker that has failed is not spoken to; as often as the sweeper looks.
REST_AFTER_FAILURE = 5.0
_rest_until = 0.0

# Speaks to the broker, so that nobody who stores a reply has to wait for it.
_publisher = ThreadPoolExecutor(max_workers=1, thread_name_prefix="publisher")
# A broker that hangs must not gather a day's replies in memory: the sweeper knows them anyway.
_backlog = BoundedSemaphore(100)


def hand_over(run_id: int) -> None:
    """Tell a worker of a queued run, without waiting and without failing: when the broker is
    down, the sweeper tells it later. Touches no database: the caller's thread owns that.
    """
    _publish(extract, {"run_id": run_id})


def hand_over_on_commit(run: Run) -> None:
    """Tell a worker of *run* as soon as it is there for others to see."""
    transaction.on_commit(partial(hand_over, run.pk))


def hand_over_import(import_id: int) -> None:
    """Tell a worker of a queued import, in the same way."""
    _publish(bring_in, {"import_id": import_id})


def _publish(task: Task, kwargs: dict[str, int]) -> None:
    if _backlog.acquire(blocking=False):
        _publisher.submit(_hint, task, kwargs).add_done_callback(lambda _: _backlog.release())


def _hint(task: Task, kwargs: dict[str, int]) -> None:
    """Send, unless the broker has just failed: a process that ends waits for all that it still has
    to send, and a broker that hangs takes seconds for each.
    """
    global _rest_until
    if time.monotonic() >= _rest_until and not _send(task, kwargs):
        _rest_until = time.monotonic() + REST_AFTER_FAILURE


def _send(task: Task, kwargs: dict[str, int]) -> bool:
    try:
        task.apply_async(kwargs=kwargs, retry=False)
    except Exception as error:
        logger.warning("%s %s waits: the broker did not take it: %s", task.name, kwargs, error)
        return False
    return True


@shared_task(name="memoryapp.tasks.extract", **TIME_LIMITS)
def extract(*, run_id: int) -> None:
    """Carry out one run, and pass on whatever waits behind it."""
    run = Run.objects.select_related("conversation__instance").filter(pk=run_id).first()
    if run is None or not run.claim():
        return
    with bound_contextvars(run=run.pk, instance=run.instance_id, request_id=run.request_id):
        _read(run)
    for waiting in Run.objects.waiting().filter(conversation=run.conversation_id):
        _send(extract, {"run_id": waiting.pk})


def _read(run: Run) -> None:
    reading.read(run)
    for done in Run.objects.filter(pk=run.pk):
        # Not its error: that is a provider's words, which may repeat ours.
        outcome = {
            "state": done.state,
            "attempt": done.attempts,
            "conversation": done.conversation_id,
        }
        learned = {"stored": done.stored, "updated": done.updated, "repeated": done.repeated}
        logger.info("run", extra=outcome | learned)


@shared_task(name="memoryapp.tasks.bring_in", time_limit=3600)
def bring_in(*, import_id: int) -> None:
    """Bring in one file of conversations."""
    claimed = Import.objects.filter(pk=import_id, state=Import.State.QUEUED).update(
        state=Import.State.RUNNING, heartbeat_at=timezone.now(), attempts=F("attempts") + 1
    )
    if claimed:
        with bound_contextvars(**{"import": import_id}):
            import_file(Import.objects.select_related("instance").get(pk=import_id))


@shared_task(name="memoryapp.tasks.sweep", time_limit=60)
def sweep() -> None:
    """Find what a dead worker or broker left behind, and put it back to work."""
    for run in Run.objects.abandoned():
        _put_back(run)
    Answer.objects.give_up()
    for run_id in Run.objects.unsent().values_list("pk", flat=True)[:200]:
        if _send(extract, {"run_id": run_id}):
            Run.objects.filter(pk=run_id).update(sent_at=timezone.now())
    silent = timezone.now() - timedelta(seconds=IMPORT_SILENCE)
    abandoned = Import.objects.filter(state=Import.State.RUNNING, heartbeat_at__lt=silent)
    abandoned.filter(attempts__gte=Import.MAX_ATTEMPTS).update(
        state=Import.State.FAILED,
        error="Every worker that tried to read this file has died. What came before is in.",
        finished_at=timezone.now(),
    )
    abandoned.update(state=Import.State.QUEUED)
    for import_id in Import.objects.filter(state=Import.State.QUEUED).values_list("pk", flat=True):
        _send(bring_in, {"import_id": import_id})
    IdempotentRequest.objects.forgotten().delete()


@shared_task(name="memoryapp.tasks.backfill", time_limit=600)
def backfill() -> None:
    """Fill in missing vectors, instance by instance."""
    for instance in Instance.objects.filter(memories__isnull=False).distinct():
        fill_in(instance)


def _put_back(run: Run) -> None:
    error = "The worker died while reading."
    try:
        with transaction.atomic():
            if run.attempts < Run.MAX_ATTEMPTS:
                run.still_mine().update(
                    state=Run.State.QUEUED, lease_until=None, sent_at=None, error=error
                )
                return
    except IntegrityError:
        pass  # A newer run waits, and will read these messages.
    run.still_mine().update(
        state=Run.State.FAILED, lease_until=None, error=error, finished_at=timezone.now()
    )
