"""Influence of a source's statements: where they were told, and what was made of them."""

from dataclasses import dataclass

from django.db.models import Min, Q, QuerySet, Sum

from memoryapp.models import (
    Answer,
    Contradiction,
    Memory,
    MemoryRevision,
    Mention,
    RecallLog,
    Statement,
    Summary,
    ToolRun,
)
from memoryapp.trust.change_source import ChangeSource
from memoryapp.trust.rollback import RollbackEffect


@dataclass(frozen=True)
class Influence:
    """Influence of a source, in numbers."""

    #: How often its memories were recalled, through any door.
    recalls: int = 0
    #: Attempts to answer for which the model was shown one of them, or found it with a tool.
    answers: int = 0
    #: Summaries of people that were written from facts, theirs among them.
    summaries: int = 0
    #: Pairs of memories that may contradict each other, with one of them.
    contradictions: int = 0
    #: Memories that were merged with one of them.
    merged: int = 0
    #: Statements and entities of the graph that were read from its messages.
    relations: int = 0
    entities: int = 0

    @property
    def any(self) -> bool:
        """True if there is any."""
        return any(vars(self).values())


def influence_of(source: ChangeSource, effect: RollbackEffect) -> Influence:
    """Return what *source* has led to, whose *effect* the caller knows."""
    ids = effect.touched
    memories = Memory.objects.filter(pk__in=ids).order_by()
    began = source.statements().aggregate(at=Min("created_at"))["at"]
    from_there = Q(drawer__message__in=source.messages().values("pk")) | Q(memory__in=ids)
    joined = MemoryRevision.objects.filter(
        memory__in=ids, reason=MemoryRevision.Reason.JOINED
    ).order_by()
    return Influence(
        recalls=memories.aggregate(number=Sum("recall_count"))["number"] or 0,
        answers=answers_with(source, effect).count(),
        summaries=Summary.objects.filter(
            instance=source.instance,
            end_user__in=memories.values("end_user"),
            written_at__gte=began,
        ).count()
        if began
        else 0,
        contradictions=Contradiction.objects.unresolved().about(*ids).count() if ids else 0,
        merged=joined.count(),
        relations=Statement.objects.filter(from_there, instance=source.instance).count(),
        entities=Mention.objects.filter(from_there, instance=source.instance)
        .values("entity")
        .distinct()
        .count(),
    )


def answers_with(source: ChangeSource, effect: RollbackEffect) -> QuerySet[Answer]:
    """The attempts to answer for which the model was shown a memory of *source* since that stated
    it, or found it with a tool; latest first.
    """
    ids = effect.touched
    answers = Answer.objects.filter(instance=source.instance)
    began = source.statements().aggregate(at=Min("created_at"))["at"]
    if not ids or began is None:
        return answers.none()
    told = RecallLog.objects.filter(
        answer__instance=source.instance, created_at__gte=began
    ).showing(ids)
    found = ToolRun.objects.filter(
        answer__instance=source.instance, created_at__gte=began, memory_ids__overlap=ids
    )
    return answers.filter(
        Q(pk__in=told.order_by().values("answer")) | Q(pk__in=found.order_by().values("answer"))
    ).order_by("-pk")
