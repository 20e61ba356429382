"""The socket and the lock of the embedding process, and the version in their names."""

import importlib.metadata
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from memoryapp.embedded import paths
from memoryapp.providers.builtin_model.catalogue import BuiltinModel

#: The exit code of a process that has found another one.
ALREADY_RUNNING = 3

_PACKAGES = ("numpy", "onnxruntime", "sentencepiece", "tokenizers")
#: Differs between machines that share a folder, and is the same in all containers of one.
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True)
class Location:
    """Where the process of one home, model, user, machine and version listens."""

    folder: Path
    socket: Path
    lock: Path
    log: Path

    def prepare(self) -> None:
        """Create the folder, or check that only this user may enter it: nobody else can connect to
        the socket, or put another one in its place. Raises `paths.ServerError` or OSError.
        """
        paths.make_home(self.log.parent)
        paths.make_private(self.folder)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock. Raises `paths.AlreadyRunning` if another process has it."""
        while True:
            with paths.lock(self.lock) as file:
                # The file is removed at the end: a lock on a removed one excludes nobody.
                if not is_same(self.lock, os.fstat(file.fileno())):
                    continue
                try:
                    yield
                finally:
                    self.lock.unlink(missing_ok=True)
                return


def is_same(path: Path, status: os.stat_result) -> bool:
    """True if *path* still leads to the file with this *status*."""
    try:
        return os.path.samestat(path.stat(), status)
    except OSError:
        return False


def find(home: Path, model: BuiltinModel = BuiltinModel.SMALL) -> Location:
    """Return the location for *home* and *model*. Another version of the code has another one, so
    that old and new processes can work side by side while they are replaced.
    """
    home = home.resolve()
    name = f"{_version()}-{model}"
    # Each user has a folder: root may run a command in the home of another user.
    folder = paths.socket_folder(home / f"embedder-{os.geteuid()}", f"{name}.sock")
    return Location(folder, folder / f"{name}.sock", folder / f"{name}.lock", home / "embedder.log")


@cache
def _version() -> str:
    machine = _BOOT_ID.read_text() if _BOOT_ID.exists() else platform.node()
    parts = [machine, sys.executable]
    parts += [importlib.metadata.version(package) for package in _PACKAGES]
    digest = sha256("\0".join(parts).encode())
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
