"""Celery: a task loads its rows and makes one call. The ledger decides; the broker only hints.

A worker is one process with many threads, most of which wait for a provider. Work for an instance
takes one of the worker's slots, of which each holder gets a share. A task without a slot returns at
once; the sweeper, or the holder's next task to end, sends it again. Work on a row holds a lease,
which ends when the worker dies or the work takes too long.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from celery import shared_task
from django.conf import settings
from django.db.models import Exists, F, OuterRef
from django.utils import timezone
from structlog.contextvars import bound_contextvars

from conversations import uploads
from conversations.models import Import
from instances.models import Instance
from instances.signin import sessions
from memoryapp.embeddings import vector_indexes
from memoryapp.embeddings.backfill import open_fill_in_job, run_job
from memoryapp.embeddings.reembedding import delete_unused_vectors
from memoryapp.extraction import run as reading
from memoryapp.fair_slots import FairSlots, NoSlot
from memoryapp.health.decay import mark_stale
from memoryapp.health.duplicate_scan import instances_to_scan, scan_for_duplicates
from memoryapp.imports.dispatch import check as check_import
from memoryapp.imports.dispatch import store as store_import
from memoryapp.mining.run import mine as mine_window
from memoryapp.models import Drawer, EmbeddingJob, Memory, Run, Summary, keep_lease, may_spend
from memoryapp.models.embedding_jobs import MAX_SECONDS as JOB_SECONDS
from memoryapp.models.fair_queue import BACKGROUND_LEAVES, BULK_LEAVES
from memoryapp.models.leases import lease_end
from memoryapp.models.summaries import MAX_SECONDS as SUMMARY_SECONDS
from memoryapp.palace.search_text import write_missing_search_text
from memoryapp.pipeline.assessment import assess_waiting
from memoryapp.summary.generation import write
from memoryapp.tasks.dispatch import (
    hand_over_import,
    hand_over_job,
    hand_over_on_commit,
    hand_over_stale,
    hand_over_summary,
    hand_over_survey,
    send,
    send_next,
)
from memoryapp.tasks.sweep import sweep_up
from memoryapp.telemetry.counters import IMPORTS, RUNS

__all__ = [
    "hand_over_import",
    "hand_over_job",
    "hand_over_on_commit",
    "hand_over_stale",
    "hand_over_summary",
    "hand_over_survey",
]

logger = logging.getLogger(__name__)

#: Threads that are kept free of instances' work: for the sweeper, and for tasks without a slot.
HOUSEKEEPERS = 4

#: Seconds for which a task makes vectors or compares before it requeues itself.
SLICE_SECONDS = 10.0
#: Seconds without a sign of life after which an embedding job is sent again.
RESEND_SECONDS = 25.0
#: Seconds that an import may take before it counts as hanging.
IMPORT_SECONDS = 6 * 3600.0

_slots = FairSlots(
    max(1, settings.WORKER_CONCURRENCY - HOUSEKEEPERS), what="tasks", share=settings.WORKER_SHARE
)


@contextmanager
def _slot(instance: Instance) -> Iterator[None]:
    """Take a slot for background work; raises `NoSlot`."""
    with _slots.taken(instance.holder, leaving=BACKGROUND_LEAVES):
        yield


@shared_task(name="memoryapp.tasks.extract")
def extract(*, run_id: int) -> None:
    """Read a conversation for facts, then send the holder's next runs."""
    _carry_out(run_id)


@shared_task(name="memoryapp.tasks.mine")
def mine(*, run_id: int) -> None:
    """File turns of a conversation, then send the holder's next runs."""
    _carry_out(run_id)


def _carry_out(run_id: int) -> None:
    run = Run.objects.select_related("conversation__instance").filter(pk=run_id).first()
    if run is None:
        return
    instance = run.conversation.instance
    # When the cap is reached, turns are still filed, without a model.
    if not run.is_mining and not may_spend(instance):
        # The sweeper sends it when the instance may spend again.
        _give_back(run)
        return
    try:
        with _slots.taken(instance.holder, leaving=0 if run.is_pressing else BULK_LEAVES):
            if not run.claim():
                return
            _work(run)
    except NoSlot:
        _give_back(run)
        return
    send_next(instance, _slots.share - _slots.held_by(instance.holder))


