"""The app on a real web server, with the test database."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests import database
from tests.provider_fixtures import eventually


@contextlib.contextmanager
def serving(**environment: str) -> Iterator[str]:
    """Serve the app from two processes; yield its address. It sees only committed rows."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "uvicorn", "memoryapp.asgi:application"),
                *("--port", str(port), "--workers", "2", "--no-access-log"),
                *("--http", "memoryapp.serving.http_protocol:HttpProtocol"),
            ],
            cwd=Path(settings.BASE_DIR),
            env={**os.environ, "DATABASE_URL": database.address(), **environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        root = f"http://127.0.0.1:{port}"
        try:
            eventually(lambda: process.poll() is not None or _answers(root), "nothing is served")
            assert process.poll() is None
            yield root
        except BaseException:
            output.seek(0)
            print(f"The web server said:\n{output.read().decode(errors='replace')}")
            raise
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(10)


def _answers(root: str) -> bool:
    with contextlib.suppress(OSError), urllib.request.urlopen(f"{root}/healthz", timeout=5):
        return True
    return False


@pytest.fixture(scope="session")
def served(django_db_setup: None) -> Iterator[str]:
    """The address of the app, which is served once for all tests that use it."""
    with serving() as address:
        yield address
