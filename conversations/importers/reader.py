"""A bounded reader of bytes, and the messages that the formats yield."""

import codecs
import io
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from conversations.importers.report import Report
from conversations.importers.seen_counter import SeenCounter
from conversations.messages import NewMessage
from instances.translatable import translatable

#: Byte order marks, and the encodings that they stand for.
_ENCODINGS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
#: Bytes of one conversation, which is in memory as a whole.
MAX_PIECE_BYTES = 32 * 1024 * 1024

ACCEPTED_FORMATS = translatable(
    "Accepted formats: an export from ChatGPT, Claude, DeepSeek, Gemini (Google Takeout as JSON), "
    "Grok, Open WebUI or LibreChat, as a zip file or the JSON file in it; conversations of LM "
    "Studio; sessions of Claude Code and Codex; lists of messages with “role” and “content” as "
    "JSON or JSONL; LoCoMo-format JSON; JSONL with one message per line, each with “content”; and "
    "memories: as JSON, JSONL or CSV, text with one per line (under Memory → Import), an export "
    "from mem0, a backup from OpenMemory (the zip file), or the memory.jsonl of the MCP memory "
    "server. All of them in UTF-8, or in UTF-16 with a byte order mark."
)


class UnknownFormat(ValueError):
    """The file cannot be imported at all; the message says what can be."""


class BrokenFile(ValueError):
    """The file cannot be read any further; the message says where and why."""

    #: The report of what was read before.
    report: Report = Report()


class Stream(Protocol):
    """A seekable binary file."""

    def read(self, size: int = ..., /) -> bytes:
        """Return at most *size* bytes, none at the end."""

    def seek(self, offset: int, whence: int = ..., /) -> int:
        """Go to a place in the file."""


@dataclass(frozen=True)
class ParsedMessage:
    """A message of a file, with its conversation and its place."""

    #: The conversation's external id.
    conversation: str
    message: NewMessage
    place: str
    title: str = ""
    end_user: str = ""


@dataclass(frozen=True)
class ParseContext:
    """The import for which a file is parsed."""

    #: The file's name, which identifies what has no id in it.
    name: str
    #: The time zone of dates without one.
    zone: ZoneInfo
    report: Report
    seen: SeenCounter


def plausible_date(date: datetime) -> datetime | None:
    """Return *date*, or None if its year is one that exports write for "unknown", or that other
    time zones cannot represent.
    """
    return date if 1900 <= date.year <= 2200 else None


class Reader(io.RawIOBase):
    """A stream as UTF-8 without its byte order mark, with a count of its bytes and a limit on one
    piece.
    """

    def __init__(self, stream: Stream, on_read: Callable[[int], None] | None = None) -> None:
        """Start at the beginning of *stream*; ``on_read`` gets the number of bytes read so far."""
        super().__init__()
        stream.seek(0)
        start = stream.read(max(map(len, _ENCODINGS)))
        mark = next((each for each in _ENCODINGS if start.startswith(each)), b"")
        stream.seek(len(mark))
        encoding = _ENCODINGS.get(mark, "utf-8")
        #: What is in UTF-8 already stays as it is: those who read it say where it is damaged.
        self._decoder = (
            None if encoding == "utf-8" else codecs.getincrementaldecoder(encoding)("replace")
        )
        self._waiting = b""
        self.bytes_read = len(mark)
        self._stream = stream
        self._on_read = on_read
        self._piece_began = self.bytes_read

    def again(self) -> "Reader":
        """Return a reader of the same stream, from its beginning, in place of this one."""
        return Reader(self._stream, self._on_read)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill *buffer*, and return the number of bytes. Raises `BrokenFile`."""
        if self.bytes_read - self._piece_began > MAX_PIECE_BYTES:
            raise BrokenFile(
                translatable(
                    "One text, which begins near byte %(place)s, is larger than %(most)s MB, or is "
                    "never closed.",
                    place=self._piece_began,
                    most=MAX_PIECE_BYTES // 1024 // 1024,
                )
            )
        data = self._waiting or self._next(len(buffer))
        self._waiting = data[len(buffer) :]
        data = data[: len(buffer)]
        buffer[: len(data)] = data
        return len(data)

    def _next(self, size: int) -> bytes:
        """Return about *size* more bytes in UTF-8, none only at the end."""
        while True:
            data = self._stream.read(size)
            self.bytes_read += len(data)
            if self._on_read:
                self._on_read(self.bytes_read)
            if self._decoder is None:
                return data
            is_end = not data
            # Half a character waits for its other half.
            data = self._decoder.decode(data, final=is_end).encode()
            if data or is_end:
                return data

    def next_piece(self) -> None:
        """Begin a new piece: the caller is done with what it has read."""
        self._piece_began = self.bytes_read
