import os
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from memoryapp.embedded import paths
from memoryapp.providers.builtin_model import frames, location, process
from tests.providers.builtin_model.listening import Listening, by_length, until


def ask(connection: socket.socket, texts: list[str]) -> object:
    frames.send(connection, frames.request(texts))
    return frames.read_answer(frames.receive(connection, frames.MAX_ANSWER_BYTES), len(texts))


def is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def test_only_its_user_can_connect(tmp_path: Path) -> None:
    with Listening(tmp_path) as listening:
        assert stat.S_IMODE(listening.place.socket.stat().st_mode) == 0o600
        assert stat.S_IMODE(listening.place.folder.stat().st_mode) == 0o700


#: Connects as another user, asks, and prints what comes of it.
AS_NOBODY = """
import os, socket, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
connection = socket.socket(socket.AF_UNIX)
try:
    connection.connect(sys.argv[1])
    connection.sendall(b'\\0\\0\\0\\5["a"]')
    print(connection.recv(1))
except OSError as error:
    print(type(error).__name__)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can try as another user")
def test_other_users_are_refused() -> None:
    def ask_as_nobody(listening: Listening) -> str:
        command = [sys.executable, "-c", AS_NOBODY, str(listening.place.socket)]
        return subprocess.check_output(command, text=True, timeout=60).strip()

    # The folders of pytest let nobody else in either.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        with Listening(Path(folder)) as listening:
            assert ask_as_nobody(listening) == "PermissionError"
            # Even if the folder and the socket were opened to all, nothing would be answered.
            listening.place.folder.chmod(0o755)
            listening.place.socket.chmod(0o777)
            assert ask_as_nobody(listening) in ("b''", "ConnectionResetError", "BrokenPipeError")


def test_folder_that_others_may_enter_is_refused(tmp_path: Path) -> None:
    place = location.find(tmp_path)
    place.prepare()
    place.folder.chmod(0o755)
    with pytest.raises(paths.ServerError, match="must be a folder that only user"):
        place.prepare()


def test_socket_of_a_killed_process_is_replaced(tmp_path: Path) -> None:
    place = location.find(tmp_path)
    place.prepare()
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(place.socket))
    with Listening(tmp_path) as listening, listening.connect() as connection:
        assert ask(connection, ["a"]) == by_length(["a"])


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        struct.pack("!I", 1 << 31),
        struct.pack("!I", 3) + b"[1]",
        struct.pack("!I", 3) + b"\xff\xff\xff",
    ],
    ids=["another protocol", "too long", "no texts", "no JSON"],
)
def test_wrong_frames_close_only_their_connection(tmp_path: Path, sent: bytes) -> None:
    with Listening(tmp_path) as listening, listening.connect() as other:
        assert ask(other, ["a"]) == by_length(["a"])
        with listening.connect() as connection:
            connection.sendall(sent)
            assert is_closed(connection)
        assert ask(other, ["abc", "de"]) == by_length(["abc", "de"])


def test_half_a_frame_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "FRAME_SECONDS", 0.05)
    with Listening(tmp_path) as listening, listening.connect() as connection:
        connection.sendall(struct.pack("!I", 100) + b'["a')
        with listening.connect() as other:
            assert ask(other, ["a"]) == by_length(["a"])
        assert is_closed(connection)


def test_failure_is_answered(tmp_path: Path) -> None:
    def fail(texts: list[str]) -> tuple[int, bytes]:
        raise MemoryError

    with Listening(tmp_path, fail) as listening, listening.connect() as connection:
        assert ask(connection, ["a"]) == {"failed": "MemoryError"}


def test_it_ends_when_nobody_is_connected(tmp_path: Path) -> None:
    with Listening(tmp_path, linger=0.05) as listening:
        with listening.connect() as connection:
            assert ask(connection, ["a"]) == by_length(["a"])
            time.sleep(0.2)
            assert listening.thread.is_alive()
        listening.thread.join(60)
        assert not listening.thread.is_alive()
        assert not listening.place.socket.exists()


def test_it_ends_when_nothing_is_asked(tmp_path: Path) -> None:
    with Listening(tmp_path, idle=0.05) as listening, listening.connect():
        listening.thread.join(60)
        assert not listening.thread.is_alive()


def test_it_does_not_end_at_work(tmp_path: Path) -> None:
    goes_on = threading.Event()

    def embed(texts: list[str]) -> tuple[int, bytes]:
        assert goes_on.wait(60)
        return by_length(texts)

    with (
        Listening(tmp_path, embed, idle=0.05, linger=0.05) as listening,
        listening.connect() as connection,
    ):
        frames.send(connection, frames.request(["a"]))
        listening.thread.join(1.5)
        assert listening.thread.is_alive()
        goes_on.set()
        assert frames.receive(connection, frames.MAX_ANSWER_BYTES)[:1] == frames.VECTORS


def test_it_leaves_the_socket_of_another_alone(tmp_path: Path) -> None:
    with Listening(tmp_path) as listening:
        listening.connect().close()  # It knows its own socket from before it listens.
        listening.place.socket.unlink()
        listening.place.socket.write_text("another one")
        listening.thread.join(60)
        assert not listening.thread.is_alive()
        assert listening.place.socket.read_text() == "another one"


def test_memory_is_given_back_after_work(tmp_path: Path) -> None:
    given: list[float] = []
    with (
        Listening(tmp_path, give_back_memory=lambda: given.append(time.monotonic())) as listening,
        listening.connect() as connection,
    ):
        for _ in range(2):
            before = len(given)
            ask(connection, ["a"])
            until(partial(_is_longer, given, before), "nothing was given back")


def _is_longer(items: list[float], length: int) -> bool:
    return len(items) > length


def test_it_imports_no_django() -> None:
    script = """
import sys
from memoryapp.providers.builtin_model import client, model, process, queue
loaded = {name.partition(".")[0] for name in sys.modules}
assert not loaded & {"django", "celery", "openai", "onnx"}, loaded
"""
    subprocess.run([sys.executable, "-c", script], timeout=300, check=True)
