"""The embedding card of the settings: progress of vectors, and decisions about a new model."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from instances.access import Request, managed_instance
from instances.actor import Actor
from instances.ids import parse_pk
from instances.models import Instance, User
from instances.translatable import translated
from memoryapp.embeddings import reembedding
from memoryapp.embeddings.backfill import open_fill_in_job
from memoryapp.models import EmbeddingJob
from memoryapp.tasks.dispatch import hand_over_job
from memoryapp.web.embeddings.vector_state import vector_state
from memoryapp.web.settings.pages import card_url
from memoryapp.web.settings.views import card_context


@require_GET
def embedding_work(request: Request, slug: str) -> HttpResponse:
    """Show the progress; polled while a job runs."""
    instance = managed_instance(request, slug)
    work = vector_state(instance)
    if not request.htmx:
        return redirect(card_url(slug, "embeddings"))
    if "going_over" in request.GET and not work.is_running:
        # Finished: the choice of models has changed too, so the whole card is replaced.
        return _card(request, instance)
    return render(request, "embeddings/_job.html", {"instance": instance, "work": work})


@require_POST
def embedding_do(request: Request, slug: str, what: str) -> HttpResponse:
    """Carry out a button of the card."""
    instance = managed_instance(request, slug)
    if what == "fill-in":
        message = _fill_in(instance, request.user)
    elif what in _DECISIONS:
        job = get_object_or_404(instance.embedding_jobs, pk=parse_pk(request.POST.get("job")))
        decide, done = _DECISIONS[what]
        message = str(done)
        try:
            with transaction.atomic():
                job = decide(job, request.user)
                instance.activity.record(Actor(request.user), "settings", about="Embeddings")
                transaction.on_commit(partial(hand_over_job, job.pk))
        except (reembedding.TooLate, reembedding.ReembeddingRunning) as error:
            message = translated(str(error))
    else:
        raise Http404
    if request.htmx:
        return _card(request, instance, message)
    messages.success(request, message)
    return redirect(card_url(slug, "embeddings"))


def _card(request: Request, instance: Instance, message: str = "") -> HttpResponse:
    context = card_context(request, instance, "embeddings")
    context |= {"said": message, "card": "embeddings"}
    response = render(request, "settings/_embeddings.html", context)
    response["HX-Retarget"] = "#embeddings"
    response["HX-Reswap"] = "outerHTML"
    return response


def _fill_in(instance: Instance, by: User) -> str:
    job = open_fill_in_job(instance, by=by, resting=False)
    if job is None:
        return _("No vectors are missing, or no embedding provider is set up.")
    if job.error:
        reembedding.retry_now(job)
    hand_over_job(job.pk)
    return _("The missing vectors are being created.")


#: The action of each button, and the message about it.
_DECISIONS: dict[str, tuple[Callable[[EmbeddingJob, User], EmbeddingJob], Promise]] = {
    "cancel": (
        lambda job, by: reembedding.cancel(job),
        gettext_lazy("Cancelled. Search keeps using the current model."),
    ),
    "go-over": (
        lambda job, by: reembedding.switch_anyway(job),
        gettext_lazy("Search switches as soon as the newest texts have vectors too."),
    ),
    "go-back": (
        lambda job, by: reembedding.switch_back(job, by=by),
        gettext_lazy("Search goes back as soon as the newest texts have vectors too."),
    ),
    "try-now": (lambda job, by: reembedding.retry_now(job), gettext_lazy("Trying again now.")),
}
