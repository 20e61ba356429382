"""The real process, of a home of its own for each test."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from memoryapp.providers.builtin_model import client as client_module
from memoryapp.providers.builtin_model import interpreter, location
from memoryapp.providers.builtin_model.client import CannotStart, EmbedderClient, NoAnswer, Refused
from tests.providers.builtin_model.listening import Listening, by_length, until

SECONDS = 60.0
MANY = [f"Sentence {n} has {'many ' * (n % 60)}words." for n in range(300)]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[EmbedderClient]:
    client = EmbedderClient(tmp_path)
    yield client
    client.close()
    if client._started is not None:
        client._started.terminate()
        client._started.wait(60)


def started(client: EmbedderClient) -> int:
    assert client._started is not None
    return client._started.pid


def embedders(home: Path) -> list[psutil.Process]:
    """The embedding processes of *home* among the children of this one: other tests may run some
    for other homes, and one may end while it is looked at.
    """
    found = []
    for each in psutil.Process().children():
        with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            arguments = each.cmdline()
            if "memoryapp.providers.builtin_model.process" in arguments and str(home) in arguments:
                found.append(each)
    return found


def test_killed_process_is_started_again(client: EmbedderClient) -> None:
    before = client.embed(["tea", "coffee"], timeout=SECONDS)
    first = started(client)
    os.kill(first, signal.SIGKILL)
    assert client.embed(["tea", "coffee"], timeout=SECONDS) == before
    assert started(client) != first


def test_process_may_be_killed_at_any_moment(client: EmbedderClient, tmp_path: Path) -> None:
    expected = client.embed(MANY, timeout=SECONDS)
    with ThreadPoolExecutor(2) as pool:
        for seconds in (0.0, 0.1):
            os.kill(started(client), signal.SIGKILL)
            found = [pool.submit(client.embed, MANY, timeout=SECONDS) for _ in range(2)]
            time.sleep(seconds)
            for each in embedders(tmp_path):
                with suppress(psutil.NoSuchProcess):
                    each.kill()
            assert [answer.result() for answer in found] == [expected, expected]


def test_threads_that_start_at_once_share_one(client: EmbedderClient, tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: client.embed(["tea"], timeout=SECONDS), range(8)))
    assert len(set(found)) == 1
    assert len(embedders(tmp_path)) == 1


ASKING = """
import socket, sys
from pathlib import Path
from memoryapp.providers.builtin_model.client import EmbedderClient
client = EmbedderClient(Path(sys.argv[1]))
client.embed(["tea"], timeout=60)
credentials = client._kept[0].getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
print(int.from_bytes(credentials[:4], sys.byteorder), flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads the process id from the socket")
def test_processes_that_start_at_once_share_one(tmp_path: Path) -> None:
    asking = [
        subprocess.Popen(
            [sys.executable, "-c", ASKING, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    answered: set[bytes] = set()
    for each in asking:
        assert each.stdout is not None
        answered.add(each.stdout.readline())
    for each in asking:
        each.communicate(timeout=60)
    (pid,) = answered
    # Nobody is connected any more.
    until(lambda: not psutil.pid_exists(int(pid)), "it does not end")
    assert list(location.find(tmp_path).folder.iterdir()) == []


def test_ended_process_is_started_again(client: EmbedderClient) -> None:
    before = client.embed(["tea"], timeout=SECONDS)
    process = psutil.Process(started(client))
    client.close()
    process.wait(60)
    assert client.embed(["tea"], timeout=SECONDS) == before


def test_another_version_has_a_process_of_its_own(
    client: EmbedderClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.embed(["tea"], timeout=SECONDS)
    monkeypatch.setattr(location, "_version", lambda: "another")
    with Listening(tmp_path):
        other = EmbedderClient(tmp_path)
        assert other.embed(["tea"], timeout=SECONDS) == by_length(["tea"])
        other.close()


def test_socket_of_a_dead_process(client: EmbedderClient, tmp_path: Path) -> None:
    place = location.find(tmp_path)
    place.prepare()
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(place.socket))
    assert client.embed(["tea"], timeout=SECONDS)[0] == 3


def test_home_with_a_long_path(tmp_path: Path) -> None:
    home = tmp_path / ("long" * 30)
    with Listening(home) as listening:
        assert len(os.fsencode(listening.place.socket)) <= 103
        client = EmbedderClient(home)
        assert client.embed(["tea"], timeout=SECONDS) == by_length(["tea"])
        client.close()


def test_hanging_process(client: EmbedderClient) -> None:
    before = client.embed(["tea"], timeout=SECONDS)
    process = psutil.Process(started(client))
    process.suspend()
    until(lambda: process.status() == psutil.STATUS_STOPPED, "it does not stop")
    try:
        with pytest.raises(NoAnswer, match=r"within 0\.2 s"):
            client.embed(["coffee"], timeout=0.2)
    finally:
        process.resume()
    assert client.embed(["tea"], timeout=SECONDS) == before


def test_process_that_cannot_start(
    client: EmbedderClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, "-c", "import sys; sys.exit('There is no room.')"]
    monkeypatch.setattr(interpreter, "command", lambda *_: command)
    with pytest.raises(CannotStart, match=r"^There is no room\.$"):
        client.embed(["tea"], timeout=SECONDS)
    monkeypatch.undo()
    assert client.embed(["tea"], timeout=SECONDS)[0] == 3


def test_folder_of_another_user_is_not_trusted(client: EmbedderClient, tmp_path: Path) -> None:
    location.find(tmp_path).folder.mkdir(mode=0o777)
    location.find(tmp_path).folder.chmod(0o777)
    with pytest.raises(CannotStart, match="must be a folder that only user"):
        client.embed(["tea"], timeout=SECONDS)


def test_text_that_ends_the_process_is_given_up(tmp_path: Path) -> None:
    place = location.find(tmp_path)
    place.prepare()
    accepted = 0
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place.socket))
        listening.listen()

        def close_all() -> None:
            nonlocal accepted
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                accepted += 1
                with connection:
                    connection.recv(1 << 20)

        thread = threading.Thread(target=close_all)
        thread.start()
        with pytest.raises(NoAnswer, match="ended before it answered"):
            EmbedderClient(tmp_path).embed(["tea"], timeout=SECONDS)
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(60)
    assert accepted == client_module.MAX_ATTEMPTS


def test_reason_of_a_failure(tmp_path: Path) -> None:
    def fail(texts: list[str]) -> tuple[int, bytes]:
        raise MemoryError

    with Listening(tmp_path, fail):
        client = EmbedderClient(tmp_path)
        with pytest.raises(Refused) as caught:
            client.embed(["tea"], timeout=SECONDS)
        client.close()
    assert caught.value.reason == {"failed": "MemoryError"}


def test_many_texts_are_asked_in_parts(tmp_path: Path) -> None:
    sizes: list[int] = []

    def embed(texts: list[str]) -> tuple[int, bytes]:
        sizes.append(len(texts))
        return by_length(texts)

    texts = [str(n) for n in range(300)]
    with Listening(tmp_path, embed):
        client = EmbedderClient(tmp_path)
        assert client.embed(texts, timeout=SECONDS) == by_length(texts)
        client.close()
    assert sizes == [128, 128, 44]


def test_connections_that_are_kept_are_limited(tmp_path: Path) -> None:
    together = threading.Barrier(20)

    def embed(texts: list[str]) -> tuple[int, bytes]:
        together.wait(60)
        return by_length(texts)

    with Listening(tmp_path, embed):
        client = EmbedderClient(tmp_path)
        with ThreadPoolExecutor(20) as pool:
            list(pool.map(lambda _: client.embed(["tea"], timeout=SECONDS), range(20)))
        assert len(client._kept) == client_module.MAX_KEPT
        client.close()


def test_forked_process_does_not_share_connections(tmp_path: Path) -> None:
    # In a separate process, because a test must not fork a process with threads.
    script = """
import os, sys
from pathlib import Path
from memoryapp.providers.builtin_model.client import EmbedderClient
client = EmbedderClient(Path(sys.argv[1]))
before = client.embed(["fork"], timeout=60)
client._keeping.acquire(); client._starting.acquire()  # as threads that the child will not have
child = os.fork()
if child == 0:
    assert client._kept == []
    os._exit(0 if client.embed(["fork"], timeout=60) == before else 1)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
client._keeping.release(); client._starting.release()
assert client.embed(["fork"], timeout=60) == before
sys.exit(code)
"""
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, timeout=300, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_process_knows_no_secrets_of_its_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "of the caller")
    monkeypatch.setenv("DATABASE_URL", "postgres://")
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    environment = interpreter.environment()
    assert not {"SECRET_KEY", "DATABASE_URL"} & set(environment)
    assert environment["OPENBLAS_CORETYPE"] == "Haswell"
