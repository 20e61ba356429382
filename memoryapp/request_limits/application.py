"""The ASGI application in front of Django's, which passes on requests within the limits."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import Http404
from ninja.errors import AuthenticationError

from memoryapp.api.errors import ApiError
from memoryapp.request_limits.body_sizes import max_body_bytes, too_large
from memoryapp.request_limits.error_responses import REFUSAL

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

#: The minimum average speed of a body, after the first `BODY_GRACE_SECONDS`.
MIN_BODY_BYTES_PER_SECOND = 50_000
#: How long a refused client may go on sending before the connection is closed.
LINGER_SECONDS = 5.0


class RequestLimits:
    """Passes requests on to *application* and counts their bodies."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have Django answer one request, or refuse it without keeping anything of it."""
        if scope["type"] != "http":
            # Nothing here speaks WebSocket.
            await send({"type": "websocket.close", "code": 1000})
            return
        try:
            body = LimitedBody(receive, await max_body_bytes(scope))
        except (ApiError, AuthenticationError, Http404, PermissionDenied, DatabaseError) as refusal:
            await self._refuse(refusal, scope, receive, send)
            return
        await self._application(scope, body.receive, send)
        if body.refusal is not None:
            await self._refuse(body.refusal, scope, receive, send)

    async def _refuse(self, refusal: Exception, scope: Scope, receive: Receive, send: Send) -> None:
        """Have Django answer with the refusal, without the body; then close the connection."""
        answer: list[Message] = []
        nothing: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive_nothing() -> Message:
            return nothing.pop() if nothing else await asyncio.Future()

        async def keep(message: Message) -> None:
            answer.append(message)

        await self._application(scope | {REFUSAL: refusal}, receive_nothing, keep)
        start, *parts = answer
        body = b"".join(part.get("body", b"") for part in parts)
        replaced = {b"connection": b"close", b"content-length": str(len(body)).encode()}
        headers = [pair for pair in start["headers"] if pair[0].lower() not in replaced]
        await send({**start, "headers": [*headers, *replaced.items()]})
        # Complete for the client, which knows the length, but not for uvicorn, which would close.
        await send({"type": "http.response.body", "body": body, "more_body": True})
        await _drain(receive)
        await send({"type": "http.response.body", "body": b""})


class LimitedBody:
    """The body of a request, counted, and ended when it exceeds the limits."""

    def __init__(self, receive: Receive, max_bytes: int) -> None:
        self._receive = receive
        self._max_bytes = max_bytes
        self._bytes = 0
        self._began = time.monotonic()
        self._complete = False
        #: Why it was ended, if it was. The application sees a client that has disconnected.
        self.refusal: ApiError | None = None

    async def receive(self) -> Message:
        """Return the next message of the client, or a disconnect if it is refused."""
        if self._complete:
            return await self._receive()
        earned = self._bytes / MIN_BODY_BYTES_PER_SECOND
        left = self._began + settings.BODY_GRACE_SECONDS + earned - time.monotonic()
        try:
            async with asyncio.timeout(min(left, settings.BODY_SILENCE_SECONDS)):
                message = await self._receive()
        except TimeoutError:
            return self._end(
                ApiError(408, "too_slow", "The request did not arrive in time. Send it again.")
            )
        self._bytes += len(message.get("body", b""))
        self._complete = not message.get("more_body", False)
        if self._bytes > self._max_bytes:
            return self._end(too_large(self._max_bytes))
        return message

    def _end(self, refusal: ApiError) -> Message:
        self.refusal, self._complete = refusal, True
        return {"type": "http.disconnect"}


async def _drain(receive: Receive) -> None:
    """Read and drop the rest. A connection that is closed with unread data is reset, and a client
    that is still sending would never see the answer.
    """
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while (await receive()).get("more_body", False):
                pass
