"""Celery: a task loads its rows and makes one call. The ledger decides; the broker only hints."""

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from threading import BoundedSemaphore

from celery import Task, current_app, shared_task
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone
from structlog.contextvars import bound_contextvars

from conversations import uploads
from conversations.models import Import
from instances.models import Instance
from memoryapp import arrivals
from memoryapp.extraction import reading
from memoryapp.health import indexing
from memoryapp.health.backfill import carry_on, find_missing
from memoryapp.health.decay import mark_stale
from memoryapp.health.reembedding import tidy
from memoryapp.health.survey import instances_to_survey, survey
from memoryapp.mining.working import mine as mine_window
from memoryapp.models import (
    Answer,
    Drawer,
    EmbeddingJob,
    IdempotentRequest,
    Memory,
    Run,
    Summary,
    may_spend,
    over_cap,
)
from memoryapp.models.summaries import LEASE
from memoryapp.palace import write_missing_words
from memoryapp.pipeline.assessment import assess_waiting
from memoryapp.summary import write
from memoryapp.telemetry.counters import IMPORTS, RUNS

logger = logging.getLogger(__name__)

# A worker ends its task before the lease does, so that no run is ever read by two.
TIME_LIMITS = {
    "soft_time_limit": settings.RUN_LEASE_SECONDS - 20,
    "time_limit": settings.RUN_LEASE_SECONDS - 10,
}
#: Seconds without a sign of life after which an import has lost its worker.
IMPORT_SILENCE = 60
#: Seconds after which a file about which nobody has decided is deleted.
DECISION_WITHIN = 24 * 3600

#: Seconds for which a worker makes vectors before others get their turn.
SLICE = 10.0
#: Seconds without a sign of life after which a worker is told of vectors again.
SENT_AGAIN = 25.0

#: Runs that the broker holds at a time, of those that the sweeper finds.
MOST_IN_BROKER = 50

#: Summaries that are handed over at a time: what people said goes before.
MOST_SUMMARIES = 5

#: Seconds for which a broker that has failed is not spoken to; as often as the sweeper looks.
REST_AFTER_FAILURE = 5.0
_rest_until = 0.0

# Speaks to the broker, so that nobody who stores a reply has to wait for it.
_publisher = ThreadPoolExecutor(max_workers=1, thread_name_prefix="publisher")
# A broker that hangs must not gather a day's replies in memory: the sweeper knows them anyway.
_backlog = BoundedSemaphore(100)


def hand_over(run: Run) -> None:
    """Tell a worker of a queued run, without waiting and without failing: when the broker is
    down, the sweeper tells it later. Touches no database: the caller's thread owns that.
    """
    _publish(_task_of(run), {"run_id": run.pk})


def hand_over_on_commit(run: Run) -> None:
    """Tell a worker of *run* as soon as it is there for others to see."""
    transaction.on_commit(partial(hand_over, run))


def hand_over_import(import_id: int) -> None:
    """Tell a worker of a file that waits, in the same way."""
    _publish(take_up, {"import_id": import_id})


def hand_over_job(job_id: int) -> None:
    """Tell a worker of vectors that are to be made, in the same way."""
    _publish(make_vectors, {"job_id": job_id})


def hand_over_survey(instance_id: int) -> None:
    """Tell a worker of memories that have not been compared, in the same way."""
    _publish(compare, {"instance_id": instance_id})


def hand_over_summary(summary_id: int) -> None:
    """Tell a worker of a summary that somebody waits for, in the same way."""
    _publish(sum_up, {"summary_id": summary_id})


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


def _send(task: Task, kwargs: dict[str, int], *, after: float = 0.0) -> bool:
    try:
        task.apply_async(kwargs=kwargs, retry=False, countdown=after or None)
    except Exception as error:
        logger.warning("%s %s waits: the broker did not take it: %s", task.name, kwargs, error)
        return False
    return True


@shared_task(name="memoryapp.tasks.extract", **TIME_LIMITS)
def extract(*, run_id: int) -> None:
    """Read a conversation for facts, and pass on whatever waits behind it."""
    _carry_out(run_id)


@shared_task(name="memoryapp.tasks.mine", **TIME_LIMITS)
def mine(*, run_id: int) -> None:
    """File turns of a conversation, and pass on whatever waits behind it."""
    _carry_out(run_id)


def _task_of(run: Run) -> Task:
    return mine if run.is_mining else extract


