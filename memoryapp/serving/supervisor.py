"""Keeps the servers and programs of ``manage.py run`` running.

It is one loop in the main thread, which a signal ends with a KeyboardInterrupt. A process that ends
by itself is restarted after a growing pause; one that keeps ending is given up.
"""

import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

from memoryapp.embedded import processes, stop_signals
from memoryapp.embedded.paths import ServerError
from memoryapp.embedded.processes import End, ProcessState
from memoryapp.serving.guard import Guard
from memoryapp.serving.restarts import ENDS_WITHIN_SECONDS, MAX_ENDS, Restarts

#: A program that exits this soon after its first start cannot start at all.
FIRST_START_SECONDS = 20.0

_TICK_SECONDS = 0.1
_EXITS_KEPT_FOR = timedelta(days=1)


class Startable(Protocol):
    """A server or a program."""

    process: subprocess.Popen[bytes] | None

    @property
    def running(self) -> bool: ...

    def start(self) -> None: ...

    def last_output(self) -> str: ...


@dataclass
class _Supervised:
    process: processes.Process
    startable: Startable
    started_at: float
    #: When to restart it.
    due_at: float = 0.0
    restarts: Restarts = field(default_factory=Restarts)

    @property
    def vital(self) -> bool:
        return not self.process.without


class Supervisor:
    """Restarts processes that end, prints it, and records it for the health screen."""

    def __init__(self, home: Path, guard: Guard, say: Callable[[str], object]) -> None:
        self._home = home
        self._guard = guard
        self._say = say
        self.supervised: list[_Supervised] = []
        #: Set, by any thread, once everything works. Until then, a process that exits by itself is
        #: not restarted.
        self.ready = threading.Event()
        #: What is started only then.
        self._waiting: list[tuple[str, Startable, str]] = []
        self._failure = ""

    def add(self, title: str, startable: Startable, *, without: str = "") -> None:
        """Supervise *startable*, which has just been started. *without* says what still works if it
        is given up; if empty, giving it up ends everything.
        """
        process = processes.Process(title, without=without)
        each = _Supervised(process, startable, time.monotonic())
        each.restarts.started(each.started_at)
        self.supervised.append(each)
        self._write()

    def add_when_ready(self, title: str, startable: Startable, *, without: str) -> None:
        """Start *startable* as soon as everything else works, and supervise it from then on."""
        self._waiting.append((title, startable, without))

    def fail(self, reason: str) -> None:
        """End everything for this *reason*; for any thread."""
        self._failure = reason

    def run(self) -> str:
        """Keep everything running until a vital process is given up; return what happened."""
        while not (failure := self.look()):
            time.sleep(_TICK_SECONDS)
            stop_signals.check()
        return failure

    def look(self) -> str:
        """Do one round of `run`."""
        self._guard.keep()
        for each in self.supervised:
            if failure := self._check(each):
                return failure
        while self._waiting and self.ready.is_set():
            title, startable, without = self._waiting.pop()
            startable.start()
            self.add(title, startable, without=without)
        return self._failure

    def _check(self, each: _Supervised) -> str:
        match each.process.state:
            case ProcessState.RUNNING if not each.startable.running:
                return self._ended(each)
            case ProcessState.RESTARTING if time.monotonic() >= each.due_at:
                return self._start_again(each)
        return ""

    def _ended(self, each: _Supervised) -> str:
        code = each.startable.process.returncode if each.startable.process else 0
        how = _how_ended(code)
        lived = time.monotonic() - each.started_at
        starting = not self.ready.is_set() or lived < FIRST_START_SECONDS
        if starting and code >= 0 and not each.process.ends:
            return (
                f"{each.process.title} cannot start ({how}). Its last output:\n"
                f"{_indented(each.startable.last_output())}"
            )
        return self._note_end(each, how, each.startable.last_output())

    def _start_again(self, each: _Supervised) -> str:
        try:
            each.startable.start()
        except (ServerError, OSError) as error:
            return self._note_end(each, "it could not be started", str(error))
        each.restarts.started(time.monotonic())
        each.process.state = ProcessState.RUNNING
        self._write()
        self._say(f"{each.process.title} was started again.")
        return ""

    def _note_end(self, each: _Supervised, how: str, words: str) -> str:
        process, now = each.process, datetime.now(UTC)
        process.ends = [end for end in process.ends if now - end.at < _EXITS_KEPT_FOR]
        process.ends.append(End(now, how))
        delay = each.restarts.ended(time.monotonic())
        if delay is not None:
            process.state = ProcessState.RESTARTING
            each.due_at = time.monotonic() + delay
            self._write()
            self._say(
                f"{process.title} ended by itself ({how}). It is started again in {delay:g} s."
            )
            return ""
        process.state, process.last_output = ProcessState.GIVEN_UP, words
        self._write()
        given_up = (
            f"{process.title} ended {MAX_ENDS} times within {ENDS_WITHIN_SECONDS / 60:g} minutes, "
            f"the last time by itself ({how}), and is not started again."
        )
        output = f"Its last output:\n{_indented(words)}"
        if each.vital:
            return f"{given_up} {output}"
        self._say(f"{given_up} {process.without} To try again, restart Keepsake. {output}")
        return ""

    def _write(self) -> None:
        try:
            processes.write(self._home, [each.process for each in self.supervised])
        except OSError as error:
            # A full disk must not stop what still works.
            self._say(f"The state of the processes could not be written: {error}")


def _how_ended(code: int) -> str:
    """Describe how a process has ended."""
    if code >= 0:
        return f"exit code {code}"
    if code == -signal.SIGKILL:
        return "killed, signal 9"
    try:
        return f"{signal.Signals(-code).name}, signal {-code}"
    except ValueError:
        return f"signal {-code}"


def _indented(words: str) -> str:
    return "\n".join(f"    {line}" for line in words.splitlines()) or "    (none)"
