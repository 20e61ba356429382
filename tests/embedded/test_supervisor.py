"""The supervisor with small real programs: restarts, messages, limits and its state file."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from memoryapp.embedded import processes
from memoryapp.embedded.paths import ServerError
from memoryapp.embedded.processes import ProcessState
from memoryapp.embedded.program import Program, stop
from memoryapp.serving import restarts
from memoryapp.serving.guard import Guard
from memoryapp.serving.supervisor import Supervisor
from tests.provider_fixtures import eventually

SLEEP = "import time; print('awake', flush=True); time.sleep(60)"
FAIL = "import sys; print('one'); print('no disk', file=sys.stderr); sys.exit(3)"


class Box:
    """A supervisor with its messages and programs."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.messages: list[str] = []
        self.guard = Guard()
        self.supervisor = Supervisor(home, self.guard, self.messages.append)
        self.programs: list[Program] = []

    def add(self, title: str, code: str, without: str = "") -> Program:
        command = [sys.executable, "-c", code]
        program = Program(command, os.environ, lambda line: None, self.guard.watcher(title))
        self.programs.append(program)
        program.start()
        self.supervisor.add(title, program, without=without)
        return program

    def pretend_started(self) -> None:
        """Pretend that all programs have been running for a while."""
        self.supervisor.ready.set()
        for each in self.supervisor.supervised:
            each.started_at -= 100

    def look_until(self, condition: Callable[[], object]) -> str:
        """Let the supervisor check until *condition* is true or it fails; return the failure."""
        failures: list[str] = []

        def once() -> bool:
            failures.append(self.supervisor.look())
            return bool(failures[-1] or condition())

        eventually(once, f"condition not met: {self.messages}", seconds=20)
        return failures[-1]

    @property
    def states(self) -> list[processes.Process]:
        content = json.loads((self.home / "processes.json").read_bytes())
        assert content["supervisor"] == os.getpid()
        return [processes.restored(each) for each in content["processes"]]


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    monkeypatch.setattr(restarts, "FIRST_DELAY_SECONDS", 0.01)
    box = Box(tmp_path)
    yield box
    stop(box.programs)
    box.guard.stop()


def kill(program: Program) -> None:
    assert program.process is not None
    program.process.kill()
    program.process.wait()


def test_killed_program_is_restarted_with_messages(box: Box) -> None:
    worker = box.add("The worker", SLEEP, without="The rest goes on.")
    assert [(each.title, each.state) for each in box.states] == [
        ("The worker", ProcessState.RUNNING)
    ]

    kill(worker)
    assert not box.look_until(lambda: box.messages)
    assert box.states[0].state == ProcessState.RESTARTING
    assert not box.look_until(lambda: worker.running)

    assert box.messages == [
        "The worker ended by itself (killed, signal 9). It is started again in 0.01 s.",
        "The worker was started again.",
    ]
    (state,) = box.states
    assert (state.state, [end.how for end in state.ends]) == (
        ProcessState.RUNNING,
        ["killed, signal 9"],
    )
    assert (box.home / "processes.json").stat().st_mode & 0o777 == 0o600


def test_crashing_program_is_given_up_and_the_others_continue(box: Box) -> None:
    web = box.add("The web server", SLEEP)
    worker = box.add("The worker", SLEEP, without="The rest goes on.")
    worker.command = [sys.executable, "-c", FAIL]
    kill(worker)

    assert not box.look_until(lambda: box.states[1].state == ProcessState.GIVEN_UP)

    assert box.messages[-1].startswith("The worker ended 5 times within 2 minutes")
    assert "(exit code 3), and is not started again. The rest goes on." in box.messages[-1]
    assert box.messages[-1].endswith("Its last output:\n    one\n    no disk")
    assert box.states[1].last_output == "one\nno disk"
    assert len(box.states[1].ends) == 5
    # It stays stopped, and other programs are still supervised.
    kill(web)
    assert not box.look_until(lambda: "The web server was started again." in box.messages)
    assert not worker.running


