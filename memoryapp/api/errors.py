"""Error responses: a sentence for people, and a code for programs.

Those of `/api` are problem details (RFC 9457). Clients of mem0 and MCP expect plain JSON.
"""

import logging
from collections.abc import Collection, Iterable
from http import HTTPStatus
from typing import Any, Literal

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import DataError, IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic import Field

from conversations.bounded_json import BadNumber, TooDeep
from memoryapp.api.challenges import challenge
from memoryapp.api.not_found import Endpoints
from memoryapp.forgetting.holds import OnHold
from memoryapp.health.database_outages import RETRY_AFTER_SECONDS, is_outage
from memoryapp.process.fair_slots import NoSlot
from memoryapp.telemetry.addresses import logged_address
from memoryapp.telemetry.logs import request_id

logger = logging.getLogger(__name__)

#: The error while the database is unavailable.
UNAVAILABLE = (
    "The database does not answer; it may be restarting. Try again in a moment. With an "
    "Idempotency-Key, the request is not executed twice."
)

#: The error of a request whose values the database does not take.
UNSTORABLE = "The request has characters or numbers that cannot be stored."

#: Statuses whose words Python has changed in 3.13.
_RENAMED = {
    413: "Content Too Large",
    414: "URI Too Long",
    416: "Range Not Satisfiable",
    422: "Unprocessable Content",
}

#: The media type of error responses of the REST API.
MEDIA_TYPE = "application/problem+json"


class Problem(Schema):
    """The body of every error response: problem details, as RFC 9457 describes them."""

    type: Literal["about:blank"] = Field(
        description="Always `about:blank`: `code` tells errors of one status apart."
    )
    title: str = Field(description="The status in words.", examples=["Not Found"])
    status: int = Field(description="The status of the response.", examples=[404])
    detail: str = Field(
        description="What is wrong and what to do, for people.",
        examples=["No memory 12, or you do not have access. See GET /api/memories."],
    )
    code: str = Field(description="The error, for programs.", examples=["not_found"])
    request_id: str = Field(
        description="The request in the server’s log, as the header `X-Request-ID` names it.",
        examples=["5f0c4d7b1d8e4b6f9a3f2c1e7d6b5a49"],
    )


def problems(*statuses: int) -> dict[int, type[Problem]]:
    """Return the response schemas of an operation's errors, including those of all operations."""
    return dict.fromkeys(sorted({400, 401, 403, 404, 422, 429, *statuses}), Problem)


