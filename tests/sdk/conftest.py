"""The client in sdk/python, and the product on a real server."""

import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from typing import Any, cast

import httpx
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from instances.models import Instance
from keepsake_client import AsyncKeepsake, Keepsake
from tests.api.conftest import SCOPES, key_of
from tests.provider_fixtures import provider
from tests.serving import served

__all__ = ["provider", "served"]

Connect = Callable[..., Keepsake]


class BrokenOff(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body of which only the beginning arrives."""

    def __iter__(self) -> Iterator[bytes]:
        yield b"{"
        raise httpx.ReadError("The connection is gone.")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece


class Faults(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """A network on which the next requests fail: an exception before one is sent, a status instead
    of it, ``"lost"``: its answer does not arrive, or ``"cut"``: its answer breaks off.
    """

    def __init__(self) -> None:
        self.next: list[Exception | int | str] = []
        self.requests: list[httpx.Request] = []
        self._real = httpx.HTTPTransport()
        self._real_async = httpx.AsyncHTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        fault = self._fault(request)
        if isinstance(fault, httpx.Response):
            return fault
        response = self._real.handle_request(request)
        if fault:
            response.read()
            response.close()
        return _spoiled(response, fault)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        fault = self._fault(request)
        if isinstance(fault, httpx.Response):
            return fault
        response = await self._real_async.handle_async_request(request)
        if fault:
            await response.aread()
            await response.aclose()
        return _spoiled(response, fault)

    def _fault(self, request: httpx.Request) -> httpx.Response | str:
        """Fate of the request, which is sent if that is a word or empty."""
        self.requests.append(request)
        fault = self.next.pop(0) if self.next else ""
        if isinstance(fault, Exception):
            raise fault
        if isinstance(fault, int):
            return httpx.Response(fault, headers={"Retry-After": "0.01"}, text="<h1>A proxy</h1>")
        return fault

    def close(self) -> None:
        self._real.close()

    async def aclose(self) -> None:
        await self._real_async.aclose()


def _spoiled(response: httpx.Response, fault: str) -> httpx.Response:
    if fault == "lost":
        raise httpx.ReadTimeout("The answer is lost.")
    return httpx.Response(response.status_code, stream=BrokenOff()) if fault else response


class Awaiting:
    """The client for asyncio, used as the other one: an event loop in a thread awaits its calls."""

    def __init__(self, client: AsyncKeepsake, loop: BlockingPortal) -> None:
        self._client = client
        self._loop = loop

    def __getattr__(self, name: str) -> Callable[..., Any]:
        async def awaited(*args: Any, **options: Any) -> Any:
            called = getattr(self._client, name)(*args, **options)
            return await called if inspect.isawaitable(called) else [each async for each in called]

        def call(*args: Any, **options: Any) -> Any:
            return self._loop.start_task_soon(lambda: awaited(*args, **options)).result()

        return call


@pytest.fixture(params=["waiting", "asyncio"])
def connect(
    request: pytest.FixtureRequest, transactional_db: None, served: str, instance: Instance
) -> Iterator[Connect]:
    """Create a client with a key: ``connect("read", retries=0)``. It is either of the two."""
    with ExitStack() as connections:

        def to(*scopes: str, **options: Any) -> Keepsake:
            secret = key_of(instance, scopes or SCOPES)[1].secret
            if request.param == "waiting":
                return connections.enter_context(Keepsake(served, secret, **options))
            loop = connections.enter_context(start_blocking_portal())
            client = AsyncKeepsake(served, secret, **options)
            connections.enter_context(loop.wrap_async_context_manager(client))
            return cast(Keepsake, Awaiting(client, loop))

        yield to


@pytest.fixture
def keepsake(connect: Connect) -> Keepsake:
    """A client with all scopes."""
    return connect(*SCOPES, "forget")