def _give_back(run: Run) -> None:
    """Let the run be sent again."""
    Run.objects.filter(pk=run.pk, state=Run.State.QUEUED).update(sent_at=None)


def _work(run: Run) -> None:
    with bound_contextvars(run=run.pk, instance=run.instance_id, request_id=run.request_id):
        with keep_lease(run.still_mine(), seconds=settings.RUN_TIMEOUT_SECONDS):
            if run.is_mining:
                mine_window(run)
            else:
                reading.read(run)
        _tell_of(run)


def _tell_of(run: Run) -> None:
    for done in Run.objects.filter(pk=run.pk):
        # Not its error: that is a provider's words, which may repeat ours.
        counts = ("filed",) if run.is_mining else ("stored", "updated", "repeated")
        told = ("conversation_id", "kind", "state", "attempts", *counts)
        logger.info("run", extra={name: getattr(done, name) for name in told})
        RUNS.add(done.kind, "retried" if done.state == Run.State.QUEUED else done.state)


@shared_task(name="memoryapp.tasks.sum_up")
def sum_up(*, summary_id: int) -> None:
    """Write the summary of one person."""
    summary = Summary.objects.select_related("instance").filter(pk=summary_id).first()
    if summary is None:
        return
    try:
        with _slot(summary.instance):
            if summary.claim():
                with keep_lease(summary.still_mine(), seconds=SUMMARY_SECONDS):
                    write(summary)
    except NoSlot:
        Summary.objects.filter(pk=summary_id, lease_until=None).update(sent_at=None)


@shared_task(name="memoryapp.tasks.take_up")
def take_up(*, import_id: int) -> None:
    """Look through an uploaded file, or bring it in, whichever it waits for."""
    import_ = Import.objects.select_related("instance").filter(pk=import_id).first()
    if import_ is None:
        return
    try:
        with _slot(import_.instance):
            _take_up(import_)
    except NoSlot:
        return  # The sweeper sends it again.
    send_next(import_.instance, settings.WORKER_SHARE)


def _take_up(import_: Import) -> None:
    for at_work, waiting in Import.AT_WORK.items():
        # The conditional update decides between two workers that were told of the same file.
        claimed = Import.objects.filter(pk=import_.pk, state=waiting).update(
            state=at_work,
            heartbeat_at=timezone.now(),
            lease_until=lease_end(),
            attempts=F("attempts") + 1,
        )
        if claimed:
            import_.refresh_from_db()
            with (
                bound_contextvars(**{"import": import_.pk}),
                keep_lease(import_.still_mine(), seconds=IMPORT_SECONDS),
            ):
                if at_work == Import.State.CHECKING:
                    check_import(import_)
                else:
                    store_import(import_)
            ended = Import.objects.filter(pk=import_.pk, finished_at__isnull=False)
            for state in ended.values_list("state", flat=True):
                IMPORTS.add(state)
            return


@shared_task(name="memoryapp.tasks.sweep")
def sweep() -> None:
    """Find what a dead worker or broker left behind, and put it back to work."""
    sweep_up()


@shared_task(name="memoryapp.tasks.delete_abandoned_uploads")
def delete_abandoned_uploads() -> None:
    """Delete uploaded files that never became an import."""
    if deleted := uploads.delete_abandoned():
        logger.info("abandoned uploads", extra={"deleted": deleted})


@shared_task(name="memoryapp.tasks.delete_expired_sessions")
def delete_expired_sessions() -> None:
    """Delete expired sessions."""
    if deleted := sessions.delete_expired():
        logger.info("expired sessions", extra={"deleted": deleted})


@shared_task(name="memoryapp.tasks.read_stale")
def read_stale() -> None:
    """Have read what has gone stale; the sweeper hands the runs to the workers."""
    reading.queue_stale()