class ApiError(HttpError):
    """An error with a code of its own."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(status, detail)
        self.code = code


class ScopeMissing(ApiError):
    """The key may not do this. A client connected by OAuth can ask its user for the *scopes*."""

    def __init__(self, detail: str, scopes: Collection[str]) -> None:
        super().__init__(403, "scope_required", detail)
        self.scopes = scopes


def problem(request: HttpRequest, status: int, code: str, detail: str) -> HttpResponse:
    """Return the response for an error."""
    body: dict[str, Any] = {"detail": detail, "code": code}
    media_type = "application/json; charset=utf-8"
    if _is_rest(request):
        media_type = MEDIA_TYPE
        body = {
            "type": "about:blank",
            "title": title_of(status),
            "status": status,
            **body,
            "request_id": request_id(),
        }
    return JsonResponse(body, status=status, content_type=media_type)


def title_of(status: int) -> str:
    """Return the words of RFC 9110 for *status*, whatever Python calls it."""
    return _RENAMED.get(status) or HTTPStatus(status).phrase


def code_of(status: int) -> str:
    """Return the code of an error of *status* that has none of its own, such as `bad_request`."""
    return title_of(status).lower().replace(" ", "_")


def _is_rest(request: HttpRequest) -> bool:
    # One of mem0's addresses begins in the same way.
    of_mem0 = request.resolver_match is not None and request.resolver_match.namespace == "mem0"
    return request.path_info.startswith("/api/") and not of_mem0


def handle_errors(api: NinjaAPI, endpoints: Endpoints) -> None:
    """Make *api*, which has these *endpoints*, answer all exceptions in JSON."""

    def not_found(request: HttpRequest, error: Any) -> HttpResponse:
        return problem(request, 404, "not_found", endpoints.missing_at(request))

    for kind, handler in (_HANDLERS | {Http404: not_found}).items():
        api.add_exception_handler(kind, handler)


def _http_error(request: HttpRequest, error: Any) -> HttpResponse:
    # Whether a body is too deep for the parser or only for later code depends on the depth of the
    # server's own call stack.
    if isinstance(error.__cause__, RecursionError | TooDeep):
        return _too_deep(request, error)
    if isinstance(error.__cause__, BadNumber):
        return problem(request, 422, "invalid", str(error.__cause__))
    status = error.status_code
    code = getattr(error, "code", None) or code_of(status)
    response = problem(request, status, code, str(error))
    if isinstance(error, ScopeMissing):
        response["WWW-Authenticate"] = challenge(request, "insufficient_scope", error.scopes)
    return response


def _unauthenticated(request: HttpRequest, error: Any) -> HttpResponse:
    # Ninja's own message is "Unauthorized", which does not say what to do.
    if isinstance(error, BadKey):
        detail = str(error)
    elif _is_rest(request):
        detail = "Sign in first, or send an API key."
    else:
        detail = "Send an API key. To be signed in is not enough here."
    response = problem(request, 401, "unauthenticated", detail)
    response["WWW-Authenticate"] = challenge(
        request, "invalid_token" if isinstance(error, BadKey) else ""
    )
    return response


class BadKey(AuthenticationError):
    """The API key or access token is unknown, expired or revoked."""

    def __init__(self, *, is_token: bool = False) -> None:
        text = (
            "This access token is invalid: it is unknown, has expired or has been revoked, or is "
            "for another address."
            if is_token
            else "This API key is invalid: it is unknown or has been revoked."
        )
        super().__init__(401, text)


def no_slot(request: HttpRequest, error: Any) -> HttpResponse:
    """Return the response to a request for which there is no slot."""
    response = problem(request, 429, error.code, str(error))
    response["Retry-After"] = "1"
    return response


def _invalid(request: HttpRequest, error: Any) -> HttpResponse:
    return problem(request, 422, "invalid", in_words(error.errors, skip=1))


def in_words(errors: Iterable[Any], *, skip: int = 0) -> str:
    """Return the *errors* of a validation as a sentence, without the first *skip* parts of the
    places.
    """
    return "; ".join(
        f"{_place(item['loc'][skip:])}: {item['msg'].removeprefix('Value error, ')}"
        for item in errors
    )


def _place(location: Iterable[str | int]) -> str:
    """Where in a request an error is, without what Pydantic calls the parts of its types."""
    parts = (str(part) for part in location)
    return ".".join(part for part in parts if "[" not in part) or "request"


def _too_deep(request: HttpRequest, error: Any) -> HttpResponse:
    logger.warning("%s is nested too deeply", _asked(request))
    return problem(request, 422, "invalid", "The body is nested too deeply.")


def _too_big(request: HttpRequest, error: Any) -> HttpResponse:
    limit = settings.MAX_BODY_BYTES >> 20
    return problem(
        request, 413, "too_large", f"A request may have at most {limit} MB here. Send it in parts."
    )


def _unstorable(request: HttpRequest, error: Any) -> HttpResponse:
    logger.warning(
        "%s %s has values that cannot be stored: %s", request.method, request.path, error
    )
    return problem(request, 422, "invalid", UNSTORABLE)


def _conflict(request: HttpRequest, error: Any) -> HttpResponse:
    # All rows that a request refers to are loaded first, so that only a race leads here.
    # Not its text, which quotes values of the row.
    reason = type(error.__cause__ or error).__name__
    logger.warning("%s conflicts with another request: %s", _asked(request), reason)
    return problem(
        request, 409, "conflict", "Data that this request depends on has just changed. Try again."
    )


def _on_hold(request: HttpRequest, error: Any) -> HttpResponse:
    return problem(request, 409, "on_hold", str(error))


def database_error(request: HttpRequest, error: Any) -> HttpResponse:
    """Return the response to a request that the database could not serve."""
    if not is_outage(error):
        return _internal_error(request, error)
    logger.warning("%s: the database does not answer", _asked(request))
    response = problem(request, 503, "unavailable", UNAVAILABLE)
    response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response


def _asked(request: HttpRequest) -> str:
    return f"{request.method} {logged_address(request)}"


def _internal_error(request: HttpRequest, error: Any) -> HttpResponse:
    logger.exception("%s failed", _asked(request))
    detail = "Internal error. See the server log for details."
    return problem(request, 500, "internal_error", detail)


def answer(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return the response to an error that no operation has raised."""
    handler = next(_HANDLERS[kind] for kind in type(error).__mro__ if kind in _HANDLERS)
    response: HttpResponse = handler(request, error)
    return response


_HANDLERS: dict[type[Exception], Any] = {
    HttpError: _http_error,
    AuthenticationError: _unauthenticated,
    NoSlot: no_slot,
    ValidationError: _invalid,
    RecursionError: _too_deep,
    TooDeep: _too_deep,
    RequestDataTooBig: _too_big,
    OnHold: _on_hold,
    IntegrityError: _conflict,
    DataError: _unstorable,
    UnicodeEncodeError: _unstorable,
    OperationalError: database_error,
    InterfaceError: database_error,
    Exception: _internal_error,
}
