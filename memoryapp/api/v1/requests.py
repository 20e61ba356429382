"""Stages of every request to ``/v1``: key, rate limit, method and body."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from ninja.errors import AuthenticationError

from conversations.bounded_json import BadNumber, TooDeep, parse
from instances.models import Instance, Permission
from memoryapp.api.auth import KEY_HEADER, Caller, Key, caller_of
from memoryapp.api.key_requests import note_request
from memoryapp.api.request_shares import give_back
from memoryapp.api.v1.errors import MethodNotAllowed, problem
from memoryapp.api.v1.request import (
    BadRequest,
    PersonRequired,
    ProxyRequest,
    parse_request,
)
from memoryapp.models import RequestDoor, RequestRemark

View = Callable[..., Coroutine[Any, Any, HttpResponseBase]]
Problem = Callable[[HttpRequest, Exception], HttpResponse]


def answering(view: View, problem: Problem = problem) -> View:
    """Make *view* answer programs: without login or CSRF, and with errors in the format that
    *problem* writes. HEAD is answered as GET: the server leaves out the body.
    """

    @csrf_exempt
    @login_not_required
    @wraps(view)
    async def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        is_head = request.method == "HEAD"
        if is_head:
            request.method = "GET"
        try:
            return await view(request, *args, **kwargs)
        except Exception as error:
            return problem(request, error)
        finally:
            if is_head:
                request.method = "HEAD"

    return answer


def require_method(request: HttpRequest, *methods: str) -> None:
    """Raise `MethodNotAllowed` unless the request uses one of *methods*."""
    if request.method not in methods:
        raise MethodNotAllowed(", ".join(methods))


def authenticate(request: HttpRequest, *scopes: Permission) -> Caller:
    """Return the key of the request, which must have *scopes*; else raise `AuthenticationError` or
    `ApiError`.
    """
    key, secret = Key(*scopes, keeps_to_person=True), request.headers.get(KEY_HEADER)
    caller = key(request)
    if caller is None and secret:
        caller = key.authenticate(request, secret.strip())
    if caller is None:
        raise AuthenticationError(401, "Send a Keepsake API key: Authorization: Bearer ks_….")
    return caller


def instance_of(request: HttpRequest, *scopes: Permission) -> Instance:
    """Return the instance of the request's key, which must have *scopes*."""
    request.auth = authenticate(request, *scopes)  # type: ignore[attr-defined]  # As Ninja does.
    return caller_of(request).instances().prefetch_related("secrets", "agents").get()


def body_of(request: HttpRequest) -> dict[str, Any]:
    """Return the JSON object in the body; raises `BadRequest`."""
    try:
        # Not `request.body`, which has a smaller limit: the size has been checked already.
        body = parse(request.read())
    except (BadNumber, TooDeep) as error:
        raise BadRequest(str(error), "") from None
    except (ValueError, RecursionError):
        raise BadRequest("The body must be JSON.", "") from None
    if not isinstance(body, dict):
        raise BadRequest("The body must be a JSON object.", "")
    return body


def proxied(request: HttpRequest, instance: Instance, chat: dict[str, Any]) -> ProxyRequest:
    """Return the request to the language model for *chat*, a body of chat completions."""
    caller = caller_of(request)
    try:
        parsed = parse_request(
            instance, chat, request.headers, scopes=caller.scopes, door=caller.door
        )
    except PersonRequired:
        note_request(request, "", RequestDoor.CHAT, remark=RequestRemark.NO_PERSON)
        raise
    # The request waits for the whole answer, and others need its connection. The threads that pass
    # requests on have shares of their own.
    close_old_connections()
    give_back(request)
    return parsed
