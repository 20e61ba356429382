"""JSON error responses for every API, including unknown addresses and methods; HEAD instead of GET,
and a slash at the end of an address.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, ResolverMatch, resolve
from django.views.decorators.csrf import csrf_exempt

from memoryapp.api.errors import problem
from memoryapp.api.not_found import Endpoints


def answering_in_json(view: Callable[..., Any]) -> Callable[..., Any]:
    """Make *view* answer in JSON. It authenticates by itself (see `auth`), so the login middleware,
    which would redirect programs to the login page, does not apply to it.
    """

    @login_not_required
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method == "HEAD":
            return _head(request, *args, **kwargs)
        response = view(request, *args, **kwargs)
        if response.status_code == 405:
            allowed = [method.strip() for method in response["Allow"].split(",")]
            if "GET" in allowed:
                allowed.append("HEAD")
            response = problem(
                request, 405, "method_not_allowed", "This endpoint does not support this method."
            )
            response["Allow"] = ", ".join(allowed)
        return response

    def _head(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer as GET. The server leaves out the body; a stream is not even made."""
        request.method = "GET"
        try:
            response: HttpResponseBase = answer(request, *args, **kwargs)
        finally:
            request.method = "HEAD"
        if response.streaming:
            response.close()
            return HttpResponse(status=response.status_code, headers=dict(response.items()))
        return response

    return answer


def match_without_slash(request: HttpRequest) -> ResolverMatch | None:
    """Return what serves the address of *request* without the slash at its end, if there is one and
    an endpoint of an API does. A redirect would lose the body.
    """
    path = request.path_info
    if not path.endswith("/"):
        return None
    try:
        match = resolve(path[:-1])
    except Resolver404:
        return None
    # The login middleware, which has let this request pass, must not apply to the endpoint either.
    is_open = getattr(match.func, "login_required", True) is False
    if not is_open or (match.url_name or "").endswith("nowhere"):
        return None
    request.resolver_match = match
    return match


def nowhere(see: str, endpoints: Endpoints | None = None) -> Callable[..., HttpResponse]:
    """Return a view for addresses of none of the *endpoints*; *see* names their documentation."""

    @login_not_required
    @csrf_exempt
    def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if match := match_without_slash(request):
            response: HttpResponse = match.func(request, *match.args, **match.kwargs)
            return response
        detail = endpoints.misnamed_at(request) if endpoints else ""
        detail = detail or f"Unknown endpoint. See {see}."
        return problem(request, 404, "not_found", detail)

    return answer
