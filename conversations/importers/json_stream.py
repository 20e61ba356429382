"""Reads the objects of a JSON file one at a time, in bounded memory.

A file is a list of objects, or a single one; or several of these, one behind the other, as on the
lines of JSONL. Only one object is in memory; one that is too large is reported and skipped.
"""

import io
from collections.abc import Callable, Collection, Iterator
from typing import Any

import ijson

from conversations.importers import reader as reading
from conversations.importers.json_repair import RepairedJSON
from conversations.importers.reader import BrokenFile, Reader
from instances.translatable import translatable

#: Objects of a list that are searched for a signature.
_OBJECTS_TO_TRY = 20
#: Bytes at the beginning of a file that are searched for a signature: a few seconds at worst.
_BYTES_TO_TRY = 4 << 20
#: Levels of nesting. The formats use the first ten.
MAX_LEVELS = 100
#: Values of one object. Small ones take fifty times their bytes in memory.
_MAX_VALUES = 2_000_000

#: Keys from the object down that a signature is shown.
_MAX_PATH = 5
#: Places that are remembered, so that each is compared with the signatures once.
_MAX_LOOKED_AT = 10_000

#: Whether (keys from the object down, what follows) is typical of a format. The key of a list's
#: items is empty. The second is what ijson calls an event: ``start_map``, ``start_array``,
#: ``string`` …
Signature = Callable[[tuple[str, ...], str], bool]


class TooLarge:
    """Stands for an object that does not fit into memory."""

    def __init__(self, megabytes: int) -> None:
        """Take the *megabytes* that were read of it."""
        self.reason = translatable(
            "it is larger than %(megabytes)s MB, or has more than %(values)s values, which is "
            "more than is read at once",
            megabytes=megabytes,
            values=_MAX_VALUES,
        )


def find_signature(reader: Reader, signatures: dict[str, Signature]) -> str:
    """Return the name of the first of *signatures* at the file's beginning; empty if none."""
    beginning = Reader(io.BytesIO(reader.read(_BYTES_TO_TRY) or b""))
    read_objects = 0
    top = ""
    keys = [""] * (_MAX_PATH + 1)
    looked_at: set[tuple[tuple[str, ...], str]] = set()
    try:
        for depth, event, value in _events(beginning):
            top = top or event
            # Outside of an object: the list, if there is one.
            depth -= top == "start_array"
            if depth < 0 or depth > _MAX_PATH:
                continue
            if event == "map_key":
                keys[depth - 1] = value
                continue
            if event == "start_array":
                keys[depth] = ""
            elif event in ("end_map", "end_array"):
                read_objects += depth == 0
                if read_objects == _OBJECTS_TO_TRY:
                    break
                continue
            path = tuple(keys[:depth])
            # Most places are those of the object before.
            if depth and (path, event) not in looked_at:
                if len(looked_at) < _MAX_LOOKED_AT:
                    looked_at.add((path, event))
                for name, is_sign in signatures.items():
                    if is_sign(path, event):
                        return name
    except (ijson.JSONError, BrokenFile):
        pass
    return ""


def find_value(reader: Reader, path: list[str]) -> Any:
    """Return the plain value under the keys *path* of the file's object; None if there is none.
    Raises `BrokenFile`, or ijson's own error if the JSON breaks before it.
    """
    keys: list[str] = []
    for depth, event, value in _events(reader):
        if event == "map_key":
            keys[depth - 1 :] = [value]
        elif keys == path and depth == len(path):
            return value
    return None


def read_objects(
    reader: Reader, within: Collection[str] = (), *, most_levels: int = MAX_LEVELS
) -> Iterator[Any]:
    """Yield the objects of the lists, or those without one; `TooLarge` in place of one that is.

    With *within*, the items of the lists that an object has under these keys are the objects.
    Raises `BrokenFile` if the JSON ends or breaks somewhere, or is nested deeper than
    *most_levels*. The objects before that have been yielded.
    """
    values = began = 0
    builder = ijson.ObjectBuilder()
    too_large = False
    try:
        for depth, event, value in _object_events(reader, within, most_levels):
            if not too_large:
                builder.event(event, value)
                values += event != "map_key"
                if values > _MAX_VALUES or reader.bytes_read - began > reading.MAX_PIECE_BYTES:
                    too_large, builder = True, ijson.ObjectBuilder()
            if depth == 0 and event not in ("start_map", "start_array"):
                yield TooLarge(reading.MAX_PIECE_BYTES >> 20) if too_large else builder.value
                builder, too_large = ijson.ObjectBuilder(), False
                values, began = 0, reader.bytes_read
    except ijson.JSONError as error:
        reason = error.args[0] if error.args else ""
        reason = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise BrokenFile(
            translatable(
                "The JSON is broken near byte %(place)s (%(reason)s).",
                place=reader.bytes_read,
                reason=reason.splitlines()[0],
            )
        ) from error


def _object_events(
    reader: Reader, within: Collection[str], most_levels: int
) -> Iterator[tuple[int, str, Any]]:
    """Yield only the events of the objects, with depth 0 where one begins and ends."""
    top = key = ""
    listed = False
    for depth, event, value in _events(reader, most_levels):
        if not top:
            top = event
            if top == "start_array" or within:
                continue
        elif depth == 0 and event in ("start_map", "start_array"):
            # The next object or list of the file.
            top = event
            if top == "start_array" or within:
                continue
        if top == "start_map" and within:
            if depth <= 1:
                key = value if event == "map_key" else key
                listed = event == "start_array" and key in within
            if depth <= 1 or not listed:
                continue
            depth -= 2
        # Outside of an object: the list, if there is one.
        depth -= top == "start_array"
        if depth >= 0:
            yield depth, event, value


def _events(reader: Reader, most_levels: int = MAX_LEVELS) -> Iterator[tuple[int, str, Any]]:
    """Yield (depth, event, value); the start and the end of an object have its own depth.

    ijson's own `items` and `parse` build the path of each event: for a file of brackets, that takes
    memory with the square of its size.
    """
    depth = 0
    values: Iterator[tuple[str, Any]] = ijson.basic_parse(
        RepairedJSON(reader), use_float=True, multiple_values=True
    )
    for event, value in values:
        reader.next_piece()
        depth -= event in ("end_map", "end_array")
        yield depth, event, value
        depth += event in ("start_map", "start_array")
        _check_depth(depth, most_levels, reader)


def _check_depth(depth: int, most_levels: int, reader: Reader) -> None:
    if depth > most_levels:
        raise BrokenFile(
            translatable(
                "The JSON near byte %(place)s is nested more than %(most)s levels deep.",
                place=reader.bytes_read,
                most=most_levels,
            )
        )
