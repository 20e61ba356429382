"""A coordinator and two workers with Citus on loopback.

``python -m tests.deployment.citus_check.cluster SOURCE`` starts them until Ctrl-C.
"""

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import psutil
import psycopg
from psycopg import sql

from tests.deployment.citus_check import build
from tests.deployment.image_check.steps import Failed

HOST, USER = "127.0.0.1", "keepsake"
#: The ports are this one and the two after it.
PORT = 15432
SETTINGS = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_preload_libraries = 'citus'
max_connections = 300
max_worker_processes = 32
shared_buffers = 128MB
wal_level = logical
max_locks_per_transaction = 512
max_prepared_transactions = 600
timezone = 'UTC'
log_min_messages = warning
# The processes are killed here, never the machine.
fsync = off
full_page_writes = off
jit = off
max_parallel_workers_per_gather = 0
# They meet on loopback, and this PostgreSQL is built without TLS.
citus.node_conninfo = 'sslmode=disable'
citus.enable_statistics_collection = off
"""
#: How long a server may take to start.
SECONDS = 60.0


class Node:
    """One PostgreSQL server."""

    def __init__(self, name: str, folder: Path, binaries: Path, port: int) -> None:
        self.name, self.port = name, port
        self.data, self.log = folder / name, folder / f"{name}.log"
        self._binaries = binaries
        self._running: subprocess.Popen[bytes] | None = None

    def make(self) -> None:
        """Make its data folder."""
        self.data.mkdir(0o700)
        if (account := build.account()) is not None:
            os.chown(self.data, account.pw_uid, account.pw_gid)
        done = self._run(
            *("initdb", "--pgdata", str(self.data), "--username", USER, "--auth", "trust"),
            *("--encoding", "UTF8", "--locale", "C", "--no-sync"),
            *("--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"),
        )
        if done.wait() != 0:
            raise Failed(f"initdb: {self.log.read_text()[-2000:]}")
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write(f"{SETTINGS}port = {self.port}\n")

    def start(self) -> None:
        """Start it and wait until it answers. Raises `Failed`."""
        self._running = self._run("postgres", "-D", str(self.data))
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                self.ask("SELECT 1")
            except psycopg.OperationalError as error:
                if self._running.poll() is not None or time.monotonic() > deadline:
                    text = self.log.read_text()[-2000:]
                    raise Failed(f"{self.name} does not start: {error} {text}") from error
                time.sleep(0.1)
            else:
                return

    def stop(self) -> None:
        """Stop it at once, as orderly as it can; do nothing if it does not run."""
        if self._running is None:
            return
        self._running.send_signal(signal.SIGINT)
        try:
            self._running.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
        self._running = None

    def kill(self) -> None:
        """Kill it with all its processes: as when its machine dies."""
        if self._running is not None:
            server = psutil.Process(self._running.pid)
            for process in (server, *server.children(recursive=True)):
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            self._running.wait()
            self._running = None

    def ask(
        self, statement: str | sql.Composable, *params: Any, database: str = "postgres"
    ) -> list[tuple[Any, ...]]:
        """Send a statement of its own and return its rows."""
        with (
            psycopg.connect(
                host=HOST, port=self.port, user=USER, dbname=database, autocommit=True
            ) as connection,
            connection.cursor() as cursor,
        ):
            cursor.execute(statement, params or None)  # type: ignore[arg-type]
            return cursor.fetchall() if cursor.description else []

    def _run(self, program: str, *arguments: str) -> "subprocess.Popen[bytes]":
        account = build.account()
        user: dict[str, Any] = {}
        if account is not None:
            user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [str(self._binaries / program), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env={"PATH": os.defpath, "LC_ALL": "C"},
                start_new_session=True,
                **user,
            )


class Cluster:
    """A coordinator and its workers, in a folder that goes with them."""

    def __init__(self, binaries: Path, port: int = PORT, workers: int = 2) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="keepsake-citus-", dir="/var/tmp"))
        # The servers of root run as another user.
        self._folder.chmod(0o711)
        self.coordinator = Node("coordinator", self._folder, binaries, port)
        self.workers = [
            Node(f"worker-{n}", self._folder, binaries, port + n) for n in range(1, workers + 1)
        ]

    @property
    def nodes(self) -> Sequence[Node]:
        """All of its servers."""
        return (self.coordinator, *self.workers)

    def address(self, database: str) -> str:
        """Return the address of a database for ``DATABASE_URL``."""
        return f"postgres://{USER}@{HOST}:{self.coordinator.port}/{database}"

    def create(self, name: str) -> str:
        """Create an empty database on all servers, of which Citus knows; return its address."""
        identifier = sql.Identifier(name)
        for node in self.nodes:
            node.ask(sql.SQL("SET citus.enable_create_database_propagation TO off"))
            node.ask(sql.SQL("CREATE DATABASE {}").format(identifier))
            for extension in ("citus", "vector"):
                node.ask(f"CREATE EXTENSION {extension}", database=name)
        ask = self.coordinator.ask
        ask("SELECT citus_set_coordinator_host(%s, %s)", HOST, self.coordinator.port, database=name)
        for worker in self.workers:
            ask("SELECT citus_add_node(%s, %s)", HOST, worker.port, database=name)
        return self.address(name)

    def drop(self, name: str) -> None:
        """Remove a database from all servers."""
        for node in self.nodes:
            node.ask(
                sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
            )

    def start(self) -> None:
        """Make the servers and start them."""
        for node in self.nodes:
            node.make()
            node.start()

    def stop(self) -> None:
        """Stop the servers and remove what they hold."""
        for node in self.nodes:
            node.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


def main() -> None:
    """Start a cluster until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path, help="folder with the source of Citus")
    parser.add_argument("--port", type=int, default=PORT, help="of the coordinator")
    parser.add_argument("--database", default="keepsake", help="an empty database to create")
    options = parser.parse_args()
    # Jobs of a shell that run in the background ignore Ctrl-C.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    with Cluster(build.built(options.source), options.port) as cluster:
        print(cluster.create(options.database), flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()


if __name__ == "__main__":
    main()
