"""Feedback on memories: of programs that they were given, and of the people whom they are about."""

from django.db import transaction
from django.utils import timezone

from instances.actor import Actor
from memoryapp.language.shortening import shortened
from memoryapp.models import Activity, Feedback, Memory
from memoryapp.models.memory import MAX_FEEDBACK_REASON
from memoryapp.pipeline.validation import admitted_text


def rate(memory: Memory, feedback: Feedback, reason: str, *, by: Actor) -> None:
    """Store what *by* says of *memory*, in place of what was said before; `Feedback.NONE` takes it
    back. It changes neither the memory nor its rank: it is for the people who look after it.
    Raises `Rejected` if the reason holds a secret and the instance refuses those.
    """
    why = shortened(admitted_text(memory.instance, reason), MAX_FEEDBACK_REASON)
    if feedback is Feedback.NONE:
        why = ""
    with transaction.atomic():
        rows = memory.row()
        if not rows.update(feedback=feedback, feedback_reason=why):
            raise Memory.DoesNotExist
        memory.instance.activity.record(
            by, Activity.Action.RATED, memory_id=memory.pk, end_user=memory.end_user
        )
    memory.feedback, memory.feedback_reason = feedback, why


def confirm(memory: Memory, *, by: Actor) -> None:
    """Note that a person says that *memory* is right as it is: it counts as approved, and does not
    go stale for another while.
    """
    now = timezone.now()
    with transaction.atomic():
        if not memory.row().update(approved_at=now, verified_at=now):
            raise Memory.DoesNotExist
        memory.instance.activity.record(
            by, Activity.Action.CONFIRMED, memory_id=memory.pk, end_user=memory.end_user
        )
    memory.approved_at = memory.verified_at = now
