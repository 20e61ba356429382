"""Private folders, a lock, a log and short socket paths, for the embedded servers."""

import contextlib
import fcntl
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

# Linux allows 107 bytes for the path of a unix socket, macOS 103.
_MAX_SOCKET_PATH_BYTES = 103
_MAX_LOG_BYTES = 10_000_000
_MAX_LOG_TAIL_BYTES = 20_000


class ServerError(RuntimeError):
    """An embedded server cannot be started; the message says why and what to do."""


class AlreadyRunning(ServerError):
    """Another process runs the server of this folder."""


def is_root() -> bool:
    return os.geteuid() == 0


def make_home(home: Path) -> None:
    """Create the folder of keys and data, unless it exists. Only its owner may list it. If that is
    root, others may pass through, because PostgreSQL runs as another user, who needs the data.
    """
    mode = 0o711 if is_root() else 0o700
    for folder in reversed([home, *home.parents]):
        if not folder.exists():
            try:
                folder.mkdir(mode)
            except FileExistsError:
                continue
            # mkdir subtracts the umask, which may be stricter.
            folder.chmod(mode)


def make_private(folder: Path, uid: int | None = None, gid: int = -1) -> None:
    """Create a folder that only its owner may enter, or check that it is one: in the shared temp
    folder, another user could have created it first.
    Raises `ServerError` if it is a link or a file, belongs to another user, or others may enter it.
    """
    wanted = os.geteuid() if uid is None else uid
    with contextlib.suppress(FileExistsError):
        folder.mkdir(0o700)
    status = folder.lstat()
    others_may = status.st_mode & 0o077
    if not stat.S_ISDIR(status.st_mode) or others_may or status.st_uid not in (wanted, 0):
        raise ServerError(
            f"{folder} must be a folder that only user {wanted} may enter. Remove it and try again."
        )
    if status.st_uid != wanted:
        os.chown(folder, wanted, gid, follow_symlinks=False)


def digest(path: Path) -> str:
    """Return a short name for a path, the same in every process."""
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:16]


def suits_socket(path: Path) -> bool:
    """True if a socket can have this path: short, and no comma, which libpq takes for a list."""
    raw = os.fsencode(path)
    return len(raw) <= _MAX_SOCKET_PATH_BYTES and b"," not in raw


def socket_folder(folder: Path, name: str) -> Path:
    """Return the folder for the socket *name* of the server in *folder*: that folder itself, or if
    its path is too long, a private one in /tmp that is named after it. Not the temp folder of the
    environment: every process must get the same answer.
    """
    if suits_socket(folder / name):
        return folder
    return Path("/tmp") / f"keepsake-{os.geteuid()}-{digest(folder)}"  # noqa: S108 - Its owner is checked.


def lock(path: Path) -> BinaryIO:
    """Take the lock of a server for as long as the returned file stays open.

    The system drops it when the process dies, so it is never stale. Raises `AlreadyRunning` if
    another process has it.
    """
    file = path.open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise AlreadyRunning(
            f"Keepsake is already running in this folder ({path} is locked). "
            "Stop it first, or set KEEPSAKE_HOME and PORT for a second one."
        ) from None
    return file


def open_log(path: Path) -> BinaryIO:
    """Open a server's log for appending; a large one is set aside first."""
    if path.exists() and path.stat().st_size > _MAX_LOG_BYTES:
        path.replace(path.with_name(f"{path.name}.old"))
    # Only its owner may read it, since statements in it can quote stored texts.
    file = os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab")
    # Only for tell(): an appended file starts counting at 0.
    file.seek(0, os.SEEK_END)
    return file


def log_since(path: Path, position: int) -> str:
    """Return what a server has logged since ``position``."""
    with path.open("rb") as file:
        file.seek(position)
        return file.read(_MAX_LOG_TAIL_BYTES).decode(errors="replace").strip()


def last_lines(path: Path, number: int) -> str:
    """Return the last lines of a log; empty if the file does not exist."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _MAX_LOG_TAIL_BYTES))
            lines = file.read().decode(errors="replace").splitlines()
    except FileNotFoundError:
        return ""
    return "\n".join(lines[-number:])


@contextlib.contextmanager
def _written(path: Path, content: bytes) -> Iterator[str]:
    """Write *content* to a file next to *path* that only its owner may read; yield its name, and
    delete it if it is still there afterwards.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield name
    finally:
        Path(name).unlink(missing_ok=True)


def replace(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read, atomically, and keep its owner."""
    with _written(path, content) as name:
        if is_root() and path.exists():
            owner = path.stat()
            os.chown(name, owner.st_uid, owner.st_gid)
        os.replace(name, path)


def write_once(path: Path, content: bytes) -> bool:
    """Create a file that only its owner may read, atomically; False if it exists already."""
    with _written(path, content) as name:
        try:
            # Unlike a rename, a link never replaces what another process has just put there.
            os.link(name, path)
        except FileExistsError:
            return False
    return True
