"""The supervisor with small real programs: what it starts again, says, gives up and writes down."""

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

from memoryapp.embedded import processes, restarts
from memoryapp.embedded.guard import Guard
from memoryapp.embedded.paths import ServerError
from memoryapp.embedded.processes import ProcessState
from memoryapp.embedded.program import Program, stop
from memoryapp.embedded.supervisor import Supervisor
from tests.provider_fixtures import eventually

SLEEP = "import time; print('awake', flush=True); time.sleep(60)"
FAIL = "import sys; print('one'); print('no disk', file=sys.stderr); sys.exit(3)"


class Box:
    """A supervisor, what it has said, and its programs."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.said: list[str] = []
        self.guard = Guard()
        self.supervisor = Supervisor(home, self.guard, self.said.append)
        self.programs: list[Program] = []

    def add(self, title: str, code: str, without: str = "") -> Program:
        command = [sys.executable, "-c", code]
        program = Program(command, os.environ, lambda line: None, self.guard.watcher(title))
        self.programs.append(program)
        program.start()
        self.supervisor.add(title, program, without=without)
        return program

    def had_started(self) -> None:
        """As if everything had been running for a while."""
        self.supervisor.ready.set()
        for each in self.supervisor._supervised:
            each.started_at -= 100

    def look_until(self, holds: Callable[[], object]) -> str:
        """Have it look until it holds, or until it says that all is lost."""
        failures: list[str] = []

        def once() -> bool:
            failures.append(self.supervisor.look())
            return bool(failures[-1] or holds())

        eventually(once, f"it does not come about: {self.said}", seconds=20)
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


def test_what_is_killed_is_started_again_and_that_is_said(box: Box) -> None:
    worker = box.add("The worker", SLEEP, without="The rest goes on.")
    assert [(each.title, each.state) for each in box.states] == [
        ("The worker", ProcessState.RUNNING)
    ]

    kill(worker)
    assert not box.look_until(lambda: box.said)
    assert box.states[0].state == ProcessState.RESTARTING
    assert not box.look_until(lambda: worker.running)

    assert box.said == [
        "The worker ended by itself (killed, signal 9). It is started again in 0.01 s.",
        "The worker was started again.",
    ]
    (state,) = box.states
    assert (state.state, [end.how for end in state.ends]) == (
        ProcessState.RUNNING,
        ["killed, signal 9"],
    )
    assert (box.home / "processes.json").stat().st_mode & 0o777 == 0o600


def test_what_keeps_ending_is_given_up_and_the_rest_goes_on(box: Box) -> None:
    web = box.add("The web server", SLEEP)
    worker = box.add("The worker", SLEEP, without="The rest goes on.")
    worker._command = [sys.executable, "-c", FAIL]
    kill(worker)

    assert not box.look_until(lambda: box.states[1].state == ProcessState.GIVEN_UP)

    assert box.said[-1].startswith("The worker ended 5 times within 2 minutes")
    assert "(exit code 3), and is not started again. The rest goes on." in box.said[-1]
    assert box.said[-1].endswith("Its last output:\n    one\n    no disk")
    assert box.states[1].last_output == "one\nno disk"
    assert len(box.states[1].ends) == 5
    # It stays so, and everything else goes on being looked after.
    kill(web)
    assert not box.look_until(lambda: "The web server was started again." in box.said)
    assert not worker.running


def test_all_is_lost_with_what_nothing_works_without(box: Box) -> None:
    web = box.add("The web server", SLEEP)
    web._command = [sys.executable, "-c", FAIL]
    kill(web)

    failure = box.look_until(lambda: False)

    assert failure.startswith("The web server ended 5 times within 2 minutes")
    assert failure.endswith("Its last output:\n    one\n    no disk")


def test_what_cannot_start_at_all_is_not_tried_again(box: Box) -> None:
    box.add("The worker", FAIL, without="The rest goes on.")

    failure = box.look_until(lambda: False)

    assert failure == (
        "The worker cannot start (exit code 3). Its last output:\n    one\n    no disk"
    )


def test_what_exits_later_on_is_started_again(box: Box) -> None:
    worker = box.add("The worker", "import time; time.sleep(0.2)", without="The rest goes on.")
    box.had_started()
    worker._command = [sys.executable, "-c", SLEEP]

    assert not box.look_until(lambda: "The worker was started again." in box.said)

    assert box.states[0].ends[0].how == "exit code 0"


class Failing:
    """A server that runs, ends, and cannot be started again."""

    process: subprocess.Popen[bytes] | None = None
    running = False

    def start(self) -> None:
        raise ServerError("Redis did not start:\nthe disk is full")

    def last_output(self) -> str:
        return "Goodbye."


def test_a_server_that_cannot_be_started_again_is_given_up(box: Box) -> None:
    redis = Failing()
    redis.running = True
    box.supervisor.add("Redis", redis, without="The rest goes on.")
    box.had_started()
    redis.running = False

    assert not box.look_until(lambda: box.states[0].state == ProcessState.GIVEN_UP)

    assert "the disk is full" in box.said[-1]
    assert box.states[0].last_output.endswith("the disk is full")


def test_what_a_killed_program_has_started_is_ended_before_the_next_start(box: Box) -> None:
    family = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {SLEEP!r}]); {SLEEP}"
    worker = box.add("The worker", family)
    eventually(lambda: worker.last_output().count("awake") == 2, "it is not up")
    assert worker.process is not None
    group = worker.process.pid
    assert len(alive(group)) == 2

    kill(worker)
    box.look_until(lambda: "The worker was started again." in box.said)

    eventually(lambda: not alive(group), "its group is still there")


def alive(group: int) -> list[psutil.Process]:
    """The processes of a group. Where nobody collects the dead, they stay listed."""
    found = []
    for process in psutil.process_iter(["status"]):
        with contextlib.suppress(ProcessLookupError):
            if process.info["status"] != psutil.STATUS_ZOMBIE and os.getpgid(process.pid) == group:
                found.append(process)
    return found


def test_the_guard_is_started_again_and_told_all(box: Box) -> None:
    worker = box.add("worker", SLEEP)
    box.supervisor.look()
    assert box.guard.process is not None
    first = box.guard.process
    first.kill()
    eventually(lambda: first.poll() is not None, "it does not end")
    box.supervisor.look()

    box.guard.stop()

    eventually(lambda: not worker.running, "the guard has not ended it")


def test_only_the_processes_beside_the_reader_are_told(tmp_path: Path) -> None:
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


def test_a_line_without_an_end_is_passed_on_in_parts(tmp_path: Path) -> None:
    lines: list[str] = []
    code = "import sys; sys.stdout.buffer.write(b'x' * 200_000 + bytes([255]))"
    program = Program([sys.executable, "-c", code], os.environ, lines.append)
    begin = time.monotonic()
    program.start()
    eventually(lambda: not program.running, "it does not end")
    program.last_output()
    assert sum(map(len, lines)) > 200_000
    assert max(map(len, lines)) <= 64_000
    assert time.monotonic() - begin < 20