def _carry_out(run_id: int) -> None:
    run = Run.objects.select_related("conversation__instance").filter(pk=run_id).first()
    if run is None:
        return
    # Turns are filed without a model when nothing may be spent.
    if not run.is_mining and not may_spend(run.conversation.instance):
        # Given back: the sweeper sends it as soon as there is something to spend again.
        Run.objects.filter(pk=run.pk, state=Run.State.QUEUED).update(sent_at=None)
        return
    if not run.claim():
        return
    with bound_contextvars(run=run.pk, instance=run.instance_id, request_id=run.request_id):
        if run.is_mining:
            mine_window(run)
        else:
            reading.read(run)
        _tell_of(run)
    for waiting in Run.objects.waiting().filter(conversation=run.conversation_id, kind=run.kind):
        _send(_task_of(waiting), {"run_id": waiting.pk})


def _tell_of(run: Run) -> None:
    for done in Run.objects.filter(pk=run.pk):
        # Not its error: that is a provider's words, which may repeat ours.
        counts = ("filed",) if run.is_mining else ("stored", "updated", "repeated")
        told = ("conversation_id", "kind", "state", "attempts", *counts)
        logger.info("run", extra={name: getattr(done, name) for name in told})
        RUNS.add(done.kind, "retried" if done.state == Run.State.QUEUED else done.state)


@shared_task(name="memoryapp.tasks.sum_up", time_limit=LEASE - 10)
def sum_up(*, summary_id: int) -> None:
    """Write the summary of one person."""
    summary = Summary.objects.filter(pk=summary_id).first()
    if summary is not None and summary.claim():
        write(summary)


@shared_task(name="memoryapp.tasks.take_up", time_limit=3600)
def take_up(*, import_id: int) -> None:
    """Look through an uploaded file, or bring it in, whichever it waits for."""
    for at_work, waiting in Import.AT_WORK.items():
        # The conditional update decides between two workers that were told of the same file.
        claimed = Import.objects.filter(pk=import_id, state=waiting).update(
            state=at_work, heartbeat_at=timezone.now(), attempts=F("attempts") + 1
        )
        if claimed:
            import_ = Import.objects.select_related("instance").get(pk=import_id)
            with bound_contextvars(**{"import": import_id}):
                if at_work == Import.State.CHECKING:
                    arrivals.check(import_)
                else:
                    arrivals.bring_in(import_)
            ended = Import.objects.filter(pk=import_id, finished_at__isnull=False)
            for state in ended.values_list("state", flat=True):
                IMPORTS.add(state)
            _send_runs()
            return


@shared_task(name="memoryapp.tasks.sweep", time_limit=60)
def sweep() -> None:
    """Find what a dead worker or broker left behind, and put it back to work."""
    for run in Run.objects.abandoned():
        _put_back(run)
    Answer.objects.give_up()
    _send_runs()
    _send_summaries()
    _sweep_imports()
    IdempotentRequest.objects.forgotten().delete()


@shared_task(name="memoryapp.tasks.delete_abandoned_uploads", time_limit=300)
def delete_abandoned_uploads() -> None:
    """Delete what uploads have left on the disk that never became an import."""
    if deleted := uploads.delete_abandoned():
        logger.info("abandoned uploads", extra={"deleted": deleted})


def _send_runs() -> None:
    """Tell the workers of runs that wait, but only of a few at a time: whoever imports a thousand
    conversations shall not keep what is said meanwhile waiting until they are read.
    """
    unsent = Run.objects.unsent().exclude(kind=Run.Kind.EXTRACTION, instance__in=over_cap())
    waiting = list(unsent[:MOST_IN_BROKER])
    for run in waiting[: max(0, MOST_IN_BROKER - _in_broker())] if waiting else []:
        if _send(_task_of(run), {"run_id": run.pk}):
            Run.objects.filter(pk=run.pk).update(sent_at=timezone.now())


def _send_summaries() -> None:
    """Tell the workers of summaries that are to be written."""
    due = Summary.objects.unsent().order_by("due_at").values_list("pk", flat=True)
    for pk in due[:MOST_SUMMARIES]:
        if _send(sum_up, {"summary_id": pk}):
            Summary.objects.filter(pk=pk).update(sent_at=timezone.now())


def _in_broker() -> int:
    """How many tasks the broker holds that no worker has taken yet."""
    try:
        with current_app.connection_for_read() as connection:
            queue = current_app.conf.task_default_queue
            return int(connection.default_channel.queue_declare(queue).message_count)
    except Exception as error:
        logger.warning("the broker does not say how much it holds: %s", error)
        return MOST_IN_BROKER  # It would not take any either.


