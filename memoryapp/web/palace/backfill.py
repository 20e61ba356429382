"""Back-fill of the palace: files the remaining messages, after an estimate of the cost."""

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from conversations.models import Message
from instances.access import Request, needs
from instances.models import Instance, InstanceRole
from memoryapp.mining.queue import queue_all
from memoryapp.mining.windows import SHORT, WINDOW
from memoryapp.models import awaiting_filing, may_spend
from memoryapp.web.layout import show
from memoryapp.web.palace.views import listing_of


@dataclass(frozen=True)
class FilingEstimate:
    """The work of filing the remaining messages."""

    messages: int
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
        messages.success(request, _queued(queued))
        return redirect(f"{current.path}?{current.query()}")
    context = {
        "section": "palace",
        "list": current,
        "takes": estimate(instance),
        "may_spend": may_spend(instance),
    }
    return show(request, "palace/backfill.html", "palace/_backfill.html", context)


def _queued(conversations: int) -> str:
    if not conversations:
        return _("All messages are filed already, or waiting to be filed.")
    text = ngettext(
        "%(number)s conversation will be filed. Its messages appear here one by one.",
        "%(number)s conversations will be filed. Their messages appear here one by one.",
        conversations,
    )
    return text % {"number": intcomma(conversations)}


def estimate(instance: Instance) -> FilingEstimate:
    """Count the messages that are not filed yet, and the model calls that would name subjects."""
    rows = (
        awaiting_filing(Message.objects.filter(instance=instance))
        .order_by()
        .values_list("conversation")
        .annotate(number=Count("pk"))
    )
    counts = [count for _, count in rows]
    calls = sum(1 if count <= SHORT else -(-count // WINDOW) for count in counts)
    return FilingEstimate(sum(counts), len(counts), calls)
