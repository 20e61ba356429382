"""Asks the embedding process of a home and model, and starts it when it does not run.

It may be killed at any moment: it is started again, and asked again, since the same text has the
same vector.
"""

import atexit
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from memoryapp.embedded import paths
from memoryapp.providers.builtin_model import frames, interpreter, location
from memoryapp.providers.builtin_model.catalogue import BuiltinModel

#: Seconds that it may take to start on a busy machine.
START_SECONDS = 60.0
#: How often a request is sent: a text may be what kills the process.
MAX_ATTEMPTS = 3
#: How often in a row a start may fail.
MAX_STARTS = 3
#: Connections that are kept for the next requests.
MAX_KEPT = 8
_POLL_SECONDS = 0.01
#: Why no connection is made: there is no socket, nobody listens, or too many wait.
_NOT_YET = (FileNotFoundError, ConnectionRefusedError, BlockingIOError)


class EmbeddingError(Exception):
    """The embedding process gives no vectors."""


class CannotStart(EmbeddingError):
    """The process does not start; the text says why, in the words of its log."""


class NoAnswer(EmbeddingError):
    """The process does not answer in time, or ends each time that it is asked."""


class Refused(EmbeddingError):
    """The process answers with the *reason* of a failure: see `frames.failure`."""

    def __init__(self, reason: dict[str, str]) -> None:
        super().__init__(str(reason))
        self.reason = reason


class _Broken(Exception):
    """The connection broke, as when the process has ended."""


class EmbedderClient:
    """The embedding process of one home and model. Safe to use from several threads, and after a
    fork.
    """

    def __init__(self, home: Path, model: BuiltinModel = BuiltinModel.SMALL) -> None:
        self._home, self._model = home, model
        self._kept: list[socket.socket] = []
        self._keeping, self._starting = threading.Lock(), threading.Lock()
        self._started: subprocess.Popen[bytes] | None = None
        os.register_at_fork(after_in_child=self._begin_anew)
        atexit.register(self.close)

    def close(self) -> None:
        """Close the connections that are kept."""
        with self._keeping:
            kept, self._kept = self._kept, []
        for connection in kept:
            connection.close()

    def _begin_anew(self) -> None:
        """Forget what a fork must not share, and locks held by threads that it leaves out."""
        self._keeping, self._starting = threading.Lock(), threading.Lock()
        self._started = None
        self.close()

    def embed(self, texts: Sequence[str], *, timeout: float) -> tuple[int, bytes]:
        """Return the word pieces of *texts* and their vectors, as float32 one after the other.
        *timeout* is in seconds, for each `frames.MAX_TEXTS` texts; a start is not counted. Raises
        `EmbeddingError`.
        """
        pieces, floats = 0, []
        for start in range(0, len(texts), frames.MAX_TEXTS):
            part = texts[start : start + frames.MAX_TEXTS]
            more, vectors = self._embed_some(part, timeout)
            pieces += more
            floats.append(vectors)
        return pieces, b"".join(floats)

    def _embed_some(self, texts: Sequence[str], timeout: float) -> tuple[int, bytes]:
        payload = frames.request(texts)
        attempts = 0
        while True:
            with self._connection() as (connection, is_kept):
                try:
                    answer = _exchange(connection, payload, timeout)
                    found = frames.read_answer(answer, len(texts))
                except (_Broken, frames.BadFrame) as error:
                    connection.close()
                    # The other side of a kept connection may have ended long ago.
                    attempts += not is_kept
                    if attempts == MAX_ATTEMPTS:
                        raise NoAnswer("It ended before it answered.") from error
                    continue
                except BaseException:
                    connection.close()
                    raise
            if isinstance(found, dict):
                raise Refused(found)
            return found

    @contextmanager
    def _connection(self) -> Iterator[tuple[socket.socket, bool]]:
        """Yield a connection, and whether it was used before; keep it unless it was closed."""
        with self._keeping:
            connection = self._kept.pop() if self._kept else None
        is_kept = connection is not None
        connection = connection or self._connect()
        yield connection, is_kept
        with self._keeping:
            keep = connection.fileno() >= 0 and len(self._kept) < MAX_KEPT
            if keep:
                self._kept.append(connection)
        if not keep:
            connection.close()

    def _connect(self) -> socket.socket:
        """Connect to the process; start it if need be. Raises `EmbeddingError`."""
        place = location.find(self._home, self._model)
        try:
            place.prepare()
        except (paths.ServerError, OSError) as error:
            raise CannotStart(str(error)) from error
        deadline = time.monotonic() + START_SECONDS
        failures = 0
        while True:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.setblocking(False)
                connection.connect(str(place.socket))
            except OSError as error:
                connection.close()
                if not isinstance(error, _NOT_YET):
                    raise CannotStart(str(error)) from error
            else:
                return connection
            failures += self._start(place)
            if failures == MAX_STARTS:
                raise CannotStart(paths.last_lines(place.log, 1))
            if time.monotonic() > deadline:
                raise CannotStart(f"not ready after {START_SECONDS:g} s")
            time.sleep(_POLL_SECONDS)

    def _start(self, place: location.Location) -> bool:
        """Start the process unless one that this process has started is still alive; return whether
        the last start has failed.
        """
        with self._starting:
            code = None
            if self._started is not None:
                code = self._started.poll()
                if code is None:
                    return False
                self._started = None
                if code == location.ALREADY_RUNNING:
                    # It is loading the model, or about to end.
                    time.sleep(10 * _POLL_SECONDS)
            try:
                with paths.open_log(place.log) as log:
                    self._started = subprocess.Popen(  # noqa: S603 - Our own command.
                        interpreter.command("process", str(self._home), self._model),
                        env=interpreter.environment(),
                        cwd="/",
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=log,
                        start_new_session=True,
                    )
            except OSError as error:
                raise CannotStart(str(error)) from error
            threading.Thread(target=self._started.wait, name="embedder", daemon=True).start()
            return code not in (None, 0, location.ALREADY_RUNNING)


def _exchange(connection: socket.socket, payload: bytes, timeout: float) -> bytes:
    deadline = time.monotonic() + timeout

    def set_timeout() -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        connection.settimeout(left)

    try:
        set_timeout()
        frames.send(connection, payload)
        set_timeout()
        return frames.receive(connection, frames.MAX_ANSWER_BYTES, set_timeout)
    except TimeoutError as error:
        raise NoAnswer(f"no answer within {timeout:g} s") from error
    except (OSError, frames.Closed) as error:
        raise _Broken from error
