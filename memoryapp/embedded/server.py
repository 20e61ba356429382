"""What the embedded PostgreSQL and Redis have in common: one process for one folder."""

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, ClassVar, Self

from memoryapp.embedded import paths
from memoryapp.embedded.program import MAX_KEPT_LINES


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
        """Whether the server that this object started is alive."""
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start the server and wait until it can be used; do nothing if it runs already.

        Raises:
            AlreadyRunning: another process runs the server of this folder.
            ServerError: it does not start; the message has the end of its log.

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
