"""``/v1``: the endpoints of OpenAI's API, with its error format."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import wraps
from http import HTTPStatus
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import InterfaceError, OperationalError, close_old_connections
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import path, re_path
from django.views.decorators.csrf import csrf_exempt
from ninja.errors import AuthenticationError, HttpError

from conversations.bounded_json import TooDeep, parse
from instances.models import Instance, Permission
from instances.secrets import UnreadableSecret
from memoryapp.api.auth import Caller, Key, caller_of
from memoryapp.api.challenges import challenge
from memoryapp.api.errors import UNAVAILABLE, BadKey, Refusal, ScopeMissing
from memoryapp.api.throttling import KeyThrottle
from memoryapp.assistant.cancellation import Cancelled
from memoryapp.fair_slots import NoSlot
from memoryapp.health.database_outages import RETRY_AFTER_SECONDS, is_outage
from memoryapp.llm.structured import NoModel
from memoryapp.openai_proxy.conversation_matching import (
    ConversationWithMemory,
    OtherUsersConversation,
)
from memoryapp.openai_proxy.request import ASSISTANT_MODEL, BadRequest, ProxyRequest, parse_request
from memoryapp.openai_proxy.worker_threads import ProxyThread, start
from memoryapp.providers.configured import assistant_endpoint
from memoryapp.providers.errors import ErrorKind, ProviderError
from memoryapp.providers.stream_chunks import list_models as provided_models

logger = logging.getLogger(__name__)

#: Seconds between two comments in a stream, so that no proxy closes the connection.
KEEPALIVE_SECONDS = 15.0

_throttle = KeyThrottle()


View = Callable[..., Coroutine[Any, Any, HttpResponseBase]]


def _answering(view: View) -> View:
    """Make *view* answer programs: without login or CSRF, and with errors in OpenAI's format."""

    @csrf_exempt
    @login_not_required
    @wraps(view)
    async def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return await view(request, *args, **kwargs)
        except Exception as error:
            return problem(request, error)

    return answer


@_answering
async def chat_completions(request: HttpRequest) -> HttpResponseBase:
    """Pass a conversation with recalled memories on to the instance's provider, and its reply back
    to the client.
    """
    _require_method(request, "POST")
    parsed = await sync_to_async(_parse)(request)
    thread = start(parsed)
    try:
        # Errors before the first part can still be reported by the status.
        first = await thread.next()
        if not parsed.streams:
            await thread.next()  # The end: the reply is stored.
    except asyncio.CancelledError:
        if parsed.streams:
            thread.stop.set()
        raise
    stored = thread.answer.stored
    if parsed.streams:
        response: HttpResponseBase = StreamingHttpResponse(
            _events(thread, first), content_type="text/event-stream"
        )
        response["X-Accel-Buffering"] = "no"  # nginx would buffer it otherwise.
    else:
        response = JsonResponse(first or {})
    if stored is not None:
        response["X-Keepsake-Conversation"] = str(stored.conversation.pk)
    return response


@_answering
async def models(request: HttpRequest) -> HttpResponseBase:
    """List the models: the assistant, its agents, and those of the provider."""
    _require_method(request, "GET")
    return JsonResponse({"object": "list", "data": await sync_to_async(_models)(request)})


@_answering
async def model(request: HttpRequest, name: str) -> HttpResponseBase:
    """Describe one model."""
    _require_method(request, "GET")
    for each in await sync_to_async(_models)(request):
        if each.get("id") == name:
            return JsonResponse(each)
    raise Refusal(404, "model_not_found", f"There is no model “{name}”: see /v1/models.")


@_answering
async def nowhere(request: HttpRequest) -> HttpResponseBase:
    """Answer requests to unknown addresses."""
    raise Refusal(
        404, "not_found", "Unknown endpoint. Available: /v1/chat/completions and /v1/models."
    )


urlpatterns = [
    path("chat/completions", chat_completions, name="v1_chat_completions"),
    path("models", models, name="v1_models"),
    path("models/<path:name>", model, name="v1_model"),
    re_path("", nowhere, name="v1_nowhere"),
]


# Requests.


def _require_method(request: HttpRequest, method: str) -> None:
    if request.method != method:
        raise MethodNotAllowed(method)


def authenticate(request: HttpRequest, *scopes: Permission) -> Caller:
    """Return the key of the request, which must have *scopes*; else raise `AuthenticationError` or
    `Refusal`.
    """
    caller = Key(*scopes)(request)
    if caller is None:
        raise AuthenticationError(401, "Send a Keepsake API key: Authorization: Bearer ks_….")
    return caller


