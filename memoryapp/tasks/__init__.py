"""Celery tasks: each loads its rows and makes one call. The rows decide; the broker only hints.

A worker is one process with many threads, most of which wait for a provider. Work for an instance
takes one of the worker's slots, of which each holder gets a share. A task without a slot returns at
once; the sweeper, or the holder's next task to end, sends it again. Work on a row holds a lease,
which ends when the worker dies or the work takes too long.
"""

import logging
from contextlib import AbstractContextManager, suppress
from datetime import timedelta

from celery import shared_task
from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from structlog.contextvars import bound_contextvars

from conversations import uploads, word_counting
from conversations.models import Import, Message
from instances.models import Instance, Webhook
from instances.oauth import connections
from instances.signin import sessions
from instances.translatable import translatable
from memoryapp.audit.chaining import chain
from memoryapp.audit.forwarding import forward
from memoryapp.embeddings import vector_indexes
from memoryapp.embeddings.backfill import open_fill_in_job, run_job
from memoryapp.embeddings.reembedding import delete_unused_vectors
from memoryapp.embeddings.search_text import write_missing_search_text
from memoryapp.extraction import run as reading
from memoryapp.forgetting import retention
from memoryapp.forgetting.archive import forget_overdue
from memoryapp.golden import rounds
from memoryapp.health.decay import mark_stale
from memoryapp.health.duplicate_scan import instances_to_scan, scan_for_duplicates
from memoryapp.imports.dispatch import check as check_import
from memoryapp.imports.dispatch import store as store_import
from memoryapp.llm.model_measurement import measure_models
from memoryapp.mining.run import mine as mine_window
from memoryapp.models import (
    CountKind,
    Drawer,
    EmbeddingJob,
    Erasure,
    GoldenRound,
    KeyRequest,
    Memory,
    MemoryCount,
    RetentionRule,
    Run,
    Summary,
    WebhookDelivery,
    Wing,
    may_read,
)
from memoryapp.models.embedding_jobs import MAX_SECONDS as JOB_SECONDS
from memoryapp.models.fair_queue import BACKGROUND_LEAVES, BULK_LEAVES
from memoryapp.models.summaries import MAX_SECONDS as SUMMARY_SECONDS
from memoryapp.people.erasure import work_on
from memoryapp.pipeline.assessment import assess_waiting
from memoryapp.process.fair_slots import FairSlots, NoSlot
from memoryapp.providers.configured import reader_abilities
from memoryapp.runs.local_server import ServerBusy, claim_in_turn, lease_seconds
from memoryapp.summary.generation import write
from memoryapp.tasks.dispatch import send, send_next
from memoryapp.tasks.sweep import sweep_up
from memoryapp.telemetry.counters import IMPORTS, RUNS
from memoryapp.webhooks.delivery import deliver_due

logger = logging.getLogger(__name__)

#: Threads that are kept free of instances' work: for the sweeper, and for tasks without a slot.
HOUSEKEEPERS = 4

#: Seconds for which a task makes vectors or compares before it requeues itself.
SLICE_SECONDS = 10.0
#: Seconds without a heartbeat after which an embedding job is sent again.
RESEND_SECONDS = 25.0
#: Seconds that an import may take before it counts as hanging.
IMPORT_SECONDS = 6 * 3600.0

_slots = FairSlots(
    max(1, settings.WORKER_CONCURRENCY - HOUSEKEEPERS),
    what=translatable("tasks"),
    share=settings.WORKER_SHARE,
)


def _slot(instance: Instance) -> AbstractContextManager[None]:
    """Hold a slot for background work; raises `NoSlot`."""
    return _slots.taken(instance.holder, leaving=BACKGROUND_LEAVES)


@shared_task(name="memoryapp.tasks.extract")
def extract(*, run_id: int) -> None:
    """Read a conversation for facts, then send the holder's next runs."""
    _carry_out(run_id)


