"""The processes of ``docker-compose.yml``, run with its commands and environment against real
servers, from an empty database to a clean shutdown.

The user, read-only disk and network of a container are not part of the test.
"""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memoryapp.embedded.redis import RedisServer
from tests.deployment.files import BIN, PROJECT, image_environment, instruction, services
from tests.provider_fixtures import eventually
from tests.servers import Postgres

DATABASE = "deployment"
TOKEN = "a-token-for-the-scraper"


class Stack:
    """The processes that ``docker compose up`` starts."""

    def __init__(self, folder: Path, postgres: Postgres, redis: RedisServer) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self.folder = folder
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self._services = services(METRICS_TOKEN=TOKEN)
        self._addresses = {
            "DATABASE_URL": postgres.address(DATABASE),
            "REDIS_URL": f"unix://{redis.socket}?db=1",
        }

    def environment(self, name: str) -> dict[str, str]:
        """Return the environment of the image and Compose, with servers and folders of the test."""
        there = image_environment() | self._services[name]["environment"]
        # A variable without a value is taken away, even from those of the image.
        moved = {key: self._moved(value) for key, value in there.items() if value is not None}
        return moved | self._addresses | {"PATH": f"{BIN}:{os.environ['PATH']}"}

    def command(self, name: str) -> list[str]:
        """Return the command of Compose."""
        return [self._moved(word) for word in self._services[name]["command"]]

    def health(self, name: str) -> "subprocess.CompletedProcess[str]":
        """Run the health check as Docker does."""
        check = self._services[name].get("healthcheck")
        words = check["test"][1:] if check else instruction("HEALTHCHECK")
        return self.run(name, [self._moved(word) for word in words])

    def run(self, name: str, command: list[str]) -> "subprocess.CompletedProcess[str]":
        """Run a command in the environment of a service until it ends."""
        return subprocess.run(
            command,
            cwd=PROJECT,
            env=self.environment(name),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def start(self, name: str) -> None:
        """Start a service."""
        with self._log(name).open("wb") as log:
            self.running[name] = subprocess.Popen(
                self.command(name),
                cwd=PROJECT,
                env=self.environment(name),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def stop(self, name: str) -> int:
        """Stop a service as Docker does, and return its exit code."""
        process = self.running.pop(name)
        process.send_signal(signal.SIGTERM)
        try:
            return process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise

    def output(self, name: str) -> str:
        return self._log(name).read_text()

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Send a request as a TLS-terminating proxy does."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            headers={"Host": "memory.example.org", "X-Forwarded-Proto": "https"} | headers,
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def state(self) -> dict[str, Any]:
        """Return the state from ``/readyz``; empty while the server does not answer."""
        with contextlib.suppress(OSError):
            found: dict[str, Any] = json.loads(self.get("/readyz")[1])
            return found
        return {}

    def _moved(self, word: str) -> str:
        word = re.sub(r"^/(data|tmp|app)\b", rf"{self.folder}/\1", word)
        return re.sub(r"\b8000\b", str(self.port), word)

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"


@pytest.fixture(scope="module")
def static(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Collected static files as in the image: compressed, with hashed names."""
    folder = tmp_path_factory.mktemp("static")
    result = subprocess.run(
        [str(BIN / "python"), "manage.py", "collectstatic", "--no-input"],
        cwd=PROJECT,
        env=os.environ | {"STATIC_ROOT": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture
def stack(
    tmp_path: Path, postgres: Postgres, servers: RedisServer, static: Path
) -> Iterator[Stack]:
    """A stack with an empty database and no running process."""
    stack = Stack(tmp_path, postgres, servers)
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "staticfiles").symlink_to(static)
    with postgres.empty_database(DATABASE):
        yield stack
        for process in stack.running.values():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(10)


@pytest.mark.soak
def test_stack_starts_from_an_empty_database_and_stops_cleanly(stack: Stack) -> None:
    result = stack.run("migrate", stack.command("migrate"))
    assert result.returncode == 0, result.stderr
    assert "Created the superadmin admin." in result.stdout
    again = stack.run("migrate", stack.command("migrate"))
    assert (again.returncode, "There is a superadmin already" in again.stdout) == (0, True)

    for name in ("web", "worker"):
        stack.start(name)
    eventually(
        lambda: all(
            stack.state().get(process, {}).get("alive") for process in ("worker", "scheduler")
        ),
        "not everything shows signs of life",
    )
    assert stack.state() | {"worker": 1, "scheduler": 1} == {
        **{"ready": True, "database": "ok", "redis": "ok"},
        **{"worker": 1, "scheduler": 1},
    }
    for name in ("web", "worker"):
        health = stack.health(name)
        assert health.returncode == 0, f"{name}: {health.stdout}{health.stderr}"

    status, page = stack.get("/accounts/login?q=the+heliotrope")
    assert (status, "Sign in" in page) == (200, True)
    (style,) = re.findall(r'href="(/static/css/keepsake\.[0-9a-f]+\.css)"', page)
    assert stack.get(style)[0] == 200
    assert stack.get("/metrics")[0] == 401
    status, figures = stack.get("/metrics", Authorization=f"Bearer {TOKEN}")
    assert status == 200
    for figure in ("keepsake_workers 1.0", "keepsake_schedulers 1.0", 'route="accounts/login"'):
        assert figure in figures

    codes = {name: stack.stop(name) for name in ("worker", "web")}
    assert codes == {"worker": 0, "web": 0}, {it: stack.output(it) for it in codes}
    assert stack.health("worker").returncode == 1
    # Every line, from the first one on.
    lines = [json.loads(line) for line in stack.output("web").splitlines()]
    (signing_in,) = (line for line in lines if line.get("path") == "/accounts/login")
    assert signing_in["status"] == 200 and signing_in["request_id"]
    assert "heliotrope" not in stack.output("web")


@pytest.mark.soak
def test_plain_http_is_redirected_and_unknown_hosts_are_rejected(stack: Stack) -> None:
    stack.start("web")
    eventually(lambda: stack.state(), "the web server does not answer")
    assert stack.state()["database"] == "migrations missing"
    assert stack.get("/readyz")[0] == 503
    assert stack.get("/healthz", **{"X-Forwarded-Proto": "http"})[0] == 200
    assert stack.get("/accounts/login", Host="elsewhere.example.org")[0] == 400
    request = urllib.request.Request(
        f"http://127.0.0.1:{stack.port}/accounts/login", headers={"Host": "memory.example.org"}
    )
    with pytest.raises(
        urllib.error.URLError
    ):  # The redirect leads to a port without a server in this test.
        urllib.request.urlopen(request, timeout=10)
    assert stack.stop("web") == 0
