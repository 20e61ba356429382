"""What is in `integrations`, and the product on a real server."""

import socket
from pathlib import Path

import pytest

from tests.serving import served

__all__ = ["served"]

INTEGRATIONS = Path(__file__).resolve().parents[2] / "integrations"


@pytest.fixture
def deaf() -> str:
    """An address at which no server listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return f"http://127.0.0.1:{free.getsockname()[1]}"
