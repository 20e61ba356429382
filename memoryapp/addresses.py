"""One spelling of each address: with a slash at the end or without, both lead to the one that is
served, and the addresses of screens that moved lead to where they are. The REST API is served below
its version, ``/api/v1``, and below ``/api``.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.http import escape_leading_slashes
from django.views.generic import RedirectView

from instances.middleware import middleware
from memoryapp.api import VERSION

#: Where screens were, and where they and all below them are.
MOVED = {
    "/memory/palace": "/conversations/palace",
    "/memory/bin": "/memory/removed/bin",
    "/memory/refused": "/memory/removed/refused",
    "/memory/never-again": "/memory/removed/blocked",
    "/memory/rollback": "/memory/removed/rollback",
    "/memory/health": "/status/health",
    "/usage": "/status/usage",
    "/jobs": "/status/jobs",
}
#: What begins in mem0's API as the REST API does.
OF_MEM0 = ("/api/v1/orgs/", "/api/v1/webhooks/projects/")
#: Where screens were that are views of another one now, and the query that chooses them.
VIEWS = {"/memory/recall": ("/memory", "list=ask")}


def _moved(path: str) -> str:
    """Return where the screen at *path* is now; *path* itself if it did not move."""
    for before, now in MOVED.items():
        if path == before or path.startswith(f"{before}/"):
            return now + path.removeprefix(before)
    return path


def _match(path: str) -> ResolverMatch | None:
    """Return what serves *path*, also if that only says that there is nothing."""
    try:
        return resolve(path)
    except Resolver404:
        return None


def _is_nowhere(match: ResolverMatch) -> bool:
    return (match.url_name or "").endswith("nowhere")


def _other_spelling(request: HttpRequest) -> HttpResponsePermanentRedirect | None:
    """Redirect to the other spelling, or to where the screen is now, if only that is served, with
    the query and the method.

    The APIs answer with a slash at the end by themselves, and with more of them that there is
    nothing: see `memoryapp.api.json_errors`.
    """
    path = request.path_info
    match = _match(path)
    if match and not _is_nowhere(match):
        return None
    other, view = VIEWS.get(path.rstrip("/"), (_moved(path.rstrip("/")), ""))
    if other == path:
        other = f"{path}/"
    found = _match(other)
    if found is None or _is_nowhere(found) or found.url_name == "api-root":
        return None
    if match and path.endswith("/") and not getattr(found.func, "login_required", True):
        return None
    query = "&".join(filter(None, (view, request.META.get("QUERY_STRING", ""))))
    return HttpResponsePermanentRedirect(
        escape_leading_slashes(other) + (f"?{query}" if query else ""), preserve_request=True
    )


#: Redirects from the spelling of an address that is not served to the one that is.
redirect_to_spelling = middleware(before=_other_spelling)


def _drop_version(request: HttpRequest) -> None:
    """Let the present version of the REST API answer where its version is asked for."""
    path = request.path_info
    if path.startswith(f"{VERSION}/") and not path.startswith(OF_MEM0):
        request.path_info = path.replace(VERSION, "/api", 1)
        request.path = request.path.removesuffix(path) + request.path_info


#: Comes before all that looks at an address.
drop_version = middleware(before=_drop_version)


def typed(url_name: str) -> Callable[..., HttpResponseBase]:
    """Return a view for a short address that people type, which leads to the screen *url_name*."""
    return RedirectView.as_view(pattern_name=url_name, query_string=True)
