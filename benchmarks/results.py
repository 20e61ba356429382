"""Results by question, as lines of JSON in a file, so that a stopped run can be continued.

The first line describes the run. The others begin with their kind (``found``, ``answered``,
``judged``), question and profile, so that nothing is done twice. A line that was cut off when the
run was killed is removed.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

#: What the line is, the sample, the question, the profile.
Key = tuple[str, str, str, str]
_KEYS = ("what", "sample", "question", "profile")


class OtherRun(ValueError):
    """The file holds something else; the message says what to do."""


class Outcomes:
    """The lines of a file; without a file, kept in memory alone."""

    def __init__(self, path: Path | None, run: Mapping[str, Any]) -> None:
        """Continue the file at *path*, or create it. Raises `OtherRun` if its *run* differs."""
        self._lines: dict[Key, dict[str, Any]] = {}
        self._file: IO[bytes] | None = None
        if path is None:
            return
        header = _as_line({"run": dict(run)})
        path.touch()
        self._file = path.open("r+b")
        try:
            self._take_up(self._file, header)
        except (OtherRun, UnicodeDecodeError):
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._file:
            self._file.close()

    def __len__(self) -> int:
        return len(self._lines)

    def __contains__(self, key: Key) -> bool:
        return key in self._lines

    def __getitem__(self, key: Key) -> dict[str, Any]:
        return self._lines[key]

    def add(self, key: Key, **what: Any) -> None:
        """Write down what has come of a question."""
        self._lines[key] = what
        self._write(dict(zip(_KEYS, key, strict=True)) | what)

    def of(self, what: str, profile: str) -> Iterator[dict[str, Any]]:
        """Yield the lines of one kind, in their order."""
        for key, line in self._lines.items():
            if (key[0], key[3]) == (what, profile):
                yield line

    def _take_up(self, file: IO[bytes], header: bytes) -> None:
        """Read what is there, take out what was cut off, and begin where nothing is left."""
        begin = file.readline()
        if begin != header and not (header.startswith(begin) and not file.readline()):
            raise OtherRun(_not_this_run(file.name, begin, header))
        good = len(begin) if begin == header else 0
        for raw in file:
            line = _object_in(raw)
            if line is None:
                break
            good += len(raw)
            self._lines[_key_of(line)] = line
        file.seek(good)
        file.truncate()
        if not good:
            file.write(header)

    def _write(self, line: Mapping[str, Any]) -> None:
        if self._file:
            self._file.write(_as_line(line))
            self._file.flush()


def _as_line(line: Mapping[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _object_in(raw: bytes) -> dict[str, Any] | None:
    """Return the object that a whole line is; None of one that was cut off."""
    try:
        line = json.loads(raw) if raw.endswith(b"\n") else None
    except ValueError:
        return None
    return line if isinstance(line, dict) and line.keys() >= set(_KEYS) else None


def _key_of(line: dict[str, Any]) -> Key:
    what, sample, question, profile = (str(line.pop(name)) for name in _KEYS)
    return what, sample, question, profile


def fingerprint(path: Path) -> str:
    """Return a hash of the data at *path*: a file, or the JSON files of a folder."""
    hashed = hashlib.sha256()
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*.json*") if p.is_file())
    for file in files:
        hashed.update(file.relative_to(path.parent).as_posix().encode())
        with file.open("rb") as content:
            hashed.update(hashlib.file_digest(content, "sha256").digest())
    return hashed.hexdigest()[:16]


def _not_this_run(name: str, begin: bytes, header: bytes) -> str:
    try:
        was, new = (json.loads(line)["run"] for line in (begin, header))
        differs = ", ".join(
            f"{key} {was.get(key)} instead of {new.get(key)}"
            for key in dict.fromkeys([*was, *new])
            if was.get(key) != new.get(key)
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return f"{name} holds no outcomes of this benchmark. Name another file."
    return f"{name} holds the outcomes of another run ({differs}). Name another file."
