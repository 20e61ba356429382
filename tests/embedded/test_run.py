"""``manage.py run`` as a newcomer types it, from the first start to the next one."""

import http.cookiejar
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

import psutil
import pytest

PROJECT = Path(__file__).resolve().parents[2]
READY = "Keepsake is ready"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Keepsake:
    """One ``manage.py run`` and everything that it starts."""

    def __init__(self, home: Path, port: int, output: Path, **environment: str) -> None:
        self.port = port
        self.output = output
        self.children: list[psutil.Process] = []
        outer = {
            name: value
            for name, value in os.environ.items()
            if name not in ("DATABASE_URL", "REDIS_URL", "ADMIN_PASSWORD", "ADMIN_USERNAME")
        }
        with output.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "run"],
                cwd=PROJECT,
                env=outer
                | {"KEEPSAKE_HOME": str(home), "PORT": str(port), "DEMO": "0"}
                | environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)

    @property
    def said(self) -> str:
        return self.output.read_text()

    def wait_for(self, text: str) -> None:
        """Wait until something is in the output."""
        deadline = time.monotonic() + 90
        while text not in self.said:
            assert self.process.poll() is None, self.said
            assert time.monotonic() < deadline, self.said
            time.sleep(0.02)
        self.children += psutil.Process(self.process.pid).children(recursive=True)

    def child(self, *words: str) -> psutil.Process:
        """Return the first process whose command has these words, or the program of this name."""
        return next(
            it
            for it in psutil.Process(self.process.pid).children(recursive=True)
            if it.status() != psutil.STATUS_ZOMBIE
            and (it.name() == words[0] or all(word in it.cmdline() for word in words))
        )

    def kill(self, *words: str) -> None:
        """Kill that process, as a system without memory would."""
        self.child(*words).kill()

    def stop(self, number: signal.Signals) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(60)

    def left(self, within: float = 3.0) -> list[psutil.Process]:
        """Return what is still alive, after so many seconds, of all that was started."""
        _, alive = psutil.wait_procs(set(self.children), timeout=within)
        return [it for it in alive if it.status() != psutil.STATUS_ZOMBIE]

    def logs_in(self, name: str, password: str) -> bool:
        """Whether the login form lets somebody in."""
        opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        )
        address = f"http://127.0.0.1:{self.port}/accounts/login"
        with opener.open(address) as page:
            token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())
        assert token
        form = {"csrfmiddlewaretoken": token[1], "username": name, "password": password}
        with opener.open(address, urllib.parse.urlencode(form).encode()) as page:
            return not page.url.startswith(address)


Start = Callable[..., Keepsake]


@pytest.fixture
def start(home: Path, tmp_path: Path) -> Iterator[Start]:
    """Start Keepsake in the test's home folder; whatever is left running is stopped at the end."""
    started: list[Keepsake] = []

    def begin(**environment: str) -> Keepsake:
        output = tmp_path / f"output-{len(started)}"
        started.append(Keepsake(home, free_port(), output, **environment))
        return started[-1]

    yield begin
    for keepsake in started:
        with keepsake:
            pass


def test_the_first_start_the_end_and_the_next_start(start: Start) -> None:
    first = start()
    first.wait_for(READY)
    shown = re.search(r"Login +(\w+)\s+Password +(\S+) +\(shown only this once\)", first.said)
    assert shown, first.said
    name, password = shown.groups()
    assert first.said.count(password) == 1
    assert f"Address      http://127.0.0.1:{first.port}/" in first.said
    assert first.logs_in(name, password)
    assert not first.logs_in(name, "guessed")
    for words in (("uvicorn",), ("celery", "worker"), ("celery", "beat")):
        assert first.child(*words).is_running()

    assert first.stop(signal.SIGINT) == 0, first.said
    assert first.left() == []

    begin = time.monotonic()
    second = start()
    second.wait_for(READY)
    assert time.monotonic() - begin < 10
    assert password not in second.said
    assert "as before" in second.said
    assert second.logs_in(name, password)


def test_it_can_be_stopped_while_it_is_starting(start: Start) -> None:
    keepsake = start()
    keepsake.wait_for("PostgreSQL   ready")

    assert keepsake.stop(signal.SIGINT) == 0, keepsake.said

    assert keepsake.left() == []


def test_the_password_can_come_from_the_environment_and_the_end_from_sigterm(start: Start) -> None:
    keepsake = start(ADMIN_USERNAME="grace", ADMIN_PASSWORD="compiler-1952")
    keepsake.wait_for(READY)

    assert "compiler-1952" not in keepsake.said
    assert keepsake.logs_in("grace", "compiler-1952")

    assert keepsake.stop(signal.SIGTERM) == 0, keepsake.said
    assert keepsake.left() == []


def test_a_program_that_cannot_start_stops_everything_and_says_why(start: Start) -> None:
    keepsake = start(UVICORN_LOOP="unheard-of")

    assert keepsake.process.wait(60) == 1
    assert re.search(r"The web server cannot start \(exit code \d\)\. Its last", keepsake.said)
    assert "unheard-of" in keepsake.said.rpartition("Its last words")[2]
    assert "Everything was stopped." in keepsake.said
    assert keepsake.left() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_second_signal_does_not_disturb_the_end(start: Start, number: signal.Signals) -> None:
    keepsake = start()
    keepsake.wait_for(READY)

    keepsake.process.send_signal(number)
    keepsake.wait_for("Stopping.")

    assert keepsake.stop(signal.SIGINT) == 0, keepsake.said
    assert keepsake.left() == []


def test_one_that_waits_for_a_restart_can_be_stopped(start: Start) -> None:
    keepsake = start()
    keepsake.wait_for(READY)
    keepsake.kill("celery", "worker")
    keepsake.kill("postgres")
    keepsake.wait_for("PostgreSQL ended by itself (killed, signal 9)")

    assert keepsake.stop(signal.SIGINT) == 0, keepsake.said

    assert keepsake.left() == []


def test_nothing_outlives_a_kill(start: Start) -> None:
    first = start()
    first.wait_for(READY)

    first.stop(signal.SIGKILL)

    assert first.left(within=30) == []
    second = start()
    second.wait_for(READY)
    assert "as before" in second.said


def test_a_kill_after_restarts_leaves_nothing_either(start: Start) -> None:
    first = start()
    first.wait_for(READY)
    first.kill("memoryapp.embedded.guard")
    first.kill("celery", "worker")
    first.wait_for("The worker was started again.")

    first.stop(signal.SIGKILL)

    assert first.left(within=30) == []


def test_a_second_one_in_the_same_folder_is_refused_and_leaves_the_first_alone(
    start: Start,
) -> None:
    first = start()
    first.wait_for(READY)

    second = start()

    assert second.process.wait(60) == 1
    assert "already running in this folder" in second.said
    assert first.process.poll() is None


def test_a_port_in_use_is_said_before_anything_is_started(home: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with Keepsake(home, port, tmp_path / "output") as keepsake:
            assert keepsake.process.wait(60) == 1

    assert f"Cannot listen on port {port} of 127.0.0.1: another program uses it" in keepsake.said
    assert "PORT=" in keepsake.said
    assert not (home / "postgres").exists()
