"""Order and limits of waiting work, so that each holder gets a share.

A holder is an instance, or a person for all of their private instances: see `Instance.holder`.
"""

from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Case, Model, QuerySet, When, Window
from django.db.models.functions import RowNumber

from conversations.models import Import
from instances.models import Instance
from memoryapp.models.embedding_jobs import EmbeddingJob
from memoryapp.models.runs import Run
from memoryapp.models.summaries import Summary

#: Slots of its share that some of a holder's work leaves free: imported conversations leave room
#: for vectors and summaries, and both leave room for new messages.
BULK_LEAVES, BACKGROUND_LEAVES = 2, 1

Row = TypeVar("Row", bound=Model)


def in_turn(rows: QuerySet[Row], *order_by: Any, each: int) -> QuerySet[Row]:
    """Order *rows* so that holders take turns, with up to *each* rows of one holder."""
    shared = Case(When(instance__private_to=None, then="instance"))
    turn = Window(RowNumber(), partition_by=["instance__private_to", shared], order_by=order_by)
    turns: QuerySet[Any] = rows.annotate(turn=turn).filter(turn__lte=each)
    return turns.order_by("turn", *order_by)


def of_holder(rows: QuerySet[Row], instance: Instance) -> QuerySet[Row]:
    """Narrow *rows* to those of the holder of *instance*."""
    if instance.private_to_id is None:
        return rows.filter(instance=instance)
    return rows.filter(instance__private_to=instance.private_to_id)


def under_way(instance: Instance) -> int:
    """The number of tasks under way for the holder of *instance*."""
    tables: list[QuerySet[Any]] = [
        Run.objects.filter(state=Run.State.RUNNING),
        Summary.objects.exclude(lease_until=None),
        EmbeddingJob.objects.exclude(lease_until=None),
        Import.objects.filter(state__in=Import.AT_WORK),
    ]
    first, *others = (of_holder(rows, instance).order_by().values("pk") for rows in tables)
    return first.union(*others, all=True).count()


def waits_for_share(instance: Instance) -> int:
    """The number of tasks under way for the holder, if others have to wait; else 0."""
    count = under_way(instance)
    return count if count >= max(1, settings.WORKER_SHARE - BULK_LEAVES) else 0
