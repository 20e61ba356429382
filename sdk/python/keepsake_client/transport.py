"""Steps: requests to send, pauses between them, what is tried again, and errors.

Work is a generator of steps, which reads answers and knows no network: a client carries out each
step, waiting for it or not, and sends back the answer.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx
from pydantic_core import to_json, to_jsonable_python

from keepsake_client.errors import ApiError, Unreachable

Out = TypeVar("Out")

#: Failures before the request reached the server.
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
#: Refusals before anything was done.
_NOT_BEGUN = {429}
#: Answers after which nobody knows what was done.
_UNCLEAR = {502, 503, 504}
_MAX_PAUSE_SECONDS = 60.0
_JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Send:
    """A request to send. The answer's body is read at once, unless it is long and succeeds."""

    request: httpx.Request
    is_long: bool


#: Work that ends with an `Out`; a number is a pause in seconds.
Steps = Generator[Send | float, Any, Out]


def connection(url: str, key: str, timeout_seconds: float) -> dict[str, Any]:
    """The settings of a connection to a server with a key."""
    return {
        "base_url": f"{url.rstrip('/')}/api/v1",
        "headers": {"Authorization": f"Bearer {key}", "User-Agent": "keepsake-client"},
        "timeout": timeout_seconds,
    }


class Requests:
    """Requests over a connection, each sent again at most as often as *retries*."""

    def __init__(self, http: httpx.Client | httpx.AsyncClient, retries: int) -> None:
        self._http = http
        self._retries = retries

    def send(
        self,
        method: str,
        path: str,
        *,
        repeatable: bool,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        is_long: bool = False,
    ) -> Steps[httpx.Response]:
        """Send a request; return the response.

        A request is sent again if the server cannot have carried it out; after a lost answer only
        if it is *repeatable*: it only reads, or has an ``Idempotency-Key``. Raises `ApiError` and
        `Unreachable`.
        """
        request = self._http.build_request(
            method,
            path,
            params=_texts(query or {}),
            content=None if body is None else to_json(body),
            headers={**(headers or {}), **({} if body is None else _JSON)},
        )
        for attempt in range(self._retries + 1):
            is_last = attempt == self._retries
            pause = 0.5 * 2**attempt
            try:
                response: httpx.Response = yield Send(request, is_long)
            except httpx.TransportError as error:
                if is_last or not (repeatable or isinstance(error, _NEVER_SENT)):
                    raise Unreachable(f"No answer from {request.url.host}: {error}") from error
            else:
                if response.is_success:
                    return response
                refusal = _refusal(response)
                if is_last or not _may_repeat(refusal, repeatable):
                    raise refusal
                pause = _retry_after(response) or pause
            yield min(pause, _MAX_PAUSE_SECONDS)
        raise AssertionError("the last attempt returns or raises")


def broken_off(error: httpx.TransportError) -> Unreachable:
    """The error of a long answer that ends too early."""
    return Unreachable(f"The answer broke off: {error}")


def _may_repeat(refusal: ApiError, repeatable: bool) -> bool:
    """True if the request may be sent again: a repetition can meet the first one at work."""
    return refusal.status in _NOT_BEGUN or (
        repeatable and (refusal.status in _UNCLEAR or refusal.code == "in_progress")
    )


def _retry_after(response: httpx.Response) -> float | None:
    """The seconds that the server asks to wait."""
    try:
        return float(response.headers["Retry-After"])
    except (KeyError, ValueError):
        return None


def _refusal(response: httpx.Response) -> ApiError:
    """The error of *response*, which is none of Keepsake's if a proxy has answered."""
    request = response.headers.get("X-Request-ID", "")
    try:
        problem = response.json()
        return ApiError(response.status_code, problem["code"], problem["detail"], request)
    except (ValueError, KeyError, TypeError):
        return ApiError(response.status_code, "", response.reason_phrase, request)


def _texts(query: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a query as texts; None is left out."""
    return {name: to_jsonable_python(value) for name, value in query.items() if value is not None}
