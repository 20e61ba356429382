"""Makes missing vectors batch by batch: after a provider's failure, or for another model.

All progress is in the database. Each batch is the next texts without a vector, so a worker can die
at any moment, and memories and messages can be added, changed and deleted meanwhile.
"""

import time

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError, transaction

from instances.embedding_choice import EmbeddingChoice
from instances.models import Instance, User
from instances.secrets import UnreadableSecret
from instances.translatable import translatable
from memoryapp.embeddings import reembedding
from memoryapp.embeddings.embedder import Vectors, embed, embedding_problem
from memoryapp.embeddings.missing_vectors import (
    DOCUMENTS,
    DRAWERS,
    KINDS,
    MEMORIES,
    VectorKind,
    count_missing,
)
from memoryapp.models import EmbeddingJob, EmbeddingSpace, may_spend
from memoryapp.models.embedding_jobs import (
    BATCH_SIZE,
    BUILTIN_BATCH_SIZE,
    RETRY_SECONDS,
    EmbeddingJobQuerySet,
)
from memoryapp.providers.configured import embedder_for, space_of
from memoryapp.providers.errors import ErrorKind

#: Why calls that cost something are not made.
OVER_CAP = translatable(
    "This month’s cost cap is reached. It goes on next month, or with a higher cap."
)
#: A text that every model accepts: if it fails too, the previous text was not the reason.
PROBE = "How long are your vectors?"
#: The number of claims from one count of what is missing to the next.
CLAIMS_PER_COUNT = 6
#: With a limit of texts per minute, a batch is what may be sent in this many seconds.
PAUSE_FACTOR = 5.0
#: Errors that do not depend on the text: the provider is unreachable, or wants a pause.
_NOT_ABOUT_THE_TEXT = frozenset(
    {
        ErrorKind.UNREACHABLE,
        ErrorKind.TIMEOUT,
        ErrorKind.RATE_LIMITED,
        ErrorKind.UNAUTHORIZED,
        ErrorKind.CIRCUIT_OPEN,
    }
)


def open_fill_in_job(
    instance: Instance, *, by: User | None = None, resting: bool = True
) -> EmbeddingJob | None:
    """Return the open job for the missing vectors of *instance*, or create one. None if nothing is
    missing, or no embedder is set up. With *resting*, providers that have just failed and texts
    that the model has refused are left out.
    """
    fill_ins = EmbeddingJob.objects.filter(instance=instance, kind=EmbeddingJob.Kind.FILL_IN)
    job = fill_ins.open().first()
    if job is None:
        if not _is_ready(instance, resting=resting):
            return None
        space = space_of(instance.embeddings)
        refused = _still_refused(fill_ins, instance) if resting else {}
        total = sum(
            kind.without_vector(instance, space)
            .exclude(pk__in=refused.get(kind.refused_in, []))
            .count()
            for kind in KINDS
        )
        if not total:
            return None
        fill_ins.exclude(state__in=EmbeddingJob.OPEN).delete()  # Only the latest one is shown.
        try:
            with transaction.atomic():
                job = EmbeddingJob.objects.create(
                    instance=instance,
                    by=by,
                    kind=EmbeddingJob.Kind.FILL_IN,
                    total=total,
                    **refused,
                    batch=batch_size(instance.embeddings),
                    rate=settings.BACKFILL_RATE,
                )
        except IntegrityError:  # Another process has just created it.
            job = fill_ins.open().first()
    return job


def batch_size(choice: EmbeddingChoice) -> int:
    """Return the number of texts per call to the embedder of *choice*."""
    return BUILTIN_BATCH_SIZE if choice.is_builtin else BATCH_SIZE


def _still_refused(jobs: EmbeddingJobQuerySet, instance: Instance) -> dict[str, list[int]]:
    """Ids of unchanged texts that the present model has refused, by the job's columns: to send them
    again every half minute would cost a call each time.
    """
    last = jobs.filter(space__name=space_of(instance.embeddings)).first()
    if last is None:
        return {}
    unchanged = instance.memories.filter(pk__in=last.refused, updated_at__lt=last.created_at)
    documents = instance.stored_documents.filter(
        pk__in=last.refused_documents, updated_at__lt=last.created_at
    )
    return {
        MEMORIES.refused_in: list(unchanged.values_list("pk", flat=True)),
        # Messages never change.
        DRAWERS.refused_in: list(last.refused_drawers),
        DOCUMENTS.refused_in: list(documents.values_list("pk", flat=True)),
    }


def _is_ready(instance: Instance, *, resting: bool) -> bool:
    try:
        if embedder_for(instance) is None:
            return False
    except UnreadableSecret:
        return False  # The settings screen reports it. Other instances must not wait for it.
    if not resting:
        return True
    affordable = instance.embeddings.is_builtin or may_spend(instance)
    return affordable and not embedding_problem(instance, within=RETRY_SECONDS)


