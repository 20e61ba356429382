"""The `/memory/recall` screen: what the assistant is shown for a question, and why."""

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET
from django_htmx.http import push_url

from instances.access import Request, with_instance
from instances.models import Instance
from memoryapp.web.layout import show
from memoryapp.web.recall.listing import RecallRequest
from memoryapp.web.recall.results import results_context


@require_GET
@with_instance("ask")
def asked(request: Request, instance: Instance) -> HttpResponse:
    """Show the results of a question, at an address without the empty fields of its forms."""
    given = {name: value for name, value in request.GET.items() if value}
    address = f"{reverse('recall')}?{urlencode(given)}"
    if len(given) < len(request.GET) and not request.htmx:
        return redirect(address)
    context = results_context(RecallRequest.of(request.GET, instance))
    response = show(request, "recall/page.html", "recall/_list_response.html", context)
    return push_url(response, address) if request.htmx else response
