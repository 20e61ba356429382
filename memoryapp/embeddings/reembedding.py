"""Switches an instance to another embedding model, and back, while search goes on.

The new vectors are made in a space of their own, while search uses the present one. When none is
missing, both models are asked the same questions. Then the instance switches in one transaction, or
keeps its model and says why. The former vectors are kept for a week, so that switching back only
needs vectors of texts that were added since.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet, Sum
from django.db.models.functions import Coalesce, Least, Length
from django.utils import timezone
from django.utils.translation import gettext as _

from instances.actor import Actor
from instances.embedding_choice import EmbeddingChoice
from instances.models import Instance, Secret, SecretName, User
from instances.translatable import translatable
from memoryapp.embeddings.comparison_verdict import ComparisonVerdict
from memoryapp.embeddings.missing_vectors import (
    DRAWERS,
    KINDS,
    MEMORIES,
    count_without_vector,
    is_complete,
)
from memoryapp.embeddings.model_comparison import NoComparison, compare
from memoryapp.models import Activity, EmbeddingJob, EmbeddingSpace
from memoryapp.models.embedding_jobs import BATCH_SIZE, EmbeddingJobQuerySet
from memoryapp.models.prices import embedding_prices
from memoryapp.models.usage import TOKENS_PER_PRICE
from memoryapp.providers.configured import space_of
from memoryapp.providers.embeddings import MAX_CHARACTERS
from memoryapp.runs.locks import lock_out_writers

#: How long vectors that no search uses are kept.
KEEP_OLD_VECTORS_FOR = timedelta(days=7)
#: Vectors that are deleted per transaction, so that writers do not wait for long.
DELETE_BATCH_SIZE = 2_000
#: Characters per token, roughly: enough for an estimate.
CHARACTERS_PER_TOKEN = 4


class ReembeddingRunning(Exception):
    """Another change of model is under way; the message says what to do."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "Another change of the embedding model is already running. Cancel it first, or "
                "wait until it is done."
            )
        )


class TooLate(Exception):
    """The job is no longer in the state that the button was shown for."""

    def __init__(self) -> None:
        super().__init__(
            translatable("The job has changed since this page was made. This is its state now.")
        )


@dataclass(frozen=True)
class ReembeddingEstimate:
    """The effort of embedding everything with another model."""

    memories: int
    #: Turns in the palace.
    turns: int
    #: Calls to the provider; 0 for the built-in embedder.
    calls: int
    tokens: int
    #: None if its price is not known.
    cost: Decimal | None


def is_under_way(instance: Instance) -> bool:
    """True if *instance* is changing to another embedding model."""
    return instance.embedding_jobs.filter(kind=EmbeddingJob.Kind.REEMBED).open().exists()


