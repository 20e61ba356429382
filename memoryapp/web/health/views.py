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
from memoryapp.embeddings.language_support import unread_languages
from memoryapp.health.diagnosis import FAILURE_DAYS, Diagnosis, Growth, diagnose
from memoryapp.health.duplicate_scan import DuplicateGroups
from memoryapp.health.failing_servers import failing_servers
from memoryapp.health.recommendations import recommend
from memoryapp.models import Category, may_read
from memoryapp.models.memory import MAX_FADING_IMPORTANCE
from memoryapp.pipeline.undo_buffer import UNDO_SECONDS, UndoToken
from memoryapp.tasks.dispatch import hand_over_comparison
from memoryapp.web.charts import Bars, Label, draw
from memoryapp.web.embeddings.views import work_on
from memoryapp.web.health.processes import shown_processes
from memoryapp.web.health.recommendation_texts import in_words
from memoryapp.web.memory.listing import MemoryList
from memoryapp.web.usage.views import failures_in_words


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
    diagnosis = diagnose(instance)
    waiting = max(0, diagnosis.with_vector - diagnosis.duplicates.compared)
    if waiting:
        hand_over_comparison(instance.pk)  # The person should not have to wait for the next round.
    listing = MemoryList(instance)
    processes = shown_processes()
    context = {
        "section": "health",
        "listing": listing,
        "found": diagnosis,
        "findings": [
            in_words(each, instance, diagnosis) for each in recommend(instance, diagnosis)
        ],
        "tiles": _tiles(diagnosis, listing),
        "growth": _growth(diagnosis.growth),
        "added": sum(day.added for day in diagnosis.growth),
        "categories": _categories(diagnosis, listing),
        "importance": _bars(diagnosis.by_importance),
        "likeness": _likeness(diagnosis.duplicates),
        "refused": instance.refused.count(),
        "contradicting": instance.contradictions.filter(resolved_at=None).count(),
        "waiting": waiting,
        "importances": _importances(diagnosis, listing),
        "work": work_on(instance),
        "unread": unread_languages(instance),
        "processes": processes,
        "servers": failing_servers(instance),
        "in_trouble": not all(process.running for process in processes),
        "capped": not may_read(instance),
        "failures": failures_in_words(diagnosis.failures),
        "failure_days": FAILURE_DAYS,
        "ticket": ticket,
        "seconds": UNDO_SECONDS,
        "back": address_of(instance),
    }
    return render(request, "health/page.html", context)


def address_of(instance: Instance) -> str:
    """Return the address of the health screen."""
    return f"{reverse('health')}?instance={instance.slug}"


def _tiles(diagnosis: Diagnosis, listing: MemoryList) -> list[Tile]:
    total, without_vector = diagnosis.total, diagnosis.without_vector

    def tile(label: str, number: int, state: str, note: str = "") -> Tile:
        share = round(100 * number / total) if total else None
        return Tile(label, number, listing.query(state=state), note, share)

    faded = f"1 to {MAX_FADING_IMPORTANCE}"
    waiting = f"{without_vector:,} waiting" if without_vector else ""
    return [
        Tile("Memories", total, listing.query(), _grown(diagnosis.growth)),
        tile("With a vector", diagnosis.with_vector, "embedded", waiting),
        tile("Never recalled", diagnosis.never_recalled, "unrecalled"),
        tile("Low importance", diagnosis.unimportant, "unimportant", faded),
        tile("Stale", diagnosis.stale, "stale"),
        tile("Expired", diagnosis.expired, "expired"),
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


def _bars(numbers: Mapping[Label, int]) -> Bars[Label] | None:
    return draw([(label, [("memory", Decimal(number))]) for label, number in numbers.items()])


def _likeness(duplicates: DuplicateGroups) -> Bars[str] | None:
    return _bars(
        {
            f"under {end:.2f}" if begin < 0 else f"{begin:.2f} to {end:.2f}": count
            for begin, end, count in duplicates.steps
        }
    )


def _categories(diagnosis: Diagnosis, listing: MemoryList) -> list[ChartLine]:
    counts = {name: diagnosis.by_category.get(name, 0) for name in Category.values}
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [
        ChartLine(name, number, _percent(number, diagnosis.total), listing.query(category=name))
        for name, number in ordered
    ]


def _importances(diagnosis: Diagnosis, listing: MemoryList) -> list[ChartLine]:
    return [
        ChartLine(step, number, _percent(number, diagnosis.total), listing.query(importance=step))
        for step, number in ((str(key), count) for key, count in diagnosis.by_importance.items())
    ]


def _percent(number: int, whole: int) -> int:
    return round(100 * number / whole) if whole else 0
