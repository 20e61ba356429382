"""The `/status/health` screen: metrics of a memory as charts, and recommendations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext
from django.views.decorators.http import require_GET

from instances.access import Request, with_instance
from instances.models import Instance
from memoryapp.embeddings.language_support import unread_languages
from memoryapp.forgetting.undo_buffer import UNDO_SECONDS, UndoToken
from memoryapp.health.diagnosis import FAILURE_DAYS, Diagnosis, Growth, diagnose
from memoryapp.health.duplicate_scan import DuplicateGroups
from memoryapp.health.recommendations import Recommendation, is_fine, recommend
from memoryapp.models import Category, Summary, VectorIndex
from memoryapp.models.embedding_spaces import VectorIndexState, VectorOwner
from memoryapp.tasks.dispatch import hand_over_comparison
from memoryapp.web.charts import Bars, Label, draw
from memoryapp.web.day_formats import weekday
from memoryapp.web.embeddings.vector_state import vector_state
from memoryapp.web.health.processes import shown_processes
from memoryapp.web.health.recommendation_texts import (
    Finding,
    contradictions,
    held,
    in_number,
    in_words,
    near_duplicates,
    stalled,
    summaries,
    waiting_conversations,
)
from memoryapp.web.memory.listing import MemoryList
from memoryapp.web.memory.words import category_name
from memoryapp.web.usage.views import failures_in_words


@dataclass(frozen=True)
class Tile:
    """A number with a link to what it counts, and what to know or to do about it."""

    label: str
    number: int
    query: str
    note: str


@dataclass(frozen=True)
class ChartLine:
    """A row of a bar chart: a name, a number, and its share of the largest."""

    label: str
    number: int
    share: int
    query: str
    #: The value that the label stands for.
    name: str = ""


@dataclass(frozen=True)
class ShownIndex:
    """An approximate index, in words."""

    row: VectorIndex
    title: Promise
    state: Promise

    @property
    def percent(self) -> int | None:
        """The share of the true best matches that it finds; None if it was not checked yet."""
        return None if self.row.recall is None else round(100 * self.row.recall)


_OWNERS: dict[str, Promise] = {
    VectorOwner.MEMORY: gettext_lazy("Memories"),
    VectorOwner.DRAWER: gettext_lazy("Messages in the palace"),
    VectorOwner.DOCUMENT: gettext_lazy("Documents"),
}
_INDEX_STATES: dict[str, Promise] = {
    VectorIndexState.BUILDING: gettext_lazy("The index is being built."),
    VectorIndexState.READY: gettext_lazy("The index is in use."),
    VectorIndexState.DOUBTED: gettext_lazy("The index missed too much and will be rebuilt."),
}


@require_GET
@with_instance("health")
def health(request: Request, instance: Instance) -> HttpResponse:
    """Show the health of an instance's memory."""
    return page(request, instance)


def page(
    request: Request, instance: Instance, *, undo_token: UndoToken | None = None
) -> HttpResponse:
    """Render the screen, with the *undo_token* of a deletion that can still be undone."""
    diagnosis = diagnose(instance)
    recommendations = recommend(instance, diagnosis)
    waiting = max(0, diagnosis.with_vector - diagnosis.duplicates.compared)
    if waiting:
        hand_over_comparison(instance.pk)  # The person should not have to wait for the next round.
    listing = MemoryList(instance)
    processes = shown_processes()
    in_trouble = not all(process.running for process in processes)
    context = {
        "section": "health",
        "listing": listing,
        "found": diagnosis,
        "findings": _findings(instance, diagnosis, recommendations),
        "tiles": _tiles(diagnosis, listing),
        "growth": _growth(diagnosis.growth),
        "added": sum(day.added for day in diagnosis.growth),
        "categories": _categories(diagnosis, listing),
        "importance": _bars(diagnosis.by_importance),
        "likeness": _likeness(diagnosis.duplicates),
        "refused": instance.refused.count(),
        "waiting": waiting,
        "importances": _importances(diagnosis, listing),
        "indexes": [
            ShownIndex(
                each, _OWNERS[VectorOwner(each.of)], _INDEX_STATES[VectorIndexState(each.state)]
            )
            for each in diagnosis.indexes
        ],
        "work": vector_state(instance),
        "unread": unread_languages(instance),
        "processes": processes,
        "servers": diagnosis.servers,
        "in_trouble": in_trouble,
        "is_fine": is_fine(diagnosis, recommendations) and not in_trouble,
        "capped": diagnosis.capped,
        "failures": failures_in_words(diagnosis.failures),
        "failure_days": FAILURE_DAYS,
        "undo_token": undo_token,
        "seconds": UNDO_SECONDS,
        "back": address_of(instance),
    }
    return render(request, "health/page.html", context)


