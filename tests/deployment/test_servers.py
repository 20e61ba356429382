"""What `docs/servers.md` installs does the same as the container image, and its commands are found
by `make servers-check`, though that is not run with the tests.
"""

import os
import re
import shlex
import subprocess

import pytest

from tests.deployment.files import (
    PROJECT,
    image_environment,
    services,
    without_programs,
)
from tests.deployment.image_check import pages
from tests.deployment.servers_check.host import block

DEPLOY = PROJECT / "deploy"
WEB, WORKER = (
    (DEPLOY / "systemd" / f"keepsake-{it}.service").read_text() for it in ("web", "worker")
)
COMMON = (DEPLOY / "systemd" / "keepsake-.service.d" / "common.conf").read_text()
PROGRAMS = "/opt/keepsake/.venv/bin/"


def commands(unit: str, name: str) -> list[str]:
    """Return the commands of a unit without the folder of their programs."""
    found = re.findall(rf"^{name}=(.+)$", unit, re.MULTILINE)
    assert all(command.startswith(PROGRAMS) for command in found)
    return [command.removeprefix(PROGRAMS) for command in found]


def environment(*units: str) -> dict[str, str]:
    """Return the variables that units set."""
    lines = re.findall(r"^Environment=(.+)$", "\n".join(units), re.MULTILINE)
    pairs = [word.partition("=") for line in lines for word in line.split()]
    return {name: value for name, _, value in pairs}


def test_the_web_server_is_started_as_by_compose() -> None:
    (command,) = commands(WEB, "ExecStart")
    there = dict(zip(("0.0.0.0", "8000"), ("${HOST}", "${PORT}"), strict=True))  # noqa: S104
    assert shlex.split(command) == [there.get(word, word) for word in services()["web"]["command"]]


def test_the_worker_is_started_as_by_compose() -> None:
    (command,) = commands(WORKER, "ExecStart")
    assert shlex.split(command) == services()["worker"]["command"]
    there = services()["worker"]["environment"]["REMAP_SIGTERM"]
    assert environment(WORKER)["REMAP_SIGTERM"] == there


def test_the_database_is_brought_up_to_date_as_by_compose() -> None:
    (command,) = commands(WEB, "ExecStartPre")
    assert shlex.split(command) == services()["migrate"]["command"]


def test_the_units_set_what_the_image_sets() -> None:
    # The journal keeps the log, and the list of erasures is beside the home by default.
    assert environment(COMMON, WEB).keys() >= image_environment().keys() - {
        "LOG_FORMAT",
        "ERASURES_DIR",
    }
    folders = re.findall(r"^StateDirectory=(.+)$", COMMON, re.MULTILINE)
    home = environment(COMMON)["KEEPSAKE_HOME"].rpartition("/")[2]
    assert folders == [f"{home} {home}-erasures"]


def test_each_setting_is_one_and_each_secret_has_its_command() -> None:
    text = (DEPLOY / "keepsake.env").read_text()
    known = set(re.findall(r"^\| `(\w+)` \|", (PROJECT / "docs/settings.md").read_text(), re.M))
    offered = set(re.findall(r"^#?(\w+)=", text, re.MULTILINE))
    assert offered - known == {"WEB_CONCURRENCY"}
    empty = set(re.findall(r"^(\w+)=$", text, re.MULTILINE))
    assert empty == {*pages.secret_commands(text), "ADMIN_PASSWORD"}


@pytest.mark.parametrize("file", ["install", "keepsake"])
def test_scripts_can_be_run(file: str) -> None:
    assert os.access(DEPLOY / file, os.X_OK)
    assert subprocess.run(["sh", "-n", DEPLOY / file], check=False).returncode == 0


@pytest.mark.parametrize(
    ("heading", "number", "command"),
    [
        ("1. Packages", 0, "apt-get install"),
        ("2. Code", 0, "git clone /srv/keepsake /opt/keepsake"),
        ("2. Code", 1, "deploy/install"),
        ("3. Database", 0, "CREATE EXTENSION vector"),
        ("5. Services", 0, "systemctl enable --now"),
        ("6. Proxy", 0, "s/memory.example.org/memory.local/"),
        ("6. Proxy", 1, "sites-enabled"),
        ("Is everything well?", 0, "/readyz"),
        ("Is everything well?", 1, "import_conversations"),
        ("Upgrades", 0, "pull"),
        ("Upgrades", 1, "deploy/install"),
        ("Backup", 0, "pg_dump"),
        ("Backup", 1, "pg_restore"),
        ("PgBouncer", 0, "DATABASE_URL="),
        ("PgBouncer", 1, "pool_mode = transaction"),
        ("Redis with a password and TLS", 0, "REDIS_URL=rediss:"),
        ("Redis with a password and TLS", 1, "tls-port"),
        ("A second host", 0, "hostssl"),
    ],
)
def test_every_command_is_found(heading: str, number: int, command: str) -> None:
    assert command in block(heading, number)


def test_without_what_it_needs_the_check_says_so_and_fails_nothing() -> None:
    assert without_programs("tests.deployment.servers_check").startswith("left out: ")
