"""Server-sent events of model servers: how they are known, and the JSON in them. Pure; linear time.

A stream is known by its first bytes, since servers name the wrong type, or stream only where they
were not asked to. Read as well: lines of any ending, comments, and events without the empty line
between them. See https://html.spec.whatwg.org/multipage/server-sent-events.html.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from conversations.bounded_json import check

_FIELD = re.compile(rb"(?:data|event|id|retry)?:")
_BOM = b"\xef\xbb\xbf"
#: Bytes that tell a stream from JSON or a web page.
_ENOUGH = len("event:")
_DONE = "[DONE]"


def is_stream(begin: bytes) -> bool:
    """True if a body with this *begin* is a stream of events."""
    return bool(_FIELD.match(begin.removeprefix(_BOM).lstrip()))


def with_begin(pieces: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return enough of a body in *pieces* for `is_stream`, and all of its pieces."""
    begin = b""
    for piece in pieces:
        begin += piece
        if len(begin.removeprefix(_BOM).lstrip()) >= _ENOUGH:
            break
    return begin, chain((begin,), pieces)


def payloads(pieces: Iterable[bytes]) -> Iterator[Any]:
    """Yield the JSON of each event of a body in *pieces*, with ``{"error": …}`` around that of an
    event with this name; and None for ``[DONE]``, which ends the stream. JSON's null is empty.

    A last event without an end is left out, unless it is whole. Raises `ValueError` or
    `RecursionError` for an event that is no JSON.
    """
    name, data = "", list[str]()
    for line in _lines(pieces):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if data:
                yield _named(name, parsed("\n".join(data)))
            name, data = "", []
        elif field == "event":
            name = value
        elif field == "data" and value.startswith(_DONE):
            yield None
            return
        elif field == "data" and data:
            data.append(value)
        elif field == "data" and value.strip():
            # Whole, as nearly always: nothing has to be waited for.
            try:
                payload = parsed(value)
            except ValueError:
                data = [value]
            else:
                yield _named(name, payload)
                name = ""


def parsed(text: str) -> Any:
    """Return the value of the JSON in *text*. NaN, as some servers write it among their
    probabilities, and numbers that are too large spoil only themselves. Raises `ValueError` or
    `RecursionError`.
    """
    check(text)
    return json.loads(text, parse_constant=lambda _: None, parse_float=_finite)


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _named(name: str, payload: Any) -> Any:
    payload = {} if payload is None else payload
    is_error = name == "error" and not (isinstance(payload, dict) and payload.get("error"))
    return {"error": payload} if is_error else payload


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines of a body, whole: a piece may end within a line, or within a character."""
    parts: list[bytes] = []
    for piece in pieces:
        *ended, rest = piece.split(b"\n")
        for end in ended:
            yield from _split(b"".join([*parts, end]))
            parts = []
        parts.append(rest)
    if last := b"".join(parts):
        yield from _split(last)


def _split(line: bytes) -> Iterator[str]:
    # No JSON has such bytes, so what is left of one is not missed.
    text = line.removeprefix(_BOM).decode("utf-8", "replace").removesuffix("\r")
    yield from text.split("\r")
