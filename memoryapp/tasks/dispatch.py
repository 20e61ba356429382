"""Sends tasks to the workers. The rows decide what is to be done; the broker only hints."""

import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import BoundedSemaphore
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from conversations.models import Import
from instances.models import Instance
from memoryapp.models import (
    Erasure,
    Run,
    Summary,
    has_webhooks,
    waiting_at_cap,
    webhooks_due,
)
from memoryapp.models.fair_queue import in_turn, of_holder
from memoryapp.models.runs import PRESSING_FIRST
from memoryapp.process.outage_pause import OutagePause
from memoryapp.telemetry import traces

logger = logging.getLogger(__name__)

#: The most tasks in the broker at a time before the sweeper sends no more runs.
MAX_IN_BROKER = 50

#: Seconds without hints after the broker has failed: the interval of the sweeper.
RETRY_AFTER_SECONDS = 5.0
broker_pause = OutagePause(RETRY_AFTER_SECONDS)

# Sends in the background, so that storing a reply never waits for the broker.
_publisher = ThreadPoolExecutor(max_workers=1, thread_name_prefix="publisher")
# A broker that hangs must not gather a day's replies in memory: the sweeper finds the rows anyway.
_backlog = BoundedSemaphore(100)


def hand_over(run: Run) -> None:
    """Send a queued run. Neither waits nor fails: when the broker is down, the sweeper sends it
    later. Does not use the database, since another thread does the sending.
    """
    send_in_background(_task_of(run), {"run_id": run.pk})


def hand_over_on_commit(run: Run) -> None:
    """Send *run* once the transaction that queued it has been committed."""
    transaction.on_commit(partial(hand_over, run))


def hand_over_import(import_id: int) -> None:
    """Send an import that waits, like `hand_over`."""
    send_in_background("take_up", {"import_id": import_id})


def hand_over_job(job_id: int) -> None:
    """Send an embedding job, like `hand_over`."""
    send_in_background("make_vectors", {"job_id": job_id})


def hand_over_comparison(instance_id: int) -> None:
    """Have the memories of an instance compared, like `hand_over`."""
    send_in_background("compare", {"instance_id": instance_id})


def hand_over_summary(summary_id: int) -> None:
    """Send a summary that a person waits for, like `hand_over`."""
    send_in_background("sum_up", {"summary_id": summary_id})


def hand_over_erasure(erasure_id: int) -> None:
    """Send an erasure, like `hand_over`."""
    send_in_background("erase", {"erasure_id": erasure_id})


def hand_over_events(instance: Instance) -> None:
    """Send the webhooks of *instance* that have something to be sent, like `hand_over`."""
    if not has_webhooks(instance):
        return
    for pk in webhooks_due(instance).values_list("pk", flat=True)[:MAX_IN_BROKER]:
        send_in_background("send_events", {"webhook_id": pk})


def hand_over_measurement(instance_id: int) -> None:
    """Have the models of an instance measured, like `hand_over`."""
    send_in_background("measure_model", {"instance_id": instance_id})


def hand_over_round(round_id: int) -> None:
    """Send a round of golden questions, like `hand_over`."""
    send_in_background("ask_round", {"round_id": round_id})


def hand_over_stale() -> None:
    """Have stale conversations read now, without waiting for the scheduler."""
    send_in_background("read_stale", {})


def send_runs() -> None:
    """Send waiting runs, but only a few at a time. Holders take turns, so that an import of a
    thousand conversations does not delay the messages of others.
    """
    turns = in_turn(_sendable(), *PRESSING_FIRST, each=settings.WORKER_SHARE)
    waiting = list(turns[:MAX_IN_BROKER])
    _send_runs(waiting[: max(0, MAX_IN_BROKER - _in_broker())] if waiting else [])


def send_next(instance: Instance, most: int) -> None:
    """Send up to *most* further runs of the holder of *instance*, which now has room for them. The
    sweeper would take seconds.
    """
    _send_runs(list(of_holder(_sendable(), instance).order_by(*PRESSING_FIRST)[:most]))


def send_summaries() -> None:
    """Send summaries that are due, with holders taking turns."""
    due = in_turn(Summary.objects.unsent(), "due_at", "pk", each=settings.WORKER_SHARE)
    for summary in due.only("pk")[:MAX_IN_BROKER]:
        _send_row(summary.row(), "sum_up", {"summary_id": summary.pk})


def send_imports() -> None:
    """Send waiting imports, with holders taking turns."""
    waiting = Import.objects.filter(state__in=Import.AT_WORK.values())
    for import_ in in_turn(waiting, "created_at", "pk", each=settings.WORKER_SHARE).only("pk"):
        send("take_up", {"import_id": import_.pk})


def send_erasures() -> None:
    """Send the erasures that wait for a worker."""
    for pk in Erasure.objects.due().values_list("pk", flat=True)[:MAX_IN_BROKER]:
        send("erase", {"erasure_id": pk})


def send_webhooks() -> None:
    """Send the webhooks that have something to be sent."""
    for pk in webhooks_due().values_list("pk", flat=True)[:MAX_IN_BROKER]:
        send("send_events", {"webhook_id": pk})


def send(task: str, kwargs: Mapping[str, int], *, after: float = 0.0) -> bool:
    """Send a task now, to begin *after* that many seconds; return whether the broker took it."""
    try:
        current_app.send_task(
            f"memoryapp.tasks.{task}", kwargs=dict(kwargs), retry=False, countdown=after or None
        )
    except Exception as error:
        logger.warning("%s %s waits: the broker did not take it: %s", task, kwargs, error)
        return False
    return True


def _sendable() -> QuerySet[Run]:
    return Run.objects.unsent().exclude(kind=Run.Kind.EXTRACTION, instance__in=waiting_at_cap())


def _send_runs(runs: list[Run]) -> None:
    for run in runs:
        _send_row(run.row(), _task_of(run), {"run_id": run.pk})


def _send_row(row: QuerySet[Any], task: str, kwargs: Mapping[str, int]) -> None:
    # Noted before: a worker that cannot start it now clears the note, perhaps at once, so that the
    # next sweep sends it again.
    row.update(sent_at=timezone.now())
    if not send(task, kwargs):
        row.update(sent_at=None)


def _task_of(run: Run) -> str:
    return "mine" if run.is_mining else "extract"


def send_in_background(task: str, kwargs: Mapping[str, int]) -> None:
    """Send a task from another thread, unless too many wait to be sent."""
    if _backlog.acquire(blocking=False):
        sent = _publisher.submit(traces.carried(_hint), task, kwargs)
        sent.add_done_callback(lambda _: _backlog.release())


def _hint(task: str, kwargs: Mapping[str, int]) -> None:
    """Send, unless the broker has just failed: a process that ends waits for everything it still
    has to send, and each send takes seconds while the broker hangs.
    """
    if not broker_pause.lasts and not send(task, kwargs):
        broker_pause.begin()


def _in_broker() -> int:
    """How many tasks the broker holds that no worker has taken yet."""
    try:
        with current_app.connection_for_read() as connection:
            queue = current_app.conf.task_default_queue
            return int(connection.default_channel.queue_declare(queue).message_count)
    except Exception as error:
        logger.warning("the broker does not say how much it holds: %s", error)
        return MAX_IN_BROKER  # It would not accept any either.
