"""Errors of ``/v1``, in the format of the API that was asked."""

import logging
from typing import Any

from django.db import DataError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from ninja.errors import AuthenticationError, HttpError

from instances.secrets import UnreadableSecret
from memoryapp.api.challenges import challenge
from memoryapp.api.errors import UNAVAILABLE, UNSTORABLE, ApiError, BadKey, ScopeMissing, code_of
from memoryapp.api.v1.conversation_matching import (
    ConversationWithMemory,
    OtherUsersConversation,
)
from memoryapp.api.v1.request import BadRequest
from memoryapp.assistant.cancellation import Cancelled
from memoryapp.health.database_outages import RETRY_AFTER_SECONDS, is_outage
from memoryapp.llm.structured import NoModel
from memoryapp.process.fair_slots import NoSlot
from memoryapp.providers.errors import ErrorKind, ProviderError

logger = logging.getLogger(__name__)


class MethodNotAllowed(ApiError):
    """The URL takes only one other method."""

    def __init__(self, allowed: str) -> None:
        super().__init__(405, "method_not_allowed", f"Method not allowed. Use {allowed}.")
        self.allowed = allowed


_TYPES = dict.fromkeys((400, 404, 405, 409, 413), "invalid_request_error") | {
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
}
_ANTHROPIC_TYPES = dict.fromkeys((400, 405, 409, 422), "invalid_request_error") | {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
    504: "timeout_error",
    529: "overloaded_error",
}
#: What Anthropic calls an error itself, where the status does not say it.
_ANTHROPIC_NAMES = frozenset((*_ANTHROPIC_TYPES.values(), "billing_error"))
_STATUS_OF_KIND = {
    ErrorKind.TIMEOUT: 504,
    ErrorKind.RATE_LIMITED: 429,
    ErrorKind.BAD_REQUEST: 400,
    ErrorKind.CIRCUIT_OPEN: 503,
}
#: Errors whose text is for the caller, with status and code.
_IN_OWN_WORDS: tuple[tuple[type[Exception], int, str], ...] = (
    (NoModel, 400, "no_language_model"),
    (UnreadableSecret, 500, "unreadable_secret"),
    (OtherUsersConversation, 409, "conversation_of_another_user"),
    (ConversationWithMemory, 409, "conversation_with_memory"),
    (AuthenticationError, 401, "invalid_api_key"),
)


def problem(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return the response to *error* in OpenAI's format."""
    status, described, retry_after = _described(error)
    return _with_headers(request, error, {"error": described}, status, retry_after)


def anthropic_problem(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return the response to *error* in Anthropic's format."""
    status, described, retry_after = _described(error)
    return _with_headers(request, error, _of_anthropic(status, described), status, retry_after)


def openai_event(error: Exception) -> dict[str, Any]:
    """Return the error object for the middle of a stream, in OpenAI's format."""
    return _described(error)[1]


def anthropic_event(error: Exception) -> dict[str, Any]:
    """Return the error event for the middle of a stream, in Anthropic's format."""
    status, described, _ = _described(error)
    return _of_anthropic(status, described)


def _of_anthropic(status: int, described: dict[str, Any]) -> dict[str, Any]:
    named = described["type"] if described["type"] in _ANTHROPIC_NAMES else "api_error"
    kind = _ANTHROPIC_TYPES.get(status, named)
    return {"type": "error", "error": {"type": kind, "message": described["message"]}}


def _with_headers(
    request: HttpRequest,
    error: Exception,
    body: dict[str, Any],
    status: int,
    retry_after: float | None,
) -> HttpResponse:
    response = JsonResponse(body, status=status)
    if retry_after is not None:
        response["Retry-After"] = str(max(1, round(retry_after)))
    if isinstance(error, AuthenticationError):
        bad = isinstance(error, BadKey)
        response["WWW-Authenticate"] = challenge(request, "invalid_token" if bad else "")
    if isinstance(error, ScopeMissing):
        response["WWW-Authenticate"] = challenge(request, "insufficient_scope", error.scopes)
    if isinstance(error, MethodNotAllowed):
        response["Allow"] = error.allowed
    return response


def _described(error: Exception) -> tuple[int, dict[str, Any], float | None]:
    """Return the status, the error object, and the seconds after which to try again."""
    for kind, status, code in _IN_OWN_WORDS:
        if isinstance(error, kind):
            return status, _error(status, str(error), code), None
    match error:
        case ProviderError():
            return _of_provider(error)
        case BadRequest():
            return 400, _error(400, str(error), error.code, error.param or None), None
        case DataError() | UnicodeEncodeError():
            return 400, _error(400, UNSTORABLE, "invalid_request"), None
        case NoSlot():
            return 429, _error(429, str(error), error.code), 1.0
        case HttpError(status_code=status):
            named = getattr(error, "code", None) or code_of(status)
            return status, _error(status, str(error), named), None
        case Cancelled():
            message = "The server is shutting down and stopped this response. Try again soon."
            return 503, _error(503, message, "stopped"), 1.0
        case OperationalError() | InterfaceError() if is_outage(error):
            unavailable = _error(503, UNAVAILABLE, "unavailable")
            return 503, unavailable, float(RETRY_AFTER_SECONDS)
    logger.error("a request to /v1 failed", exc_info=error)
    message = "Internal error in Keepsake. See its log for details."
    return 500, _error(500, message, "internal_error"), None


def _of_provider(error: ProviderError) -> tuple[int, dict[str, Any], float | None]:
    """Describe the error of a provider by its own status and message, where it has any."""
    status = error.status or _STATUS_OF_KIND.get(error.kind, 502)
    # The provider's message would not say whose key was refused.
    message = str(error) if status in (401, 403) or not error.detail else error.detail
    labels = error.labels
    described = _error(status, message, labels.get("code") or error.kind, labels.get("param"))
    described["type"] = labels.get("type") or described["type"]
    return status, described, error.retry_after


def _error(status: int, message: str, code: str, param: str | None = None) -> dict[str, Any]:
    kind = _TYPES.get(status, "server_error")
    return {"message": message, "type": kind, "param": param, "code": code}
