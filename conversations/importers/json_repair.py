"""Repairs JSON with halves of surrogate pairs, and with numbers that are not finite or do not fit
into 64 bits. Pure.

A half becomes U+FFFD, such a number null; so nothing else of the file is lost. Linear time; bytes
without anything of the kind are only searched.
"""

import json
import math
import re
from typing import Protocol

#: An escaped half, paired or not.
_ESCAPED_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
#: What may stand between halves without a partner; such a half; a backslash of broken JSON.
_ESCAPES = re.compile(
    rb"(?:[^\\]++|\\[^u]|\\u(?![dD][89a-fA-F])"
    rb"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})++"
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\",
    re.DOTALL,
)
#: Halves as if each were a character in UTF-8.
_ENCODED_HALVES = re.compile(rb"(?:\xed[\xa0-\xbf][\x80-\xbf])++")

#: What blocks with odd numbers hold. It is found faster than the numbers themselves.
_SIGNS = (b"NaN", b"Infinity", b"0" * 19)
_EXPONENT = re.compile(rb"0e\+?0{3,}+[\s,\]}]")
_AS_SIGNS = bytes.maketrans(b"123456789E", b"000000000e")
#: Numbers that may be too large, and those that JSON does not know; also within texts.
_ODD_NUMBER = re.compile(
    rb"(?<![\w.+\\-])-?(?:NaN|Infinity|[0-9]{19,}+(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
    rb"|[0-9]{1,18}+(?:\.[0-9]++)?[eE]\+?[0-9]{3,}+)(?![^\s,\]}])"
)
#: The least number of 64 bits is too small for the parser.
_MOST = 2**63 - 1
#: Digits and sign of a whole number of 64 bits.
_MOST_CHARACTERS = len(str(-_MOST))


def repair_halves(data: bytes) -> bytes:
    """Return *data*, which begins outside of an escape, with U+FFFD for each half of a surrogate
    pair without the other half.
    """
    data = repair_encoded_halves(data)
    if _ESCAPED_HALF.search(data):
        data = _ESCAPES.sub(lambda found: rb"\ufffd" if found[1] else found[0], data)
    return data


def repair_encoded_halves(data: bytes) -> bytes:
    """Return *data* with U+FFFD for each half that is encoded as if it were a character, or with
    the character that two of them are.
    """
    return _ENCODED_HALVES.sub(lambda found: _joined(found[0]), data) if b"\xed" in data else data


def _joined(halves: bytes) -> bytes:
    units = halves.decode("utf-8", "surrogatepass").encode("utf-16-le", "surrogatepass")
    return units.decode("utf-16-le", "replace").encode()


def _may_hold_odd_numbers(data: bytes) -> bool:
    plain = data.translate(_AS_SIGNS)
    return any(sign in plain for sign in _SIGNS) or bool(_EXPONENT.search(plain))


def fits(number: bytes) -> bool:
    """True for a *number* that is finite and, if whole, has at most 64 bits."""
    if number.lstrip(b"-").isdigit():
        return len(number) <= _MOST_CHARACTERS and abs(int(number)) <= _MOST
    return math.isfinite(float(number))


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _whole(digits: str) -> int | None:
    try:
        return int(digits)
    except ValueError:  # It has more digits than Python reads.
        return None


#: Reads JSON, with None for numbers that are not finite; whole ones may have thousands of digits.
DECODER = json.JSONDecoder(
    parse_constant=lambda constant: None, parse_float=_finite, parse_int=_whole
)


class Readable(Protocol):
    """A binary file, or what reads like one."""

    def read(self, size: int = ..., /) -> bytes | None:
        """Return at most *size* bytes, none at the end."""


#: Characters of numbers, words and escapes, which must not be cut.
_TOKEN_CHARACTERS = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-.\\"
#: Bytes of a number. What is longer is text, such as base64.
_MAX_TOKEN_BYTES = 4096
#: Where an escape begins, and not one that completes another.
_ESCAPE = re.compile(rb"(?<!\\)\\(?!u[dD][c-fC-F])")
_ANY_ESCAPE = re.compile(rb"(?<!\\)\\")
#: Bytes of a pair of escaped halves.
_PAIR_BYTES = 12
#: Where a character begins that may be cut, or one half of two, but not a whole second one.
_FIRST_HALF = re.compile(rb"\xed(?![\xb0-\xbf][\x80-\xbf])")


class RepairedJSON:
    """The bytes of a JSON file with its halves and numbers repaired, block by block."""

    def __init__(self, file: Readable) -> None:
        """Start where *file* stands."""
        self._file = file
        self._held = b""
        self._in_text = False

    def read(self, size: int = -1) -> bytes:
        """Return the next block, of about *size* bytes; nothing at the end."""
        if size == 0:
            return b""
        while True:
            read = self._file.read(size) or b""
            data = self._held + read
            end = _uncut_end(data) if read else len(data)
            data, self._held = data[:end], data[end:]
            if data or not read:
                return self._repaired(data)

    def _repaired(self, data: bytes) -> bytes:
        data = repair_halves(data)
        parts: list[bytes] = []
        begin = at = 0
        for found in _ODD_NUMBER.finditer(data) if _may_hold_odd_numbers(data) else ():
            self._pass(data[at : found.start()])
            at = found.start()
            if not self._in_text and not fits(found[0]):
                parts += data[begin:at], b"null"
                begin = found.end()
        self._pass(data[at:])
        return b"".join([*parts, data[begin:]]) if parts else data

    def _pass(self, data: bytes) -> None:
        """Note whether a text is open behind *data*."""
        if b"\\" in data:
            data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
        self._in_text ^= bool(data.count(b'"') % 2)


def _uncut_end(data: bytes) -> int:
    """Return where *data* can be cut without cutting a number, a pair of halves or an escape."""
    size = len(data)
    end = len(data.rstrip(_TOKEN_CHARACTERS))
    if size - end > _MAX_TOKEN_BYTES:
        # A long text without spaces.
        escape = _ESCAPE.search(data, size - _MAX_TOKEN_BYTES) or _ANY_ESCAPE.search(
            data, size - _PAIR_BYTES
        )
        backslashes = size - len(data.rstrip(b"\\"))
        end = escape.start() if escape else size - backslashes % 2
    half = _FIRST_HALF.search(data, max(end - 5, 0), end)
    return half.start() if half else end
