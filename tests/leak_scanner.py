"""Search for leaked text in every table and every Redis value, through any nesting of compression
and encoding.
"""

import base64
import binascii
import bz2
import json
import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator

import redis
from django.apps import apps
from django.db import connection

#: Nested layers of compression or encoding that are unpacked.
_DEEPEST = 4
#: Maximum bytes read from one compressed stream.
_MOST_UNPACKED = 1_000_000

_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{6,}={0,2}")
_HEX = re.compile(rb"[0-9a-fA-F]{8,}")
_BZ2, _XZ = b"BZh", b"\xfd7zXZ\x00"


def places(server: "redis.Redis", text: str) -> set[str]:
    """Return the tables and Redis keys that contain *text* in any encoding."""
    return places_by_text(server, [text]).get(text, set())


def places_by_text(server: "redis.Redis", texts: Iterable[str]) -> dict[str, set[str]]:
    """Do the same for each of *texts* that is found anywhere."""
    spelled = {text: spellings(text) for text in texts}
    found: dict[str, set[str]] = {}
    for place, value in (tables() | values(server)).items():
        missing = dict(spelled)
        for form in forms(value):
            for text in [
                text for text, ways in missing.items() if any(way in form for way in ways)
            ]:
                found.setdefault(text, set()).add(place)
                del missing[text]
            if not missing:
                break
    return found


def tables() -> dict[str, bytes]:
    """Return the rows of each table as PostgreSQL's COPY writes them."""
    found = {}
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            query = f'COPY (SELECT * FROM "{name}") TO STDOUT'  # noqa: S608 - A table's name.
            with cursor.copy(query) as copy:
                found[name] = b"".join(copy)
    # Unmanaged models are views of other tables.
    managed = {model._meta.db_table for model in apps.get_models() if model._meta.managed}
    assert found.keys() >= managed
    return found


def values(server: "redis.Redis") -> dict[str, bytes]:
    """Return each Redis key with its value, of any type."""
    read: dict[bytes | str, Callable[[bytes], object]] = {
        b"string": server.get,
        b"list": lambda key: server.lrange(key, 0, -1),
        b"hash": server.hgetall,
        b"set": server.smembers,
        b"zset": lambda key: server.zrange(key, 0, -1),
        b"stream": server.xrange,
    }
    found = {}
    for key in server.scan_iter("*"):
        value = read[server.type(key)](key)
        found[key.decode()] = b"\n".join([key, *_bytes_in(value)])
    return found


def _bytes_in(value: object) -> Iterator[bytes]:
    if isinstance(value, bytes):
        yield value
    elif isinstance(value, dict):
        for pair in value.items():
            yield from _bytes_in(pair)
    elif isinstance(value, list | tuple | set):
        for part in value:
            yield from _bytes_in(part)


def forms(value: bytes, depth: int = _DEEPEST) -> Iterator[bytes]:
    """Yield *value* itself and everything that can be decoded from any part of it."""
    yield value
    if not depth:
        return
    for inner in _opened(value):
        yield from forms(inner, depth - 1)
    # Raw deflate: nearly any bytes decompress as that, so the result is not searched any deeper.
    for start in range(len(value)):
        yield from _inflated(value, start, -15)


def _opened(value: bytes) -> Iterator[bytes]:
    for start, first in enumerate(value[:-1]):
        if first == 0x78 and (first << 8 | value[start + 1]) % 31 == 0:
            yield from _inflated(value, start, 15)
        elif value.startswith(b"\x1f\x8b", start):
            yield from _inflated(value, start, 31)
        elif value.startswith(_BZ2, start):
            yield from _unpacked(bz2.BZ2Decompressor().decompress, value[start:])
        elif value.startswith(_XZ, start):
            yield from _unpacked(lzma.LZMADecompressor().decompress, value[start:])
    for run in _HEX.findall(value):
        for start in range(2):
            yield bytes.fromhex(run[start : len(run) - (len(run) - start) % 2].decode())
    for run in _BASE64.findall(value):
        letters = run.rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
        # The characters before it may belong to the same alphabet.
        for start in range(4):
            part = letters[start:]
            if len(part) % 4 == 1:
                part = part[:-1]
            yield base64.b64decode(part + b"=" * (-len(part) % 4))


def _inflated(value: bytes, start: int, bits: int) -> Iterator[bytes]:
    opener = zlib.decompressobj(bits)
    yield from _unpacked(lambda data: opener.decompress(data, _MOST_UNPACKED), value[start:])


def _unpacked(opener: Callable[[bytes], bytes], value: bytes) -> Iterator[bytes]:
    try:
        yield opener(value)
    except (zlib.error, OSError, lzma.LZMAError, EOFError, binascii.Error):
        return


def spellings(text: str) -> set[bytes]:
    """Return *text* as programs may write it: case, escapes and encodings."""
    escaped = json.dumps(text)[1:-1]
    return {
        spelling
        for variant in {text, text.lower(), escaped, escaped.replace("\\", "\\\\")}
        for spelling in (variant.encode(), variant.encode("utf-16-le"), variant.encode("utf-16-be"))
    }
