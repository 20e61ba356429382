"""The MCP endpoint: authentication and limits. The protocol itself is in `server`."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from conversations.bounded_json import check
from memoryapp.api.auth import Key, caller_of, instance_named
from memoryapp.api.errors import Refusal
from memoryapp.api.json_errors import answering_in_json
from memoryapp.api.mcp.session import Session
from memoryapp.api.ninja_api import KeepsakeAPI

_api = KeepsakeAPI(limits_concurrency=False, urls_namespace="mcp", docs_url=None, openapi_url=None)


@_api.post("/mcp", auth=[Key()], include_in_schema=False)
def mcp(request: HttpRequest) -> HttpResponse:
    """Answer one message of a client with a key."""
    # Imported here: the MCP SDK is slow to import, and most processes never serve MCP.
    from memoryapp.api.mcp.server import answer

    _check_origin(request)
    # The protocol has its own parser, so the bounds are checked here.
    check(request.body.decode("utf-8", "replace"))
    key = caller_of(request).key
    assert key is not None  # noqa: S101 - The endpoint requires a key.
    session = Session(key, instance_named(request, None), request.headers.get("X-User-Id", ""))
    return answer(request, session)


def addresses() -> list[URLPattern]:
    """Return the URL patterns of this API."""
    return [
        path("mcp", answering_in_json(pattern.callback), name="mcp")
        for pattern in _api.urls[0]
        if isinstance(pattern, URLPattern) and pattern.name == "mcp"
    ]


def _check_origin(request: HttpRequest) -> None:
    """Refuse browsers on pages of other sites, which DNS rebinding may have led here."""
    origin = request.headers.get("Origin")
    if origin is None:
        return
    ours = origin == f"{request.scheme}://{request.get_host()}"
    if not ours and origin not in settings.CSRF_TRUSTED_ORIGINS:
        name = urlsplit(origin).netloc or origin
        raise Refusal(
            403,
            "foreign_origin",
            f"Requests from pages of {name} are not allowed. See CSRF_TRUSTED_ORIGINS.",
        )
