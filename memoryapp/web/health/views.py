"""The `/memory/health` screen: metrics of a memory as charts, and recommendations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from instances.access import Request, with_instance
from instances.models import Instance
from memoryapp.health.diagnosis import FAILURE_DAYS, Diagnosis, Growth, diagnose
from memoryapp.health.duplicate_scan import DuplicateGroups
from memoryapp.health.failing_servers import failing_servers
from memoryapp.health.recommendations import recommend
from memoryapp.models import Category, may_spend
from memoryapp.models.memory import MAX_FADING_IMPORTANCE
from memoryapp.pipeline.undo_buffer import UNDO_SECONDS, UndoToken
from memoryapp.tasks.dispatch import hand_over_survey
from memoryapp.web.charts import Bars, draw
from memoryapp.web.embeddings.views import work_on
from memoryapp.web.health.processes import told_of_processes
from memoryapp.web.health.recommendation_texts import told_of
from memoryapp.web.memory.listing import MemoryList
from memoryapp.web.usage.views import told


@dataclass(frozen=True)
class Tile:
    """A number with a link to what it counts, and its part of the whole."""

    label: str
    number: int
    query: str
    note: str = ""
    #: Percentage of all memories; None where that means nothing.
    share: int | None = None


@dataclass(frozen=True)
class ChartLine:
    """A row of a bar chart: a name, a number, and its share of the largest."""

    label: str
    number: int
    share: int
    query: str


@require_GET
@with_instance("health")
def health(request: Request, instance: Instance) -> HttpResponse:
    """Show the health of an instance's memory."""
    return page(request, instance)


def page(request: Request, instance: Instance, *, ticket: UndoToken | None = None) -> HttpResponse:
    """Render the screen, with the *ticket* of a deletion that can still be undone."""
    found = diagnose(instance)
    waiting = max(0, found.with_vector - found.duplicates.compared)
    if waiting:
        hand_over_survey(instance.pk)  # Whoever looks does not want to wait for the next round.
    listing = MemoryList(instance)
    processes = told_of_processes()
    context = {
        "section": "health",
        "listing": listing,
        "found": found,
        "findings": [told_of(advice, instance, found) for advice in recommend(instance, found)],
        "tiles": _tiles(found, listing),
        "growth": _growth(found.growth),
        "added": sum(day.added for day in found.growth),
        "categories": _categories(found, listing),
        "importance": _bars(found.by_importance),
        "likeness": _likeness(found.duplicates),
        "waiting": waiting,
        "importances": _importances(found, listing),
        "work": work_on(instance),
        "processes": processes,
        "servers": failing_servers(instance),
        "in_trouble": not all(told.running for told in processes),
        "capped": not may_spend(instance),
        "failures": told(found.failures),
        "failure_days": FAILURE_DAYS,
        "ticket": ticket,
        "seconds": UNDO_SECONDS,
        "back": address_of(instance),
    }
    return render(request, "health/page.html", context)


def address_of(instance: Instance) -> str:
    """Return the address of its health screen."""
    return f"{reverse('health')}?instance={instance.slug}"


def _tiles(found: Diagnosis, listing: MemoryList) -> list[Tile]:
    def tile(label: str, number: int, state: str, note: str = "") -> Tile:
        share = round(100 * number / found.total) if found.total else None
        return Tile(label, number, listing.query(state=state), note, share)

    waits = f"{found.without_vector:,} waiting" if found.without_vector else ""
    return [
        Tile("Memories", found.total, listing.query(), _grown(found.growth)),
        tile("With a vector", found.with_vector, "embedded", waits),
        tile("Never recalled", found.never_recalled, "unrecalled"),
        tile("Low importance", found.unimportant, "unimportant", f"1 to {MAX_FADING_IMPORTANCE}"),
        tile("Stale", found.stale, "stale"),
        tile("Expired", found.expired, "expired"),
    ]


def _grown(growth: Sequence[Growth]) -> str:
    month = sum(day.added for day in growth[-30:])
    return f"{month:,} in the last 30 days" if month else "None in the last 30 days"


def _growth(growth: Sequence[Growth]) -> Bars[date] | None:
    return draw(
        [
            (day.day, [("before", Decimal(day.before)), ("added", Decimal(day.added))])
            for day in growth
        ]
    )


def _bars(numbers: Mapping[int, int]) -> Bars[int] | None:
    return draw([(label, [("memory", Decimal(number))]) for label, number in numbers.items()])


def _likeness(alike: DuplicateGroups) -> Bars[str] | None:
    return draw(
        [
            (f"under {end:.2f}" if begin < 0 else f"{begin:.2f} to {end:.2f}", [part])
            for begin, end, count in alike.steps
            for part in [("memory", Decimal(count))]
        ]
    )


def _categories(found: Diagnosis, listing: MemoryList) -> list[ChartLine]:
    counts = {name: found.by_category.get(name, 0) for name in Category.values}
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [
        ChartLine(name, number, _percent(number, found.total), listing.query(category=name))
        for name, number in ordered
    ]


def _importances(found: Diagnosis, listing: MemoryList) -> list[ChartLine]:
    return [
        ChartLine(
            str(step), number, _percent(number, found.total), listing.query(importance=str(step))
        )
        for step, number in found.by_importance.items()
    ]


def _percent(number: int, whole: int) -> int:
    return round(100 * number / whole) if whole else 0
