"""Applies the list of erasures to a database that is older than it."""

from pathlib import Path

from django.db import transaction

from memoryapp.models import Erasure
from memoryapp.people.erasure import work_on
from memoryapp.people.erasure_list import not_applied
from memoryapp.people.inventory import ids_with_hashes

#: Who asked for it, on the certificate.
ASKED_BY = "a restored backup"


def apply(file: Path | None) -> list[Erasure]:
    """Erase again whom this database, restored from a backup, still knows by the list in *file*,
    and finish what was under way when the backup was made; return the erasures.

    Raises `BadList` and `OSError`. It can be stopped and repeated.
    """
    applied = []
    for listed, instance in not_applied(file) if file else []:
        with transaction.atomic():
            erasure = Erasure.objects.create(
                instance=instance,
                uid=listed.uid,
                ids=ids_with_hashes(instance, listed.hashes),
                hashes=list(listed.hashes),
                asked_at=listed.asked_at,
                asked_by=ASKED_BY,
                via="restore",
                with_rules=listed.with_rules,
                listed_at=listed.asked_at,
            )
        work_on(erasure)
        applied.append(erasure)
    for erasure in Erasure.objects.due().select_related("instance"):
        work_on(erasure)
        applied.append(erasure)
    return applied
