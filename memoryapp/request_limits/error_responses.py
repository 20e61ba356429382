"""Responses to refused requests: JSON for programs, a page for people."""

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils.translation import gettext_lazy as _

from instances.middleware import middleware
from instances.translatable import translated
from memoryapp.api.errors import Refusal, database_error, no_slot, problem
from memoryapp.api.v1 import errors
from memoryapp.fair_slots import NoSlot

#: The key of the refusal in the ASGI scope.
REFUSAL = "keepsake.refusal"

TITLES = {
    408: _("This took too long to arrive"),
    413: _("This is too large"),
    415: _("This format is not supported"),
}


def refused(request: HttpRequest) -> HttpResponse | None:
    """Return the response to a refused request; None for any other request."""
    refusal: Exception | None = getattr(request, "scope", {}).get(REFUSAL)
    if refusal is None:
        return None
    match _interface_of(request.path_info):
        case "openai":
            return errors.problem(request, refusal)
        case "anthropic":
            return errors.anthropic_problem(request, refusal)
        case "api" if isinstance(refusal, Refusal):
            return problem(request, refusal.status_code, refusal.code, str(refusal))
    if not isinstance(refusal, Refusal):
        raise refusal  # Django has pages for it.
    title = TITLES.get(refusal.status_code, _("Keepsake could not make sense of this"))
    context = {"title": title, "detail": str(refusal)}
    return render(request, "bad_request.html", context, status=refusal.status_code)


def answer_unavailable(request: HttpRequest, error: NoSlot | DatabaseError) -> HttpResponse:
    """Return the response to a request for which there is no slot, or no database to look up whose
    it is.
    """
    match _interface_of(request.path_info):
        case "openai":
            return errors.problem(request, error)
        case "anthropic":
            return errors.anthropic_problem(request, error)
        case "api":
            answer = no_slot if isinstance(error, NoSlot) else database_error
            return answer(request, error)
    if isinstance(error, DatabaseError):
        raise error  # Django has a page for it.
    page = render_to_string("429.html", {"detail": translated(str(error))})
    response = HttpResponse(page, status=429)
    response["Retry-After"] = "1"
    return response


#: Answers refused requests in place of their views.
answer_refusals = middleware(before=refused)


def _interface_of(path: str) -> str:
    """Return what serves *path*: ``openai``, ``anthropic``, ``api`` for other JSON, or ``web`` for
    pages.
    """
    try:
        found = resolve(path)
    except Resolver404:
        return "web"
    if found.url_name in ("v1_messages", "v1_count_tokens"):
        return "anthropic"
    if (found.url_name or "").startswith("v1_"):
        return "openai"
    return "api" if found.url_name == "mcp" or found.namespace in ("api", "mem0") else "web"