def estimate(instance: Instance, choice: EmbeddingChoice) -> ReembeddingEstimate:
    """Estimate the effort of switching to *choice*, without vectors that exist already."""
    space = space_of(choice)
    memories, turns = (kind.without_vector(instance, space) for kind in (MEMORIES, DRAWERS))
    many, spoken = memories.count(), turns.count()
    if choice.is_builtin:
        return ReembeddingEstimate(many, spoken, 0, 0, None)
    characters = _characters(memories, "content") + _characters(
        turns, Coalesce("message__content", "note")
    )
    tokens = -(-characters // CHARACTERS_PER_TOKEN)
    price = embedding_prices(instance, choice).prompt
    cost = None if price is None else tokens * price / TOKENS_PER_PRICE
    return ReembeddingEstimate(
        many, spoken, -(-many // BATCH_SIZE) - (-spoken // BATCH_SIZE), tokens, cost
    )


def _characters(rows: QuerySet[Any], text: str | Coalesce) -> int:
    """The number of characters of *rows* that are sent to the model."""
    return rows.aggregate(n=Sum(Least(Length(text), MAX_CHARACTERS)))["n"] or 0


def start(
    instance: Instance,
    choice: EmbeddingChoice,
    *,
    by: User | None,
    key: str = "",
    compares: bool = True,
) -> EmbeddingJob:
    """Start a job that makes the vectors of *choice*. *key* is the API key of its provider.

    Raises `ReembeddingRunning` while another re-embedding is under way.
    """
    with transaction.atomic():
        lock_out_writers(instance)
        instance = Instance.objects.select_for_update().get(pk=instance.pk)
        jobs = EmbeddingJob.objects.filter(instance=instance, kind=EmbeddingJob.Kind.REEMBED)
        if jobs.open().exists():
            raise ReembeddingRunning
        present = instance.embeddings
        choice = replace(choice, key=_other(present.key), dimensions=_known_length(jobs, choice))
        _store_key(instance, present, choice, key)
        # Former vectors are no longer kept for switching back, except those of *choice* itself.
        jobs.keeping().update(kept_until=None)
        return EmbeddingJob.objects.create(
            instance=instance,
            by=by,
            kind=EmbeddingJob.Kind.REEMBED,
            target=choice.as_dict(),
            former=present.as_dict(),
            compares=compares,
            total=count_without_vector(instance, space_of(choice)),
            rate=settings.BACKFILL_RATE,
        )


def _other(key: str) -> str:
    names = (SecretName.EMBEDDING_API_KEY, SecretName.OTHER_EMBEDDING_API_KEY)
    return next(str(name) for name in names if name != key)


def _known_length(jobs: EmbeddingJobQuerySet, choice: EmbeddingChoice) -> int | None:
    """The length of the vectors of *choice*, if former vectors of it are kept."""
    for job in jobs.keeping():
        former = job.former_choice
        if former and former.identity == choice.identity:
            return former.dimensions
    return None


def _store_key(
    instance: Instance,
    present: EmbeddingChoice,
    choice: EmbeddingChoice,
    key: str,
) -> None:
    """Store the API key of *choice*: the given *key*, else the one that is stored for it, else the
    present one. The latter two are used only if they belong to the server of *choice*.
    """
    stored = {secret.name: secret for secret in Secret.objects.filter(instance=instance)}
    existing, own = stored.get(choice.key), stored.get(present.key)
    if existing and not key and existing.opens(choice.address):
        return
    if existing:
        existing.delete()
    secret = Secret(instance=instance, name=choice.key)
    if key:
        secret.seal(key, choice.address)
    elif own and own.opens(choice.address):
        secret.token, secret.server, secret.ending = own.token, own.server, own.ending
    else:
        return
    secret.save()


def record_dimensions(job: EmbeddingJob, dimensions: int) -> None:
    """Store the length of the new vectors: from now on, another length is an error."""
    job.target = replace(job.choice, dimensions=dimensions).as_dict()
    job.still_mine().update(target=job.target)


def finish(job: EmbeddingJob) -> None:
    """Finish *job*, which has made all vectors: compare the models, then switch or hold."""
    if not job.is_reembedding:
        job.release(
            state=EmbeddingJob.State.DONE, finished_at=timezone.now(), total=F("done"), error=""
        )
        return
    if job.compares and job.verdict is None:
        result = compare(job)
        if isinstance(result, NoComparison):
            waits = result.answer.error is not None and not result.answer.error.was_sent
            if result.present and not waits:
                _hold(
                    job,
                    translatable(
                        "The present model does not answer, so nothing could be compared: "
                        "%(problem)s",
                        problem=result.answer.problem,
                    ),
                )
            else:
                job.postpone(result.answer.retry_after, error=result.answer.problem)
            return
        job.verdict = vars(result)
        job.still_mine().update(verdict=job.verdict)
    if job.compares and job.verdict and not ComparisonVerdict(**job.verdict).is_good:
        _hold(job, "")
        return
    _switch(job)


def _hold(job: EmbeddingJob, reason: str) -> None:
    job.release(
        state=EmbeddingJob.State.HELD,
        error=reason,
        kept_until=timezone.now() + KEEP_OLD_VECTORS_FOR,
    )


def _switch(job: EmbeddingJob) -> None:
    """Let the instance search the new vectors, unless one is missing."""
    with transaction.atomic():
        # Writers wait from here on. What they have written so far shows in is_complete().
        lock_out_writers(job.instance)
        if not job.still_mine().select_for_update().exists():
            return
        if not is_complete(job):
            return  # The job continues: it is due.
        instance = Instance.objects.select_for_update().get(pk=job.instance_id)
        former = instance.embeddings
        instance.embed_with(job.choice)
        instance.save(update_fields=instance.EMBEDDING_COLUMNS)
        now = timezone.now()
        job.release(
            state=EmbeddingJob.State.DONE,
            former=former.as_dict(),
            former_space=EmbeddingSpace.objects.filter(
                instance=instance, name=space_of(former)
            ).first(),
            total=F("done"),
            error="",
            finished_at=now,
            kept_until=now + KEEP_OLD_VECTORS_FOR,
        )
        instance.activity.record(
            Actor(job.by, "reembedding"), Activity.Action.SETTINGS, about="Embeddings"
        )


# Decisions of a person.


def cancel(job: EmbeddingJob) -> EmbeddingJob:
    """Keep the present model and delete the new vectors. Raises `TooLate`."""
    with transaction.atomic():
        lock_out_writers(job.instance)
        return _change(
            job,
            EmbeddingJob.OPEN,
            state=EmbeddingJob.State.CANCELLED,
            finished_at=timezone.now(),
            kept_until=None,
            lease_until=None,
        )


def switch_anyway(job: EmbeddingJob) -> EmbeddingJob:
    """Switch to a model that finds less, once no vector is missing. Raises `TooLate`."""
    return _change(
        job,
        [EmbeddingJob.State.HELD],
        state=EmbeddingJob.State.RUNNING,
        compares=False,
        kept_until=None,
        due_at=timezone.now(),
        lease_until=None,
        error="",
    )


def retry_now(job: EmbeddingJob) -> EmbeddingJob:
    """Call a provider that has failed again without waiting. Raises `TooLate`."""
    return _change(job, [EmbeddingJob.State.RUNNING], due_at=timezone.now())


def switch_back(job: EmbeddingJob, *, by: User | None) -> EmbeddingJob:
    """Switch back to the former model. Raises `TooLate` if its vectors have been deleted."""
    former = job.former_choice
    if former is None or not job.can_go_back:
        raise TooLate
    return start(job.instance, former, by=by, compares=False)


def _change(job: EmbeddingJob, states: Sequence[str], **changes: object) -> EmbeddingJob:
    # The conditional update decides between two requests, and between a request and the worker.
    if not job.row().filter(state__in=states).update(**changes):
        raise TooLate
    job.refresh_from_db()
    return job


# Unused vectors.


def delete_unused_vectors(instance: Instance) -> None:
    """Cancel held jobs that were not decided in time, and delete, in batches, vectors and keys that
    no search and no job uses.
    """
    overdue = EmbeddingJob.objects.filter(
        instance=instance, state=EmbeddingJob.State.HELD, kept_until__lte=timezone.now()
    )
    for job in overdue:
        with suppress(TooLate):  # It has just been decided.
            cancel(job)
    now = Instance.objects.filter(pk=instance.pk).first()
    # Check without the lock first, so that writers do not wait if there is nothing to delete.
    while now and any(rows.exists() for rows in _unused(now)) and _delete_some(now):
        pass


def _delete_some(instance: Instance) -> bool:
    """Delete up to `DELETE_BATCH_SIZE` vectors; return whether there may be more."""
    with transaction.atomic():
        lock_out_writers(instance)
        now = Instance.objects.select_for_update().filter(pk=instance.pk).first()
        if now is None:
            return False
        spaces, keys = _unused(now)
        keys.delete()
        space = spaces.first()
        if space is None:
            return False
        for kind in KINDS:
            vectors = kind.table.objects.in_space(now, space)[:DELETE_BATCH_SIZE]
            if kind.table.objects.filter(pk__in=list(vectors)).delete()[0]:
                return True
        space.delete()
        return True


def _unused(instance: Instance) -> tuple[QuerySet[EmbeddingSpace], QuerySet[Secret]]:
    """The spaces and keys that no search and no job uses."""
    needed = _choices_in_use(instance)
    spaces = EmbeddingSpace.objects.filter(instance=instance)
    if instance.embeddings.is_unnamed:
        # Which space is searched is only known after the model's first answer.
        spaces = spaces.none()
    secrets = Secret.objects.filter(instance=instance, name=_other(instance.embedding_key))
    return (
        spaces.exclude(name__in={space_of(choice) for choice in needed}),
        secrets.exclude(name__in={choice.key for choice in needed}),
    )


def _choices_in_use(instance: Instance) -> list[EmbeddingChoice]:
    """The choices whose vectors are searched, made or kept."""
    jobs = EmbeddingJob.objects.filter(instance=instance, kind=EmbeddingJob.Kind.REEMBED)
    choices = [instance.embeddings]
    for job in jobs.open() | jobs.keeping():
        choices += [choice for choice in (job.choice, job.former_choice) if choice]
    return choices
