"""The app started with ``manage.py run``, and an HTTP client that creates test data in it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import APIRequestContext, APIResponse, Playwright

PROJECT = Path(__file__).resolve().parents[2]
PASSWORD = "a-password-for-tests"

#: Sentences about two of these are never merged as versions of one fact.
THINGS = (
    "anvil bellows candle drum easel flute globe hammock inkwell jug kettle lantern mandolin "
    "needle oar piano quilt rake sundial teapot umbrella violin"
).split()


class Keepsake:
    """A home folder and the ``manage.py run`` in it, which can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self._home = folder / "home"
        self._log = folder / "output"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Its base URL without a trailing slash."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """The output of the latest run."""
        return self._log.read_text()

    @property
    def running(self) -> bool:
        """True if it has been started and not stopped."""
        return self._process is not None

    def start(self, *, demo: bool = True) -> float:
        """Start it, wait until it answers, and return the seconds that this took."""
        assert self._process is None
        environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("DATABASE_URL", "REDIS_URL", "ADMIN_USERNAME")
        }
        environment |= {
            "KEEPSAKE_HOME": str(self._home),
            "ADMIN_PASSWORD": PASSWORD,
            "DEMO": str(int(demo)),
        }
        begin = time.monotonic()
        with self._log.open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "manage.py", "run", "--port", str(self.port)],
                cwd=PROJECT,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._process = process
        wait_until(
            lambda: "Keepsake is ready" in self.log or process.poll() is not None, self.output
        )
        assert process.poll() is None, self.log
        return time.monotonic() - begin

    def stop(self) -> int:
        """Send Ctrl-C, wait for the end, and return the exit code."""
        assert self._process is not None
        process, self._process = self._process, None
        process.send_signal(signal.SIGINT)
        try:
            return process.wait(120)
        except subprocess.TimeoutExpired:
            process.kill()
            raise

    def manage(self, *words: str, **environment: str) -> None:
        """Run a ``manage.py`` command in the same home folder."""
        subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=PROJECT,
            env=os.environ | {"KEEPSAKE_HOME": str(self._home)} | environment,
            check=True,
            capture_output=True,
        )

    def output(self) -> str:
        """Return the log for failure messages."""
        return f"Keepsake said:\n{self.log}"


def wait_until(
    condition: Callable[[], object], failure: Callable[[], str] = str, *, seconds: float = 300
) -> None:
    """Wait until *condition* is true, or fail with the message of *failure*."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, failure()
        time.sleep(0.02)


class Person:
    """A signed-in user who creates test data with plain HTTP requests."""

    def __init__(self, playwright: Playwright, address: str) -> None:
        self.request: APIRequestContext = playwright.request.new_context(base_url=address)
        self._token = ""
        self.request.get("/accounts/login")
        self.post("/accounts/login", {"login": "admin", "password": PASSWORD})

    def post(
        self, path: str, form: Mapping[str, Any] | None = None, **files: Mapping[str, Any]
    ) -> APIResponse:
        """Submit a form with optional *files*, and check that it was accepted."""
        headers = {"X-CSRFToken": self._csrf_token()}
        fields = dict(form or {})
        answer = (
            self.request.post(path, multipart=fields | files, headers=headers)
            if files
            else self.request.post(path, form=fields, headers=headers)
        )
        assert answer.ok, f"{path}: {answer.status} {answer.text()[:2000]}"
        return answer

    def api(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Get from the API, or post *body* to it, and return the JSON response."""
        headers = {"X-CSRFToken": self._csrf_token()}
        answer = (
            self.request.get(f"/api/{path}")
            if body is None
            else self.request.post(f"/api/{path}", data=json.dumps(body), headers=headers | _JSON)
        )
        assert answer.ok, f"{path}: {answer.status} {answer.text()[:2000]}"
        return answer.json()

    def new_instance(self, slug: str, *, remembers: bool = False) -> str:
        """Create an instance and return its slug. Unless it *remembers*, as the form makes it, its
        settings are changed so that it does not.
        """
        self.post("/instances/new", {"name": slug.replace("-", " ").capitalize(), "slug": slug})
        if not remembers:
            self.save(slug, "memory", extract_when="after_response", palace_enabled="on")
        return slug

    def remember(self, instance: str, content: str, **fields: Any) -> int:
        """Create a memory with the form and return its id."""
        form = {"content": content, "category": "fact", "importance": "5"} | fields
        answer = self.request.post(
            f"/memory/new?instance={instance}",
            form=form,
            headers={"X-CSRFToken": self._csrf_token()},
            # The redirect URL contains the id.
            max_redirects=0,
        )
        location = re.match(r"/memory/(\d+)\?", answer.headers.get("location", ""))
        assert location, f"{answer.status} {answer.text()[:2000]}"
        return int(location[1])

    def memories(self, instance: str, **query: str) -> list[dict[str, Any]]:
        """Return the memories of an instance, newest first."""
        parameters = "".join(f"&{name}={value}" for name, value in query.items())
        items: list[dict[str, Any]] = self.api(
            f"memories?instance_id={instance}&limit=100{parameters}"
        )["items"]
        return items

    def converse(self, instance: str, title: str, messages: Sequence[Mapping[str, Any]]) -> int:
        """Send a conversation through the API and return its id."""
        begun = self.api("conversations", {"instance_id": instance, "title": title})
        number = int(begun["id"])
        self.api(f"conversations/{number}/messages", {"messages": list(messages)})
        return number

    def save(self, instance: str, card: str, **fields: str) -> None:
        """Save one card of the settings screen."""
        form = {f"{card}-{name}": value for name, value in fields.items()}
        self.post(f"/instances/{instance}/settings/{card}", form)

    def _csrf_token(self) -> str:
        cookies = self.request.storage_state()["cookies"]
        return next((c["value"] for c in cookies if c["name"] == "csrftoken"), "")


_JSON = {"Content-Type": "application/json"}
