"""Making the vectors that are missing, batch by batch: after a provider's failure, or of a model
that an instance is to go over to.

What is done and what is still to do stands in the database alone. Whoever carries a job on asks
for the next texts without a vector, so that a worker may die at any moment, and memories and turns
may come, change and go meanwhile.
"""

import time

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError, transaction

from instances.models import Instance, User
from instances.secrets import UnreadableSecret
from memoryapp.embeddings import reembedding
from memoryapp.embeddings.embedder import Vectors, embed, embedding_problem
from memoryapp.embeddings.missing_vectors import (
    DRAWERS,
    KINDS,
    MEMORIES,
    VectorKind,
    count_missing,
)
from memoryapp.models import EmbeddingJob, EmbeddingSpace, may_spend
from memoryapp.models.embedding_jobs import RETRY_SECONDS, EmbeddingJobQuerySet
from memoryapp.providers.configured import embedder_for, space_of
from memoryapp.providers.errors import ErrorKind

#: Why nothing is made that costs something.
OVER_CAP = "This month’s cost cap is reached. It goes on next month, or with a higher cap."
#: What every model takes: where it fails too, the fault is not in the text before.
PROBE = "How long are your vectors?"
#: With a limit on the texts a minute, a batch is what may go in so many seconds.
PAUSE_FACTOR = 5.0
#: Failures that say nothing about a text: the provider cannot be reached, or wants a pause.
_WHATEVER_THE_TEXT = frozenset(
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
    """Return the open job that fills in what *instance* has no vectors of, a new one if there is
    none; None when nothing is missing, or nobody is there to make it. While *resting*, a provider
    that has just failed is left alone, and so are texts that the model has refused.
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
        fill_ins.exclude(state__in=EmbeddingJob.OPEN).delete()  # The latest one tells enough.
        try:
            with transaction.atomic():
                job = EmbeddingJob.objects.create(
                    instance=instance,
                    by=by,
                    kind=EmbeddingJob.Kind.FILL_IN,
                    total=total,
                    **refused,
                    rate=settings.BACKFILL_RATE,
                )
        except IntegrityError:  # Somebody else has just found the same.
            job = fill_ins.open().first()
    return job


def _still_refused(jobs: EmbeddingJobQuerySet, instance: Instance) -> dict[str, list[int]]:
    """What the present model has refused the text of, and that says the same still, by the job's
    columns: to ask again every half minute would cost a call each time.
    """
    last = jobs.filter(space__name=space_of(instance.embeddings)).first()
    if last is None:
        return {}
    unchanged = instance.memories.filter(pk__in=last.refused, updated_at__lt=last.created_at)
    return {
        MEMORIES.refused_in: list(unchanged.values_list("pk", flat=True)),
        # What was said is never changed.
        DRAWERS.refused_in: list(last.refused_drawers),
    }


def _is_ready(instance: Instance, *, resting: bool) -> bool:
    try:
        if embedder_for(instance) is None:
            return False
    except UnreadableSecret:
        return False  # Said on the settings screen. The other instances must not wait for it.
    if not resting:
        return True
    affordable = instance.embeddings.is_builtin or may_spend(instance)
    return affordable and not embedding_problem(instance, within=RETRY_SECONDS)


def run_job(job: EmbeddingJob, *, seconds: float) -> None:
    """Make vectors for *job*, which the caller has claimed, for about *seconds*: until it is over,
    or has to wait. Then it is given back.
    """
    ends = time.monotonic() + seconds
    try:
        if _prepared(job):
            _make_vectors(job, ends)
    except (ObjectDoesNotExist, IntegrityError):
        # The instance may have been deleted meanwhile, and the job with it.
        if EmbeddingJob.objects.filter(pk=job.pk).exists():
            raise
    finally:
        job.release()


def _prepared(job: EmbeddingJob) -> bool:
    """Find out where the vectors go, and how many there are to make."""
    choice = job.choice
    if choice.is_unnamed:
        if not _may_ask(job):
            return False
        answer = embed(job.instance, [PROBE], choice=choice)
        if answer.vectors is None:
            _rest(job, answer)
            return False
        if job.is_reembedding:
            reembedding.record_dimensions(job, answer.vectors.shape[1])
    space, _ = EmbeddingSpace.objects.get_or_create(
        instance=job.instance, name=space_of(job.choice)
    )
    job.space = space
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
                # Once more from the start: what has come or changed meanwhile.
                after = dict.fromkeys(KINDS, 0)
                continue
            reembedding.finish(job)
            return
        began = time.monotonic()
        answer = embed(job.instance, list(texts.values()), choice=job.choice)
        if answer.vectors is not None:
            job.heartbeat(more=_stored(job, kind, texts, answer))
            after[kind] = max(texts)
            size = min(2 * size, job.batch)
        elif answer.error is None or answer.error.kind in _WHATEVER_THE_TEXT:
            return _rest(job, answer)
        elif len(texts) > 1:
            # It may be one text that the provider will not take. The others must not wait for it.
            size = 1
        else:
            probe = embed(job.instance, [PROBE], choice=job.choice)
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
    """The next texts to embed, at most *most*, all of one kind; none when there are none."""
    for kind in KINDS:
        texts = kind.texts(job, after=after[kind], most=most)
        if texts:
            return kind, texts
    return KINDS[0], {}


def _may_ask(job: EmbeddingJob) -> bool:
    """Whether a call may be made; when nothing may be spent, the job waits and says so."""
    if job.choice.is_builtin or may_spend(job.instance):
        return True
    job.postpone(RETRY_SECONDS, error=OVER_CAP)
    return False


def _rest(job: EmbeddingJob, answer: Vectors) -> None:
    """Leave the provider alone: for as long as it asks for, if it does."""
    job.postpone(answer.retry_after, error=answer.problem)


def _stored(job: EmbeddingJob, kind: VectorKind, texts: dict[int, str], answer: Vectors) -> int:
    """Store the vectors of *texts*, by id; return how many there were to store."""
    if answer.vectors is None or job.space is None or answer.space != job.space.name:
        return 0
    vectors = dict(zip(texts, answer.vectors, strict=True))
    with transaction.atomic():
        # Held until the end, so that no vector comes after a job that is cancelled.
        if not job.still_mine().select_for_update().exists():
            return 0
        # A text that was changed meanwhile must not get the old text's vector.
        unchanged = kind.unchanged(job, texts)
        kind.store(job, ((pk, vectors[pk]) for pk in unchanged))
    return len(unchanged)
