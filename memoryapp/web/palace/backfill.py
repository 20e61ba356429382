"""Back-fill of the palace: files the remaining messages, after an estimate of the cost."""

from dataclasses import dataclass

from django.contrib import messages
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from conversations.models import Message
from instances.access import Request, needs
from instances.models import Instance, InstanceRole
from memoryapp.mining.queue import queue_all
from memoryapp.mining.windows import SHORT, WINDOW
from memoryapp.models import awaiting_filing, may_spend
from memoryapp.text.plurals import counted
from memoryapp.web.layout import show
from memoryapp.web.palace.views import listing_of


@dataclass(frozen=True)
class Estimate:
    """The work of filing the remaining messages."""

    turns: int
    conversations: int
    #: Estimated calls of a language model.
    calls: int


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def file_rest(request: Request) -> HttpResponse:
    """Show the estimate; a POST queues the work, with a language model or without."""
    current = listing_of(request)
    instance = current.instance
    if request.method == "POST":
        with_model = request.POST.get("with_model") == "yes" and instance.has_language_model
        queued = queue_all(instance.conversations.all(), with_model=with_model)
        conversations = counted(queued, "conversation")
        messages.success(
            request,
            f"{conversations} will be filed. Drawers appear here as that goes on."
            if queued
            else "There is nothing left to file that is not in line already.",
        )
        return redirect(f"{current.path}?{current.query()}")
    context = {
        "section": "palace",
        "list": current,
        "takes": estimate(instance),
        "may_spend": may_spend(instance),
    }
    return show(request, "palace/backfill.html", "palace/_backfill.html", context)


def estimate(instance: Instance) -> Estimate:
    """Count the messages that are not filed yet, and the model calls that would name subjects."""
    rows = (
        awaiting_filing(Message.objects.filter(instance=instance))
        .order_by()
        .values_list("conversation")
        .annotate(turns=Count("pk"))
    )
    counts = [count for _, count in rows]
    calls = sum(1 if count <= SHORT else -(-count // WINDOW) for count in counts)
    return Estimate(sum(counts), len(counts), calls)
