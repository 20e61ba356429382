"""Going stale: what has passed its last day, or has not been asked for in a long time.

A mark and no more: what is stale ranks a little lower, and stays until somebody deletes it.
"""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Activity, Memory
from memoryapp.runs.locks import lock_out_writers


@transaction.atomic
def mark_stale(instance: Instance) -> int:
    """Mark the memories of *instance* that have gone stale, and take the mark from those that the
    present settings would not give it; return how many are newly marked.

    Rows that somebody holds are passed over instead of waited for, so that this never stands in a
    circle with those who recall or write. They are in use, which is the opposite of stale, and the
    next night looks again.
    """
    now = timezone.now()
    memories = Memory.objects.in_instance(instance)
    fresh = memories.stale().exclude(memories.due_to_go_stale(instance, now)).free_rows()
    memories.filter(pk__in=fresh).update(stale_since=None)
    due = memories.filter(memories.due_to_go_stale(instance, now), stale_since=None).free_rows()
    return memories.filter(pk__in=due).update(stale_since=now)


def keep_current(instance: Instance, memories: QuerySet[Memory], *, by: Actor) -> int:
    """Note that somebody says of *memories* that they still hold; return how many there were."""
    with transaction.atomic():
        lock_out_writers(instance)
        ids = list(memories.filter(instance=instance).values_list("pk", flat=True))
        Memory.objects.filter(pk__in=ids).update(stale_since=None, verified_at=timezone.now())
        if ids:
            instance.activity.record(
                by,
                Activity.Action.UPDATED,
                memory_id=ids[0] if len(ids) == 1 else None,
                count=len(ids),
            )
    return len(ids)
