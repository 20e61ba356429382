"""Our own processes under one manager: prefixed logs, and all of them stop together.

This is honcho's manager with four differences. A signal goes to a process itself and not to its
whole group, where it would kill the Celery pool in the middle of a task. A signal that arrives
while the processes are still being started counts. Output that nobody reads any more, as after the
terminal was closed, does not keep it from stopping the processes. And when the manager is killed,
its processes end.
"""

import contextlib
import os
import shlex
import signal
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import honcho.manager
import honcho.printer
import honcho.process

# The worker needs a few seconds to hand its unfinished tasks back; honcho would give it 5.
_FORCE_AFTER_SECONDS = 12.0
honcho.manager.KILL_WAIT = _FORCE_AFTER_SECONDS


class Printer(honcho.printer.Printer):  # type: ignore[misc]
    """Prints the lines of the processes, and not what honcho says about its own doings."""

    def write(self, message: honcho.printer.Message) -> None:
        """Print a line, unless it is honcho's own or the terminal is gone."""
        if message.name != honcho.manager.SYSTEM_PRINTER_NAME:
            with contextlib.suppress(OSError):
                super().write(message)


class Process(honcho.process.Process):  # type: ignore[misc]
    """A process that ends when its manager is no more."""

    def run(self, events: Any = None, ignore_signals: bool = False) -> None:
        """Start the command and pass its lines on; runs in a process of its own."""
        threading.Thread(target=self._follow, args=(os.getppid(),), daemon=True).start()
        super().run(events, ignore_signals)

    def _follow(self, manager: int) -> None:
        while os.getppid() == manager:
            time.sleep(0.5)
        deadline = time.monotonic() + _FORCE_AFTER_SECONDS
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._child.pid, signal.SIGTERM)
            while self._child.poll() is None and time.monotonic() < deadline:
                time.sleep(0.1)
            os.killpg(self._child.pid, signal.SIGKILL)
        os._exit(1)


class Manager(honcho.manager.Manager):  # type: ignore[misc]
    """Runs processes until one of them ends, SIGINT or SIGTERM arrives, or ``trouble`` is told.

    After ``loop()``, ``failure`` says why it ended, or is empty if it was told to.
    """

    def __init__(self, trouble: Callable[[], str], say: Callable[[str], None]) -> None:
        super().__init__(Printer())
        self.failure = ""
        self._trouble = trouble
        self._say = say
        self._process_ctor = Process
        self._told_to_stop = False

    def add(self, name: str, command: list[str], env: Mapping[str, str]) -> None:
        """Add a process; ``exec`` replaces honcho's shell, which would swallow the signals."""
        self.add_process(name, "exec " + shlex.join(command), env=dict(env))

    def terminate(self) -> None:
        """Ask all processes to end, as soon as all are started."""
        self._told_to_stop = True
        if self._all_started():
            super().terminate()

    def _any_stopped(self) -> bool:
        """Whether it is time to stop: asked in each turn of the loop."""
        if not self._told_to_stop:
            self.failure = self._ended() or self._trouble()
        if self._told_to_stop or self.failure:
            # Not where the signal arrives: that may be in the middle of printing something else.
            self._say("Stopping.")
            return True
        return False

    def _ended(self) -> str:
        for name, process in self._processes.items():
            code = process.get("returncode")
            if code is not None:
                return f"{name} ended by itself (exit code {code})"
        return ""

    def _killall(self, force: bool = False) -> None:
        for process in self._processes.values():
            if process.get("returncode") is None:
                with contextlib.suppress(ProcessLookupError):
                    if force:
                        os.killpg(process["pid"], signal.SIGKILL)
                    else:
                        os.kill(process["pid"], signal.SIGTERM)
