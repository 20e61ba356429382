"""Keys that are generated at the first start, in files that only their owner may read."""

import base64
import secrets
from collections.abc import Sequence
from pathlib import Path

from memoryapp.embedded import paths


def load_or_create(path: Path) -> str:
    """Return the key in ``path``; generate one if there is no such file.

    Processes that start at the same moment get the same key. Raises `ValueError` if the file is
    there but empty.
    """
    try:
        key = path.read_text().strip()
    except FileNotFoundError:
        paths.make_home(path.parent)
        paths.write_once(path, new().encode())
        key = path.read_text().strip()
    if not key:
        # A new key could not decrypt anything that the lost key has encrypted.
        raise ValueError(f"{path} is empty. Restore it from a backup, or remove it for a new key.")
    return key


def new() -> str:
    """Generate a key: 32 random bytes in URL-safe base64, as Fernet takes it."""
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


def replace(path: Path, lines: Sequence[str]) -> None:
    """Write these keys to the file at *path*, one a line."""
    paths.replace(path, "".join(f"{line}\n" for line in lines).encode())
