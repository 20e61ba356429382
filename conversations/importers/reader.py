"""What the formats share: bytes in, one message at a time out."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from conversations.importers.report import Report
from conversations.importers.seen_counter import SeenCounter
from conversations.messages import NewMessage

BOM = b"\xef\xbb\xbf"
#: Bytes of one conversation: what has to be in memory at once.
MAX_PIECE_BYTES = 32 * 1024 * 1024

ACCEPTED_FORMATS = (
    "Accepted are: the export of ChatGPT or Claude (the zip as it came, or the conversations.json "
    "in it); LoCoMo-format JSON; JSONL with one message a line, each with “content”; and memories: "
    "as JSONL or CSV, mem0’s export, OpenMemory’s backup (the zip as it came), or the memory.jsonl "
    "of the MCP memory server. All in UTF-8."
)


class UnknownFormat(ValueError):
    """The file cannot be taken in at all; the message says what can be."""


class BrokenFile(ValueError):
    """The file cannot be read any further; the message says where and why."""

    #: What was read before.
    report: Report = Report()


class Stream(Protocol):
    """A binary file that can be read from the start again."""

    def read(self, size: int = ..., /) -> bytes:
        """Return at most *size* bytes, none at the end."""

    def seek(self, offset: int, whence: int = ..., /) -> int:
        """Go to a place in the file."""


@dataclass(frozen=True)
class ParsedMessage:
    """One message on its way in, and where it stood in the file."""

    #: The conversation's external id.
    conversation: str
    turn: NewMessage
    place: str
    title: str = ""
    end_user: str = ""


@dataclass(frozen=True)
class ParseContext:
    """What a format needs to know of the import that it reads for."""

    #: Stands for the file where something in it has no id.
    name: str
    #: Of dates that do not say.
    zone: ZoneInfo
    report: Report
    tally: SeenCounter


def plausible_date(date: datetime) -> datetime | None:
    """Return *date*, unless its year is one that exports write for "unknown", or one that another
    time zone cannot show.
    """
    return date if 1900 <= date.year <= 2200 else None


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
            BrokenFile: one piece is larger than `MAX_PIECE_BYTES`.

        """
        if self.bytes_read - self._piece_began > MAX_PIECE_BYTES:
            raise BrokenFile(
                f"One text, which begins near byte {self._piece_began:,}, is larger than "
                f"{MAX_PIECE_BYTES // 1024 // 1024} MB, or is never closed."
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
