"""Requests: the key, timeouts, what is tried again, and errors."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx
from pydantic_core import to_json, to_jsonable_python

from keepsake_client.errors import ApiError, Unreachable

#: Failures before the request reached the server.
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
#: Refusals before anything was done.
_NOT_BEGUN = {429}
#: Answers after which nobody knows what was done.
_UNCLEAR = {502, 503, 504}
_MAX_PAUSE_SECONDS = 60.0


class Transport:
    """The connection to a server with a key."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout_seconds: float,
        retries: int,
        transport: httpx.BaseTransport | None,
    ) -> None:
        self._retries = retries
        self._http = httpx.Client(
            base_url=f"{url.rstrip('/')}/api",
            headers={"Authorization": f"Bearer {key}", "User-Agent": "keepsake-client"},
            timeout=timeout_seconds,
            transport=transport,
        )

    def close(self) -> None:
        self._http.close()

    def send(self, method: str, path: str, *, repeatable: bool, **parts: Any) -> bytes:
        """Send a request with `_request`'s *parts*; return the body of the response.

        A request is sent again, at most as often as the client was told, if the server cannot have
        carried it out; after a lost answer only if it is *repeatable*: it only reads, or has an
        ``Idempotency-Key``. Raises `ApiError` and `Unreachable`.
        """
        request = self._request(method, path, **parts)
        return self._sent(request, repeatable, stream=False).content

    @contextmanager
    def stream(self, path: str, query: Mapping[str, Any]) -> Iterator[httpx.Response]:
        """Ask for what is long; yield the response, whose body is read piece by piece and, once it
        has begun, not asked for again.
        """
        request = self._request("GET", path, query=query)
        response = self._sent(request, repeatable=True, stream=True)
        try:
            yield response
        except httpx.TransportError as error:
            raise Unreachable(f"The answer broke off: {error}") from error
        finally:
            response.close()

    def _request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Request:
        return self._http.build_request(
            method,
            path,
            params=_texts(query or {}),
            content=None if body is None else to_json(body),
            headers={**(headers or {}), **({} if body is None else _JSON)},
        )

    def _sent(self, request: httpx.Request, repeatable: bool, *, stream: bool) -> httpx.Response:
        for attempt in range(self._retries + 1):
            is_last = attempt == self._retries
            pause = 0.5 * 2**attempt
            try:
                response = self._http.send(request, stream=stream)
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
            time.sleep(min(pause, _MAX_PAUSE_SECONDS))
        raise AssertionError("the last attempt returns or raises")


_JSON = {"Content-Type": "application/json"}


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
    try:
        response.read()
        problem = response.json()
        return ApiError(response.status_code, problem["code"], problem["detail"])
    except (httpx.TransportError, ValueError, KeyError, TypeError):
        return ApiError(response.status_code, "", response.reason_phrase)
    finally:
        response.close()


def _texts(query: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a query as texts; None is left out."""
    return {name: to_jsonable_python(value) for name, value in query.items() if value is not None}
