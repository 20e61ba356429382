"""The usage of a period, summed up by day, source, model and instance."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import reduce
from operator import add
from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Max, Q, Sum
from django.db.models.functions import TruncDate

from memoryapp.models.usage import Usage


@dataclass(frozen=True)
class Period:
    """Whole days in one time zone, the last one included."""

    first: date
    last: date
    zone: Any

    @property
    def days(self) -> list[date]:
        return [self.first + timedelta(n) for n in range((self.last - self.first).days + 1)]

    @property
    def since(self) -> datetime:
        return datetime(self.first.year, self.first.month, self.first.day, tzinfo=self.zone)

    @property
    def until(self) -> datetime:
        """The end of the last day, exclusive."""
        after = self.last + timedelta(1)
        return datetime(after.year, after.month, after.day, tzinfo=self.zone)


@dataclass(frozen=True)
class Total:
    """Calls added up."""

    calls: int = 0
    failed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    #: None if the cost of no call is known.
    cost: Decimal | None = None
    #: Calls that used tokens and whose cost is not known.
    unpriced: int = 0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "Total") -> "Total":
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Total(
            self.calls + other.calls,
            self.failed + other.failed,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            sum(costs, Decimal(0)) if costs else None,
            self.unpriced + other.unpriced,
        )


@dataclass(frozen=True)
class Failure:
    """Calls that failed for one reason."""

    kind: str
    calls: int
    sources: frozenset[str]
    last_at: datetime
    #: The error of the last one.
    error: str


@dataclass(frozen=True)
class UsageReport:
    """The usage of a period."""

    period: Period
    #: By day and source; those without calls are missing.
    by_day: defaultdict[date, defaultdict[str, Total]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Total))
    )
    by_source: defaultdict[str, Total] = field(default_factory=lambda: defaultdict(Total))
    by_model: defaultdict[str, Total] = field(default_factory=lambda: defaultdict(Total))
    #: By the instance's id.
    by_instance: defaultdict[int, Total] = field(default_factory=lambda: defaultdict(Total))
    failures: list[Failure] = field(default_factory=list)

    @property
    def total(self) -> Total:
        return reduce(add, self.by_instance.values(), Total())


def statement(instances: Collection[int], period: Period) -> UsageReport:
    """Add up what *instances*, by their ids, used in *period*; in three queries.

    One pass over the calls gives sums by all four at once, few enough to add up further here.
    """
    report = UsageReport(period)
    rows = (
        Usage.objects.filter(instance__in=instances, at__gte=period.since, at__lt=period.until)
        .order_by()
        .values_list(TruncDate("at", tzinfo=period.zone), "source", "model", "instance")
        .annotate(
            calls=Count("pk"),
            failed=Count("pk", filter=~Q(error_kind="")),
            read=Sum("prompt_tokens"),
            written=Sum("completion_tokens"),
            costs=Sum("cost"),
            unpriced=Count("pk", filter=Q(cost=None) & ~Q(prompt_tokens=0, completion_tokens=0)),
        )
    )
    for day, source, model, instance, *sums in rows:
        total = Total(*sums)
        report.by_day[day][source] += total
        report.by_source[source] += total
        report.by_model[model] += total
        report.by_instance[instance] += total
    report.failures.extend(failures(instances, period))
    return report


def failures(instances: Collection[int], period: Period) -> Iterator[Failure]:
    """Why calls failed, the most frequent reason first."""
    failed = Usage.objects.failed().filter(
        instance__in=instances, at__gte=period.since, at__lt=period.until
    )
    latest = failed.order_by("error_kind", "-at", "-id").distinct("error_kind")
    words = dict(latest.values_list("error_kind", "error"))
    rows = (
        failed.order_by()
        .values("error_kind")
        .annotate(calls=Count("pk"), last_at=Max("at"), sources=ArrayAgg("source", distinct=True))
    )
    for row in rows.order_by("-calls", "error_kind"):
        kind = row["error_kind"]
        yield Failure(
            kind, row["calls"], frozenset(row["sources"]), row["last_at"], words.get(kind, "")
        )
