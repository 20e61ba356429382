"""Previews of the health screen's recommendations, and their application to the chosen rows.

Each chosen row is posted with the time of its last change. If any has changed since the preview,
nothing is done, and the preview is shown again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from instances.access import Request, managed_instance, visible_instance
from instances.actor import Actor
from instances.ids import parse_pk
from instances.models import Instance
from instances.translatable import translated
from memoryapp.embeddings.backfill import open_fill_in_job
from memoryapp.embeddings.embedder import embedding_problem
from memoryapp.embeddings.reembedding import estimate, retry_now
from memoryapp.forgetting.deletion import forget_undoably
from memoryapp.forgetting.undo_buffer import UNDO_SECONDS
from memoryapp.health.decay import keep_current
from memoryapp.health.recommendations import Remedy, failed_runs, memories_for
from memoryapp.llm.structured import NO_MODEL
from memoryapp.models import Memory, Run, may_read
from memoryapp.tasks.dispatch import hand_over_job, hand_over_on_commit
from memoryapp.web.health.recommendation_texts import TEXTS, address, for_script, in_number
from memoryapp.web.health.views import address_of, page
from memoryapp.web.memory.merge import groups_shown, merge
from memoryapp.web.memory.page import deletion_message
from memoryapp.web.version_token import Stale, parse_token, version_token

#: Rows of one preview.
MAX_ROWS = 100


@dataclass(frozen=True)
class RecommendedMemory:
    """A memory with its version token."""

    memory: Memory

    @property
    def seen(self) -> str:
        return version_token(self.memory)


@require_http_methods(["GET", "POST"])
def health_remedy(request: Request, what: str) -> HttpResponse:
    """Preview a remedy; a POST applies it to the chosen rows."""
    instance = visible_instance(request, request.GET.get("instance", ""))
    try:
        remedy = Remedy(what)
    except ValueError as error:
        raise Http404 from error
    if request.method != "POST":
        return _preview(request, instance, remedy)
    try:
        return REMEDIES[remedy][1](request, instance)
    except Stale as stale:
        messages.warning(request, str(stale))
        return redirect(address(remedy, instance))


def _preview(request: Request, instance: Instance, remedy: Remedy) -> HttpResponse:
    shown, total = REMEDIES[remedy][0](instance)
    texts = TEXTS[remedy]
    count, into = (total if remedy is Remedy.VECTORS else len(shown)), 0
    finding = in_number(texts.found, total)
    if remedy is Remedy.MERGE:
        count, into = sum(len(group.twins) for group in shown), len(shown)
        finding = in_number(texts.found, count, into)
    context: dict[str, Any] = {
        "section": "health",
        "remedy": remedy,
        "words": texts,
        "why": texts.why(total),
        "shown": shown,
        "total": total,
        "more": total - len(shown),
        "found": finding,
        "button": in_number(texts.button, count, into),
        "button_one": for_script(texts.button, 1),
        "button_many": for_script(texts.button, 2),
        "today": timezone.localdate(),
        "seconds": UNDO_SECONDS,
    }
    if remedy is Remedy.VECTORS:
        context["estimate"] = estimate(instance, instance.embeddings)
        context["problem"] = embedding_problem(instance)
    if remedy in (Remedy.VECTORS, Remedy.RUNS):
        context["capped"] = not may_read(instance)
    return render(request, "health/preview.html", context)


def _memories(remedy: Remedy) -> "Preview":
    def shown(instance: Instance) -> tuple[Sequence[Any], int]:
        matching = memories_for(remedy, instance)
        rows = matching.defer("search").with_conversations()[:MAX_ROWS]
        return [RecommendedMemory(memory) for memory in rows], matching.count()

    return shown


def _failed_runs(instance: Instance) -> tuple[Sequence[Any], int]:
    runs = failed_runs(instance)
    shown = runs.select_related("conversation")
    return list(shown.annotate(said=Count("conversation__messages"))[:MAX_ROWS]), runs.count()


def _chosen(request: Request, instance: Instance, remedy: Remedy) -> Mapping[int, datetime]:
    """Return the chosen rows; raises `Stale` if any has changed since it was shown."""
    posted = map(parse_token, request.POST.getlist("take")[:MAX_ROWS])
    seen = dict(token for token in posted if token)
    same = memories_for(remedy, instance).as_seen(seen).count()
    if same != len(seen) or not seen:
        raise Stale(len(seen) - same, len(seen))
    return seen


def _delete(remedy: Remedy) -> Callable[[Request, Instance], HttpResponse]:
    def delete(request: Request, instance: Instance) -> HttpResponse:
        seen = _chosen(request, instance, remedy)
        chosen = memories_for(remedy, instance).as_seen(seen)
        forgotten = forget_undoably(instance, chosen, by=request.user)
        messages.success(request, deletion_message(forgotten))
        return page(request, instance, undo_token=forgotten.undo_token)

    return delete


def _keep_current(request: Request, instance: Instance) -> HttpResponse:
    seen = _chosen(request, instance, Remedy.STALE)
    chosen = memories_for(Remedy.STALE, instance).as_seen(seen)
    marked = keep_current(instance, chosen, by=Actor(request.user))
    messages.success(
        request,
        in_number(
            lambda n: ngettext(
                "Marked %(n)s memory as current.", "Marked %(n)s memories as current.", n
            ),
            marked,
        ),
    )
    return redirect(address_of(instance))


def _try_again(request: Request, instance: Instance) -> HttpResponse:
    chosen = request.POST.getlist("take")[:MAX_ROWS]
    ids = {pk for text in chosen if (pk := parse_pk(text))}
    runs = list(failed_runs(instance).filter(pk__in=ids))
    if len(runs) != len(ids) or not ids:
        raise Stale(len(ids) - len(runs), len(ids))
    if not instance.can_read and any(run.kind == Run.Kind.EXTRACTION for run in runs):
        messages.error(request, translated(NO_MODEL))
        return redirect(address(Remedy.RUNS, instance))
    retried = 0
    for run in runs:
        with transaction.atomic():
            if run.retry():
                hand_over_on_commit(run)
                retried += 1
    messages.success(
        request,
        in_number(
            lambda n: ngettext("%(n)s task was queued again.", "%(n)s tasks were queued again.", n),
            retried,
        ),
    )
    return redirect(address_of(instance))


def _make_vectors(request: Request, instance: Instance) -> HttpResponse:
    # What costs money needs the right to change the settings.
    instance = managed_instance(request, instance.slug)
    job = open_fill_in_job(instance, by=request.user, resting=False)
    if job is None:
        messages.warning(request, _("No vectors are missing, or no embedding provider is set up."))
        return redirect(address(Remedy.VECTORS, instance))
    if job.error:
        retry_now(job)
    hand_over_job(job.pk)
    messages.success(
        request,
        in_number(
            lambda n: ngettext("%(n)s vector is being made.", "%(n)s vectors are being made.", n),
            job.total,
        ),
    )
    return redirect(address_of(instance))


#: Returns the rows of a preview, and the number of all.
Preview = Callable[[Instance], tuple[Sequence[Any], int]]
#: For each remedy, its preview and its application.
REMEDIES: Mapping[Remedy, tuple[Preview, Callable[[Request, Instance], HttpResponse]]] = {
    Remedy.RUNS: (_failed_runs, _try_again),
    Remedy.VECTORS: (_memories(Remedy.VECTORS), _make_vectors),
    Remedy.MERGE: (groups_shown, merge),
    Remedy.EXPIRED: (_memories(Remedy.EXPIRED), _delete(Remedy.EXPIRED)),
    Remedy.UNUSED: (_memories(Remedy.UNUSED), _delete(Remedy.UNUSED)),
    Remedy.STALE: (_memories(Remedy.STALE), _keep_current),
}