@shared_task(name="memoryapp.tasks.mine")
def mine(*, run_id: int) -> None:
    """File messages of a conversation, then send the holder's next runs."""
    _carry_out(run_id)


def _carry_out(run_id: int) -> None:
    run = Run.objects.select_related("conversation__instance").filter(pk=run_id).first()
    if run is None:
        return
    instance = run.conversation.instance
    # When the cap is reached, messages are still filed, without a model, and the built-in reader
    # goes on. Other runs are sent again by the sweeper when the instance may spend again.
    if run.is_mining or may_read(instance):
        with suppress(NoSlot, ServerBusy):
            with _slots.taken(instance.holder, leaving=0 if run.is_urgent else BULK_LEAVES):
                if not (claim_in_turn(run, instance) if _asks(run) else run.claim()):
                    return
                _work_on(run)
            send_next(instance, _slots.share - _slots.held_by(instance.holder))
            return
    run.row().filter(state=Run.State.QUEUED).update(sent_at=None)


def _asks(run: Run) -> bool:
    """True if *run* calls the language model."""
    slow = reader_abilities(run.conversation.instance).is_slow
    return not run.is_mining or (run.with_model and not slow)


def _work_on(run: Run) -> None:
    with bound_contextvars(run=run.pk, instance=run.instance_id, request_id=run.request_id):
        seconds = lease_seconds(run.conversation.instance, settings.RUN_TIMEOUT_SECONDS)
        with run.kept(seconds=seconds):
            if run.is_mining:
                mine_window(run)
            else:
                reading.read(run)
        for ended in run.row():
            # Not its error: a provider wrote that, and may have quoted our text.
            counts = ("filed",) if run.is_mining else ("stored", "updated", "repeated")
            columns = ("conversation_id", "kind", "state", "attempts", *counts)
            logger.info("run", extra={name: getattr(ended, name) for name in columns})
            RUNS.add(ended.kind, "retried" if ended.state == Run.State.QUEUED else ended.state)


@shared_task(name="memoryapp.tasks.sum_up")
def sum_up(*, summary_id: int) -> None:
    """Write the summary of one person."""
    summary = Summary.objects.select_related("instance").filter(pk=summary_id).first()
    if summary is None:
        return
    try:
        with _slot(summary.instance):
            if claim_in_turn(summary, summary.instance):
                seconds = lease_seconds(summary.instance, SUMMARY_SECONDS)
                with summary.kept(seconds=seconds):
                    write(summary)
    except (NoSlot, ServerBusy):
        Summary.objects.filter(pk=summary_id, lease_until=None).update(sent_at=None)


@shared_task(name="memoryapp.tasks.measure_model")
def measure_model(*, instance_id: int) -> None:
    """Measure what the models of an instance can do."""
    for instance in Instance.objects.filter(pk=instance_id):
        measure_models(instance)


@shared_task(name="memoryapp.tasks.erase")
def erase(*, erasure_id: int) -> None:
    """Work on an erasure for a while; if more is left, send the task again, behind others."""
    erasure = Erasure.objects.select_related("instance").filter(pk=erasure_id).first()
    done = True
    # Outside the shares: whoever asks to be forgotten need not wait for the assistant's work.
    if erasure is not None:
        with bound_contextvars(erasure=str(erasure.uid), instance=erasure.instance_id):
            done = work_on(erasure, seconds=SLICE_SECONDS)
            logger.info("erasure", extra={"done": done, "rows": erasure.rows})
    if not done and Erasure.objects.due().filter(pk=erasure_id).exists():
        send("erase", {"erasure_id": erasure_id})


@shared_task(name="memoryapp.tasks.send_events")
def send_events(*, webhook_id: int) -> None:
    """Send what a webhook has to be sent for a while; if there is more, send the task again, behind
    others.
    """
    more = False
    for webhook in Webhook.objects.filter(pk=webhook_id).select_related("instance"):
        with suppress(NoSlot), _slot(webhook.instance):
            more = deliver_due(webhook, seconds=SLICE_SECONDS)
    if more:
        send("send_events", {"webhook_id": webhook_id})


