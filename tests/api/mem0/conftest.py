"""mem0's own client against the running application."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack

# Set before the package is imported, which reads them: otherwise it would send telemetry and
# create a file in the home folder.
os.environ["MEM0_TELEMETRY"] = "False"
os.environ["MEM0_DIR"] = tempfile.mkdtemp(prefix="keepsake-mem0-")

import pytest
from mem0 import MemoryClient
from pytest_django.live_server_helper import LiveServer

from instances.models import Instance
from tests.api.conftest import SCOPES, key_of
from tests.provider_fixtures import provider

__all__ = ["provider"]

Connect = Callable[..., MemoryClient]


@pytest.fixture
def connect(live_server: LiveServer) -> Iterator[Connect]:
    """Create a client with a key of an instance: ``connect(instance, "read")``."""
    with ExitStack() as connections:

        def to(instance: Instance, *scopes: str) -> MemoryClient:
            secret = key_of(instance, scopes or SCOPES)[1].secret
            client = MemoryClient(api_key=secret, host=live_server.url)
            connections.callback(client.client.close)
            return client

        yield to


@pytest.fixture
def client(connect: Connect, instance: Instance) -> MemoryClient:
    """A client with all scopes."""
    return connect(instance)
