"""The MCP endpoint: authentication and limits. The protocol itself is in `server`."""

import json
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, re_path
from redis import RedisError

from conversations.bounded_json import check
from instances.models import ApiKey
from memoryapp.api.auth import Key, caller_of, instance_named
from memoryapp.api.errors import ApiError, ScopeMissing
from memoryapp.api.json_errors import answering_in_json
from memoryapp.api.mcp.consent import ConsentOutcome, deliver
from memoryapp.api.mcp.session import McpSession, decoded
from memoryapp.api.ninja_api import KeepsakeAPI

#: Characters of the id of a question.
MAX_ID_CHARACTERS = 100

_api = KeepsakeAPI(urls_namespace="mcp", docs_url=None, openapi_url=None)


@_api.post("/mcp", auth=[Key(keeps_to_person=True)], include_in_schema=False)
def mcp(request: HttpRequest) -> HttpResponseBase:
    """Answer one message of a client with a key."""
    # Imported here: the MCP SDK is slow to import, and most processes never serve MCP.
    from memoryapp.api.mcp.server import answer

    _check_origin(request)
    # The protocol has its own parser, so the bounds are checked here.
    check(request.body.decode("utf-8", "replace"))
    key = caller_of(request).key
    assert key is not None  # noqa: S101 - The endpoint requires a key.
    message = _message(request)
    if "method" not in message and isinstance(message.get("id"), str):
        return _take_answer(key, message)
    user = key.end_user or decoded(request.headers.get("X-User-Id", ""))
    address = request.build_absolute_uri("/")[:-1]
    client = request.headers.get("User-Agent", "")
    session = McpSession(key, instance_named(request, None), user, address, client)
    _check_permission(session, message)
    return answer(request, session, message)


def _check_permission(session: McpSession, message: dict[str, Any]) -> None:
    """Raise `ScopeMissing` for a call for which a client can ask its user for more permissions."""
    params = message.get("params")
    name = params.get("name") if isinstance(params, dict) else None
    if message.get("method") != "tools/call" or not isinstance(name, str):
        return
    if needed := session.missing(name):
        text = f"{name} needs permission to {needed.in_english}. Ask the user to allow it."
        raise ScopeMissing(text, {*session.key.scopes, needed})


def _message(request: HttpRequest) -> dict[str, Any]:
    """Return the message; an empty one if it is unusable, which the protocol's parser reports."""
    try:
        message = json.loads(request.body)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def _take_answer(key: ApiKey, message: dict[str, Any]) -> HttpResponse:
    """Take the client's answer to a question, which another request waits for."""
    try:
        deliver(key, message["id"][:MAX_ID_CHARACTERS], ConsentOutcome.in_reply(message))
    except RedisError:
        return HttpResponse(status=503)
    return HttpResponse(status=202)


def addresses() -> list[URLPattern]:
    """Return the URL patterns of this API."""
    return [
        # A redirect to the address without the slash would lose the body.
        re_path(r"^mcp/?$", answering_in_json(pattern.callback), name="mcp")
        for pattern in _api.urls[0]
        if isinstance(pattern, URLPattern) and pattern.name == "mcp"
    ]


def _check_origin(request: HttpRequest) -> None:
    """Refuse browsers on pages of other sites, which DNS rebinding may have led here."""
    origin = request.headers.get("Origin")
    if origin is None:
        return
    ours = f"{request.scheme}://{request.get_host()}"
    allowed = {ours, *settings.CSRF_TRUSTED_ORIGINS, *settings.CORS_ALLOWED_ORIGINS}
    if origin not in allowed and not settings.CORS_ALLOW_ALL_ORIGINS:
        name = urlsplit(origin).netloc or origin
        raise ApiError(
            403,
            "foreign_origin",
            f"Requests from pages of {name} are not allowed. See CORS_ALLOWED_ORIGINS.",
        )