@shared_task(name="memoryapp.tasks.take_up")
def take_up(*, import_id: int) -> None:
    """Check an uploaded file, or store its content, whichever it waits for."""
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
    if not import_.claim():
        return
    with bound_contextvars(**{"import": import_.pk}), import_.kept(seconds=IMPORT_SECONDS):
        if import_.state == Import.State.CHECKING:
            check_import(import_)
        else:
            store_import(import_)
    ended = import_.row().filter(finished_at__isnull=False)
    for state in ended.values_list("state", flat=True):
        IMPORTS.add(state)


@shared_task(name="memoryapp.tasks.sweep")
def sweep() -> None:
    """Queue again what a dead worker or broker left behind."""
    sweep_up()


@shared_task(name="memoryapp.tasks.delete_abandoned_uploads")
def delete_abandoned_uploads() -> None:
    """Delete uploaded files that never became an import."""
    if deleted := uploads.delete_abandoned():
        logger.info("abandoned uploads", extra={"deleted": deleted})


@shared_task(name="memoryapp.tasks.empty_bins")
def empty_bins() -> None:
    """Forget what has been in a bin for 30 days."""
    if forgotten := forget_overdue():
        logger.info("overdue memories in bins", extra={"forgotten": forgotten})


@shared_task(name="memoryapp.tasks.apply_retention")
def apply_retention() -> None:
    """Send a task for each retention rule."""
    for pk in RetentionRule.objects.values_list("pk", flat=True):
        send("apply_rule", {"rule_id": pk})


@shared_task(name="memoryapp.tasks.apply_rule")
def apply_rule(*, rule_id: int, after: int = 0) -> None:
    """Delete what one retention rule says for a while, from the row that follows the one with the
    id *after*; if there is more, or no free slot, send the task again, behind others.
    """
    last: int | None = None
    pause = 0.0
    for rule in RetentionRule.objects.filter(pk=rule_id).select_related("instance"):
        try:
            with _slot(rule.instance), bound_contextvars(rule=rule_id, instance=rule.instance_id):
                last = retention.apply_rule(rule, seconds=SLICE_SECONDS, after=after)
        except NoSlot:
            last, pause = after, RESEND_SECONDS
    if last is not None:
        send("apply_rule", {"rule_id": rule_id, "after": last}, after=pause)


@shared_task(name="memoryapp.tasks.delete_old_events")
def delete_old_events() -> None:
    """Delete old events from the logs of webhooks."""
    if deleted := WebhookDelivery.objects.delete_old():
        logger.info("old events of webhooks", extra={"deleted": deleted})


@shared_task(name="memoryapp.tasks.delete_old_key_requests")
def delete_old_key_requests() -> None:
    """Delete all but the latest requests from the lists of API keys."""
    if deleted := KeyRequest.objects.delete_old():
        logger.info("old requests of API keys", extra={"deleted": deleted})


@shared_task(name="memoryapp.tasks.chain_audit")
def chain_audit() -> None:
    """Chain the records of the audit log that were committed since, and send them on."""
    chain()
    if sent := forward():
        logger.info("audit log", extra={"forwarded": sent})


@shared_task(name="memoryapp.tasks.fold_counts")
def fold_counts() -> None:
    """Sum up the counts of memories that have changed, instance by instance."""
    for pk in MemoryCount.objects.instances_to_fold():
        MemoryCount.objects.fold(pk)


@shared_task(name="memoryapp.tasks.delete_expired_sessions")
def delete_expired_sessions() -> None:
    """Delete expired sessions."""
    if deleted := sessions.delete_expired():
        logger.info("expired sessions", extra={"deleted": deleted})


