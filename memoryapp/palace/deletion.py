"""Delete drawers: their messages stay in the conversation, and are not filed again."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Activity, Drawer, Unfiled


@dataclass(frozen=True)
class DeletedDrawers:
    """The result of a deletion."""

    #: Including notes.
    count: int
    #: Notes: their text is lost, since no message holds it.
    notes: int


def delete_drawers(instance: Instance, drawers: QuerySet[Drawer], *, by: Actor) -> DeletedDrawers:
    """Delete *drawers* of *instance*, with their vectors, and places that are empty then."""
    with transaction.atomic():
        chosen = Drawer.objects.filter(pk__in=drawers.filter(instance=instance).values("pk"))
        rows = dict(
            Drawer.objects.filter(pk__in=chosen.hold(instance.pk)).values_list("pk", "message")
        )
        messages = [message for message in rows.values() if message is not None]
        unfiled = (Unfiled(instance=instance, message_id=pk, stays_out=True) for pk in messages)
        Unfiled.objects.bulk_create(unfiled, ignore_conflicts=True)
        Drawer.objects.filter(pk__in=list(rows)).delete()
        if rows:
            instance.activity.record(by, Activity.Action.UNFILED, count=len(rows))
    return DeletedDrawers(len(rows), len(rows) - len(messages))
