"""A low-level HTTP client, and a watcher of the server's disk space."""

import contextlib
import json
import os
import select
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import psutil

#: Bytes of a long body that are sent at once.
CHUNK = b"x" * 65_536


@dataclass(frozen=True)
class Answer:
    """The response; without a status if the connection was closed."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Wire:
    """One connection, over which a request is sent piece by piece."""

    def __init__(self, address: str, timeout: float = 30.0) -> None:
        target = urlsplit(address)
        assert target.hostname and target.port
        self.socket = socket.create_connection((target.hostname, target.port), timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.socket.close()

    def head(self, line: str, **headers: object) -> Self:
        """Send the first line and the headers."""
        named = {"Host": "localhost"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        lines = [f"{line} HTTP/1.1", *(f"{name}: {value}" for name, value in named.items())]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        return self

    def send(self, parts: Iterable[bytes], *, pause: float = 0.0) -> int:
        """Send until a response arrives or the connection closes; return the bytes sent."""
        sent = 0
        with contextlib.suppress(ConnectionError):
            for part in parts:
                if self.answered(pause):
                    break
                self.socket.sendall(part)
                sent += len(part)
        return sent

    def answered(self, seconds: float = 0.0) -> bool:
        """Return whether a response arrives within that time."""
        return bool(select.select([self.socket], [], [], seconds)[0])

    def answer(self) -> Answer:
        """Read one complete response."""
        received = b""
        with contextlib.suppress(ConnectionError):
            while b"\r\n\r\n" not in received and (part := self.socket.recv(65_536)):
                received += part
        head, _, body = received.partition(b"\r\n\r\n")
        if not head:
            return Answer(0, {}, b"")
        first, *lines = head.decode().split("\r\n")
        pairs = (line.split(": ", 1) for line in lines)
        headers = {name.lower(): value for name, value in pairs}
        with contextlib.suppress(ConnectionError):
            while len(body) < int(headers.get("content-length", 0)) and (
                part := self.socket.recv(65_536)
            ):
                body += part
        return Answer(int(first.split()[1]), headers, body)


def megabytes(number: int) -> Iterator[bytes]:
    """Return the parts of a body of that many megabytes."""
    return (CHUNK for _ in range(number * 16))


def chunked(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Encode *parts* as the chunks of a body without a declared length."""
    for part in parts:
        yield f"{len(part):x}\r\n".encode() + part + b"\r\n"


class Watch:
    """Repeatedly measures the bytes that the web servers keep in *folders*, including files that
    are deleted but still open.
    """

    def __init__(self, *folders: Path) -> None:
        self._folders = tuple(str(folder) for folder in folders)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self.most = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def now(self) -> int:
        """Return the current number of bytes."""
        size = 0
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(OSError):
                for link in os.scandir(f"/proc/{process.pid}/fd"):
                    with contextlib.suppress(OSError):
                        if os.readlink(link.path).startswith(self._folders):
                            size += os.stat(link.path).st_size
        return size

    def _look(self) -> None:
        while not self._over.is_set():
            self.most = max(self.most, self.now())
            time.sleep(0.02)
