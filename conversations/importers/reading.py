"""What the formats share: bytes in, one message at a time out."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from conversations.turns import Turn

BOM = b"\xef\xbb\xbf"
#: Bytes of one line, or of one sample: what has to be in memory at once.
LARGEST_PIECE = 32 * 1024 * 1024

ACCEPTED = (
    "Accepted are, in UTF-8: LoCoMo-format JSON (a list of objects, each with a “conversation” of "
    "“session_1”, “session_2” …), and JSONL (one JSON object a line, each with “content”)."
)


class UnknownFormat(ValueError):
    """The file is in none of the formats; the message names those that are accepted."""


class BrokenFile(ValueError):
    """The file cannot be read any further; the message says where and what to do."""


class Stream(Protocol):
    """A binary file that can be read from the start again."""

    def read(self, size: int = ..., /) -> bytes:
        """Return at most *size* bytes, none at the end."""

    def seek(self, offset: int, whence: int = ..., /) -> int:
        """Go to a place in the file."""


@dataclass(frozen=True)
class Said:
    """One message on its way in, and where it stood in the file."""

    #: The conversation's external id.
    conversation: str
    turn: Turn
    place: str
    title: str = ""
    end_user: str = ""


class Reader(io.RawIOBase):
    """Counts the bytes of a stream, from behind a byte order mark, and bounds one piece of it."""

    def __init__(self, stream: Stream, on_read: Callable[[int], None] | None = None) -> None:
        """Start at the beginning of *stream*; ``on_read`` is told the bytes read so far."""
        super().__init__()
        stream.seek(0)
        self.bytes_read = len(BOM) if stream.read(len(BOM)) == BOM else 0
        stream.seek(self.bytes_read)
        self._stream = stream
        self._on_read = on_read
        self._piece_began = self.bytes_read

    def readable(self) -> bool:
        """Say yes: what `io.BufferedReader` asks first."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill *buffer* as far as the stream goes, and return the number of bytes.

        Raises:
            BrokenFile: one piece is larger than `LARGEST_PIECE`.

        """
        if self.bytes_read - self._piece_began > LARGEST_PIECE:
            raise BrokenFile(
                f"One conversation, which begins near byte {self._piece_began:,}, is larger than "
                f"{LARGEST_PIECE // 1024 // 1024} MB. Split it, and import the file again: nothing "
                "is added twice."
            )
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        self.bytes_read += len(data)
        if self._on_read:
            self._on_read(self.bytes_read)
        return len(data)

    def next_piece(self) -> None:
        """Say that the caller is done with what it has read so far."""
        self._piece_began = self.bytes_read
