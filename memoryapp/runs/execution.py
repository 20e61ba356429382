"""Queues, carries out and ends runs over conversations."""

import logging
from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from conversations.models import Conversation
from instances.translatable import as_translatable, internal_error
from memoryapp.models import Run
from memoryapp.providers.errors import ProviderError

logger = logging.getLogger(__name__)

Errors = tuple[type[Exception], ...]


class Superseded(Exception):
    """Another worker has taken this run over."""


def queue_all(
    conversations: QuerySet[Conversation],
    kind: Run.Kind,
    to_do: QuerySet[Any],
    *,
    with_model: bool = True,
) -> int:
    """Queue a run over each of *conversations* that has *to_do* and no run waiting; return how
    many. The sweeper hands them to the workers, a few at a time.

    For messages that were committed before: a worker that claims a waiting run sees them already.
    """
    waiting = Run.objects.filter(conversation=OuterRef("pk"), kind=kind, state=Run.State.QUEUED)
    rows = conversations.filter(Exists(to_do), ~Exists(waiting), without_memory=False)
    rows = rows.order_by("pk")
    runs = [
        Run(instance_id=instance, conversation_id=pk, kind=kind, with_model=with_model)
        for pk, instance in rows.values_list("pk", "instance")
    ]
    Run.objects.bulk_create(runs, batch_size=1000, ignore_conflicts=True)
    return len(runs)


def carry_out(
    run: Run,
    work: Callable[[Run], None],
    *,
    retry_on: Errors,
    give_up_on: Errors = (),
    retry_every_provider_error: bool = False,
) -> None:
    """Do the *work* of *run*, which the caller has claimed: it ends succeeded, queued again, or
    failed.

    *work* ends the run with `finish`, in the transaction that stores its results: a worker that
    dies at any moment leaves either nothing or everything. A provider's error says whether another
    attempt can help, unless ``retry_every_provider_error`` is set.
    """
    try:
        work(run)
    except ProviderError as error:
        run.try_later_after(error, retryable=True if retry_every_provider_error else None)
    except Superseded:
        logger.info("run %s was taken over by another worker", run.pk)
    except Exception as error:
        if isinstance(error, retry_on + give_up_on):
            run.try_later(str(error), retryable=isinstance(error, retry_on))
            return
        # People see the kind of error on the conversation; the log has the traceback.
        logger.exception("run %s failed", run.pk)
        run.try_later(internal_error(error), retryable=True)


def finish(run: Run, **results: Any) -> None:
    """End *run* with these *results*, if it is still this worker's; else raise `Superseded`."""
    if not run.release(state=Run.State.SUCCEEDED, finished_at=timezone.now(), **results):
        raise Superseded


def rejected(dropped: Iterable[Any]) -> list[dict[str, Any]]:
    """Dropped items as a run stores them: their positions and reasons, never their text."""
    return [{"position": item.position, "reason": as_translatable(item.reason)} for item in dropped]
