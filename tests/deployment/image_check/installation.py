"""An installation as a newcomer makes it: a copy of the project, a filled-in ``.env``, and the
commands of the pages.
"""

import contextlib
import json
import os
import re
import socket
import subprocess
from pathlib import Path
from typing import Any

from tests.deployment.files import PROJECT, project_files
from tests.deployment.image_check import pages
from tests.deployment.image_check.engine import Engine
from tests.deployment.image_check.model_server import PORT
from tests.deployment.image_check.steps import Failed, until

#: The project's name for Compose, and the name of the image, so that an installation of the same
#: machine is not touched.
NAME = "keepsake-image-check"
ADMIN_PASSWORD = "walnut $tree #42"

#: Differences from ``docker-compose.yml``: other names, a language model beside Keepsake, and the
#: network of this machine for the build.
OVERRIDE = f"""
services:
  migrate:
    image: {NAME}
    build:
      network: host
  web:
    image: {NAME}
  worker:
    image: {NAME}
  model:
    image: ${{PYTHON_IMAGE}}
    command: ["python", "-m", "tests.deployment.image_check.model_server"]
    working_dir: /check
    volumes: ["./tests:/check/tests:ro"]
    init: true
    networks: [default]
"""


class Installation:
    """The folder of the project, and what runs there."""

    def __init__(self, folder: Path, engine: Engine) -> None:
        self.folder = folder
        self.engine = engine
        self.http, self.second, self.redirecting, self.https = free_ports()
        self._environment = engine.environment | {"COMPOSE_PROJECT_NAME": NAME}

    def lay(self, images: dict[str, str]) -> None:
        """Copy the project as a clone under ``umask 077`` would have it, and fill in ``.env`` as
        its comments say.
        """
        for name in project_files():
            copy = self.folder / name
            copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            copy.write_bytes((PROJECT / name).read_bytes())
            copy.chmod(0o600)
        (self.folder / "docker-compose.override.yml").write_text(OVERRIDE)
        self.shell(pages.first_command(self.page("deploy")))
        example = (self.folder / ".env").read_text()
        for name, command in pages.secret_commands(example).items():
            self.set(**{name: self.shell(command).strip()})
        self.set(
            ADMIN_PASSWORD=f"'{ADMIN_PASSWORD}'",
            PUBLISH=f"127.0.0.1:{self.http}",
            OUTGOING_ALLOW=f"model:{PORT}",
            POSTGRES_BUFFERS="128MB",
            WEB_MEMORY="2g",
            WORKER_MEMORY="2g",
            POSTGRES_MEMORY="1g",
            REDIS_MEMORY="256m",
            WORKER_CPUS="2",
            **images,
        )
        self._trust_as_this_machine()

    def set(self, **values: str) -> None:
        """Set variables in ``.env``."""
        file = self.folder / ".env"
        text = file.read_text()
        for name, value in values.items():
            line = f"{name}={value}"
            found = re.search(rf"^{name}=.*$", text, re.MULTILINE)
            text = text.replace(found[0], line, 1) if found else f"{text}{line}\n"
        file.write_text(text)

    def page(self, name: str) -> str:
        """Return a page of the documentation."""
        return (self.folder / "docs" / f"{name}.md").read_text()

    def compose(self, *arguments: str, seconds: float = 600) -> str:
        """Run ``docker compose``, and return its output. Raises `Failed` unless it succeeds."""
        return self._finished(["docker", "compose", *arguments], seconds)

    def shell(self, commands: str, seconds: float = 300) -> str:
        """Run commands of a page, all of which must succeed, and return their output."""
        return self._finished(["sh", "-e", "-c", commands], seconds)

    def _finished(self, command: list[str], seconds: float) -> str:
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                env=os.environ | self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            raise Failed(f"{' '.join(command)} takes more than {seconds:g} s") from None
        if done.returncode != 0:
            raise Failed(
                f"{' '.join(command)} = {done.returncode}: {(done.stdout + done.stderr)[-2000:]}"
            )
        return done.stdout

    def manage(self, *arguments: str) -> str:
        """Run ``manage.py`` in a web container."""
        return self.compose("exec", "--no-TTY", "web", "python", "manage.py", *arguments)

    def containers(self) -> dict[str, dict[str, Any]]:
        """Return what the engine knows of each container, by its name without the project's."""
        ids = self.compose("ps", "--all", "--quiet").split()
        found = json.loads(self.engine.docker("inspect", *ids).stdout or "[]")
        return {it["Name"].removeprefix(f"/{NAME}-"): it for it in found}

    def states(self) -> dict[str, str]:
        """Return the health of each container, or else its state."""
        return {
            name: it["State"].get("Health", {}).get("Status", it["State"]["Status"])
            for name, it in self.containers().items()
        }

    def wait_until_healthy(self) -> None:
        """Wait until every container is as it should be, as ``docker compose ps`` shows it."""
        until(
            lambda: all(
                state in ("healthy", "running") or (name, state) == ("migrate-1", "exited")
                for name, state in self.states().items()
            ),
            lambda: f"{self.states()}",
            300,
        )

    def logs(self, service: str) -> list[str]:
        """Return the lines that a service has logged."""
        text = self.compose("logs", "--no-log-prefix", "--no-color", service)
        return [line for line in text.splitlines() if line.strip()]

    def remove(self) -> None:
        """End and remove everything: containers, networks, volumes and the image."""
        with contextlib.suppress(Failed):
            self.compose(
                "--profile", "*", "down", "--volumes", "--remove-orphans", "--timeout", "5"
            )
        self.engine.docker("image", "rm", "--force", NAME)

    def _trust_as_this_machine(self) -> None:
        """Have the build trust whom this machine trusts, and find packages where it finds them."""
        for file in Path("/usr/local/share/ca-certificates").glob("*.crt"):
            (self.folder / file.name).write_bytes(file.read_bytes())
        index = (
            os.environ.get("PIP_INDEX_URL")
            or subprocess.run(
                ["python3", "-m", "pip", "config", "get", "global.index-url"],
                capture_output=True,
                text=True,
                check=False,
            ).stdout.strip()
        )
        if index:
            self.set(PIP_INDEX_URL=index)


def free_ports() -> tuple[int, int, int, int]:
    """Return free ports, of which the first two follow each other."""
    for _ in range(100):
        with contextlib.ExitStack() as taken, contextlib.suppress(OSError):
            first = taken.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1]
            taken.enter_context(socket.create_server(("127.0.0.1", first + 1)))
            third, fourth = (
                taken.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1]
                for _ in range(2)
            )
            return first, first + 1, third, fourth
    raise Failed("no two ports in a row are free")