def address_of(instance: Instance) -> str:
    """Return the address of the health screen."""
    return f"{reverse('health')}?instance={instance.slug}"


def _findings(
    instance: Instance, diagnosis: Diagnosis, recommendations: Sequence[Recommendation]
) -> list[Finding]:
    findings = [in_words(each, instance, diagnosis) for each in recommendations]
    if diagnosis.kept_waiting:
        findings.append(waiting_conversations(diagnosis, instance))
    if diagnosis.held:
        findings.append(held(diagnosis.held, instance))
    if diagnosis.summaries_failed:
        findings.append(summaries(list(Summary.objects.failed(instance)), instance))
    findings += stalled(diagnosis.stalled, instance)
    if diagnosis.contradictions:
        findings.append(contradictions(diagnosis.contradictions, instance))
    if diagnosis.near_duplicates:
        findings.append(near_duplicates(diagnosis.near_duplicates, instance))
    return findings


def _tiles(diagnosis: Diagnosis, listing: MemoryList) -> list[Tile]:
    """How many memories there are, and what of them needs a look."""
    looks = [
        (
            _("Found by words only"),
            diagnosis.without_vector,
            "waiting",
            _("Their vectors are still missing."),
        ),
        (_("Expired"), diagnosis.expired, "expired", _("Delete them, or set another last day.")),
        (_("Stale"), diagnosis.stale, "stale", _("Keep what is still true, delete the rest.")),
    ]
    return [
        Tile(_("Memories"), diagnosis.total, listing.query(), _grown(diagnosis.growth)),
        *(
            Tile(label, number, listing.query(state=state), todo)
            for label, number, state, todo in looks
            if number
        ),
    ]


def _grown(growth: Sequence[Growth]) -> str:
    month = sum(day.added for day in growth[-30:])
    if not month:
        return _("None added in the last 30 days")
    return in_number(
        lambda n: ngettext("%(n)s added in the last 30 days", "%(n)s added in the last 30 days", n),
        month,
    )


def _growth(growth: Sequence[Growth]) -> Bars[date] | None:
    return draw([(day.day, [("added", Decimal(day.added))]) for day in growth], name=weekday)


def _bars(numbers: Mapping[Label, int]) -> Bars[Label] | None:
    return draw([(label, [("memory", Decimal(number))]) for label, number in numbers.items()])


def _likeness(duplicates: DuplicateGroups) -> Bars[str] | None:
    return _bars(
        {
            _under(end) if begin < 0 else _between(begin, end): count
            for begin, end, count in duplicates.steps
        }
    )


def _under(end: float) -> str:
    return _("under %(end)s") % {"end": number_format(end, 2)}


def _between(begin: float, end: float) -> str:
    return pgettext("numbers", "%(begin)s to %(end)s") % {
        "begin": number_format(begin, 2),
        "end": number_format(end, 2),
    }


def _categories(diagnosis: Diagnosis, listing: MemoryList) -> list[ChartLine]:
    counts = {name: diagnosis.by_category.get(name, 0) for name in Category.values}
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [
        ChartLine(
            capfirst(category_name(name)),
            number,
            _percent(number, diagnosis.total),
            listing.query(category=name),
            name,
        )
        for name, number in ordered
    ]


def _importances(diagnosis: Diagnosis, listing: MemoryList) -> list[ChartLine]:
    return [
        ChartLine(step, number, _percent(number, diagnosis.total), listing.query(importance=step))
        for step, number in ((str(key), count) for key, count in diagnosis.by_importance.items())
    ]


def _percent(number: int, whole: int) -> int:
    return round(100 * number / whole) if whole else 0
