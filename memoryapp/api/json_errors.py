"""JSON error responses for every API, including unknown addresses and methods."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from memoryapp.api.errors import problem


def answering_in_json(view: Callable[..., Any]) -> Callable[..., Any]:
    """Make *view* answer in JSON. It authenticates by itself (see `auth`), so the login middleware,
    which would redirect programs to the login page, does not apply to it.
    """

    @login_not_required
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        response = view(request, *args, **kwargs)
        if response.status_code == 405:
            allowed = response["Allow"]
            response = problem(
                request, 405, "method_not_allowed", "This endpoint does not support this method."
            )
            response["Allow"] = allowed
        return response

    return answer


def nowhere(see: str) -> Callable[..., HttpResponse]:
    """Return a view for unknown addresses; *see* names the documentation of the known ones."""

    @login_not_required
    @csrf_exempt
    def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return problem(request, 404, "not_found", f"Unknown endpoint. See {see}.")

    return answer
