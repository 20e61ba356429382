"""HTTP through the gate, for ``httpx2`` clients.

The check is on the address that is connected to, not on the name in the URL: the host is resolved
here, each of its addresses is checked, and the connection goes to an allowed address, by number. A
name that resolves differently a moment later gains nothing. TLS still checks the name.
"""

import contextlib
import ssl
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

import httpcore2
import httpx2

from instances.outgoing.limits import THE_SERVER, Budget, Limits, OutgoingError, TimeLimit
from instances.outgoing.policy import Address, RefusedAddress
from instances.outgoing.resolving import resolve
from instances.translatable import TranslatableText, translatable

#: Bytes of a request that are written at once.
WRITE_BYTES = 64 * 1024
MAX_CONNECTIONS = 100
MAX_IDLE_CONNECTIONS = 20
IDLE_SECONDS = 5.0
MAX_SHOWN_CHARACTERS = 200

#: Decides which addresses of a host and port may be connected to.
AddressFilter = Callable[[str, int, Sequence[Address]], list[Address] | RefusedAddress]


class CallRefused(OutgoingError):
    """The policy does not allow the address."""

    def __init__(self, refusal: RefusedAddress) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal


class Redirected(OutgoingError):
    """The server redirects to another address, ``location``, which may contain a key and is not
    shown.
    """

    def __init__(self, text: TranslatableText, location: str) -> None:
        super().__init__(text)
        self.location = location


class Encoded(OutgoingError):
    """The answer uses a compression that was not asked for."""


class Transport(httpx2.BaseTransport):
    """Sends requests to allowed addresses, within the ``limits`` in their extensions. No redirects,
    no proxies, no Unix sockets.

    Raises `OutgoingError` for calls that it refuses or ends, else the errors of ``httpx2``.
    """

    def __init__(self, allowed_addresses: AddressFilter) -> None:
        self._pool = httpcore2.ConnectionPool(
            ssl_context=_ssl_context(),
            max_connections=MAX_CONNECTIONS,
            max_keepalive_connections=MAX_IDLE_CONNECTIONS,
            keepalive_expiry=IDLE_SECONDS,
            network_backend=_Gate(allowed_addresses),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        limits = request.extensions.get("limits", Limits())
        budget = Budget(limits)
        silence = TimeLimit.within(budget, limits.silence_seconds)
        connect = TimeLimit.within(budget, min(limits.connect_seconds, limits.silence_seconds))
        request.headers["Accept-Encoding"] = "gzip, deflate"
        sent = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions={
                "timeout": {"connect": connect, "read": silence, "write": silence, "pool": silence}
            },
        )
        with _errors_of_httpx():
            answer = self._pool.handle_request(sent)
        body = _Body(cast(Iterable[bytes], answer.stream))
        response = _LimitedResponse(
            answer.status, headers=answer.headers, stream=body, extensions=answer.extensions
        )
        response.budget = budget
        if problem := _redirect(response) or _encoding(response):
            response.close()
            raise problem
        return response

    def close(self) -> None:
        self._pool.close()


class _LimitedResponse(httpx2.Response):
    """A response that counts its body while it is decoded, which httpx does in small steps."""

    budget: Budget

    def iter_bytes(self, chunk_size: int | None = None) -> Iterator[bytes]:
        if hasattr(self, "_content"):  # Already read and counted.
            yield from super().iter_bytes(chunk_size)
            return
        for chunk in super().iter_bytes(chunk_size):
            self.budget.decoded(len(chunk))
            yield chunk


class _Body(httpx2.SyncByteStream):
    def __init__(self, stream: Iterable[bytes]) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        with _errors_of_httpx():
            yield from self._stream

    def close(self) -> None:
        cast(Any, self._stream).close()


class _Gate(httpcore2.NetworkBackend):
    """Opens connections, to allowed addresses only."""

    def __init__(self, allowed_addresses: AddressFilter) -> None:
        self._allowed_addresses = allowed_addresses
        self._sockets = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        limit = _time_limit(timeout)
        try:
            addresses = resolve(host, port, seconds=limit.left())
        except TimeoutError as error:
            limit.budget.seconds_left()
            raise httpcore2.ConnectTimeout(error) from error
        except OSError as error:
            raise httpcore2.ConnectError(error) from error
        failure: Exception = httpcore2.ConnectError("The host has no address.")
        for address in self._allowed(host, port, addresses):
            try:
                stream = self._sockets.connect_tcp(str(address), port, timeout=limit.left())
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
                continue
            check = partial(self._allowed, host, port, [address])
            return _Stream(stream, check, limit.budget)
        raise failure

    def _allowed(self, host: str, port: int, addresses: Sequence[Address]) -> list[Address]:
        allowed = self._allowed_addresses(host, port, addresses)
        if isinstance(allowed, RefusedAddress):
            raise CallRefused(allowed)
        return allowed


