"""Keys that are made up at the first start and kept in files that only their owner may read."""

import base64
import os
import secrets
import tempfile
from collections.abc import Sequence
from pathlib import Path

from memoryapp.embedded import paths


def load_or_create(path: Path) -> str:
    """Return what is in ``path``: a key of 32 random bytes in URL-safe base64, which suits Fernet.

    Processes that start at the same moment get the same key.

    Raises:
        ValueError: the file is there but empty.

    """
    try:
        key = path.read_text().strip()
    except FileNotFoundError:
        paths.make_home(path.parent)
        paths.write_once(path, new().encode())
        key = path.read_text().strip()
    if not key:
        # Replacing it would make everything unreadable that the lost key has encrypted.
        raise ValueError(f"{path} is empty. Restore it from a backup, or remove it for a new key.")
    return key


def new() -> str:
    """Return a key such as `load_or_create` makes."""
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


def replace(path: Path, lines: Sequence[str]) -> None:
    """Have the file at *path* hold these keys, a line each, for the owner that it has.

    Whoever reads it meanwhile reads the old keys or the new ones, complete.
    """
    owner = path.stat()
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    with os.fdopen(handle, "w") as file:
        file.write("".join(f"{line}\n" for line in lines))
        file.flush()
        os.fsync(file.fileno())
    if paths.is_root():
        os.chown(name, owner.st_uid, owner.st_gid)
    os.replace(name, path)
