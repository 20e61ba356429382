"""Forgets what an assistant has proposed to forget, once a person agrees."""

from collections.abc import Mapping
from datetime import datetime

from instances.models import User
from memoryapp.forgetting.deletion import DeletionResult, forget_undoably
from memoryapp.models import Answer, Memory, ProposedDeletion


class AlreadyDecided(Exception):
    """Another person has decided meanwhile."""


def forget_proposed(answer: Answer, seen: Mapping[int, datetime], *, by: User) -> DeletionResult:
    """Forget those memories that *answer* proposes to forget and that still are as *by* has *seen*
    them: their ids with the times of their last changes.

    Raises `AlreadyDecided`.
    """
    proposed = answer.proposed_deletions.filter(memory_id__in=seen)
    undecided = proposed.undecided().values("memory_id")

    def decide(ids: list[int]) -> None:
        chosen = proposed.filter(memory_id__in=ids)
        if chosen.decide(ProposedDeletion.Decision.FORGOTTEN, by=by) != len(ids):
            raise AlreadyDecided

    if not undecided.exists():
        raise AlreadyDecided
    return forget_undoably(
        answer.instance,
        Memory.objects.filter(pk__in=undecided).as_seen(seen),
        by=by,
        asked_in=answer.message,
        then=decide,
    )
