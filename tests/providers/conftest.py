from collections.abc import Iterator

import pytest

from memoryapp.providers.endpoints import Endpoint
from tests.scripted_provider import ScriptedProvider

KEY = "sk-test-4f2aQ9zLk31VbXw7Yp0C"


@pytest.fixture(scope="package")
def running_server() -> Iterator[ScriptedProvider]:
    with ScriptedProvider(api_key=KEY) as server:
        yield server


@pytest.fixture
def server(running_server: ScriptedProvider) -> ScriptedProvider:
    running_server.reset()
    return running_server


@pytest.fixture
def chat_endpoint(server: ScriptedProvider, request: pytest.FixtureRequest) -> Endpoint:
    # A separate model name for each test, because rejected response formats are remembered.
    return Endpoint("custom", server.base_url, KEY, f"model-of-{request.node.name[:60]}")


@pytest.fixture
def embedding_endpoint(server: ScriptedProvider) -> Endpoint:
    return Endpoint("custom", server.base_url, KEY, "text-embedding-3-small")
