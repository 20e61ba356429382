"""The `/status/golden` screen: questions with their right answers, and where these stand."""

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_POST

from conversations.url_text import filter_text
from instances.access import Request, managed_instance, visible_instance, visible_row, with_instance
from instances.ids import parse_pk
from instances.models import Instance
from instances.translatable import translated
from instances.url_state import is_way_back
from memoryapp.golden.questions import (
    LineProblem,
    UnusableQuestion,
    keep_question,
    read_file,
)
from memoryapp.golden.rounds import open_round
from memoryapp.models import GoldenQuestion, GoldenRound
from memoryapp.models.golden import MAX_QUESTIONS
from memoryapp.tasks.dispatch import hand_over_round
from memoryapp.web.golden.listing import PER_PAGE, GoldenList, chart, with_texts
from memoryapp.web.layout import show
from memoryapp.web.recall.weights import read

#: The largest file of questions, in bytes.
MAX_FILE = 1_000_000
#: Problems of a file that a message names.
MAX_NAMED = 3


class QuestionFile(forms.Form):
    """A file of golden questions."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "JSONL: a line has a question, and its answer as in the memory, or memory_ids."
        ),
    )


@require_GET
@with_instance("golden")
def questions(request: Request, instance: Instance) -> HttpResponse:
    """List the golden questions; polled while a round is under way."""
    listing = GoldenList.parse(request.GET, instance=instance)
    page = Paginator(listing.chosen, PER_PAGE).get_page(listing.page)
    context = {
        "section": "golden",
        "listing": listing,
        "page": page,
        "items": with_texts(instance, list(page)),
        "form": QuestionFile(),
        "chart": None if listing.is_trial else chart(instance),
    }
    return show(request, "golden/page.html", "golden/_list.html", context)


@require_POST
def keep(request: Request) -> HttpResponse:
    """Keep a question with the memory or the message that should answer it."""
    instance = visible_instance(request, request.GET.get("instance", ""))
    memory, message = (parse_pk(request.POST.get(name, "")) for name in ("memory", "message"))
    try:
        keep_question(
            instance,
            request.POST.get("q", ""),
            end_user=filter_text(request.POST.get("user", "")),
            memories=[memory] if memory else [],
            messages=[message] if message else [],
            by=request.user,
        )
    except UnusableQuestion as problem:
        messages.error(request, translated(str(problem)))
    else:
        messages.success(request, _("Kept as a golden question. It is asked every night."))
    back = request.POST.get("back", "")
    return redirect(back if is_way_back(back) else _address(instance))


@require_POST
def remove(request: Request, pk: int) -> HttpResponse:
    """Remove a golden question."""
    question = visible_row(request, GoldenQuestion.objects.all(), pk)
    question.delete()
    messages.success(request, _("Removed."))
    return redirect(_address(question.instance))


@require_POST
def ask(request: Request) -> HttpResponse:
    """Ask all golden questions now."""
    instance = visible_instance(request, request.GET.get("instance", ""))
    if round_ := open_round(instance, GoldenRound.Cause.BY_HAND, by=request.user):
        hand_over_round(round_.pk)
    return redirect(_address(instance))


@require_POST
def try_weights(request: Request) -> HttpResponse:
    """Try weights on the golden questions; nothing is saved."""
    instance = managed_instance(request, request.GET.get("instance", ""))
    tried, problems = read(instance, request.POST)
    round_ = None
    if tried and not problems:
        weights = {"weights": instance.recall_weights | tried}
        round_ = open_round(instance, GoldenRound.Cause.TRIAL, by=request.user, tried=weights)
    if round_ is None:
        messages.info(request, _("There is nothing to try."))
        return redirect(_address(instance))
    hand_over_round(round_.pk)
    return redirect(f"{_address(instance)}&round={round_.pk}")


@require_POST
def add_file(request: Request) -> HttpResponse:
    """Keep the questions of a file."""
    instance = visible_instance(request, request.GET.get("instance", ""))
    file = request.FILES.get("file")
    if file is None or (file.size or 0) > MAX_FILE:
        messages.error(request, _("Choose a file of at most 1 MB."))
        return redirect(_address(instance))
    text = file.read().decode("utf-8", "replace")
    lines = text.splitlines()[: 2 * MAX_QUESTIONS]
    results = list(read_file(instance, "\n".join(lines), by=request.user))
    problems = [each for each in results if isinstance(each, LineProblem)]
    kept = len(results) - len(problems)
    said = ngettext("%(n)s question is kept.", "%(n)s questions are kept.", kept) % {"n": kept}
    if not problems:
        messages.success(request, said)
        return redirect(_address(instance))
    named = " ".join(
        _("Line %(line)s: %(reason)s") % {"line": each.line, "reason": translated(each.reason)}
        for each in problems[:MAX_NAMED]
    )
    left = ngettext("%(n)s line was left out.", "%(n)s lines were left out.", len(problems)) % {
        "n": len(problems)
    }
    messages.warning(request, f"{said} {left} {named}")
    return redirect(_address(instance))


def _address(instance: Instance) -> str:
    return f"{reverse('golden')}?instance={instance.slug}"
