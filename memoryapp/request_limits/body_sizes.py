"""How many bytes the body of a request may have, and which callers may send more.

The sizes themselves are `MAX_…` in the settings.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Any

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import HttpResponse
from django.urls import reverse

from instances.access import signed_in, visible_instance
from instances.models import Permission
from memoryapp.api.auth import Caller, instance_named
from memoryapp.api.errors import ApiError
from memoryapp.api.v1 import requests

#: Bytes of a form around its file.
FORM_BYTES = 1 << 20


@dataclass(frozen=True)
class LargeBodyRoute:
    """A URL that accepts more than `MAX_BODY_BYTES` from callers who pass a check."""

    max_bytes: int
    #: Raises the error for a caller who may not send that much.
    check: Callable[[ASGIRequest], object]
    #: The content type to which this applies; any if empty.
    content_type: str = ""


def check_key(request: ASGIRequest) -> None:
    """Require a key that may read and write."""
    requests.authenticate(request, Permission.READ, Permission.WRITE)


def check_program(request: ASGIRequest) -> None:
    """Require a key that may write, or the session of a person who may import into the instance in
    the URL.
    """
    if "Authorization" in request.headers:
        requests.authenticate(request, Permission.WRITE)
    else:
        _require_session(request)
        request.auth = Caller(user=signed_in(request).user, scope=Permission.WRITE)  # type: ignore[attr-defined]  # As Ninja does.
        instance_named(request, None)


def check_importer(request: ASGIRequest) -> None:
    """Require the session of a person who may import into the instance in the URL."""
    _require_session(request)
    visible_instance(signed_in(request), request.GET.get("instance", ""))


def _require_session(request: ASGIRequest) -> None:
    """Look up who is signed in; raise `ApiError` without a session."""
    SessionMiddleware(lambda _: HttpResponse()).process_request(request)
    request.user = get_user(request)
    if not request.user.is_authenticated:
        raise ApiError(
            413,
            "too_large",
            f"You must sign in to upload more than {settings.MAX_BODY_BYTES >> 20} MB. "
            "Sign in, then upload the file again.",
        )


@cache
def large_body_routes() -> dict[str, LargeBodyRoute]:
    """The URLs that accept more than others, all of them by POST only."""
    chats = ("v1_chat_completions", "v1_responses", "v1_messages")
    return {
        **{
            reverse(name): LargeBodyRoute(settings.MAX_CHAT_BODY_BYTES, check_key) for name in chats
        },
        reverse("import_new"): LargeBodyRoute(
            (settings.MAX_UPLOAD_MB << 20) + FORM_BYTES, check_importer, "multipart/form-data"
        ),
        reverse("api:start_import"): LargeBodyRoute(
            (settings.MAX_UPLOAD_MB << 20) + FORM_BYTES, check_program
        ),
    }


async def max_body_bytes(scope: dict[str, Any]) -> int:
    """Return how many bytes the body of this request may have.

    Raises:
        ApiError, AuthenticationError, Http404, PermissionDenied: it is refused before anything is
            read.
        DatabaseError: the caller cannot be looked up.

    """
    headers = {name.lower(): value for name, value in scope["headers"]}
    if headers.get(b"content-encoding", b"identity").lower() != b"identity":
        raise ApiError(415, "unsupported_encoding", "Send the body without compression.")
    size = _declared_bytes(headers)
    limit: int = settings.MAX_BODY_BYTES
    if size is not None and size <= limit:
        return limit
    path = scope["path"].removesuffix("/")
    route = large_body_routes().get(path) if scope["method"] == "POST" else None
    if route is not None:
        sent = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if not route.content_type or sent == route.content_type.encode():
            limit = route.max_bytes
    if size is not None and size > limit:
        raise too_large(limit)
    if route is not None and limit == route.max_bytes:
        async with ThreadSensitiveContext():
            await sync_to_async(_check)(route, scope)
    return limit


def too_large(limit: int) -> ApiError:
    """The refusal of a body of more than *limit* bytes."""
    return ApiError(
        413, "too_large", f"A request may have at most {limit >> 20:,} MB here. Send it in parts."
    )


def _declared_bytes(headers: dict[bytes, bytes]) -> int | None:
    """The declared length of the body; None if there is none."""
    if b"transfer-encoding" in headers:
        return None
    length = headers.get(b"content-length", b"0")
    return int(length) if length.isdigit() else None


def _check(route: LargeBodyRoute, scope: dict[str, Any]) -> None:
    """Run the check of *route*, in a thread that may wait for the database."""
    try:
        route.check(ASGIRequest(scope, BytesIO()))
    except UnicodeDecodeError:
        raise ApiError(400, "bad_request", "The URL is not UTF-8.") from None
    finally:
        connections.close_all()
