"""Takes labels away from memories that others have stated as well."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import QuerySet

from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Activity, Memory
from memoryapp.policy.labels import without
from memoryapp.runs.locks import lock_memories

#: Rows of one statement.
BATCH_SIZE = 500


def take_labels(
    instance: Instance, memories: QuerySet[Memory], labels: Collection[str], *, by: Actor
) -> int:
    """Take *labels* away from those of *memories* that have others of the same kind; return how
    many there were. The other memories stay as they are.
    """
    if not labels:
        return 0
    with transaction.atomic():
        ids = lock_memories(instance, memories)
        changed = []
        for memory in Memory.objects.filter(pk__in=ids).only("labels"):
            left = without(memory.labels, labels)
            if left != memory.labels:
                memory.labels = left
                changed.append(memory)
        Memory.objects.bulk_update(changed, ["labels"], batch_size=BATCH_SIZE)
        ids = [memory.pk for memory in changed]
        instance.activity.record_memories(by, Activity.Action.UPDATED, ids)
    return len(changed)
