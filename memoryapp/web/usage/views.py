"""The `/usage` screen: tokens and cost of calls to providers, and the used part of the cap."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Min, Sum
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from instances.access import Request, visible_instance
from instances.models import Instance
from instances.url_state import FilterChip, URLState, one_of, parsed
from memoryapp.models import Usage
from memoryapp.models.spending import with_spending
from memoryapp.models.usage_report import Failure, Period, Total, UsageReport, statement
from memoryapp.providers.errors import ErrorKind
from memoryapp.web.charts import Bars, draw

#: Days of ranges that end today, by their names in the URL.
RANGES = {"7": 7, "30": 30, "90": 90}
DEFAULT_RANGE = "30"
#: The two series of the chart: calls that a person waits for, and background work.
CHAT, BACKGROUND = "chat", "memory"

REASONS = {
    ErrorKind.UNREACHABLE: "Could not be reached",
    ErrorKind.TIMEOUT: "No answer in time",
    ErrorKind.RATE_LIMITED: "Too many calls, or no credit left",
    ErrorKind.UNAUTHORIZED: "Key refused",
    ErrorKind.BAD_REQUEST: "Call refused",
    ErrorKind.NOT_ALLOWED: "Address not allowed",
    ErrorKind.SERVER_ERROR: "Error on the provider’s side",
    ErrorKind.UNUSABLE_ANSWER: "Unusable answer",
}

#: The forecast for the month extrapolates the cost of this many days.
MIN_DAYS_FOR_FORECAST = 7


def _month(name: str) -> date | None:
    """Return the first day of a month such as 2026-11; None if *name* is none."""
    match = re.fullmatch(r"(20\d\d)-(0[1-9]|1[0-2])", name, re.ASCII)
    return date(int(match[1]), int(match[2]), 1) if match else None


def _range(text: str) -> str:
    known = text in RANGES or _month(text) is not None
    return text if known and text != DEFAULT_RANGE else ""


@dataclass(frozen=True)
class UsageView(URLState):
    """The state of the screen, from its URL."""

    url_name = "usage"

    #: None: all instances that the person may see.
    instance: Instance | None
    #: Days that end today, or a month; empty: the default.
    range: str = parsed(_range)
    #: `tokens`, or empty for cost where there is any.
    show: str = one_of(["tokens"])

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of the days of the chart."""
        return ZoneInfo(self.instance.time_zone if self.instance else settings.TIME_ZONE)

    @property
    def today(self) -> date:
        return timezone.now().astimezone(self.zone).date()

    @property
    def period(self) -> Period:
        first = _month(self.range)
        if first is not None:
            return Period(first, min(_end_of_month(first), max(first, self.today)), self.zone)
        return Period(
            self.today - timedelta(RANGES[self.range or DEFAULT_RANGE] - 1), self.today, self.zone
        )

    @property
    def ranges(self) -> list[FilterChip]:
        month = self.today.replace(day=1)
        previous = (month - timedelta(1)).replace(day=1)
        names = {"" if name == DEFAULT_RANGE else name: f"{RANGES[name]} days" for name in RANGES}
        months = {f"{each:%Y-%m}": f"{each:%B}" for each in (month, previous)}
        if self.range not in names | months:
            months[self.range] = f"{self.period.first:%B %Y}"
        return self.chips_for("range", names | months)


@dataclass(frozen=True)
class UsageLine:
    """A row of a table, with its share of the whole in percent."""

    label: str
    total: Total
    share: int
    url: str = ""


@dataclass(frozen=True)
class Cap:
    """How much of its cap an instance has used this month, with a forecast."""

    instance: Instance
    spent: Decimal
    #: Extrapolated from the last days; None without enough of them.
    by_month_end: Decimal | None
    month_end: date

    @property
    def cap(self) -> Decimal | None:
        return self.instance.monthly_cap

    @property
    def reached(self) -> bool:
        return self.cap is not None and self.spent >= self.cap


@require_GET
def usage(request: Request) -> HttpResponse:
    """Show the usage in a range of days, of one instance or of all that the person may see."""
    slug = request.GET.get("instance", "")
    instance = visible_instance(request, slug) if slug else None
    visible = {i.pk: i for i in Instance.objects.visible_to(request.user)}
    view = UsageView.parse(request.GET, instance=instance)
    report = statement([instance.pk] if instance else list(visible), view.period)
    priced = report.total.cost is not None
    by_cost = priced and view.show != "tokens"
    context = {
        "section": "usage",
        "view": view,
        "books": report,
        "total": report.total,
        "priced": priced,
        "by_cost": by_cost,
        "chart": _chart(report, by_cost=by_cost),
        "sources": _lines(report.by_source, dict(Usage.Source.choices), by_cost=by_cost),
        "models": _lines(report.by_model, {"": "unnamed"}, by_cost=by_cost),
        "instances_used": _by_instance(report, visible, view, by_cost=by_cost),
        "failures": failures_in_words(report.failures),
        "cap": _cap(instance, view) if instance else None,
        "capped": _capped(visible) if instance is None else [],
        "has_prices": _has_prices(instance, visible),
    }
    return render(request, "usage/page.html", context)


