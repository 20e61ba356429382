"""The `/status/usage` screen: tokens and cost of calls to providers; the used part of the cap."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import reduce
from operator import add
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Min, Sum
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext
from django.views.decorators.http import require_GET

from instances.access import Request, visible_instance
from instances.models import Instance
from instances.url_state import FilterChip, URLState, parsed
from memoryapp.models import Usage
from memoryapp.models.prices import embedding_prices, language_model_prices
from memoryapp.models.spending import spent_by
from memoryapp.models.usage_report import Failure, Period, Total, UsageReport, statement
from memoryapp.providers.errors import ErrorKind
from memoryapp.providers.list_prices import as_of
from memoryapp.web.amounts import price, tokens
from memoryapp.web.charts import Bars, draw
from memoryapp.web.day_formats import month as month_of
from memoryapp.web.day_formats import weekday

#: Days of ranges that end today, by their names in the URL.
RANGES = {"7": 7, "30": 30, "90": 90}
DEFAULT_RANGE = "30"
#: The two series of the chart: calls that a person waits for, and background work.
CHAT, BACKGROUND = "chat", "memory"

REASONS = {
    ErrorKind.UNREACHABLE: gettext_lazy("The server could not be reached"),
    ErrorKind.TIMEOUT: gettext_lazy("No answer in time"),
    ErrorKind.RATE_LIMITED: gettext_lazy("Too many calls, or no credit left"),
    ErrorKind.UNAUTHORIZED: gettext_lazy("The key was refused"),
    ErrorKind.BAD_REQUEST: gettext_lazy("The call was refused"),
    ErrorKind.NOT_ALLOWED: gettext_lazy("The address is not allowed"),
    ErrorKind.SERVER_ERROR: gettext_lazy("Error on the provider’s side"),
    ErrorKind.UNUSABLE_ANSWER: gettext_lazy("The answer was unusable"),
}
#: Failures that a change of the settings can end.
_BY_SETTINGS = {
    ErrorKind.UNREACHABLE,
    ErrorKind.UNAUTHORIZED,
    ErrorKind.BAD_REQUEST,
    ErrorKind.NOT_ALLOWED,
    ErrorKind.UNUSABLE_ANSWER,
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
        names = {"" if name == DEFAULT_RANGE else name: _days(RANGES[name]) for name in RANGES}
        months = {f"{each:%Y-%m}": month_of(each) for each in (month, previous)}
        if self.range not in names | months:
            months[self.range] = date_format(
                self.period.first, pgettext("format of a month with its year", "F Y")
            )
        return self.chips_for("range", names | months)


def _days(number: int) -> str:
    return ngettext("%(number)s day", "%(number)s days", number) % {"number": number}


@dataclass(frozen=True)
class ShownFailure:
    """Calls that failed for one reason, in words."""

    reason: str | Promise
    #: What the calls were for.
    purposes: str
    #: The card of the settings where it can be fixed; empty if that cannot help.
    card: str
    failure: Failure


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
    context = {
        "section": "usage",
        "view": view,
        "books": report,
        "total": report.total,
        "priced": priced,
        "cost_chart": _chart(report, by_cost=True),
        "token_chart": _chart(report, by_cost=False),
        "days": _by_day(report),
        "sources": _lines(report.by_source, _source_labels(), by_cost=priced),
        "models": _lines(report.by_model, {"": _("unnamed")}, by_cost=priced),
        "instances_used": _by_instance(report, visible, view, by_cost=priced),
        "failures": failures_in_words(report.failures),
        "cap": _cap(instance, view) if instance else None,
        "capped": _capped(visible) if instance is None else [],
        **_prices([instance] if instance else visible.values()),
    }
    return render(request, "usage/page.html", context)


def _chart(report: UsageReport, *, by_cost: bool) -> Bars[date] | None:
    days = []
    for day in report.period.days:
        amounts = {CHAT: Decimal(0), BACKGROUND: Decimal(0)}
        for source, total in report.by_day.get(day, {}).items():
            amounts[CHAT if source == Usage.Source.CHAT else BACKGROUND] += _amount(total, by_cost)
        days.append((day, list(amounts.items())))
    write = price if by_cost else _tokens
    return draw(days, name=weekday, value=write)


def _by_day(report: UsageReport) -> list[tuple[date, Total]]:
    """Return the sum of each day with calls, the latest first."""
    sums = {day: reduce(add, sources.values(), Total()) for day, sources in report.by_day.items()}
    return sorted(sums.items(), reverse=True)


def _tokens(amount: Decimal) -> str:
    return tokens(int(amount))


def _source_labels() -> dict[str, str]:
    return {source.value: str(source.label) for source in Usage.Source}


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


def failures_in_words(failures: Iterable[Failure]) -> list[ShownFailure]:
    """Return each failure with its cause and its purpose in words."""
    labels = _source_labels()
    return [
        ShownFailure(
            REASONS.get(ErrorKind(failure.kind), failure.kind),
            ", ".join(label for name, label in labels.items() if name in failure.sources),
            _card_for(failure),
            failure,
        )
        for failure in failures
    ]


def _card_for(failure: Failure) -> str:
    """Return the card of the settings where *failure* can be fixed; empty if that cannot help."""
    if ErrorKind(failure.kind) not in _BY_SETTINGS:
        return ""
    return "embeddings" if failure.sources == {Usage.Source.EMBED} else "language-model"


def _cap(instance: Instance, view: UsageView) -> Cap | None:
    """Return the cost of the month so far; None if it is unknown."""
    spent = spent_by([instance])[instance.pk]
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
    capped = [each for each in visible.values() if each.monthly_cap is not None]
    spent = spent_by(capped)
    return [
        Cap(each, spent[each.pk], None, _end_of_month(each.date_of(timezone.now())))
        for each in capped
    ]


def _prices(instances: Iterable[Instance]) -> dict[str, Any]:
    """Say whether no price of a model is known, and of which day list prices are, if calls cost
    those.
    """
    prices = []
    for each in instances:
        if each.provider:
            prices.append(language_model_prices(each))
        if not each.embeddings.is_builtin:
            prices.append(embedding_prices(each))
    return {
        "lacks_prices": bool(prices) and all(price.prompt is None for price in prices),
        "listed_on": as_of() if any(price.costs_list_price for price in prices) else None,
    }


def _end_of_month(day: date) -> date:
    return (day.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1)
