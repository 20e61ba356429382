"""Keepsake with one page more: an empty one, behind the same middleware, as the floor to compare
with. ``uvicorn benchmarks.empty_page:application`` serves it.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from memoryapp.asgi import application

__all__ = ["application"]

settings.ROOT_URLCONF = __name__


def empty(request: HttpRequest) -> HttpResponse:
    """Say nothing, to somebody who has signed in."""
    return HttpResponse()


urlpatterns = [path("empty", empty), path("", include("memoryapp.urls"))]
handler404 = "memoryapp.web.memory.views.not_found"
