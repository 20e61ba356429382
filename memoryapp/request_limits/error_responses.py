"""Responses to refused requests: JSON for programs, a page for people."""

import logging
from typing import TYPE_CHECKING

from django.db import DatabaseError, DataError, IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext_lazy as _

from instances.middleware import middleware
from instances.translatable import translated
from memoryapp.api.errors import UNAVAILABLE, UNSTORABLE, ApiError, answer
from memoryapp.api.v1 import errors
from memoryapp.forgetting.holds import OnHold
from memoryapp.process.fair_slots import NoSlot

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

logger = logging.getLogger(__name__)

#: The key of the refusal in the ASGI scope.
REFUSAL = "keepsake.refusal"

#: For the addresses of OAuth that programs call.
_OAUTH = frozenset({"token", "revoke-token", "dcr-register", "dcr-register-management"})

TITLES = {
    409: _("Something has just changed"),
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
        case "api":
            return answer(request, refusal)
    if not isinstance(refusal, ApiError):
        raise refusal  # Django has pages for it.
    return _page(request, refusal.status_code, str(refusal))


def _page(
    request: HttpRequest, status: int, detail: str, *, title: "StrOrPromise" = ""
) -> HttpResponse:
    title = title or TITLES.get(status, _("Keepsake could not make sense of this"))
    context = {"title": title, "detail": detail}
    return render(request, "bad_request.html", context, status=status)


def answer_unavailable(request: HttpRequest, error: NoSlot | DatabaseError) -> HttpResponse:
    """Return the response to a request for which there is no slot, or no database to look up whose
    it is.
    """
    match _interface_of(request.path_info):
        case "openai":
            return errors.problem(request, error)
        case "anthropic":
            return errors.anthropic_problem(request, error)
        case "oauth":
            busy = isinstance(error, NoSlot)
            described = {"error": "temporarily_unavailable", "error_description": str(error)}
            if not busy:
                described["error_description"] = UNAVAILABLE
            return JsonResponse(
                described, status=429 if busy else 503, headers={"Retry-After": "1"}
            )
        case "api":
            return answer(request, error)
    if isinstance(error, DatabaseError):
        raise error  # Django has a page for it.
    page = render_to_string("429.html", {"detail": translated(str(error))})
    response = HttpResponse(page, status=429)
    response["Retry-After"] = "1"
    return response


class RefuseUnstorable(MiddlewareMixin):
    """The middleware that answers a request whose values the database does not take, or takes from
    only one of several at once, or that would delete what is under a hold. Views check what they
    know of; this is for what they do not.
    """

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the response to an error of the view; None for an error of the server's own."""
        if isinstance(error, DataError | UnicodeEncodeError):
            status, detail = 400, _("It has characters or numbers that cannot be stored.")
        elif isinstance(error, IntegrityError):
            status, detail = (
                409,
                _("Another request was faster. Reload the page and repeat it."),
            )
        elif isinstance(error, OnHold):
            return _page(
                request, 409, translated(str(error)), title=_("This is under a legal hold")
            )
        else:
            return None
        logger.warning("%s %s is refused", request.method, request.path, exc_info=error)
        if _interface_of(request.path_info) == "oauth":
            described = {"error": "invalid_request", "error_description": UNSTORABLE}
            return JsonResponse(described, status=400)
        return _page(request, status, str(detail))


#: Answers refused requests in place of their views.
answer_refusals = middleware(before=refused)


def _interface_of(path: str) -> str:
    """Return what serves *path*: ``openai``, ``anthropic``, ``oauth``, ``api`` for other JSON, or
    ``web`` for pages.
    """
    try:
        found = resolve(path)
    except Resolver404:
        return "web"
    if found.url_name in ("v1_messages", "v1_count_tokens"):
        return "anthropic"
    if (found.url_name or "").startswith("v1_"):
        return "openai"
    if found.namespace == "oauth2_provider" and found.url_name in _OAUTH:
        return "oauth"
    return "api" if found.url_name == "mcp" or found.namespace in ("api", "mem0") else "web"
