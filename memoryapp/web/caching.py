"""Middleware that keeps responses out of the caches of browsers and proxies."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control

from instances.middleware import middleware


def _forbid_storing(request: HttpRequest, response: HttpResponseBase) -> None:
    patch_cache_control(response, private=True, no_store=True)


#: Forbids caches to store any response. A rule without exceptions needs no session, and no view can
#: forget it. Static files are served before this middleware.
forbid_storing = middleware(after=_forbid_storing)
