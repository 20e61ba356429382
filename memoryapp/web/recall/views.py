"""The `/memory/recall` screen: what the assistant is shown for a question, and why."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from instances.access import Request, with_instance
from instances.models import Instance
from memoryapp.web.layout import show
from memoryapp.web.recall.listing import RecallRequest
from memoryapp.web.recall.results import results_context


@require_GET
@with_instance("ask")
def asked(request: Request, instance: Instance) -> HttpResponse:
    """Show the results of a question."""
    context = results_context(RecallRequest.of(request.GET, instance))
    return show(request, "recall/page.html", "recall/_list_response.html", context)