def _instance(request: HttpRequest, *scopes: Permission) -> Instance:
    """Return the instance of the request's key, which must have *scopes*."""
    request.auth = authenticate(request, *scopes)  # type: ignore[attr-defined]  # As Ninja does; the throttle reads it.
    if not _throttle.allow_request(request):
        raise Throttled(
            f"This key may make {settings.API_RATE_LIMIT:,} requests a minute. Retry after the "
            "number of seconds in Retry-After.",
            retry_after=_throttle.wait(),
        )
    return caller_of(request).instances().prefetch_related("secrets", "agents").get()


def _parse(request: HttpRequest) -> ProxyRequest:
    instance = _instance(request, Permission.READ, Permission.WRITE)
    caller = caller_of(request)
    parsed = parse_request(
        instance, _body(request), request.headers, scopes=caller.scopes, door=caller.door
    )
    # This thread waits for the whole answer, and the screens need its connection.
    close_old_connections()
    return parsed


def _body(request: HttpRequest) -> object:
    try:
        # Not `request.body`, which has a smaller limit: the size has been checked already.
        return parse(request.read())
    except TooDeep as error:
        raise BadRequest(str(error), "") from None
    except (ValueError, RecursionError):
        raise BadRequest("The body must be JSON.", "") from None


def _models(request: HttpRequest) -> list[dict[str, Any]]:
    instance = _instance(request, Permission.READ)
    names = dict.fromkeys([ASSISTANT_MODEL, *(agent.slug for agent in instance.agents.all())])
    created = int(instance.created_at.timestamp())
    ours = [
        {"id": name, "object": "model", "created": created, "owned_by": "keepsake"}
        for name in names
    ]
    endpoint = assistant_endpoint(instance)
    if endpoint is None:
        return ours
    try:
        theirs = provided_models(endpoint)
    except ProviderError as error:
        # Our own models are listed anyway, and may still be usable.
        logger.info("the models of instance %s are not known: %s", instance.pk, error.kind)
        return ours
    return [*ours, *(each for each in theirs if each.get("id") not in names)]


# Responses.


async def _events(thread: ProxyThread, part: dict[str, Any] | None) -> AsyncIterator[bytes]:
    """Yield the answer as server-sent events, from its first *part* on."""
    following: asyncio.Future[dict[str, Any] | None] | None = None
    try:
        while part is not None:
            yield _event(part)
            following = asyncio.ensure_future(thread.next())
            while not (await asyncio.wait({following}, timeout=KEEPALIVE_SECONDS))[0]:
                yield b": still here\n\n"
            part = following.result()
        yield b"data: [DONE]\n\n"
    except Exception as error:
        yield _event({"error": _described(error)[1]})
    finally:
        # The client may have disconnected: the text so far is stored.
        thread.stop.set()
        if following is not None:
            following.cancel()


def _event(data: dict[str, Any]) -> bytes:
    # JSON has no line breaks, so one line of data is enough.
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


# Errors.


class MethodNotAllowed(Refusal):
    """The URL takes only one other method."""

    def __init__(self, allowed: str) -> None:
        super().__init__(405, "method_not_allowed", f"Method not allowed. Use {allowed}.")
        self.allowed = allowed


class Throttled(Exception):
    """Too many requests, with this key or in this process."""

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


_TYPES = dict.fromkeys((400, 404, 405, 409, 413), "invalid_request_error") | {
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
}
_STATUS_OF_KIND = {
    ErrorKind.TIMEOUT: 504,
    ErrorKind.RATE_LIMITED: 429,
    ErrorKind.BAD_REQUEST: 400,
    ErrorKind.CIRCUIT_OPEN: 503,
}


def problem(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return the response to *error* in OpenAI's format."""
    status, described, retry_after = _described(error)
    response = JsonResponse({"error": described}, status=status)
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
    match error:
        case ProviderError():
            return _of_provider(error)
        case BadRequest():
            return 400, _error(400, str(error), "invalid_request", error.param or None), None
        case NoModel():
            return 400, _error(400, str(error), "no_language_model"), None
        case UnreadableSecret():
            return 500, _error(500, str(error), "unreadable_secret"), None
        case OtherUsersConversation():
            return 409, _error(409, str(error), "conversation_of_another_user"), None
        case ConversationWithMemory():
            return 409, _error(409, str(error), "conversation_with_memory"), None
        case NoSlot():
            return 429, _error(429, str(error), error.code), 1.0
        case Throttled():
            return 429, _error(429, str(error), "rate_limited"), error.retry_after
        case AuthenticationError():
            return 401, _error(401, str(error), "invalid_api_key"), None
        case HttpError(status_code=status):
            code = getattr(error, "code", HTTPStatus(status).name.lower())
            return status, _error(status, str(error), code), None
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
