"""The package for Python: what it holds, and that it runs where nothing else is installed."""

import hashlib
import os
import re
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from pathlib import Path
from urllib.request import urlopen

import pytest

from memoryapp import __version__, command_line
from memoryapp.process import installation
from tests.deployment.files import PROJECT
from tests.embedded.conftest import separate_folder
from tests.embedded.running import READY, Keepsake, free_port

#: The folders that a package holds, and where.
CODE = ("conversations", "instances", "memoryapp")
BESIDE_THE_CODE = ("locale", "static", "templates")


def build(folder: Path) -> Path:
    """Build the wheel in *folder*, as ``make package`` does."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=PROJECT,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("package"))


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode())


def test_it_holds_each_file_of_the_code_and_what_the_code_reads(wheel: Path) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", *CODE, *BESIDE_THE_CODE],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    expected = {
        f"memoryapp/{name}" if name.partition("/")[0] in BESIDE_THE_CODE else name
        for name in tracked
        if (PROJECT / name).exists()
    }
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    assert expected <= held
    assert len(expected) > 1000
    # Nothing else is in it: no tests, and nothing that a run has left behind.
    tops = {name.partition("/")[0] for name in held}
    assert tops == {*CODE, f"keepsake_memory-{__version__}.dist-info"}
    assert not [
        name for name in held if name.endswith((".pyc", ".env")) or "multilingual-e5" in name
    ]


def test_its_version_licence_and_commands(wheel: Path) -> None:
    said = metadata(wheel)
    assert (said["Name"], said["Version"]) == ("keepsake-memory", __version__)
    assert said["License-Expression"] == "Apache-2.0"
    assert "Apache License" in (PROJECT / "LICENSE").read_text()
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        commands = archive.read(name).decode()
    assert re.findall(r"^(\S+) = memoryapp.command_line:main$", commands, re.MULTILINE) == [
        "keepsake",
        "keepsake-memory",
    ]


def test_building_it_again_gives_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    again = build(tmp_path)
    assert (
        hashlib.sha256(again.read_bytes()).digest() == hashlib.sha256(wheel.read_bytes()).digest()
    )


def test_the_command_line_tells_its_version() -> None:
    result = subprocess.run(
        [sys.executable, "manage.py", "--version"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == f"Keepsake {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "ran"),
    [([], []), (["--no-demo"], ["--no-demo"]), (["run", "--port", "1"], ["--port", "1"])],
)
def test_the_command_of_the_package_runs_everything_unless_another_is_named(
    arguments: list[str], ran: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[list[str]] = []
    monkeypatch.setattr(command_line, "IS_PACKAGE", True)
    monkeypatch.setattr("memoryapp.serving.run.main", lambda options: given.append(list(options)))
    monkeypatch.setattr(sys, "argv", ["keepsake", *arguments])
    with pytest.raises(SystemExit):
        command_line.main()
    assert given == [ran]


def test_a_package_writes_among_the_data_of_the_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert installation.default_home() == PROJECT / ".keepsake"
    monkeypatch.setattr(installation, "IS_PACKAGE", True)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert installation.default_home().is_relative_to(tmp_path)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the commands of an environment that holds the package, and what the lock says
    that it needs.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    install = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", "--no-compile"]
    lock = str(PROJECT / "requirements.lock")
    for what in (["--require-hashes", "-r", lock], ["--no-deps", "--no-index", str(wheel)]):
        subprocess.run([*install, *what], check=True, capture_output=True)
    return folder / "bin"


@pytest.fixture
def running(installed: Path, tmp_path: Path) -> Iterator[Keepsake]:
    with separate_folder() as folder:
        environment = {"HOME": str(folder), "XDG_DATA_HOME": str(folder)}
        started = Keepsake(
            folder / "keepsake",
            free_port(),
            tmp_path / "output",
            program=[str(installed / "keepsake")],
            KEEPSAKE_HOME="",  # Its own choice.
            PYTHONDONTWRITEBYTECODE="1",
            **environment,
        )
        with started:
            started.wait_for(READY)
            yield started


@pytest.mark.soak
def test_it_runs_where_nothing_else_is_installed(running: Keepsake, installed: Path) -> None:
    login = re.search(r"Login +(\w+)\s+Password +(\S+) ", running.log)
    assert login, running.log
    assert running.logs_in(*login.groups())
    with urlopen(f"http://127.0.0.1:{running.port}/accounts/login") as page:
        html = page.read().decode()
    for path in set(re.findall(r'(?:href|src)="(/static/[^"]+)"', html)):
        with urlopen(f"http://127.0.0.1:{running.port}{path}") as file:
            assert file.status == 200, path
    # With nothing in the folder of the package: what it writes is among the data of the user.
    home = Path(running.environment["XDG_DATA_HOME"])
    assert (home / "keepsake" / "postgres").is_dir()
    environment = os.environ | {
        name: running.environment[name] for name in ("HOME", "XDG_DATA_HOME", "KEEPSAKE_HOME")
    }
    checked = subprocess.run(
        [str(installed / "keepsake"), "migrate", "--check"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
