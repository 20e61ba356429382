"""``python -m memoryapp.providers.builtin_model.process HOME MODEL``: embeds for all processes of a
home.

It loads a model once, then listens on a unix socket that only its user can reach. It ends when no
process is connected any more, when nothing was asked for some minutes, and when its socket is gone.
"""

import contextlib
import ctypes
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from memoryapp.embedded import paths
from memoryapp.process import size
from memoryapp.providers.builtin_model import frames, location
from memoryapp.providers.builtin_model.catalogue import BuiltinModel
from memoryapp.providers.builtin_model.files import UnusableFile
from memoryapp.providers.builtin_model.loading import load

#: Seconds after its start, and after the last process has gone, in which another may connect.
LINGER_SECONDS = 2.0
#: Seconds without a request after which it ends, though processes are connected.
IDLE_SECONDS = 300.0
#: Seconds that the rest of a frame may take.
FRAME_SECONDS = 10.0
MAX_CONNECTIONS = 500
_TICK_SECONDS = 0.5

#: The exit code of a process that cannot listen.
CANNOT_START = 4

#: Returns the word pieces and the floats of the vectors of texts.
Embed = Callable[[list[str]], tuple[int, bytes]]

logger = logging.getLogger(__name__)


class Listener:
    """Answers requests on the socket until it is no longer needed."""

    def __init__(
        self,
        place: location.Location,
        embed: Embed,
        *,
        give_back_memory: Callable[[], None],
        linger: float = LINGER_SECONDS,
        idle: float = IDLE_SECONDS,
    ) -> None:
        self._place = place
        self._embed, self._give_back_memory = embed, give_back_memory
        self._linger, self._idle = linger, idle
        self._lock = threading.Lock()
        self._connections = 0
        self._busy = 0
        self._used_at = self._left_at = self._tidied_at = time.monotonic()

    def run(self) -> None:
        """Listen until it ends. The caller holds the lock of the place. Raises OSError."""
        path = self._place.socket
        path.unlink(missing_ok=True)  # Of a process that was killed.
        with socket.socket(socket.AF_UNIX) as listening:
            before = os.umask(0o177)
            try:
                listening.bind(str(path))
            finally:
                os.umask(before)
            own = path.stat()
            self._used_at = self._left_at = time.monotonic()
            listening.listen(128)
            listening.settimeout(_TICK_SECONDS)
            try:
                while not self._is_over() and location.is_same(path, own):
                    self._accept(listening)
                    self._tidy()
            finally:
                if location.is_same(path, own):
                    path.unlink()

    def _accept(self, listening: socket.socket) -> None:
        if self._connections >= MAX_CONNECTIONS:
            time.sleep(_TICK_SECONDS)
            return
        try:
            connection, _ = listening.accept()
        except TimeoutError:
            return
        with self._lock:
            self._connections += 1
        threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _is_over(self) -> bool:
        with self._lock:
            now = time.monotonic()
            if self._busy:
                return False
            left = not self._connections and now - self._left_at >= self._linger
            return left or now - self._used_at >= self._idle

    def _tidy(self) -> None:
        """Give memory back once after a time of work."""
        now = time.monotonic()
        if self._tidied_at < self._used_at < now - _TICK_SECONDS and not self._busy:
            self._tidied_at = now
            self._give_back_memory()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection:
                if not _is_own_user(connection):
                    return
                while True:
                    self._answer(connection)
        except frames.Closed:
            pass
        except (frames.BadFrame, OSError) as error:
            logger.warning("a connection was closed: %s", error)
        finally:
            with self._lock:
                self._connections -= 1
                self._left_at = time.monotonic()

    def _answer(self, connection: socket.socket) -> None:
        connection.settimeout(None)
        payload = frames.receive(
            connection,
            frames.MAX_REQUEST_BYTES,
            lambda: connection.settimeout(FRAME_SECONDS),
        )
        texts = frames.read_request(payload)
        with self._lock:
            self._busy += 1
        try:
            try:
                answer = frames.vectors(*self._embed(texts))
            except UnusableFile as error:
                answer = frames.failure(error.reason())
            except Exception as error:
                logger.exception("texts could not be embedded")
                answer = frames.failure({"failed": type(error).__name__})
            connection.settimeout(FRAME_SECONDS)
            frames.send(connection, answer)
        finally:
            with self._lock:
                self._busy -= 1
                self._used_at = time.monotonic()


def _is_own_user(connection: socket.socket) -> bool:
    """True if the other side is of this user, or root; the folder lets no one else in either."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    uid = int.from_bytes(credentials[4:8], sys.byteorder)
    return uid in (0, os.geteuid())


def _load(name: BuiltinModel, home: Path) -> tuple[Embed, Callable[[], None]]:
    """Load a model; return what embeds, and what frees memory after a time of work. If the files
    of the model cannot be used, every answer says so.
    """
    try:
        model = load(name, home)
    except UnusableFile as error:
        unusable = error

        def refuse(texts: list[str]) -> tuple[int, bytes]:
            raise unusable

        return refuse, _give_back_freed_memory
    # Only now: it takes a while and memory to import.
    from memoryapp.providers.builtin_model.queue import Embedding, EmbeddingQueue

    def embed_one(text: str) -> Embedding:
        pieces = model.pieces(text)
        return len(pieces), model.vector(pieces)

    def give_back_memory() -> None:
        model.give_back_memory()
        _give_back_freed_memory()

    return EmbeddingQueue(embed_one, threads=size.cores()).embed, give_back_memory


def _give_back_freed_memory() -> None:
    """Return freed memory to the system; the C library would keep it."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _end(number: int, frame: FrameType | None) -> None:
    sys.exit(0)


def main(home: str, model: str) -> int:
    """Listen until it is no longer needed; return the exit code."""
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    signal.signal(signal.SIGTERM, _end)
    name = BuiltinModel(model)
    place = location.find(Path(home), name)
    try:
        place.prepare()
        with place.locked():
            embed, give_back_memory = _load(name, Path(home))
            Listener(place, embed, give_back_memory=give_back_memory).run()
    except paths.AlreadyRunning:
        return location.ALREADY_RUNNING
    except (paths.ServerError, OSError) as error:
        logger.error("%s", error)
        return CANNOT_START
    return 0


if __name__ == "__main__":
    code = main(*sys.argv[1:])
    logging.shutdown()
    # Without waiting for threads that embed for a process that has gone.
    os._exit(code)
