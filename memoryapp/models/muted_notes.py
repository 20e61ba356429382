"""Sentences that were taken out of notes of the palace because they state what was forgotten, for
as long as that can be undone.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import ClassVar, Self

from django.db import models
from django.utils import timezone

from instances.models import Instance
from instances.models.content_keys import InstanceContent, OneToOneContentKey
from memoryapp.models.archived_memories import ArchivedMemory
from memoryapp.models.muted_messages import BLACKED_OUT
from memoryapp.models.palace import Drawer

_FILLER = BLACKED_OUT[0]
_FILLED = re.compile(f"{_FILLER}+")


class MutedNoteQuerySet(models.QuerySet["MutedNote"]):
    def stating(self, memory_ids: Collection[int]) -> Self:
        """Notes from which one of these memories was taken out."""
        return self.filter(taken_out__has_any_keys=[str(pk) for pk in memory_ids])

    def delete_final(self, before: datetime) -> None:
        """Delete what states memories that were deleted *before*, and are not in the bin."""
        for row in self.filter(muted_at__lt=before):
            ids = {int(pk) for pk in row.taken_out}
            archived = ArchivedMemory.objects.filter(instance=row.instance_id, memory_id__in=ids)
            in_bin = set(archived.values_list("memory_id", flat=True))
            if not in_bin:
                row.delete()
            elif gone := [str(pk) for pk in ids - in_bin]:
                parts = [part for pk in gone for part in row.taken_out.pop(pk)]
                row.note = _filled(row.note, parts)
                row.save(update_fields=["note", "taken_out"])


class MutedNote(InstanceContent):
    """A note as it was, and the parts of it that state forgotten memories."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="+")
    drawer = OneToOneContentKey(Drawer, on_delete=models.CASCADE, related_name="muted_note")
    note = models.TextField()
    #: By the ids of the memories: beginnings and ends of parts of `note`.
    taken_out = models.JSONField(default=dict)
    muted_at = models.DateTimeField(default=timezone.now)

    objects = MutedNoteQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["muted_at"], name="muted_note_age")]

    def __str__(self) -> str:
        return f"Of drawer {self.drawer_id}"

    @property
    def shown(self) -> str:
        """The note without what was taken out."""
        parts = [part for of_memory in self.taken_out.values() for part in of_memory]
        return _FILLED.sub(BLACKED_OUT, _filled(self.note, parts))


def _filled(text: str, parts: Iterable[Sequence[int]]) -> str:
    """Return *text* with each character of *parts* replaced."""
    for start, end in parts:
        text = text[:start] + _FILLER * (end - start) + text[end:]
    return text
