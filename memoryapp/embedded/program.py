"""One of our own processes: starts it, passes on its output line by line, and ends it."""

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import IO

from memoryapp.embedded import stop_signals

#: Lines of output that are kept to explain why a process has ended.
MAX_KEPT_LINES = 20
#: The worker needs a few seconds to hand its unfinished tasks back.
STOP_SECONDS = 12.0

_MAX_LINE_BYTES = 64_000


class Program:
    """A command in a session of its own, so that Ctrl-C in the terminal does not reach it."""

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        pass_on: Callable[[str], object],
        started: Callable[[int], object] = lambda pid: None,
    ) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.command = command
        self._env = env
        #: Called with each line of output, from another thread. Must not raise.
        self._pass_on = pass_on
        #: Called with the process id after each start.
        self._started = started
        self._group: int | None = None
        self._lines: deque[str] = deque(maxlen=MAX_KEPT_LINES)
        self._reader: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """True if the process that this object started is alive."""
        if self.process is None:
            return False
        if self.process.poll() is None:
            return True
        self._end_group()
        return False

    def start(self, more: Sequence[str] = (), pass_fds: Collection[int] = ()) -> None:
        """Start it; do nothing if it runs already. This time, it gets *more* arguments and these
        open file descriptors.
        """
        if self.running:
            return
        self._lines.clear()
        with stop_signals.held_back():
            self.process = subprocess.Popen(  # noqa: S603 - Our own command.
                [*self.command, *more],
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=pass_fds,
            )
            self._group = self.process.pid
            self._started(self.process.pid)
        assert self.process.stdout is not None  # noqa: S101 - It is a pipe.
        self._reader = threading.Thread(
            target=self._read, args=(self.process.stdout,), daemon=True, name="output"
        )
        self._reader.start()

    def terminate(self) -> None:
        """Ask it to end. The signal goes to the process only, not to its group, where it would kill
        the worker's pool in the middle of a task.
        """
        if self.process is not None:
            self.process.terminate()

    def kill(self) -> None:
        """Kill it and all processes that it has started."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self._end_group()

    def last_output(self) -> str:
        """Return the last lines of its output."""
        if self._reader is not None and not self.running:
            self._reader.join(1)
        return "\n".join(self._lines)

    def _end_group(self) -> None:
        """Kill remaining processes, such as the pool of a worker that was killed. Only once, since
        the group id may be reused later.
        """
        if self._group is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._group, signal.SIGKILL)
            self._group = None

    def _read(self, output: IO[bytes]) -> None:
        with output:
            for line in iter(lambda: output.readline(_MAX_LINE_BYTES), b""):
                text = line.decode(errors="replace").rstrip()
                self._lines.append(text)
                self._pass_on(text)


def stop(programs: Sequence[Program]) -> None:
    """End all programs at the same time, and kill those that take too long."""
    for program in programs:
        program.terminate()
    deadline = time.monotonic() + STOP_SECONDS
    while time.monotonic() < deadline and any(program.running for program in programs):
        time.sleep(0.05)
    for program in programs:
        program.kill()
