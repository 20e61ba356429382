"""Finding the samples: in a JSON or JSONL file, in a folder of them, in the folders of chats."""

import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import ijson

from benchmarks.datasets import beam
from benchmarks.datasets.formats import FORMATS, Format, find_format
from benchmarks.datasets.sample import BrokenData, Sample

_SUFFIXES = (".json", ".jsonl")
ACCEPTED = (
    "Accepted are: LoCoMo (locomo10.json), REALTALK (a Chat_….json, or the folder of them), BEAM "
    "(a folder of chats with their probing_questions, or rows of the data set as JSON or JSONL) "
    "and LongMemEval (longmemeval_s.json and the like)."
)


@dataclass(frozen=True)
class _Found:
    """An object, what it is called if it has no id, and how much of the data lies before it."""

    object: Any
    name: str
    share: float


def open_data(path: Path, format_name: str = "") -> tuple[Format, Iterator[tuple[float, Sample]]]:
    """Detect the format of *path*, unless *format_name* is given, and return the samples as they
    are read, each with the share of the data (0 to 1) read so far. Raises `BrokenData`, also later.
    """
    objects = _objects(path)
    first = next(objects, None)
    if first is None or not isinstance(first.object, dict):
        raise BrokenData(f"{path} holds no objects. {ACCEPTED}")
    format = FORMATS[format_name] if format_name else find_format(first.object)
    if format is None:
        raise BrokenData(f"{path} is of no known format. {ACCEPTED}")
    return format, _samples(format, first, objects)


def _samples(
    format: Format, first: _Found, others: Iterator[_Found]
) -> Iterator[tuple[float, Sample]]:
    taken: set[str] = set()
    for found in itertools.chain([first], others):
        yield found.share, _sample(format, found, taken)


def _sample(format: Format, found: _Found, taken: set[str]) -> Sample:
    try:
        if not isinstance(found.object, dict) or not format.is_sample(found.object):
            raise BrokenData(f"it does not look like {format.name}.")
        sample = format.read(found.object, found.name)
    except BrokenData as error:
        raise BrokenData(f"{found.name} cannot be read: {error}") from None
    except (AttributeError, KeyError, TypeError) as error:
        raise BrokenData(
            f"{found.name} is not built as {format.name} is ({type(error).__name__}: {error})."
        ) from None
    if sample.id in taken:
        raise BrokenData(f"{found.name}: two samples have the id {sample.id}.")
    taken.add(sample.id)
    return sample


def _objects(path: Path) -> Iterator[_Found]:
    if path.is_dir():
        yield from _in_folder(path)
    elif path.name in beam.CHATS:
        yield _Found(beam.read_folder(path.parent, path), path.parent.name, 1.0)
    elif path.is_file():
        yield from _in_file(path, path.stem)
    else:
        raise BrokenData(f"{path} is neither a file nor a folder.")


def _in_folder(path: Path) -> Iterator[_Found]:
    chats = [path] if beam.is_folder(path) else _natural(p for p in path.rglob("*") if p.is_dir())
    chats = [folder for folder in chats if beam.is_folder(folder)]
    for number, folder in enumerate(chats, start=1):
        # Chats of different lengths have the same numbers.
        name = folder.relative_to(path).as_posix() if folder != path else folder.name
        chat = beam.read_folder(folder) | {"conversation_id": name}
        yield _Found(chat, name, number / len(chats))
    if chats:
        return
    files = _natural(p for p in path.iterdir() if p.suffix in _SUFFIXES)
    if not files:
        raise BrokenData(f"{path} has no files of JSON. {ACCEPTED}")
    for number, file in enumerate(files):
        for found in _in_file(file, file.stem):
            yield _Found(found.object, found.name, (number + found.share) / len(files))


def _in_file(path: Path, name: str) -> Iterator[_Found]:
    """Yield the objects of a list, of lines, or the one object."""
    try:
        with path.open("rb") as file:
            begin = file.read(1024).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
            file.seek(0)
            objects = _listed(file) if begin == b"[" else _named(_alone_or_in_lines(file))
            size = max(1, path.stat().st_size)
            for number, found in enumerate(objects, start=1):
                alone = number == 1 and begin != b"["
                yield _Found(found, name if alone else f"{name}-{number}", file.tell() / size)
    except (ijson.JSONError, ValueError, OSError) as error:
        if isinstance(error, BrokenData):
            raise
        raise BrokenData(f"{path} cannot be read: {error}") from None


def _listed(file: IO[bytes]) -> Iterator[Any]:
    # One at a time: some files are larger than the memory.
    yield from ijson.items(file, "item", use_float=True)


def _alone_or_in_lines(file: IO[bytes]) -> Iterator[Any]:
    try:
        first = json.loads(file.readline())
    except ValueError:
        file.seek(0)
        yield json.loads(file.read())
        return
    yield first
    for line in file:
        if line.strip():
            yield json.loads(line)


def _named(objects: Iterator[Any]) -> Iterator[Any]:
    """Take apart an object that has the samples as its values, alone or in lists."""
    for found in objects:
        inner: list[Any] = []
        if isinstance(found, dict) and not find_format(found):
            for value in found.values():
                inner += value if isinstance(value, list) else [value]
        if inner and all(isinstance(one, dict) and find_format(one) for one in inner):
            yield from inner
        else:
            yield found


def _natural(paths: Iterator[Path]) -> list[Path]:
    """Sort as people do: 2 before 10."""
    return sorted(paths, key=lambda p: [int(s) if s.isdigit() else s for s in _pieces(str(p))])


def _pieces(text: str) -> list[str]:
    return re.split(r"(\d+)", text)
