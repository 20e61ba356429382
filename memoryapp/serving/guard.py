"""Ends the processes of ``manage.py run`` when the supervisor was killed and cannot do so itself.

The guard is a separate process that reads their ids from a pipe. Only the supervisor holds the
other end, and the system closes it when the supervisor dies, however that happens. After an orderly
shutdown, nothing is left to do.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping

import psutil

from memoryapp.embedded import stop_signals
from memoryapp.embedded.program import STOP_SECONDS
from memoryapp.embedded.server import is_alive

#: Longer than PostgreSQL usually takes to stop, with its checkpoint.
_SERVER_STOP_SECONDS = 30.0
_END_SECONDS = STOP_SECONDS + _SERVER_STOP_SECONDS + 10.0

#: The signals that stop the servers, which come last. Programs get a SIGTERM.
_SERVERS = {"PostgreSQL": signal.SIGINT, "Redis": signal.SIGTERM}


class Guard:
    """The supervisor's end of the pipe."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        #: Process ids by name.
        self._watched: dict[str, int] = {}

    def watcher(self, name: str) -> Callable[[int], None]:
        """Return a function that reports the present process id of *name* to the guard."""

        def watch(pid: int) -> None:
            self._watched[name] = pid
            self._tell(name)

        return watch

    def keep(self) -> None:
        """Start the guard, or start it again if it was killed."""
        if self.process is not None:
            if self.process.poll() is None:
                return
            self._close()
        with stop_signals.held_back():
            # In a session of its own, so that signals to the terminal's processes do not reach it.
            self.process = subprocess.Popen(  # noqa: S603 - Our own command.
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
        for name in self._watched:
            self._tell(name)

    def stop(self) -> None:
        """Close the pipe and wait. The guard ends remaining processes and exits."""
        if self.process is not None:
            self._close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(_END_SECONDS)

    def _tell(self, name: str) -> None:
        if self.process is not None and self.process.stdin is not None:
            # If the guard was killed, its successor gets all ids.
            with contextlib.suppress(OSError):
                self.process.stdin.write(f"{self._watched[name]} {name}\n".encode())
                self.process.stdin.flush()

    def _close(self) -> None:
        if self.process is not None and self.process.stdin is not None:
            with contextlib.suppress(OSError):
                self.process.stdin.close()


def _end(processes: Mapping[str, psutil.Process], seconds: float) -> None:
    for name, process in processes.items():
        with contextlib.suppress(psutil.Error):
            process.send_signal(_SERVERS.get(name, signal.SIGTERM))
    deadline = time.monotonic() + seconds
    while any(map(is_alive, processes.values())) and time.monotonic() < deadline:
        time.sleep(0.05)
    for process in processes.values():
        # With its group, unless the id belongs to another process by now.
        if process.is_running() or not psutil.pid_exists(process.pid):
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)


def main(lines: Iterable[str]) -> None:
    """Read process ids until the supervisor is gone, then end the processes."""
    stop_signals.ignore()
    servers: dict[str, psutil.Process] = {}
    programs: dict[str, psutil.Process] = {}
    for line in lines:
        pid, _, name = line.rstrip().partition(" ")
        with contextlib.suppress(psutil.NoSuchProcess):
            (servers if name in _SERVERS else programs)[name] = psutil.Process(int(pid))
    _end(programs, STOP_SECONDS)
    _end(servers, _SERVER_STOP_SECONDS)


if __name__ == "__main__":
    main(sys.stdin)
