"""``manage.py run`` from the first start to the next one."""

import io
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memoryapp.serving import run
from memoryapp.serving.guard import Guard
from memoryapp.serving.supervisor import Supervisor
from tests.embedded.conftest import separate_folder
from tests.embedded.running import PATIENCE, READY, Keepsake, free_port

Start = Callable[..., Keepsake]


@pytest.fixture
def start(home: Path, tmp_path: Path) -> Iterator[Start]:
    """Start Keepsake in the test's home folder; running processes are stopped at the end."""
    started: list[Keepsake] = []

    def begin(**environment: str) -> Keepsake:
        output = tmp_path / f"output-{len(started)}"
        started.append(Keepsake(home, free_port(), output, **environment))
        return started[-1]

    yield begin
    for keepsake in started:
        with keepsake:
            pass


@pytest.fixture(scope="module")
def used_before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home folder after a first start: it takes most of the time of a test."""
    with separate_folder() as folder:
        keepsake = Keepsake(folder / "home", free_port(), tmp_path_factory.mktemp("first") / "out")
        with keepsake:
            keepsake.wait_for(READY)
        yield folder / "home"


@pytest.fixture
def next_start(used_before: Path, home: Path, start: Start) -> Start:
    """Start Keepsake in a copy of that folder."""
    # With owners and links, unlike `shutil.copytree`.
    subprocess.run(["cp", "-a", used_before, home], check=True)
    return start


def seconds_of_preparation(keepsake: Keepsake) -> float:
    """Return how long the databases took to be ready, as the console says."""
    return sum(map(float, re.findall(r" ready in ([\d.]+) s", keepsake.log)))


@pytest.mark.soak
def test_first_start_stop_and_next_start(start: Start) -> None:
    first = start()
    first.wait_for(READY)
    credentials = re.search(r"Login +(\w+)\s+Password +(\S+) +\(shown only this once\)", first.log)
    assert credentials, first.log
    name, password = credentials.groups()
    assert first.log.count(password) == 1
    assert f"Address      http://127.0.0.1:{first.port}/" in first.log
    assert first.log.index(" ready.\n") < first.log.index(READY)
    assert "[warning]" not in first.log
    assert first.logs_in(name, password)
    assert not first.logs_in(name, "guessed")
    for words in (("memoryapp.serving.web_server",), ("celery", "worker")):
        assert first.child(*words).is_running()

    assert first.stop(signal.SIGINT) == 0, first.log
    assert first.remaining() == []

    second = start()
    second.wait_for(READY)
    assert seconds_of_preparation(second) < seconds_of_preparation(first)
    assert password not in second.log
    assert "as before" in second.log
    assert second.logs_in(name, password)


def test_run_can_be_stopped_while_starting(start: Start) -> None:
    keepsake = start()
    keepsake.wait_for("PostgreSQL   ready")

    assert keepsake.stop(signal.SIGINT) == 0, keepsake.log

    assert keepsake.remaining() == []


@pytest.mark.soak
def test_admin_password_from_the_environment_and_stop_by_sigterm(start: Start) -> None:
    keepsake = start(ADMIN_USERNAME="grace", ADMIN_PASSWORD="compiler-1952")
    keepsake.wait_for(READY)

    assert "compiler-1952" not in keepsake.log
    assert keepsake.logs_in("grace", "compiler-1952")

    assert keepsake.stop(signal.SIGTERM) == 0, keepsake.log
    assert keepsake.remaining() == []


@pytest.mark.soak
def test_failing_program_stops_everything_with_its_error(next_start: Start) -> None:
    keepsake = next_start(WEB_CONCURRENCY="unheard-of")

    assert keepsake.process.wait(PATIENCE) == 1
    assert re.search(r"The web server cannot start \(exit code \d\)\. Its last", keepsake.log)
    assert "unheard-of" in keepsake.log.rpartition("Its last output")[2]
    assert "Everything was stopped." in keepsake.log
    assert keepsake.remaining() == []


@pytest.mark.soak
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_second_signal_does_not_disturb_the_shutdown(
    next_start: Start, number: signal.Signals
) -> None:
    keepsake = next_start()
    keepsake.wait_for(READY)

    keepsake.process.send_signal(number)
    keepsake.wait_for("Stopping.")

    assert keepsake.stop(signal.SIGINT) == 0, keepsake.log
    assert keepsake.remaining() == []


@pytest.mark.soak
def test_run_can_be_stopped_during_a_restart_delay(next_start: Start) -> None:
    keepsake = next_start()
    keepsake.wait_for(READY)
    keepsake.kill("celery", "worker")
    keepsake.kill("postgres")
    keepsake.wait_for("PostgreSQL ended by itself (killed, signal 9)")

    assert keepsake.stop(signal.SIGINT) == 0, keepsake.log

    assert keepsake.remaining() == []


@pytest.mark.soak
def test_killed_run_leaves_no_processes(next_start: Start) -> None:
    first = next_start()
    first.wait_for(READY)

    first.stop(signal.SIGKILL)

    assert first.remaining(within=30) == []
    second = next_start()
    second.wait_for(READY)
    assert "as before" in second.log


@pytest.mark.soak
def test_run_killed_after_restarts_leaves_no_processes(next_start: Start) -> None:
    first = next_start()
    first.wait_for(READY)
    first.kill("memoryapp.serving.guard")
    first.kill("celery", "worker")
    first.wait_for("The worker was started again.")

    first.stop(signal.SIGKILL)

    assert first.remaining(within=30) == []


@pytest.mark.soak
def test_second_run_in_the_same_folder_is_rejected(next_start: Start) -> None:
    first = next_start()
    first.wait_for(READY)

    second = next_start()

    assert second.process.wait(PATIENCE) == 1
    assert "already running in this folder" in second.log
    assert first.process.poll() is None


def test_port_in_use_is_reported_before_anything_starts(home: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with Keepsake(home, port, tmp_path / "output") as keepsake:
            assert keepsake.process.wait(PATIENCE) == 1

    assert f"Cannot listen on port {port} of 127.0.0.1: another program uses it" in keepsake.log
    assert "PORT=" in keepsake.log
    assert not (home / "postgres").exists()


def announced(
    reports: str, home: Path, monkeypatch: pytest.MonkeyPatch, *lines: tuple[str, str]
) -> tuple[str, Supervisor]:
    """Return what a run prints for these *reports* of the set-up and *lines* of its programs."""
    monkeypatch.setattr(run, "_answers", lambda address: True)
    monkeypatch.setattr(run, "QUIET_SECONDS", 0.2)
    printed = io.StringIO()
    monkeypatch.setattr("sys.stdout", printed)
    beginning = run.ServerRun(home, "127.0.0.1", 8000, demo=False)
    supervisor = Supervisor(home, Guard(), beginning._say_when)
    announcing = threading.Thread(
        target=beginning._announce, args=(io.StringIO(reports), supervisor)
    )
    announcing.start()
    if lines:
        assert supervisor.ready.wait(5)
        for name, line in lines:
            beginning._say_line(name, line)
    announcing.join(5)
    return printed.getvalue(), supervisor


LOGIN = '{"login": "admin", "password": "secret"}\n'


def test_login_is_printed_after_the_log_of_the_start(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed, _ = announced(
        LOGIN,
        home,
        monkeypatch,
        ("web", "Application startup complete."),
        ("worker", "celery@here ready."),
        ("worker", "Task received"),
    )
    assert [line[9:] for line in printed.splitlines()[:3]] == [
        "web    | Application startup complete.",
        "worker | celery@here ready.",
        "worker | Task received",
    ]
    assert "secret" in printed.partition("Task received")[2]


def test_each_step_of_the_set_up_has_a_line(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = '{"begins": "Database"}\n{"took": 0.42}\n{"begins": "Demo"}\n{"took": 1.0}\n'
    printed, _ = announced(steps + LOGIN, home, monkeypatch, ("worker", "celery@here ready."))
    assert printed.splitlines()[:2] == [
        "Database     ready in 0.4 s",
        "Demo         ready in 1.0 s",
    ]


def test_interrupted_set_up_ends_the_run(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, supervisor = announced('{"begins": "Database"}\n', home, monkeypatch)
    assert not supervisor.ready.is_set()
    try:
        assert "interrupted" in supervisor.look()
    finally:
        supervisor._guard.stop()


def test_line_of_a_program_does_not_continue_a_step(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = io.StringIO()
    monkeypatch.setattr("sys.stdout", printed)
    beginning = run.ServerRun(home, "127.0.0.1", 8000, demo=False)
    beginning._begin("Database")
    beginning._say_line("web", "a warning")
    step, line = printed.getvalue().splitlines()
    assert step.rstrip() == "Database"
    assert line.endswith("web    | a warning")