@shared_task(name="memoryapp.tasks.backfill")
def backfill() -> None:
    """Look for missing vectors and for needless ones, and have a worker make the former; write
    the words that drawers have lost.
    """
    for instance in Instance.objects.filter(
        Exists(Memory.objects.filter(instance=OuterRef("pk")))
        | Exists(Drawer.objects.filter(instance=OuterRef("pk")))
    ):
        open_fill_in_job(instance)
        delete_unused_vectors(instance)
    for instance in Instance.objects.filter(
        pk__in=Drawer.objects.filter(search=None).values("instance")
    ):
        write_missing_search_text(instance)
    silent = timezone.now() - timedelta(seconds=RESEND_SECONDS)
    # The others pass from slice to slice by themselves.
    for job in EmbeddingJob.objects.due().exclude(heartbeat_at__gt=silent):
        send("make_vectors", {"job_id": job.pk})


@shared_task(name="memoryapp.tasks.assess")
def assess() -> None:
    """Send a task for each instance with memories that have not been assessed."""
    unjudged = Memory.objects.filter(assessed=False).values("instance")
    for pk in Instance.objects.filter(pk__in=unjudged).values_list("pk", flat=True):
        send("assess_instance", {"instance_id": pk})


@shared_task(name="memoryapp.tasks.assess_instance")
def assess_instance(*, instance_id: int) -> None:
    """Assess memories of one instance. It ends before the next one is sent."""
    instance = Instance.objects.filter(pk=instance_id).first()
    if instance is None:
        return
    try:
        with _slot(instance):
            assess_waiting(instance)
    except NoSlot:
        return


@shared_task(name="memoryapp.tasks.make_vectors")
def make_vectors(*, job_id: int) -> None:
    """Carry one job on for a while, then queue behind whatever else waits for a worker; clear up
    after one that is over.
    """
    job = EmbeddingJob.objects.select_related("instance").filter(pk=job_id).first()
    if job is None:
        return
    if not job.is_open:
        delete_unused_vectors(job.instance)
    try:
        with _slot(job.instance):
            if not job.claim():
                return
            with (
                bound_contextvars(embedding_job=job.pk, instance=job.instance_id),
                keep_lease(job.still_mine(), seconds=JOB_SECONDS),
            ):
                run_job(job, seconds=SLICE_SECONDS)
    except NoSlot:
        return
    if not EmbeddingJob.objects.filter(pk=job.pk).exists():
        return  # Its instance has been deleted.
    job.refresh_from_db()
    told = ("kind", "state", "done", "total", "failures")
    with bound_contextvars(embedding_job=job.pk, instance=job.instance_id):
        logger.info("embedding", extra={name: getattr(job, name) for name in told})
    if not job.is_open:
        delete_unused_vectors(job.instance)
    elif job.is_running:
        pause = (job.due_at - timezone.now()).total_seconds()
        if pause < RESEND_SECONDS:
            send("make_vectors", {"job_id": job.pk}, after=max(0.0, pause))


@shared_task(name="memoryapp.tasks.tend_vector_indexes")
def tend_vector_indexes() -> None:
    """Build the indexes that large instances need, and drop the others."""
    vector_indexes.maintain_indexes()


@shared_task(name="memoryapp.tasks.find_alike")
def find_alike() -> None:
    """Find instances whose memories have not been compared, and have a worker do it."""
    for pk in instances_to_scan().values_list("pk", flat=True):
        send("compare", {"instance_id": pk})


@shared_task(name="memoryapp.tasks.compare")
def compare(*, instance_id: int) -> None:
    """Compare what is new for a while, then queue behind whatever else waits for a worker."""
    instance = Instance.objects.filter(pk=instance_id).first()
    if instance is None:
        return
    try:
        with _slot(instance):
            more = scan_for_duplicates(instance, seconds=SLICE_SECONDS)
    except NoSlot:
        return
    if more:
        send("compare", {"instance_id": instance_id})


@shared_task(name="memoryapp.tasks.decay")
def decay() -> None:
    """Mark what has gone stale, instance by instance."""
    for instance in Instance.objects.filter(memories__isnull=False).distinct():
        mark_stale(instance)
