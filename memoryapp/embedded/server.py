"""The base of the embedded servers: one process for one folder."""

import importlib.util
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, ClassVar, Self

import psutil

from memoryapp.embedded import paths
from memoryapp.embedded.program import MAX_KEPT_LINES


def is_alive(process: psutil.Process) -> bool:
    """True if it runs. Zombies, which some containers never reap, do not count."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def package_folder(name: str) -> Path:
    """Return the folder of an installed package, without importing it."""
    package = importlib.util.find_spec(name)
    if package is None or package.origin is None:
        raise paths.ServerError(f"The package {name.replace('_', '-')} is missing. Run make setup.")
    return Path(package.origin).resolve().parent


class Server:
    """A server that this process starts and ends, and the lock of its folder."""

    #: The signals that end it, gentlest first, and the seconds to wait after each.
    STOP_SIGNALS: ClassVar[tuple[tuple[signal.Signals, float], ...]]

    def __init__(
        self, home: Path, log: str, started: Callable[[int], object] = lambda pid: None
    ) -> None:
        self.home = home.resolve()
        self.log = self.home / log
        #: Called with the process id after each start.
        self._started = started
        self.process: subprocess.Popen[bytes] | None = None
        self._lock: BinaryIO | None = None

    @property
    def running(self) -> bool:
        """True if the server that this object started is alive."""
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start the server and wait until it can be used; do nothing if it runs already. Raises
        `AlreadyRunning` if another process runs the server of this folder, `ServerError` if it does
        not start; the message has the end of its log.
        """
        if self.running:
            return
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the server and release its folder."""
        if self.process is not None:
            for sign, seconds in self.STOP_SIGNALS:
                self.process.send_signal(sign)
                try:
                    self.process.wait(seconds)
                    break
                except subprocess.TimeoutExpired:
                    continue
            else:
                self.process.kill()
                self.process.wait()
            self.process = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def last_output(self) -> str:
        """Return the last lines of its log."""
        return paths.last_lines(self.log, MAX_KEPT_LINES)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def _start(self) -> None:
        raise NotImplementedError
