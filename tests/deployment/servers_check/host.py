"""A host of Keepsake: a machine on which the commands of the page are run."""

import json
import re
import shlex
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.deployment.files import PROJECT
from tests.deployment.image_check import pages
from tests.deployment.image_check.model_server import PORT as MODEL_PORT
from tests.deployment.image_check.steps import Failed, expect, until
from tests.deployment.servers_check.machine import REPOSITORY, Machine

PAGE = (PROJECT / "docs" / "servers.md").read_text()
#: The name of the server. For one that ends so, Caddy makes a certificate of its own.
NAME = "memory.local"
ADMIN_PASSWORD = "walnut $tree #42"
METRICS_TOKEN = "a-token-for-the-scraper"
SETTINGS = "/etc/keepsake/keepsake.env"
PYTHON = "/opt/keepsake/.venv/bin/python /opt/keepsake/manage.py"


def block(heading: str, number: int = 0) -> str:
    """Return a block of code below a heading, for the name and the repository of the check."""
    text = pages.blocks(PAGE, heading)[number].replace("THIS-REPOSITORY", REPOSITORY)
    return text.replace("s/memory.example.org/memory.example.org/", f"s/memory.example.org/{NAME}/")


class Host(Machine):
    """A host of Keepsake, with its services."""

    #: Where its web server listens.
    address = "127.0.0.1"
    #: Of a program that uses it.
    key = ""

    def follow(self, heading: str, number: int = 0, seconds: float = 600) -> str:
        """Run a block of commands of the page."""
        return self.run(block(heading, number), seconds)

    def get_code(self) -> str:
        """Install the code, for a root whose files are nobody else's to read."""
        clone, install = (block("2. Code", number) for number in (0, 1))
        self.run(f"umask 077; {clone}{install}")
        return clone.strip()

    def manage(self, *arguments: str, stdin: bytes = b"") -> str:
        """Run a command by `keepsake`."""
        return self.run(f"keepsake {shlex.join(arguments)}", stdin=stdin)

    def set(self, **values: str) -> None:
        """Set variables in the settings."""
        lines = self.run(f"cat {SETTINGS}").splitlines()
        for number, line in enumerate(lines):
            name = line.removeprefix("#").partition("=")[0]
            if name in values:
                lines[number] = f"{name}={values.pop(name)}"
        lines += [f"{name}={value}" for name, value in values.items()]
        self.write(SETTINGS, "\n".join(lines) + "\n")

    def fill_in(self) -> str:
        """Fill in the settings as their comments say."""
        commands = pages.secret_commands(self.run(f"cat {SETTINGS}"))
        expect(commands.keys() == {"SECRET_KEY", "ENCRYPTION_KEY"}, f"secrets: {[*commands]}")
        for name, command in commands.items():
            self.set(**{name: self.run(command).strip()})
        self.set(
            ADMIN_PASSWORD=f"'{ADMIN_PASSWORD}'",
            ALLOWED_HOSTS=NAME,
            OUTGOING_ALLOW=f"model:{MODEL_PORT}",
            METRICS_TOKEN=METRICS_TOKEN,
        )
        expect(self.run(f"stat --format %a {SETTINGS}").strip() == "600", "others may read it")
        return ", ".join(commands)

    @cached_property
    def page(self) -> str:
        """The address at which it is asked directly."""
        return f"http://{self.address}:8000"

    def state(self) -> dict[str, Any]:
        """Return what `/readyz` says, as the page asks it."""
        code, output = self.tried(f"curl --silent {self.page}/readyz --header Host:\\ localhost")
        try:
            found: dict[str, Any] = json.loads(output)
        except ValueError:
            found = {"error": f"{code}: {output[-300:]}"}
        return found

    def wait_until_ready(self) -> None:
        """Wait until everything answers: the web server, its database, its queue, a worker."""
        until(
            lambda: (
                (found := self.state()).get("ready")
                and found["worker"]["alive"]
                and found["scheduler"]["alive"]
            ),
            lambda: f"/readyz says {self.state()}; {self.journal()}",
            120,
        )

    def restart(self) -> None:
        """Restart its services, and wait until they are ready."""
        self.run("systemctl restart keepsake-web keepsake-worker")
        self.wait_until_ready()

    def journal(self, unit: str = "keepsake-*", lines: int = 20) -> str:
        """Return the last lines of a unit."""
        return self.run(f"journalctl --unit '{unit}' --lines {lines} --output cat --no-pager")

    def pid(self, unit: str) -> int:
        """Return the main process of a unit, by its number there."""
        return int(self.run(f"systemctl show --property MainPID --value {unit}"))

    def metric(self, name: str) -> float:
        """Return a metric."""
        headers = (
            f"Authorization: Bearer {METRICS_TOKEN}\nHost: localhost\nX-Forwarded-Proto: https\n"
        )
        text = self.run(f"curl --silent --header @- {self.page}/metrics", stdin=headers.encode())
        found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
        if not found:
            raise Failed(f"no {name} in {text[:300]}")
        return float(found[1])

    def migrate(self, database: str) -> tuple[int, str]:
        """Migrate another database as the user of the services."""
        return self.tried(_migration(database))

    def migration(self, database: str) -> list[str]:
        """Return what does so, for a process of its own."""
        return self.words(_migration(database))


def _migration(database: str) -> str:
    return (
        "cd /; home=$(mktemp --directory); chown keepsake $home; runuser --user keepsake -- "
        f"env KEEPSAKE_HOME=$home DATABASE_URL={shlex.quote(database)} "
        f"{PYTHON} migrate --no-input --verbosity 0"
    )


def laid(name: str, folder: Path, base: Path) -> Host:
    """Return an empty server with a repository of the project, before it is started."""
    host = Host(name, folder)
    host.install(base)
    host.run(f"echo {name} > /etc/hostname")
    host.run("echo 127.0.0.1 localhost model db.local redis.local > /etc/hosts")
    return host
