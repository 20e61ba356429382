"""Keepsake with an additional empty page behind the same middleware, as a baseline.
``uvicorn benchmarks.empty_page:application`` serves it.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from memoryapp.asgi import application

__all__ = ["application"]

settings.ROOT_URLCONF = __name__


def empty(request: HttpRequest) -> HttpResponse:
    """An empty response for a signed-in user."""
    return HttpResponse()


urlpatterns = [path("empty", empty), path("", include("memoryapp.urls"))]
handler404 = "memoryapp.web.memory.views.not_found"
