"""A listener in this process that embeds without a model."""

import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from memoryapp.providers.builtin_model import frames, location
from memoryapp.providers.builtin_model.process import Listener


def by_length(texts: list[str]) -> tuple[int, bytes]:
    """Embed each text as its length."""
    rows = [np.full(frames.DIMENSIONS, len(text), np.float32) for text in texts]
    return len(texts), np.concatenate(rows).tobytes()


def until(condition: Callable[[], object], what: str) -> None:
    """Wait until *condition* holds."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


class Listening:
    """Runs a listener in a thread; it lives until the test ends unless the test says otherwise."""

    def __init__(
        self,
        home: Path,
        embed: Callable[[list[str]], tuple[int, bytes]] = by_length,
        *,
        give_back_memory: Callable[[], None] = lambda: None,
        linger: float = 600,
        idle: float = 600,
    ) -> None:
        self.place = location.find(home)
        self.place.prepare()
        listener = Listener(
            self.place, embed, give_back_memory=give_back_memory, linger=linger, idle=idle
        )
        self.thread = threading.Thread(target=listener.run, daemon=True)

    def __enter__(self) -> Self:
        self.thread.start()
        until(self.place.socket.exists, "it does not listen")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.place.socket.unlink(missing_ok=True)
        self.thread.join(60)
        assert not self.thread.is_alive(), "it does not end"

    def connect(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(60)
        until(lambda: self._connects(connection), "it does not accept connections")
        return connection

    def _connects(self, connection: socket.socket) -> bool:
        try:
            connection.connect(str(self.place.socket))
        except (FileNotFoundError, ConnectionRefusedError):  # Not bound, or not listening yet.
            return False
        return True
