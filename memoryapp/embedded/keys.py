"""Keys that are made up at the first start and kept in files that only their owner may read."""

import base64
import secrets
from pathlib import Path

from memoryapp.embedded import paths


def load_or_create(path: Path) -> str:
    """Return the key in ``path``: 32 random bytes in URL-safe base64, which suits Fernet.

    Processes that start at the same moment get the same key.

    Raises:
        ValueError: the file is there but empty.

    """
    try:
        key = path.read_text().strip()
    except FileNotFoundError:
        paths.make_home(path.parent)
        paths.write_once(path, base64.urlsafe_b64encode(secrets.token_bytes(32)))
        key = path.read_text().strip()
    if not key:
        # Replacing it would make everything unreadable that the lost key has encrypted.
        raise ValueError(f"{path} is empty. Restore it from a backup, or remove it for a new key.")
    return key
