"""The client in sdk/python, and the product on a real server."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from instances.models import Instance
from keepsake_client import Keepsake
from tests.api.conftest import SCOPES, key_of
from tests.provider_fixtures import provider
from tests.serving import served

__all__ = ["provider", "served"]

Connect = Callable[..., Keepsake]


class BrokenOff(httpx.SyncByteStream):
    """A body of which only the beginning arrives."""

    def __iter__(self) -> Iterator[bytes]:
        yield b"{"
        raise httpx.ReadError("The connection is gone.")


class Faults(httpx.BaseTransport):
    """A network on which the next requests fail: an exception before one is sent, a status instead
    of it, ``"lost"``: its answer does not arrive, or ``"cut"``: its answer breaks off.
    """

    def __init__(self) -> None:
        self.next: list[Exception | int | str] = []
        self.requests: list[httpx.Request] = []
        self._real = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        fault = self.next.pop(0) if self.next else None
        if isinstance(fault, Exception):
            raise fault
        if isinstance(fault, int):
            return httpx.Response(fault, headers={"Retry-After": "0.01"}, text="<h1>A proxy</h1>")
        response = self._real.handle_request(request)
        if fault == "lost":
            response.read()
            response.close()
            raise httpx.ReadTimeout("The answer is lost.")
        if fault == "cut":
            response.read()
            response.close()
            return httpx.Response(response.status_code, stream=BrokenOff())
        return response

    def close(self) -> None:
        self._real.close()


@pytest.fixture
def connect(transactional_db: None, served: str, instance: Instance) -> Iterator[Connect]:
    """Create a client with a key: ``connect("read", retries=0)``."""
    with ExitStack() as connections:

        def to(*scopes: str, **options: Any) -> Keepsake:
            secret = key_of(instance, scopes or SCOPES)[1].secret
            return connections.enter_context(Keepsake(served, secret, **options))

        yield to


@pytest.fixture
def keepsake(connect: Connect) -> Keepsake:
    """A client with all scopes."""
    return connect(*SCOPES, "forget")
