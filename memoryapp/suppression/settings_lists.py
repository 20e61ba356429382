"""Changes of the lists that stand with an instance, since every text that is kept or sent is
compared with them.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction

from instances.activity import InstanceAction, record
from instances.actor import Actor
from instances.models import Instance


@transaction.atomic
def change_list(
    instance: Instance,
    column: str,
    change: Callable[[list[Any]], list[Mapping[str, Any]]],
    *,
    about: str,
    by: Actor,
) -> bool:
    """Store what *change* makes of the list in *column*, as it is now: two managers may change it
    at once. False if that is what it was. The activity log says what it was *about*, and no more:
    members who are no managers read it.
    """
    rows = Instance.objects.select_for_update(of=("self",)).values_list(column, flat=True)
    before = rows.get(pk=instance.pk)
    after = change(before)
    if after == before:
        return False
    setattr(instance, column, after)
    instance.save(update_fields=[column])
    record(instance, by, InstanceAction.SETTINGS, about=about, changes=[(column,)])
    return True
