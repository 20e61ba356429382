"""Whose turn it is: the waiting work of all holders, each of whom gets a share.

A holder is an instance, or a person for all of their private instances: see `Instance.holder`.
"""

from typing import Any, TypeVar

from django.db.models import Case, F, Model, Q, QuerySet, When, Window
from django.db.models.functions import RowNumber

from instances.models import Instance

Row = TypeVar("Row", bound=Model)


def in_turn(rows: QuerySet[Row], *order_by: Any, each: int) -> QuerySet[Row]:
    """Order *rows*, which belong to instances: the first of each holder, then the second of each,
    up to the number *each*. What is first is for *order_by* to say.
    """
    holder = [F("instance__private_to"), Case(When(instance__private_to=None, then="instance"))]
    turn = Window(RowNumber(), partition_by=holder, order_by=order_by)
    return rows.annotate(turn=turn).filter(turn__lte=each).order_by("turn", *order_by)


def of_holder(rows: QuerySet[Row], instance: Instance) -> QuerySet[Row]:
    """Narrow *rows* to those of the holder of *instance*."""
    if instance.private_to_id is None:
        return rows.filter(instance=instance)
    return rows.filter(Q(instance__private_to=instance.private_to_id))