def test_crashing_essential_program_ends_the_supervisor(box: Box) -> None:
    web = box.add("The web server", SLEEP)
    web.command = [sys.executable, "-c", FAIL]
    kill(web)

    failure = box.look_until(lambda: False)

    assert failure.startswith("The web server ended 5 times within 2 minutes")
    assert failure.endswith("Its last output:\n    one\n    no disk")


def test_program_that_cannot_start_is_not_retried(box: Box) -> None:
    box.add("The worker", FAIL, without="The rest goes on.")

    failure = box.look_until(lambda: False)

    assert failure == (
        "The worker cannot start (exit code 3). Its last output:\n    one\n    no disk"
    )


def test_program_that_exits_later_is_restarted(box: Box) -> None:
    worker = box.add("The worker", "import time; time.sleep(0.2)", without="The rest goes on.")
    box.pretend_started()
    worker.command = [sys.executable, "-c", SLEEP]

    assert not box.look_until(lambda: "The worker was started again." in box.messages)

    assert box.states[0].ends[0].how == "exit code 0"


class Failing:
    """A server that runs, ends, and cannot be started again."""

    process: subprocess.Popen[bytes] | None = None
    running = False

    def start(self) -> None:
        raise ServerError("Redis did not start:\nthe disk is full")

    def last_output(self) -> str:
        return "Goodbye."


def test_server_that_cannot_restart_is_given_up(box: Box) -> None:
    redis = Failing()
    redis.running = True
    box.supervisor.add("Redis", redis, without="The rest goes on.")
    box.pretend_started()
    redis.running = False

    assert not box.look_until(lambda: box.states[0].state == ProcessState.GIVEN_UP)

    assert "the disk is full" in box.messages[-1]
    assert box.states[0].last_output.endswith("the disk is full")


def test_children_of_a_killed_program_are_ended_before_its_restart(box: Box) -> None:
    family = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {SLEEP!r}]); {SLEEP}"
    worker = box.add("The worker", family)
    eventually(
        lambda: worker.last_output().count("awake") == 2,
        "the program and its child are not running",
    )
    assert worker.process is not None
    group = worker.process.pid
    assert len(alive(group)) == 2

    kill(worker)
    box.look_until(lambda: "The worker was started again." in box.messages)

    eventually(lambda: not alive(group), "its process group is still alive")


def alive(group: int) -> list[psutil.Process]:
    """Return the processes of a group except zombies, which may stay listed."""
    members = []
    for process in psutil.process_iter(["status"]):
        with contextlib.suppress(ProcessLookupError):
            if process.info["status"] != psutil.STATUS_ZOMBIE and os.getpgid(process.pid) == group:
                members.append(process)
    return members


def test_guard_is_restarted_with_all_programs(box: Box) -> None:
    worker = box.add("worker", SLEEP)
    box.supervisor.look()
    assert box.guard.process is not None
    first = box.guard.process
    first.kill()
    eventually(lambda: first.poll() is not None, "the process does not end")
    box.supervisor.look()

    box.guard.stop()

    eventually(lambda: not worker.running, "the guard has not ended the worker")


def test_process_state_is_read_only_under_the_same_supervisor(tmp_path: Path) -> None:
    assert processes.read(tmp_path) == []
    (tmp_path / "processes.json").write_text("{")
    assert processes.read(tmp_path) == []
    processes.write(tmp_path, [processes.Process("The worker")])
    assert processes.read(tmp_path) == []
    content = json.loads((tmp_path / "processes.json").read_text())
    content["supervisor"] = os.getppid()
    (tmp_path / "processes.json").write_text(json.dumps(content))
    assert processes.read(tmp_path) == [processes.Process("The worker")]
    processes.remove(tmp_path)
    assert processes.read(tmp_path) == []


def test_long_output_line_is_split(tmp_path: Path) -> None:
    lines: list[str] = []
    code = "import sys; sys.stdout.buffer.write(b'x' * 200_000 + bytes([255]))"
    program = Program([sys.executable, "-c", code], os.environ, lines.append)
    begin = time.monotonic()
    program.start()
    eventually(lambda: not program.running, "the process does not end")
    program.last_output()
    assert sum(map(len, lines)) > 200_000
    assert max(map(len, lines)) <= 64_000
    assert time.monotonic() - begin < 20