def _sweep_imports() -> None:
    now = timezone.now()
    silent = Import.objects.filter(heartbeat_at__lt=now - timedelta(seconds=IMPORT_SILENCE))
    for at_work, waiting in Import.AT_WORK.items():
        abandoned = silent.filter(state=at_work)
        for import_ in abandoned.filter(attempts__gte=Import.MAX_ATTEMPTS):
            import_.lose(
                "Every worker that tried to read this file has died. What came in before is there."
            )
        abandoned.filter(attempts__lt=Import.MAX_ATTEMPTS).update(state=waiting)
    forgotten = now - timedelta(seconds=DECISION_WITHIN)
    for import_ in Import.objects.filter(state=Import.State.READY, heartbeat_at__lt=forgotten):
        import_.cancel()
    for import_id in Import.objects.filter(state__in=Import.AT_WORK.values()).values_list(
        "pk", flat=True
    ):
        _send(take_up, {"import_id": import_id})


@shared_task(name="memoryapp.tasks.read_stale", time_limit=60)
def read_stale() -> None:
    """Have read what has gone stale; the sweeper hands the runs to the workers."""
    reading.queue_stale()


def hand_over_stale() -> None:
    """Have a worker look for what has gone stale, without waiting for the scheduler."""
    _publish(read_stale, {})


@shared_task(name="memoryapp.tasks.backfill", time_limit=300)
def backfill() -> None:
    """Look for missing vectors and for needless ones, and see that somebody makes the former; write
    the words that drawers have lost.
    """
    for instance in Instance.objects.filter(
        Exists(Memory.objects.filter(instance=OuterRef("pk")))
        | Exists(Drawer.objects.filter(instance=OuterRef("pk")))
    ):
        find_missing(instance)
        tidy(instance)
    for instance in Instance.objects.filter(
        pk__in=Drawer.objects.filter(search=None).values("instance")
    ):
        write_missing_words(instance)
    silent = timezone.now() - timedelta(seconds=SENT_AGAIN)
    # The others pass from slice to slice by themselves.
    for job in EmbeddingJob.objects.due().exclude(heartbeat_at__gt=silent):
        _send(make_vectors, {"job_id": job.pk})


@shared_task(name="memoryapp.tasks.assess", time_limit=110)
def assess() -> None:
    """Assess what nobody has judged. It ends before the next one begins, and takes the instances
    in another order each time, so that a slow model cannot keep the others waiting.
    """
    for instance in Instance.objects.filter(
        pk__in=Memory.objects.filter(assessed=False).values("instance")
    ).order_by("?"):
        assess_waiting(instance)


@shared_task(name="memoryapp.tasks.make_vectors", time_limit=300)
def make_vectors(*, job_id: int) -> None:
    """Carry one job on for a while, then queue behind whatever else waits for a worker; clear up
    after one that is over.
    """
    job = EmbeddingJob.objects.select_related("instance").filter(pk=job_id).first()
    if job is None:
        return
    if not job.is_open:
        tidy(job.instance)
    if not job.claim():
        return
    with bound_contextvars(embedding_job=job.pk, instance=job.instance_id):
        carry_on(job, seconds=SLICE)
        if not EmbeddingJob.objects.filter(pk=job.pk).exists():
            return  # Its instance has been deleted.
        job.refresh_from_db()
        told = ("kind", "state", "done", "total", "failures")
        logger.info("embedding", extra={name: getattr(job, name) for name in told})
    if not job.is_open:
        tidy(job.instance)
    elif job.is_running:
        pause = (job.due_at - timezone.now()).total_seconds()
        if pause < SENT_AGAIN:
            _send(make_vectors, {"job_id": job.pk}, after=max(0.0, pause))


@shared_task(name="memoryapp.tasks.tend_vector_indexes", time_limit=3600)
def tend_vector_indexes() -> None:
    """Build the indexes that large instances need, and drop those that nobody does."""
    indexing.tend()


@shared_task(name="memoryapp.tasks.find_alike", time_limit=300)
def find_alike() -> None:
    """Look where memories have not been compared with each other, and see that somebody does."""
    for pk in instances_to_survey().values_list("pk", flat=True):
        _send(compare, {"instance_id": pk})


@shared_task(name="memoryapp.tasks.compare", time_limit=300)
def compare(*, instance_id: int) -> None:
    """Compare what is new for a while, then queue behind whatever else waits for a worker."""
    instance = Instance.objects.filter(pk=instance_id).first()
    if instance is not None and survey(instance, seconds=SLICE):
        _send(compare, {"instance_id": instance_id})


@shared_task(name="memoryapp.tasks.decay", time_limit=1800)
def decay() -> None:
    """Mark what has gone stale, instance by instance."""
    for instance in Instance.objects.filter(memories__isnull=False).distinct():
        mark_stale(instance)


def _put_back(run: Run) -> None:
    error = f"The worker died while {'filing' if run.is_mining else 'reading'}."
    RUNS.add(run.kind, "worker_died")
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
