"""The button on the health screen that calls a failing server again."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from instances.access import Request, managed_instance
from instances.models import CircuitBreaker
from memoryapp.health import failing_servers
from memoryapp.web.health.views import address_of


@require_POST
def try_now(request: Request, pk: int) -> HttpResponse:
    """Call the server and show whether it answers. Only for managers: a call may cost money."""
    instance = managed_instance(request, request.POST.get("instance", ""))
    breaker = get_object_or_404(CircuitBreaker.objects.open(), pk=pk, instance=instance)
    if problem := failing_servers.try_now(breaker):
        messages.error(request, problem)
    else:
        messages.success(request, _("The server answers again. Work that waited for it continues."))
    return redirect(address_of(instance))
