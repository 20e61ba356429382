"""Back-fill the palace: count messages that are not filed yet, estimate the cost, and file them."""

from dataclasses import dataclass

from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from conversations.models import Message
from instances.access import needs, signed_in
from instances.models import Instance, InstanceRole
from memoryapp.mining.queue import queue_all
from memoryapp.mining.windows import SHORT, WINDOW
from memoryapp.models import awaiting_filing, may_spend
from memoryapp.web.layout import show
from memoryapp.web.palace.views import listing_of


@dataclass(frozen=True)
class Takes:
    """What it takes to file the rest."""

    turns: int
    conversations: int
    #: Estimated calls of a language model.
    calls: int


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def file_rest(request: HttpRequest) -> HttpResponse:
    """Show the estimate; then queue it, with a language model or without."""
    request = signed_in(request)
    current = listing_of(request)
    instance = current.instance
    if request.method == "POST":
        with_model = request.POST.get("with_model") == "yes" and instance.has_language_model
        queued = queue_all(instance.conversations.all(), with_model=with_model)
        s = "" if queued == 1 else "s"
        messages.success(
            request,
            f"{queued:,} conversation{s} will be filed. Drawers appear here as that goes on."
            if queued
            else "There is nothing left to file that is not in line already.",
        )
        return redirect(f"{current.path}?{current.query()}")
    context = {
        "section": "palace",
        "list": current,
        "takes": takes(instance),
        "may_spend": may_spend(instance),
    }
    return show(request, "palace/backfill.html", "palace/_backfill.html", context)


def takes(instance: Instance) -> Takes:
    """Count messages that are not filed yet, and the calls of a model that would name subjects."""
    rows = (
        awaiting_filing(Message.objects.filter(instance=instance))
        .order_by()
        .values_list("conversation")
        .annotate(turns=Count("pk"))
    )
    counts = [count for _, count in rows]
    calls = sum(1 if count <= SHORT else -(-count // WINDOW) for count in counts)
    return Takes(sum(counts), len(counts), calls)