def _chart(report: UsageReport, *, by_cost: bool) -> Bars[date] | None:
    days = []
    for day in report.period.days:
        amounts = {CHAT: Decimal(0), BACKGROUND: Decimal(0)}
        for source, total in report.by_day.get(day, {}).items():
            amounts[CHAT if source == Usage.Source.CHAT else BACKGROUND] += _amount(total, by_cost)
        days.append((day, list(amounts.items())))
    return draw(days)


def _amount(total: Total, by_cost: bool) -> Decimal:
    return (total.cost or Decimal(0)) if by_cost else Decimal(total.tokens)


def _lines(
    totals: Mapping[str, Total], labels: Mapping[str, str], *, by_cost: bool
) -> list[UsageLine]:
    """Return rows, the largest amount first."""
    whole = sum((_amount(total, by_cost) for total in totals.values()), Decimal(0))
    ordered = sorted(totals.items(), key=lambda item: (-_amount(item[1], by_cost), item[0]))
    return [
        UsageLine(
            labels.get(name, name), total, round(100 * _amount(total, by_cost) / (whole or 1))
        )
        for name, total in ordered
    ]


def _by_instance(
    report: UsageReport, visible: Mapping[int, Instance], view: UsageView, *, by_cost: bool
) -> list[UsageLine]:
    """Return rows that link to the usage of each instance; none if only one is shown."""
    if view.instance is not None:
        return []
    totals = {visible[pk].slug: total for pk, total in report.by_instance.items()}
    names = {instance.slug: instance.name for instance in visible.values()}
    return [
        UsageLine(
            names[line.label],
            line.total,
            line.share,
            f"{reverse('usage')}?{view.query(instance=line.label)}",
        )
        for line in _lines(totals, {}, by_cost=by_cost)
    ]


def failures_in_words(failures: Iterable[Failure]) -> list[tuple[str, str, Failure]]:
    """Return each failure with its cause and its purpose in words."""
    return [
        (
            REASONS.get(ErrorKind(failure.kind), failure.kind),
            ", ".join(label for name, label in Usage.Source.choices if name in failure.sources),
            failure,
        )
        for failure in failures
    ]


def _cap(instance: Instance, view: UsageView) -> Cap | None:
    """Return the cost of the month so far; None if it is unknown."""
    spent = with_spending(Instance.objects.filter(pk=instance.pk)).get().spent  # type: ignore[attr-defined]  # Annotated.
    if instance.monthly_cap is None and not spent:
        return None
    return Cap(instance, spent, _by_month_end(instance, spent, view), _end_of_month(view.today))


def _by_month_end(instance: Instance, spent: Decimal, view: UsageView) -> Decimal | None:
    """Extrapolate the cost of the last days to the end of the month; None in the first days of an
    instance, which may not be typical.
    """
    now = timezone.now()
    began = instance.usage.aggregate(first=Min("at"))["first"]
    if began is None or began > now - timedelta(MIN_DAYS_FOR_FORECAST):
        return None
    recent = instance.usage.filter(at__gt=now - timedelta(MIN_DAYS_FOR_FORECAST)).aggregate(
        cost=Sum("cost")
    )["cost"]
    days_left = (_end_of_month(view.today) - view.today).days
    return spent + (recent or Decimal(0)) / MIN_DAYS_FOR_FORECAST * days_left


def _capped(visible: Mapping[int, Instance]) -> list[Cap]:
    """Return the instances that have a cap, with how much of it is used."""
    capped = with_spending(Instance.objects.filter(pk__in=visible, monthly_cap__isnull=False))
    return [
        Cap(instance, instance.spent, None, _end_of_month(instance.date_of(timezone.now())))  # type: ignore[attr-defined]  # Annotated.
        for instance in capped
    ]


def _has_prices(instance: Instance | None, visible: Mapping[int, Instance]) -> bool:
    instances = [instance] if instance else visible.values()
    return any(i.prompt_price is not None or i.embedding_price is not None for i in instances)


def _end_of_month(day: date) -> date:
    return (day.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1)
