"""How often something has come by, for files of any length."""

import hashlib
import json
import sqlite3
from types import TracebackType
from typing import Self


def digest(*what: str) -> str:
    """Return a short name for *what*, in 32 hexadecimal digits."""
    return hashlib.blake2b(json.dumps(what).encode(), digest_size=16).hexdigest()


class SeenCounter:
    """Counts what it is shown. Lives in a temporary database, which moves to the disk and out of
    memory as it grows, and is gone when it is closed.
    """

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = OFF")
        self._db.execute("CREATE TABLE seen (what TEXT PRIMARY KEY, times INTEGER) WITHOUT ROWID")

    def count(self, *what: str) -> int:
        """Count *what* once more, and return how often it has come by now."""
        row = self._db.execute(
            "INSERT INTO seen VALUES (?, 1) "
            "ON CONFLICT (what) DO UPDATE SET times = times + 1 RETURNING times",
            [digest(*what)],
        ).fetchone()
        return int(row[0])

    def __enter__(self) -> Self:
        """Return the tally itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Forget everything."""
        self._db.close()
