"""Mark memories as stale: past their last day, or unused for a long time.

It is only a mark: stale memories rank a little lower, and stay until a person deletes them.
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
    """Mark the memories of *instance* that have gone stale, and unmark those that are not stale by
    the present settings; return how many are newly marked.

    Locked rows are skipped, so that this never deadlocks with recall or a writer. They are in use,
    which is the opposite of stale, and the next nightly run looks at them again.
    """
    now = timezone.now()
    memories = Memory.objects.in_instance(instance)
    fresh = memories.stale().exclude(memories.due_to_go_stale(instance, now)).free_rows()
    unmarked = memories.filter(pk__in=fresh).update(stale_since=None)
    due = memories.filter(memories.due_to_go_stale(instance, now), stale_since=None).free_rows()
    marked = memories.filter(pk__in=due).update(stale_since=now)
    by = Actor(via="decay")
    if unmarked:
        instance.activity.record(by, Activity.Action.MARKED_FRESH, count=unmarked)
    if marked:
        instance.activity.record(by, Activity.Action.MARKED_STALE, count=marked)
    return marked


def keep_current(instance: Instance, memories: QuerySet[Memory], *, by: Actor) -> int:
    """Store that a person has confirmed *memories*; return how many there were."""
    with transaction.atomic():
        lock_out_writers(instance)
        ids = list(memories.filter(instance=instance).values_list("pk", flat=True))
        Memory.objects.filter(pk__in=ids).update(stale_since=None, verified_at=timezone.now())
        instance.activity.record_memories(by, Activity.Action.UPDATED, ids)
    return len(ids)