def run_job(job: EmbeddingJob, *, seconds: float) -> None:
    """Make vectors for the claimed *job*, for about *seconds*; then release it."""
    ends = time.monotonic() + seconds
    try:
        if _prepared(job):
            _make_vectors(job, ends)
    except (ObjectDoesNotExist, IntegrityError):
        # The instance may have been deleted meanwhile, and the job with it.
        if job.row().exists():
            raise
    finally:
        job.release()


def _prepared(job: EmbeddingJob) -> bool:
    """Determine the space of the vectors, and how many are missing."""
    choice = job.choice
    if choice.is_unnamed:
        if not _may_ask(job):
            return False
        answer = embed(job.instance, [PROBE], about=(), choice=choice)
        if answer.vectors is None:
            _rest(job, answer)
            return False
        if job.is_reembedding:
            reembedding.record_dimensions(job, answer.vectors.shape[1])
    space, _ = EmbeddingSpace.objects.get_or_create(
        instance=job.instance, name=space_of(job.choice)
    )
    is_new, job.space = job.space_id is None, space
    # A worker claims it every few seconds, and counting a large instance takes a while.
    if is_new or job.claims % CLAIMS_PER_COUNT == 1:
        job.total = job.done + count_missing(job)
    return bool(job.still_mine().update(space=space, total=job.total))


def _make_vectors(job: EmbeddingJob, ends: float) -> None:
    size, after = job.batch, dict.fromkeys(KINDS, 0)
    while job.heartbeat():
        most = min(size, max(1, int(job.rate * PAUSE_FACTOR / 60))) if job.rate else size
        kind, texts = _next(job, after, most)
        if texts and not _may_ask(job):
            return
        if not texts:
            if any(after.values()):
                # Start again: texts may have been added or changed meanwhile.
                after = dict.fromkeys(KINDS, 0)
                continue
            reembedding.finish(job)
            return
        began = time.monotonic()
        answer = embed(
            job.instance,
            list(texts.values()),
            about=kind.people(job.instance, texts),
            choice=job.choice,
        )
        if answer.vectors is not None:
            job.heartbeat(more=_stored(job, kind, texts, answer))
            after[kind] = max(texts)
            size = min(2 * size, job.batch)
        elif answer.error is None or answer.error.kind in _NOT_ABOUT_THE_TEXT:
            return _rest(job, answer)
        elif len(texts) > 1:
            # One of the texts may be refused. Find it one by one, so that the others need not wait.
            size = 1
        else:
            probe = embed(job.instance, [PROBE], about=(), choice=job.choice)
            if probe.vectors is None:
                return _rest(job, answer)
            kind.refused(job).append(*texts)
            job.still_mine().update(**{kind.refused_in: kind.refused(job)})
        pause = 60 * len(texts) / job.rate - (time.monotonic() - began) if job.rate else 0.0
        if time.monotonic() + pause >= ends:
            if pause > 0:
                job.postpone(pause)
            return
        time.sleep(max(0.0, pause))


def _next(
    job: EmbeddingJob, after: dict[VectorKind, int], most: int
) -> tuple[VectorKind, dict[int, str]]:
    """The next texts to embed, at most *most*, all of one kind."""
    for kind in KINDS:
        texts = kind.texts(job, after=after[kind], most=most)
        if texts:
            return kind, texts
    return KINDS[0], {}


def _may_ask(job: EmbeddingJob) -> bool:
    """True if a call may be made. If the cost cap is reached, postpone the job and say so."""
    if job.choice.is_builtin or may_spend(job.instance):
        return True
    job.postpone(RETRY_SECONDS, error=OVER_CAP)
    return False


def _rest(job: EmbeddingJob, answer: Vectors) -> None:
    """Postpone the job, for as long as the provider asks for, if it does."""
    job.postpone(answer.retry_after, error=answer.problem)


def _stored(job: EmbeddingJob, kind: VectorKind, texts: dict[int, str], answer: Vectors) -> int:
    """Store the vectors of *texts*, by id; return their number."""
    if answer.vectors is None or job.space is None or answer.space != job.space.name:
        return 0
    vectors = dict(zip(texts, answer.vectors, strict=True))
    with transaction.atomic():
        # Locked until the transaction ends, so that no vector is stored for a cancelled job.
        if not job.still_mine().select_for_update().exists():
            return 0
        # A text that has changed meanwhile must not get the vector of the old text.
        unchanged = kind.unchanged(job.instance, texts)
        kind.store(job.space, vectors, unchanged)
    return len(unchanged)
