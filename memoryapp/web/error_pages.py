"""Error pages. Those for internal errors do not use the database."""

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from memoryapp.health.database_outages import RETRY_AFTER_SECONDS, is_outage


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Show that the request made no sense, in the frame for people who are signed in."""
    return render(request, "400.html", status=400)


def server_error(request: HttpRequest) -> HttpResponse:
    """Show that the server failed, or that the database is unavailable for a moment."""
    # Django calls this while it handles the exception.
    if not is_outage(sys.exception()):
        return HttpResponse(render_to_string("500.html"), status=500)
    response = HttpResponse(render_to_string("503.html"), status=503)
    response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response