class TLSStream:
    """An encrypted connection of the gate, within the limits of one call."""

    def __init__(self, stream: httpcore2.NetworkStream, limit: TimeLimit) -> None:
        self._stream, self._limit = stream, limit

    def write(self, data: bytes) -> None:
        """Send *data*."""
        self._stream.write(data, timeout=self._limit)

    def close(self) -> None:
        """Close it."""
        self._stream.close()


def connect_tls(
    allowed: AddressFilter, host: str, port: int, *, limits: Limits, ca_file: str | None = None
) -> TLSStream:
    """Open an encrypted connection through the gate, for protocols other than HTTP. The certificate
    must be of *host*, and signed by who is trusted, or by *ca_file*.
    """
    limit = TimeLimit.within(Budget(limits), limits.connect_seconds)
    context = ssl.create_default_context(cafile=ca_file) if ca_file else _ssl_context()
    stream = _Gate(allowed).connect_tcp(host, port, timeout=limit)
    try:
        return TLSStream(stream.start_tls(context, host, timeout=limit), limit)
    except BaseException:
        stream.close()
        raise


class _Stream(httpcore2.NetworkStream):
    """A connection that keeps to the budget of the call that uses it. When another call reuses it,
    its address is checked again.
    """

    def __init__(
        self, stream: httpcore2.NetworkStream, check: Callable[[], object], budget: Budget
    ) -> None:
        self._stream = stream
        self._check = check
        self._budget = budget

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        limit = _time_limit(timeout)
        with _deadline(limit):
            data = self._stream.read(max_bytes, timeout=limit.left())
        limit.budget.received(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        limit = _time_limit(timeout)
        if limit.budget is not self._budget:
            self._check()
            self._budget = limit.budget
        with _deadline(limit):
            for start in range(0, len(buffer), WRITE_BYTES):
                part = buffer[start : start + WRITE_BYTES]
                self._stream.write(part, timeout=limit.left())

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        limit = _time_limit(timeout)
        with _deadline(limit):
            stream = self._stream.start_tls(ssl_context, server_hostname, limit.left())
        return _Stream(stream, self._check, self._budget)

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _time_limit(timeout: float | None) -> TimeLimit:
    # Fail rather than wait without a limit if a future httpcore2 passes something else.
    if not isinstance(timeout, TimeLimit):
        raise TypeError("a connection of the gate is used without a budget")
    return timeout


@cache
def _ssl_context() -> ssl.SSLContext:
    """The trusted certificates, read once: that takes 40 ms, and each client needs them."""
    return httpx2.create_ssl_context()


@contextlib.contextmanager
def _deadline(limit: TimeLimit) -> Iterator[None]:
    """Raise `TooSlow` instead of a timeout if the total time of the call is over."""
    try:
        yield
    except httpcore2.TimeoutException:
        limit.budget.seconds_left()
        raise


@contextlib.contextmanager
def _errors_of_httpx() -> Iterator[None]:
    """Turn errors of httpcore2 into the errors of httpx2 with the same names."""
    try:
        yield
    except (
        httpcore2.TimeoutException,
        httpcore2.NetworkError,
        httpcore2.ProtocolError,
        httpcore2.UnsupportedProtocol,
    ) as error:
        kind = getattr(httpx2, type(error).__name__, httpx2.TransportError)
        raise kind(str(error)) from error


def _redirect(response: httpx2.Response) -> OutgoingError | None:
    if not response.has_redirect_location:
        return None
    try:
        url = urlsplit(response.headers["location"])
    except ValueError:
        return OutgoingError(
            translatable("%(server)s redirects to an address that is not valid.", server=THE_SERVER)
        )
    host = url.netloc.rpartition("@")[2]
    shown = urlunsplit((url.scheme, host, url.path, "", ""))
    shown = "".join(c for c in shown if c.isprintable())[:MAX_SHOWN_CHARACTERS]
    return Redirected(
        translatable(
            "%(server)s redirects to %(address)s, which is not followed.",
            server=THE_SERVER,
            address=shown,
        ),
        response.headers["location"],
    )


def _encoding(response: httpx2.Response) -> OutgoingError | None:
    """Refuse nested compression, and compression that cannot be decoded in small steps."""
    encodings = response.headers.get("content-encoding", "").lower().strip()
    if encodings in ("", "identity", "gzip", "deflate"):
        return None
    return Encoded(
        translatable(
            "%(server)s answered in a compression that it was not asked for.", server=THE_SERVER
        )
    )
