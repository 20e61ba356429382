import os
import signal
import ssl
import subprocess
import sys
import time
from pathlib import Path

import pytest
import redis
from kombu.connection import Connection

from memoryapp.embedded.paths import AlreadyRunning, ServerError
from memoryapp.embedded.redis import RedisServer, broker_url, url

START = """
import pathlib, sys
from memoryapp.embedded.redis import RedisServer
server = RedisServer(pathlib.Path(sys.argv[1]))
server.start()
print("started", flush=True)
sys.stdin.read()
"""


def client(home: Path) -> redis.Redis:
    return redis.Redis.from_url(url(home), decode_responses=True)


def pid(server: RedisServer) -> int:
    assert server.process is not None
    return server.process.pid


def test_redis_and_celery_connect(home: Path) -> None:
    with RedisServer(home), client(home) as connection:
        assert connection.ping()
        with Connection(broker_url(url(home))) as broker:  # type: ignore[no-untyped-call]  # Untyped library.
            queue = broker.SimpleQueue("errands")
            queue.put("milk")
            assert queue.get(timeout=5).payload == "milk"
            queue.close()
        assert "errands" in str(connection.keys())


@pytest.mark.parametrize("name", ["x" * 120, "a b+c%20d", "comma, \"quotes' and $HOME", "äöü"])
def test_any_folder_name_works(top: Path, name: str) -> None:
    with RedisServer(top / name), client(top / name) as connection:
        connection.set("kept", "7")
        address = broker_url(url(top / name))
        with Connection(address) as broker:  # type: ignore[no-untyped-call]  # Untyped library.
            broker.ensure_connection(max_retries=1, timeout=5)


@pytest.mark.parametrize(
    "address",
    ["redis://redis:6379/0", "rediss://example.org:6380/1?ssl_cert_reqs=none", "redis+socket:///a"],
)
def test_tcp_url_is_passed_to_celery_unchanged(address: str) -> None:
    assert broker_url(address) == address


def test_tls_certificates_are_verified_by_default() -> None:
    address = "rediss://:secret@example.org:6380/1"
    assert broker_url(address) == f"{address}?ssl_cert_reqs=required"
    assert broker_url(f"{address}?health_check_interval=9") == (
        f"{address}?health_check_interval=9&ssl_cert_reqs=required"
    )
    with Connection(broker_url(address)) as broker:  # type: ignore[no-untyped-call]  # Untyped library.
        assert broker.ssl == {"ssl_cert_reqs": ssl.CERT_REQUIRED}
        assert (broker.password, broker.virtual_host) == ("secret", "1")


def test_unix_socket_url_is_translated_for_celery() -> None:
    assert broker_url("unix:///run/redis.sock?db=2") == (
        "redis+socket:///run/redis.sock?virtual_host=2"
    )


def test_socket_is_private(home: Path) -> None:
    with RedisServer(home) as server, client(home) as connection:
        assert connection.config_get("port")["port"] == "0"
        assert server.socket.parent.stat().st_mode & 0o777 == 0o700


def test_second_start_is_a_no_op(home: Path) -> None:
    with RedisServer(home) as server:
        first = pid(server)
        server.start()
        assert pid(server) == first


def test_second_server_in_the_same_folder_is_rejected(home: Path) -> None:
    with RedisServer(home), pytest.raises(AlreadyRunning, match="already running"):
        RedisServer(home).start()


def test_server_in_another_folder_starts(top: Path) -> None:
    with RedisServer(top / "one"), RedisServer(top / "two"):
        with client(top / "one") as one:
            one.set("mine", "1")
        with client(top / "two") as two:
            assert two.get("mine") is None


def test_data_survives_a_restart(home: Path) -> None:
    with RedisServer(home), client(home) as connection:
        connection.set("kept", "7")
    with RedisServer(home), client(home) as connection:
        assert connection.get("kept") == "7"


def test_data_survives_a_kill(home: Path) -> None:
    with RedisServer(home) as server:
        with client(home) as connection:
            connection.set("kept", "7")
        os.kill(pid(server), signal.SIGKILL)
        while server.running:
            time.sleep(0.01)
        server.start()
        with client(home) as connection:
            assert connection.get("kept") == "7"


def test_server_of_a_killed_process_is_replaced(home: Path) -> None:
    orphaned = subprocess.Popen(
        [sys.executable, "-c", START, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert orphaned.stdout is not None
    assert orphaned.stdout.readline() == b"started\n"
    with client(home) as connection:
        connection.set("kept", "7")
    orphaned.kill()
    orphaned.communicate()

    with RedisServer(home), client(home) as connection:
        assert connection.get("kept") == "7"

    assert not RedisServer(home).socket.exists()


def test_failed_start_reports_the_error_and_releases_the_folder(home: Path) -> None:
    with RedisServer(home) as server:
        manifest = server.folder / "appendonlydir" / "appendonly.aof.manifest"
    good = manifest.read_text()
    manifest.write_text("nonsense\n")

    with pytest.raises(ServerError, match="Invalid AOF manifest"):
        RedisServer(home).start()

    manifest.write_text(good)
    with RedisServer(home), client(home) as connection:
        assert connection.ping()
