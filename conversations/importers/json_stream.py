"""The objects of a JSON file, one at a time, however many there are.

A file is a list of objects, or one alone. What has to be in memory is one object; one that is too
large is passed over and named, and the next one is read all the same.
"""

import io
from collections.abc import Callable, Collection, Iterator
from typing import Any

import ijson

from conversations.importers import reader as reading
from conversations.importers.reader import BrokenFile, Reader

#: Objects of a list that may be anything before the list is taken for something else.
_OBJECTS_TO_TRY = 20
#: Bytes at the beginning of a file that are searched for a sign: a few seconds at worst.
_BYTES_TO_TRY = 4 << 20
#: Levels of JSON: what the formats read stands in the first ten.
_MAX_DEPTH = 100
#: Values of one object. Small ones take fifty times their bytes in memory.
_MAX_VALUES = 2_000_000

#: Whether (keys from the object down, what follows) is typical of a format. The second is what
#: ijson calls an event: ``start_map``, ``start_array``, ``string`` …
Signature = Callable[[tuple[str, ...], str], bool]


class TooLarge:
    """Stands for an object that does not fit into memory."""

    def __init__(self, megabytes: int) -> None:
        """Of that many megabytes so far."""
        self.reason = (
            f"it is larger than {megabytes} MB, or has more than {_MAX_VALUES:,} values, which is "
            "more than is read at once."
        )


def find_signature(reader: Reader, signs: dict[str, Signature]) -> str:
    """Return the name of the first of *signs* that the file's first objects show, or nothing. Only
    its beginning is read, however long an object is.
    """
    beginning = Reader(io.BytesIO(reader.read(_BYTES_TO_TRY) or b""))
    read_objects = 0
    top = ""
    keys = ["", ""]
    try:
        for depth, event, value in _events(beginning):
            top = top or event
            # Outside of an object: the list, if there is one.
            depth -= top == "start_array"
            if event == "map_key":
                if 1 <= depth <= 2:
                    keys[depth - 1] = value
            elif event == "end_map" and depth == 0:
                read_objects += 1
                if read_objects == _OBJECTS_TO_TRY:
                    break
            elif 1 <= depth <= 2:
                path = tuple(keys[:depth])
                for name, is_sign in signs.items():
                    if is_sign(path, event):
                        return name
    except (ijson.JSONError, BrokenFile):
        pass
    return ""


def read_objects(reader: Reader, within: Collection[str] = ()) -> Iterator[Any]:
    """Yield the objects of the list, or the one object; a `TooLarge` in the place of one that is.
    With *within*, an object counts as the lists that it has under these keys, one after the other.

    Raises:
        BrokenFile: the JSON ends or breaks somewhere. The objects before that have been yielded.

    """
    top = key = ""
    listed = False
    values = began = 0
    building = ijson.ObjectBuilder()
    too_large = False
    try:
        for depth, event, value in _events(reader):
            if not top:
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
            if depth < 0:
                return  # The end of the list.
            if not too_large:
                building.event(event, value)
                values += event != "map_key"
                if values > _MAX_VALUES or reader.bytes_read - began > reading.MAX_PIECE_BYTES:
                    too_large, building = True, ijson.ObjectBuilder()
            if depth == 0 and event not in ("start_map", "start_array"):
                yield TooLarge(reading.MAX_PIECE_BYTES >> 20) if too_large else building.value
                building, too_large = ijson.ObjectBuilder(), False
                values, began = 0, reader.bytes_read
    except ijson.JSONError as error:
        reason = error.args[0] if error.args else ""
        reason = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise BrokenFile(
            f"The JSON is broken near byte {reader.bytes_read:,} ({reason.splitlines()[0]})."
        ) from error


def _events(reader: Reader) -> Iterator[tuple[int, str, Any]]:
    """Yield (depth, event, value); begin and end of an object have the depth that it stands at.

    ijson's own `items` and `parse` write out the path of each event, which for a file of brackets
    alone takes the square of its size in memory.
    """
    depth = 0
    for event, value in ijson.basic_parse(reader, use_float=True):
        reader.next_piece()
        depth -= event in ("end_map", "end_array")
        yield depth, event, value
        depth += event in ("start_map", "start_array")
        _check_depth(depth, reader)


def _check_depth(depth: int, reader: Reader) -> None:
    if depth > _MAX_DEPTH:
        raise BrokenFile(
            f"The JSON near byte {reader.bytes_read:,} is nested more than {_MAX_DEPTH} levels "
            "deep."
        )