@shared_task(name="memoryapp.tasks.delete_expired_tokens")
def delete_expired_tokens() -> None:
    """Delete expired codes and tokens of connected apps, and apps that were never connected."""
    connections.delete_expired()


@shared_task(name="memoryapp.tasks.read_stale")
def read_stale() -> None:
    """Queue runs over stale conversations; the sweeper sends them."""
    reading.queue_stale()


@shared_task(name="memoryapp.tasks.backfill")
def backfill() -> None:
    """Send jobs for missing vectors, delete unused ones, and write missing search texts."""
    for instance in Instance.objects.filter(
        Q(pk__in=MemoryCount.objects.filter(kind=CountKind.ALL).values("instance"))
        # Every drawer is in one.
        | Q(pk__in=Wing.objects.values("instance"))
    ):
        open_fill_in_job(instance)
        delete_unused_vectors(instance)
    for instance in Instance.objects.filter(
        pk__in=Drawer.objects.filter(search=None).values("instance")
    ):
        write_missing_search_text(instance)
    silent = timezone.now() - timedelta(seconds=RESEND_SECONDS)
    # The others send themselves again.
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
    for instance in Instance.objects.filter(pk=instance_id):
        with suppress(NoSlot), _slot(instance):
            assess_waiting(instance)


@shared_task(name="memoryapp.tasks.ask_golden_questions")
def ask_golden_questions() -> None:
    """Open the rounds of golden questions that are due, and send all that wait."""
    rounds.open_due()
    GoldenRound.objects.delete_old()
    for pk in GoldenRound.objects.waiting().values_list("pk", flat=True):
        send("ask_round", {"round_id": pk})


@shared_task(name="memoryapp.tasks.ask_round")
def ask_round(*, round_id: int) -> None:
    """Ask the golden questions of one round. One that fails is sent again."""
    for round_ in GoldenRound.objects.filter(pk=round_id).select_related("instance"):
        with suppress(NoSlot), _slot(round_.instance):
            if round_.claim():
                with round_.kept(seconds=rounds.MAX_SECONDS):
                    rounds.carry_out(round_)


@shared_task(name="memoryapp.tasks.make_vectors")
def make_vectors(*, job_id: int) -> None:
    """Work on an embedding job for a while, then send it again, behind other tasks; delete unused
    vectors after a finished one.
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
                job.kept(seconds=JOB_SECONDS),
            ):
                run_job(job, seconds=SLICE_SECONDS)
    except NoSlot:
        return
    if not job.row().exists():
        return  # Its instance has been deleted.
    job.refresh_from_db()
    columns = ("kind", "state", "done", "total", "failures")
    with bound_contextvars(embedding_job=job.pk, instance=job.instance_id):
        logger.info("embedding", extra={name: getattr(job, name) for name in columns})
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


@shared_task(name="memoryapp.tasks.count_words")
def count_words() -> None:
    """Count the words of large instances, for searches to know which are rare."""
    word_counting.count_words(Memory, Drawer, Message)


@shared_task(name="memoryapp.tasks.find_alike")
def find_alike() -> None:
    """Send a task for each instance with memories that have not been compared."""
    for pk in instances_to_scan().values_list("pk", flat=True):
        send("compare", {"instance_id": pk})


@shared_task(name="memoryapp.tasks.compare")
def compare(*, instance_id: int) -> None:
    """Compare new memories for a while; if there are more, send the task again, behind others."""
    more = False
    for instance in Instance.objects.filter(pk=instance_id):
        with suppress(NoSlot), _slot(instance):
            more = scan_for_duplicates(instance, seconds=SLICE_SECONDS)
    if more:
        send("compare", {"instance_id": instance_id})


@shared_task(name="memoryapp.tasks.decay")
def decay() -> None:
    """Mark stale memories, instance by instance."""
    for instance in Instance.objects.filter(memories__isnull=False).distinct():
        mark_stale(instance)
