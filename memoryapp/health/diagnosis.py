"""Figures about the memory of an instance: counts, distributions, waiting and failed work."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from instances.models import CircuitBreaker, Instance
from memoryapp.embeddings.embedder import embedding_problem
from memoryapp.embeddings.missing_vectors import DRAWERS
from memoryapp.health.duplicate_scan import DuplicateGroups, duplicate_groups, near_duplicates
from memoryapp.health.failing_servers import failing_servers
from memoryapp.health.stalled_work import StalledWork, stalled_work
from memoryapp.health.waiting_work import WaitReason, waiting_work
from memoryapp.models import (
    CountKind,
    Drawer,
    HeldStatement,
    Memory,
    MemoryCount,
    Run,
    Summary,
    VectorIndex,
)
from memoryapp.models.memory import MAX_FADING_IMPORTANCE
from memoryapp.models.runs import RunCounts
from memoryapp.models.usage_report import Failure, Period, failures
from memoryapp.providers.configured import space_of

#: Days of growth, the last of them today.
GROWTH_DAYS = 90
#: Days in which failures of providers are counted.
FAILURE_DAYS = 7


@dataclass(frozen=True)
class Growth:
    """One day: memories that were stored before it and on it, of those that exist now."""

    day: date
    before: int
    added: int

    @property
    def total(self) -> int:
        return self.before + self.added


@dataclass
class Diagnosis:
    """The figures of one instance."""

    total: int = 0
    expired: int = 0
    stale: int = 0
    never_recalled: int = 0
    unimportant: int = 0
    #: Importance, dates and tags are not assessed yet.
    not_assessed: int = 0
    #: Groups of duplicates, and how similar the nearest memories are.
    duplicates: DuplicateGroups = field(default_factory=lambda: DuplicateGroups((), 0, ()))
    #: Without a vector in the space that is searched, and the reason, if there is one.
    without_vector: int = 0
    embedding_problem: str = ""
    by_category: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    by_importance: dict[int, int] = field(default_factory=lambda: dict.fromkeys(range(1, 11), 0))
    growth: Sequence[Growth] = ()
    #: Extractions of facts from conversations, why they wait, and minings of their messages.
    runs: RunCounts = field(default_factory=RunCounts)
    waiting_for: WaitReason = WaitReason.NONE
    filings: RunCounts = field(default_factory=RunCounts)
    #: Tasks under way for the holder of the instance, if others have to wait for them; else 0.
    share_used: int = 0
    #: True if the cost cap of the month is reached.
    capped: bool = False
    #: Summaries that could not be written.
    summaries_failed: int = 0
    #: Servers of the instance that keep failing.
    servers: Sequence[CircuitBreaker] = ()
    #: Other work that does not get on by itself.
    stalled: StalledWork = field(default_factory=lambda: StalledWork(0, 0, 0))
    #: Pairs of memories that may contradict each other.
    contradictions: int = 0
    #: Memories that say nearly the same as another one, and are no duplicates.
    near_duplicates: int = 0
    #: Statements that wait for review.
    held: int = 0
    #: Drawers of the palace, and those without a vector.
    turns: int = 0
    turns_without_vector: int = 0
    #: Approximate indexes of the space that is searched; without one, search is exact.
    indexes: Sequence[VectorIndex] = ()
    #: Failed calls to providers in the last days, by reason, the most frequent first.
    failures: Sequence[Failure] = ()

    @property
    def with_vector(self) -> int:
        return self.total - self.without_vector

    @property
    def kept_waiting(self) -> int:
        """Conversations that are kept from being read, or have waited for too long."""
        held_up = self.waiting_for not in (WaitReason.NONE, WaitReason.TURN, WaitReason.SHARE)
        return self.runs.waiting if held_up else self.runs.overdue


def diagnose(instance: Instance) -> Diagnosis:
    """Compute the figures of *instance*, with a fixed number of queries."""
    now = timezone.now()
    space = space_of(instance.embeddings)
    work = waiting_work(instance)
    drawers = Drawer.objects.filter(instance=instance)
    diagnosis = Diagnosis(
        embedding_problem=embedding_problem(instance),
        duplicates=duplicate_groups(instance),
        growth=_growth(instance, now),
        runs=work.counts,
        waiting_for=work.reason,
        filings=Run.objects.minings().filter(instance=instance).counts(),
        share_used=work.share_used,
        capped=work.capped,
        summaries_failed=Summary.objects.failed(instance).count(),
        servers=failing_servers(instance),
        stalled=stalled_work(instance),
        near_duplicates=len(near_duplicates(instance)),
        held=HeldStatement.objects.waiting().filter(instance=instance).count(),
        contradictions=instance.contradictions.filter(resolved_at=None).count(),
        turns=drawers.count(),
        turns_without_vector=DRAWERS.without_vector(instance, space).count(),
        indexes=list(instance.vector_indexes.filter(space__name=space)),
        failures=_failures(instance, now),
    )
    spread = (
        MemoryCount.objects.of(instance, CountKind.ALL)
        .order_by()
        .values_list("category", "importance")
        .annotate(
            sum=Sum("number"),
            stale_sum=Sum("number", filter=Q(stale=True), default=0),
            never=Sum("number", filter=Q(recalled=False), default=0),
        )
    )
    for category, importance, count, stale, never in spread.exclude(sum=0):
        diagnosis.total += count
        diagnosis.stale += stale
        diagnosis.never_recalled += never
        diagnosis.unimportant += count if importance <= MAX_FADING_IMPORTANCE else 0
        diagnosis.by_category[category] += count
        diagnosis.by_importance[importance] += count
    embedded = MemoryCount.objects.embedded(instance, space).number()
    diagnosis.without_vector = diagnosis.total - embedded
    diagnosis.expired = sum(MemoryCount.objects.expired(instance, timezone.localdate()).values())
    diagnosis.not_assessed = instance.memories.filter(assessed=False).count()
    return diagnosis


def _growth(instance: Instance, now: datetime) -> list[Growth]:
    """The last days in the time zone of the instance, counting only memories that still exist, by
    the day on which they were stored: an imported file may be dated years ago.
    """
    zone = ZoneInfo(instance.time_zone)
    first = now.astimezone(zone).date() - timedelta(GROWTH_DAYS - 1)
    begin = datetime.combine(first, time(), tzinfo=zone)
    memories = Memory.objects.in_instance(instance).order_by()
    before = memories.filter(stored_at__lt=begin).count()
    days = (
        memories.filter(stored_at__gte=begin)
        .values_list(TruncDate("stored_at", tzinfo=zone))
        .annotate(count=Count("pk"))
    )
    added: Mapping[date, int] = dict(days)
    growth = []
    for number in range(GROWTH_DAYS):
        day = first + timedelta(number)
        growth.append(Growth(day, before, added.get(day, 0)))
        before = growth[-1].total
    return growth


def _failures(instance: Instance, now: datetime) -> list[Failure]:
    today = instance.date_of(now)
    period = Period(today - timedelta(FAILURE_DAYS - 1), today, ZoneInfo(instance.time_zone))
    return list(failures([instance.pk], period))
