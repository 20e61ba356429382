"""Counts equal items in files of any length."""

import hashlib
import json
import sqlite3
from contextlib import AbstractContextManager


def digest(*values: str) -> str:
    """Return a hash of the *values*, in 32 hexadecimal digits."""
    return hashlib.blake2b(json.dumps(values).encode(), digest_size=16).hexdigest()


class SeenCounter(AbstractContextManager["SeenCounter"]):
    """Counts equal items in a temporary SQLite database, which moves from memory to the disk as it
    grows, and is deleted when it is closed.
    """

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = OFF")
        self._db.execute("CREATE TABLE seen (item TEXT PRIMARY KEY, times INTEGER) WITHOUT ROWID")

    def count(self, *values: str) -> int:
        """Count the item of these *values*, and return how often it has been counted."""
        row = self._db.execute(
            "INSERT INTO seen VALUES (?, 1) "
            "ON CONFLICT (item) DO UPDATE SET times = times + 1 RETURNING times",
            [digest(*values)],
        ).fetchone()
        return int(row[0])

    def __exit__(self, *error: object) -> None:
        self._db.close()
