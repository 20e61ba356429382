"""Deleting memories, for real: rows, vectors, revisions and links go at once."""

from django.db import transaction
from django.db.models import QuerySet

from instances.models import Instance, User
from memoryapp.models import Activity, Memory


def forget(instance: Instance, memories: QuerySet[Memory], *, by: User | None) -> int:
    """Delete *memories* of *instance*; return how many there were. The ledger keeps their number
    and, for a single one, its id, never the text.
    """
    with transaction.atomic():
        ids = list(
            memories.filter(instance=instance)
            .order_by("pk")
            .select_for_update(of=("self",))
            .values_list("pk", flat=True)
        )
        Memory.objects.filter(pk__in=ids).delete()
        if ids:
            Activity.objects.create(
                instance=instance,
                action=Activity.Action.DELETED,
                by=by,
                via="screen",
                memory_id=ids[0] if len(ids) == 1 else None,
                count=len(ids),
            )
    return len(ids)
