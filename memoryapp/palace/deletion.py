"""Deleting drawers: what was said stays in its conversation, and is not filed again."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Activity, Drawer, Unfiled


@dataclass(frozen=True)
class DeletedDrawers:
    """A deletion that has been done."""

    #: All of them, notes included.
    count: int
    #: Those that were notes: they are gone, as no message holds them.
    notes: int


def delete_drawers(instance: Instance, drawers: QuerySet[Drawer], *, by: Actor) -> DeletedDrawers:
    """Delete *drawers* of *instance*, with their vectors and words, and what they leave empty."""
    with transaction.atomic():
        chosen = Drawer.objects.filter(pk__in=drawers.filter(instance=instance).values("pk"))
        rows = dict(
            Drawer.objects.filter(pk__in=chosen.hold(instance.pk)).values_list("pk", "message")
        )
        said = [message for message in rows.values() if message is not None]
        Unfiled.objects.bulk_create(
            (Unfiled(instance=instance, message_id=message, stays_out=True) for message in said),
            ignore_conflicts=True,
        )
        Drawer.objects.filter(pk__in=list(rows)).delete()
        if rows:
            instance.activity.record(by, Activity.Action.UNFILED, count=len(rows))
    return DeletedDrawers(len(rows), len(rows) - len(said))
