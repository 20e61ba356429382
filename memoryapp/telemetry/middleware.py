"""A log line for each request, and an id that all its lines share."""

import logging
import re
import time
import uuid
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from inspect import iscoroutinefunction
from typing import Any, cast

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from structlog.contextvars import bound_contextvars

from memoryapp.telemetry import traces
from memoryapp.telemetry.addresses import logged_address
from memoryapp.telemetry.timings import REQUESTS

logger = logging.getLogger("keepsake.requests")

#: The ids that are accepted from a proxy. Others could forge a line or fill a disk.
ACCEPTED = re.compile(r"[A-Za-z0-9._:-]{8,64}", re.ASCII)

PROBES = ("/healthz", "/readyz", "/metrics")

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

Answer = Callable[[HttpRequest], HttpResponseBase]
AsyncAnswer = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def observe(get_response: Answer | AsyncAnswer) -> Answer | AsyncAnswer:
    """Log and measure each request."""
    if iscoroutinefunction(get_response):
        answer = cast(AsyncAnswer, get_response)

        async def observed_async(request: HttpRequest) -> HttpResponseBase:
            with Watched(request) as watched:
                return watched.done(await answer(request))

        return observed_async
    answer_now = cast(Answer, get_response)

    def observed(request: HttpRequest) -> HttpResponseBase:
        with Watched(request) as watched:
            return watched.done(answer_now(request))

    return observed


class Watched(AbstractContextManager["Watched"]):
    """One request, until the first byte of its response."""

    def __init__(self, request: HttpRequest) -> None:
        given = request.headers.get("X-Request-ID", "")
        self.id = given if ACCEPTED.fullmatch(given) else uuid.uuid4().hex
        self._request = request
        self._begin = time.perf_counter()
        self._bound = bound_contextvars(request_id=self.id)
        self._traced = traces.request_span(_method(request), request.headers)

    def __enter__(self) -> "Watched":
        self._bound.__enter__()
        self._span = self._traced.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._traced.__exit__(*error)
        self._bound.__exit__(*error)

    def done(self, response: HttpResponseBase) -> HttpResponseBase:
        """Write the line."""
        seconds = time.perf_counter() - self._begin
        request = self._request
        response["X-Request-ID"] = self.id
        route = request.resolver_match.route if request.resolver_match else "none"
        traces.end_request(self._span, _method(request), route, response.status_code)
        for name, value in traces.trace_headers().items():
            response[name] = value
        REQUESTS.labels(_method(request), route, str(response.status_code)).observe(seconds)
        known = {
            "user": getattr(_signed_in(request), "pk", None),
            "instance": getattr(getattr(request, "instance", None), "pk", None),
        }
        logger.log(
            _level(request, response),
            "request",
            extra={
                "method": request.method,
                "path": logged_address(request),
                "status": response.status_code,
                "ms": round(seconds * 1000, 1),
                **{name: pk for name, pk in known.items() if pk is not None},
            },
        )
        return response


def _signed_in(request: HttpRequest) -> object:
    """Return the user if the request has loaded one: the log line alone causes no query."""
    return getattr(request, "_cached_user", None) or getattr(request, "_acached_user", None)


def _method(request: HttpRequest) -> str:
    """Return the method, or one name for all unknown ones: each would be a metric of its own."""
    return request.method if request.method in METHODS else "other"


def _level(request: HttpRequest, response: HttpResponseBase) -> int:
    if response.status_code >= 500:
        return logging.ERROR
    # Probes come every few seconds, and matter only when they fail.
    return logging.DEBUG if request.path in PROBES else logging.INFO
