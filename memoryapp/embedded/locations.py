"""The folders of the PostgreSQL server, and the user that it runs as."""

import pwd
import stat
from dataclasses import dataclass
from pathlib import Path

from memoryapp.embedded import paths

#: Where data and binaries go when root's server user cannot reach them otherwise.
SYSTEM_FOLDER = Path("/var/lib/keepsake")

_SOCKET = ".s.PGSQL.5432"


@dataclass(frozen=True)
class ServerLocation:
    """The folders and the user of one server."""

    #: Holds ``data`` and the lock. None: to be made below SYSTEM_FOLDER at the first start.
    folder: Path | None
    socket_folder: Path
    #: The user that the server runs as; None for the user of this process.
    account: pwd.struct_passwd | None


def find(home: Path) -> ServerLocation:
    """Decide where the server of *home* is.

    Normally data and socket are in ``postgres`` below it. If that path is too long for a socket,
    the socket is in a private folder in /tmp.

    PostgreSQL refuses to run as root, so root starts it as a system user. If this user cannot enter
    the folder (such as a project below /root), or the path is too long, data and socket are below
    `SYSTEM_FOLDER`, and ``postgres`` is a link to the data. Existing folders keep their modes.
    """
    home = home.resolve()
    folder = home / "postgres"
    if not paths.is_root():
        return ServerLocation(folder, paths.socket_folder(folder / "socket", _SOCKET), None)
    account = _account(folder / "data")
    away = folder.is_symlink() or (
        not folder.exists()
        and not (may_enter(home, account) and paths.suits_socket(folder / "socket" / _SOCKET))
    )
    if not away:
        return ServerLocation(folder, folder / "socket", account)
    socket_folder = SYSTEM_FOLDER / paths.digest(home) / "socket"
    return ServerLocation(folder.resolve() if folder.is_symlink() else None, socket_folder, account)


def _account(data: Path) -> pwd.struct_passwd:
    """Return the system user that runs the server for root: the owner of the data, if any."""
    try:
        owner = data.stat().st_uid
        if owner != 0:
            return pwd.getpwuid(owner)
    except (FileNotFoundError, KeyError):
        pass
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


def may_enter(folder: Path, account: pwd.struct_passwd) -> bool:
    """True if a system user can pass through a folder and those above it. Folders that do not exist
    yet will be made so that it can.
    """
    for level in (folder, *folder.parents):
        try:
            status = level.stat()
        except FileNotFoundError:
            continue
        if status.st_uid == account.pw_uid:
            bit = stat.S_IXUSR
        elif status.st_gid == account.pw_gid:
            bit = stat.S_IXGRP
        else:
            bit = stat.S_IXOTH
        if not status.st_mode & bit:
            return False
    return True
